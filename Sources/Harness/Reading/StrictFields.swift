import WiFi

/// The fields of a mapping.
struct StrictFields {
  let what: String
  let node: StrictYAML
  let fields: [(key: StrictYAML, value: StrictYAML)]
  /// Whether there were keys that are not known, one of which may have been meant for one that is missing.
  let hasUnknown: Bool

  subscript(name: String) -> StrictYAML? { fields.first { $0.key.scalar == name }?.value }

  /// Where the key of a field stands.
  func place(of name: String) -> ScenarioProblem.Place {
    fields.first { $0.key.scalar == name }?.key.place ?? node.place
  }

  /// Whether a field is on; `nil`, as for each kind of field below, where it is not there.
  func isOn(_ name: String) throws(ScenarioProblem) -> Bool? { try self[name]?.isOn("“\(name)”") }

  func text(_ name: String) throws(ScenarioProblem) -> String? { try self[name]?.text("“\(name)”") }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ScenarioProblem) -> Int? {
    try self[name]?.integer("“\(name)”", in: range)
  }

  func duration(_ name: String) throws(ScenarioProblem) -> Duration? { try self[name]?.duration("“\(name)”") }

  /// The word of a field, which is one of several.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type
  ) throws(ScenarioProblem) -> Word? where Word.RawValue == String {
    try self[name]?.word("“\(name)”", type)
  }

  func required(_ name: String) throws(ScenarioProblem) -> StrictYAML {
    guard let value = self[name] else { throw node.problem("\(what) has no “\(name)”.") }
    return value
  }

  /// What `read` makes of a field, which must be there; `nil` where a problem is kept.
  func required<Value>(
    _ name: String, keeping problems: ScenarioProblemList, _ read: (StrictYAML) throws(ScenarioProblem) -> Value
  ) -> Value? {
    if self[name] == nil, hasUnknown { return nil }
    return problems.attempt { () throws(ScenarioProblem) in try read(try required(name)) }
  }

  /// What `read` makes of a field; `nil` where it is not there, and where a problem is kept.
  func optional<Value>(
    _ name: String, keeping problems: ScenarioProblemList, _ read: (StrictYAML) throws(ScenarioProblem) -> Value
  ) -> Value? {
    guard let node = self[name] else { return nil }
    return problems.attempt { () throws(ScenarioProblem) in try read(node) }
  }

  /// Whether a field is on; `nil` where it is not there, and where a problem is kept.
  func isOn(_ name: String, keeping problems: ScenarioProblemList) -> Bool? {
    optional(name, keeping: problems) { (node) throws(ScenarioProblem) in try node.isOn("“\(name)”") }
  }

  /// A duration; `nil` where it is not there, and where a problem is kept.
  func duration(_ name: String, keeping problems: ScenarioProblemList) -> Duration? {
    optional(name, keeping: problems) { (node) throws(ScenarioProblem) in try node.duration("“\(name)”") }
  }

  /// The only field of a mapping that says which of several things is meant.
  ///
  /// - Parameter inStep: whether another step can say the other.
  func only(inStep: Bool = false) throws(ScenarioProblem) -> (name: String, value: StrictYAML) {
    guard let first = fields.first, let name = first.key.scalar else { throw node.problem("\(what) says nothing.") }
    if fields.count > 1 {
      let names = fields.map { "“\($0.key.scalar ?? "")”" }
      throw fields[1].key.problem(
        inStep
          ? "\(what) is one thing at a time; begin another step for \(names[1])."
          : "\(what) is one thing, and here are \(names.joined(separator: " and ")): keep one.")
    }
    return (name, first.value)
  }
}
