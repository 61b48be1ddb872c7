import WiFi

/// A node of a YAML file that is read strictly: every key must be known, every value must fit.
struct StrictYAML {
  let node: YAMLNode
  let file: String
  var place: ScenarioProblem.Place { node.place }

  /// Reads the one document of a file.
  static func read(_ text: String, file: String) throws(ScenarioProblem) -> StrictYAML {
    // A byte order mark is no part of the text; the parser would take it for a column.
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    if let place = YAMLAlias.first(in: text) {
      throw ScenarioProblem(
        file: file, place: place,
        sentence: "“&” and “*” begin an anchor and an alias, which a scenario does not have; write it out, or put a text in quotes.")
    }
    let documents: [YAMLNode]
    do { documents = try YAMLNode.documents(of: text) } catch {
      throw ScenarioProblem(file: file, place: error.place, sentence: "not YAML: \(error.reason).")
    }
    guard let first = documents.first else {
      throw ScenarioProblem(file: file, sentence: "the file is empty; a scenario begins with “scenario:”.")
    }
    guard documents.count == 1 else {
      throw ScenarioProblem(file: file, place: documents[1].place, sentence: "a second document; one file is one scenario.")
    }
    return StrictYAML(node: first, file: file)
  }

  func problem(_ sentence: String) -> ScenarioProblem { ScenarioProblem(file: file, place: place, sentence: sentence) }

  /// What stands there, in words.
  var kind: String {
    switch node.content {
    case .scalar(let scalar): scalar.isEmpty ? "nothing" : "“\(Self.shown(scalar))”"
    case .mapping: "a mapping"
    case .sequence: "a list"
    }
  }

  /// What stands where a name is expected; what cannot be one is not quoted, as it may be secret.
  var named: String {
    guard let scalar, scalar.count > 24 || scalar.contains(where: ":$=/".contains) else { return kind }
    return "a text of \(scalar.count) characters"
  }

  /// The beginning of a text: what is no scenario may be long, and secret.
  private static func shown(_ text: String) -> String {
    let limit = 40
    return PrintableText.escape(text.prefix(limit)) + (text.count > limit ? "…" : "")
  }

  // MARK: Scalars

  /// Whether nothing stands there, not even an empty text in quotes.
  var isMissing: Bool { node.isPlain && scalar?.isEmpty == true }

  /// The text of a scalar, whatever it looks like.
  var scalar: String? { if case .scalar(let scalar) = node.content { scalar } else { nil } }

  func text(_ what: String) throws(ScenarioProblem) -> String {
    guard let scalar else { throw problem("\(what) is a text, not \(kind).") }
    return scalar
  }

  func isOn(_ what: String) throws(ScenarioProblem) -> Bool {
    switch scalar {
    case "on", "true", "yes": return true
    case "off", "false", "no": return false
    default: throw problem("\(what) is on or off (or true or false), not \(kind).")
    }
  }

  func integer<Integer: FixedWidthInteger>(
    _ what: String, in range: ClosedRange<Integer>
  ) throws(ScenarioProblem) -> Integer {
    guard let scalar, let number = Integer(scalar), range.contains(number) else {
      throw problem("\(what) is a whole number from \(range.lowerBound) to \(range.upperBound), not \(kind).")
    }
    return number
  }

  /// A number with at most two decimals, in hundredths.
  func hundredths(_ what: String, in range: ClosedRange<Int>) throws(ScenarioProblem) -> Int {
    if let scalar {
      let parts = scalar.split(separator: ".", omittingEmptySubsequences: false)
      if parts.count <= 2, let whole = Int(parts[0]), parts.count == 1 || (1...2).contains(parts[1].count),
        parts.dropFirst().joined().utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
        let fraction = parts.count == 1 ? 0 : UInt8((parts[1] + "0").prefix(2)).map(Int.init),
        (-1_000_000...1_000_000).contains(whole)
      {
        let value = whole * 100 + (scalar.hasPrefix("-") ? -fraction : fraction)
        if range.contains(value) { return value }
      }
    }
    func shown(_ value: Int) -> String { value % 100 == 0 ? "\(value / 100)" : "\(Double(value) / 100)" }
    let bounds = "\(shown(range.lowerBound)) to \(shown(range.upperBound))"
    throw problem("\(what) is a number from \(bounds) with at most two decimals, not \(kind).")
  }

  /// A duration such as `1s`, `1.5 s`, `500ms`, `10m` or `2h`.
  func duration(_ what: String) throws(ScenarioProblem) -> Duration {
    if let scalar, let duration = Self.duration(scalar) { return duration }
    throw problem("\(what) is a duration such as 1s, 500ms, 1.5s, 10m or 2h, not \(kind).")
  }

  /// The duration that a text is; `nil` where it is none, or longer than 100 years.
  static func duration(_ text: String) -> Duration? {
    let text = text.filter { $0 != " " }
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let nanoseconds: Int64
    switch text.dropFirst(digits.count) {
    case "ns": nanoseconds = 1
    case "us", "µs": nanoseconds = 1000
    case "ms": nanoseconds = 1_000_000
    case "s": nanoseconds = 1_000_000_000
    case "m", "min": nanoseconds = 60_000_000_000
    case "h": nanoseconds = 3_600_000_000_000
    default: return nil
    }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Int64(parts[0]), parts.count == 1 || (1...9).contains(parts[1].count) else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: nanoseconds)
    guard !overflow, product <= 100 * 365 * 86400 * 1_000_000_000 else { return nil }
    var result = Duration.nanoseconds(product)
    if parts.count == 2 {
      guard let decimals = Int64((parts[1] + "000000000").prefix(9)) else { return nil }
      result += .nanoseconds(nanoseconds) * decimals / 1_000_000_000
    }
    return result
  }

  /// One of several words.
  func word<Word: RawRepresentable & CaseIterable>(
    _ what: String, _ type: Word.Type = Word.self
  ) throws(ScenarioProblem) -> Word where Word.RawValue == String {
    if let scalar, let word = Word(rawValue: scalar) { return word }
    let known = Word.allCases.map(\.rawValue)
    throw problem("\(what) is one of \(known.joined(separator: ", ")), not \(kind).\(Suggestion.sentence(scalar ?? "", known))")
  }

  // MARK: Collections

  var isMapping: Bool { if case .mapping = node.content { true } else { false } }
  var isList: Bool { if case .sequence = node.content { true } else { false } }

  func list(_ what: String) throws(ScenarioProblem) -> [StrictYAML] {
    guard case .sequence(let sequence) = node.content else { throw problem("\(what) is a list, not \(kind).") }
    return sequence.map { StrictYAML(node: $0, file: file) }
  }

  /// The fields of a mapping, of which all are among `known`.
  ///
  /// - Parameter problems: keeps keys that are not known, of which there may be several; without it the first is
  ///   thrown.
  func fields(_ what: String, _ known: [String], keeping problems: ScenarioProblemList? = nil) throws(ScenarioProblem) -> StrictFields {
    guard case .mapping(let mapping) = node.content else {
      throw problem("\(what) is a mapping with \(known.joined(separator: ", ")), not \(named).")
    }
    var fields: [(key: StrictYAML, value: StrictYAML)] = []
    var hasUnknown = false
    for (key, value) in mapping {
      let key = StrictYAML(node: key, file: file)
      guard let name = key.scalar, known.contains(name) else {
        let problem = key.problem(
          "\(key.named) is not known in \(what); known are \(known.joined(separator: ", ")).\(Suggestion.sentence(key.scalar ?? "", known))"
        )
        guard let problems else { throw problem }
        problems.add(problem)
        hasUnknown = true
        continue
      }
      fields.append((key, StrictYAML(node: value, file: file)))
    }
    return StrictFields(what: what, node: self, fields: fields, hasUnknown: hasUnknown)
  }
}
