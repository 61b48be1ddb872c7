/// Reads expectations.
struct ExpectationReader {
  private static let keys = [
    "wifi", "destination", "connecting", "alert", "failure", "password", "selected", "outOfRange", "lost", "canForget",
    "rows", "contains", "missing", "count", "row", "issues", "link", "radio", "known",
  ]

  private let reader: ScenarioReader

  init(_ reader: ScenarioReader) { self.reader = reader }

  /// Reads an expectation; where several of its fields are wrong, all are kept.
  func read(_ node: StrictYAML) throws(ScenarioProblem) -> Expectations {
    let own = ScenarioProblemList()
    let fields = try node.fields("an expectation", Self.keys, keeping: own)
    guard !fields.fields.isEmpty || fields.hasUnknown else { throw node.problem("an expectation of nothing cannot fail.") }
    var expected = Expectations()
    for name in Self.keys {
      guard let field = fields[name] else { continue }
      own.attempt { () throws(ScenarioProblem) in try read(name, field, into: &expected) }
    }
    try own.finish()
    try ScenarioContradictions.check(expected, node)
    return expected
  }

  private func read(_ name: String, _ field: StrictYAML, into expected: inout Expectations) throws(ScenarioProblem) {
    switch name {
    case "wifi": expected.isOn = try field.isOn("“wifi”")
    case "destination": expected.destination = try destination(field)
    case "connecting": expected.isConnecting = try field.isOn("“connecting”")
    case "alert": expected.alert = try field.word("“alert”")
    case "failure":
      expected.failure = .some(field.scalar == "none" ? nil : try field.word("“failure”", ExpectedFailure.self))
    case "password": expected.password = try field.text("“password”")
    case "selected":
      expected.selected = .some(field.scalar == "none" ? nil : try reader.reference(field))
      if field.isMapping, let number = try? field.fields("", ["network", "number"])["number"] {
        throw number.problem("the selected network is the first row, whatever its number was; identify it by “row” and its strength.")
      }
    case "outOfRange": expected.isOutOfRange = try field.isOn("“outOfRange”")
    case "lost": expected.isLost = try field.isOn("“lost”")
    case "canForget": expected.canForget = try field.isOn("“canForget”")
    case "rows":
      expected.rows = try field.list("“rows”").map { (row) throws(ScenarioProblem) in try row.text("the name of a row") }
    case "contains": expected.contains = try references(field, "“contains”")
    case "missing": expected.missing = try references(field, "“missing”")
    case "count": expected.count = try field.integer("“count”", in: 0...1_000_000)
    case "row": expected.row = [try row(field)]
    case "issues": expected.issueCount = try field.integer("“issues”", in: 0...1_000_000)
    case "link": expected.link = try field.text("“link”")
    case "radio": expected.radio = try field.text("“radio”")
    default: expected.known = try KnownScenarioReader().expectations(field)
    }
  }

  private func destination(_ node: StrictYAML) throws(ScenarioProblem) -> Expectations.Destination {
    switch node.scalar {
    case "none": return .none
    case "connect": return .connect(nil)
    case "detail": return .detail(nil)
    case "known": return .known
    case .some: throw node.problem("“destination” is none, connect, detail or known, or { connect: NETWORK }, not \(node.kind).")
    case nil: break
    }
    let (name, value) = try node.fields("“destination”", ["connect", "detail"]).only()
    let network = try reader.reference(value)
    return name == "connect" ? .connect(network) : .detail(network)
  }

  private func references(_ node: StrictYAML, _ what: String) throws(ScenarioProblem) -> [NetworkReference] {
    try node.list(what).map { (item) throws(ScenarioProblem) in try reader.reference(item) }
  }

  private func row(_ node: StrictYAML) throws(ScenarioProblem) -> Expectations.RowExpectation {
    let also = ["secured", "bars"]
    let fields = try node.fields("“row”", ["network", "number"] + also)
    var row = Expectations.RowExpectation(network: try reader.reference(node, also: also))
    row.isSecured = try fields.isOn("secured")
    row.bars = try fields.integer("bars", in: 0...4)
    return row
  }
}
