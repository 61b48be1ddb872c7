/// Reads what must be so.
struct ExpectationReader {
  private static let keys = [
    "wifi", "destination", "connecting", "alert", "failure", "password", "selected", "outOfRange", "lost", "canForget",
    "rows", "contains", "missing", "count", "row", "issues", "link", "radio", "known",
  ]

  private let reader: ScenarioReader

  init(_ reader: ScenarioReader) { self.reader = reader }

  func read(_ node: StrictYAML) throws(ScenarioProblem) -> Expectations {
    let fields = try node.fields("an expectation", Self.keys)
    guard !fields.fields.isEmpty else { throw node.problem("an expectation of nothing cannot fail.") }
    var expected = Expectations()
    expected.isOn = try fields["wifi"]?.isOn("“wifi”")
    expected.destination = try fields["destination"].map(destination)
    expected.isConnecting = try fields["connecting"]?.isOn("“connecting”")
    expected.alert = try fields["alert"]?.word("“alert”")
    if let failure = fields["failure"] {
      expected.failure = .some(failure.scalar == "none" ? nil : try failure.word("“failure”", ExpectedFailure.self))
    }
    expected.password = try fields["password"]?.text("“password”")
    if let selected = fields["selected"] {
      expected.selected = .some(selected.scalar == "none" ? nil : try reader.reference(selected))
      if selected.isMapping, let number = try? selected.fields("", ["network", "number"])["number"] {
        throw number.problem("the selected network is the first row, whatever its number was; tell it by “row” and its strength.")
      }
    }
    expected.isOutOfRange = try fields["outOfRange"]?.isOn("“outOfRange”")
    expected.isLost = try fields["lost"]?.isOn("“lost”")
    expected.canForget = try fields["canForget"]?.isOn("“canForget”")
    if let rows = fields["rows"] {
      var names: [String] = []
      for row in try rows.list("“rows”") { names.append(try row.text("the name of a row")) }
      expected.rows = names
    }
    if let contains = fields["contains"] { expected.contains = try references(contains, "“contains”") }
    if let missing = fields["missing"] { expected.missing = try references(missing, "“missing”") }
    expected.count = try fields["count"]?.integer("“count”", in: 0...1_000_000)
    if let row = fields["row"] { expected.row = [try self.row(row)] }
    expected.issueCount = try fields["issues"]?.integer("“issues”", in: 0...1_000_000)
    expected.link = try fields["link"]?.text("“link”")
    expected.radio = try fields["radio"]?.text("“radio”")
    if let known = fields["known"] { expected.known = try KnownScenarioReader().expectations(known) }
    try ScenarioContradictions.check(expected, node)
    return expected
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
    var references: [NetworkReference] = []
    for item in try node.list(what) { references.append(try reader.reference(item)) }
    return references
  }

  private func row(_ node: StrictYAML) throws(ScenarioProblem) -> Expectations.RowExpectation {
    let also = ["secured", "bars"]
    let fields = try node.fields("“row”", ["network", "number"] + also)
    var row = Expectations.RowExpectation(network: try reader.reference(node, also: also))
    row.isSecured = try fields["secured"]?.isOn("“secured”")
    row.bars = try fields["bars"]?.integer("“bars”", in: 0...4)
    return row
  }
}
