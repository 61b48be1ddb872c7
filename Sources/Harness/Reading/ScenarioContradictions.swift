/// Finds expectations that can never hold together.
enum ScenarioContradictions {
  /// Within one expectation.
  static func check(_ expected: Expectations, _ node: StrictYAML) throws(ScenarioProblem) {
    func contradiction(_ left: String, _ right: String) -> ScenarioProblem {
      node.problem("this can never be so: \(left), and \(right).")
    }
    let onSheet = [
      expected.isConnecting == true ? "connecting" : nil, expected.alert == .incorrectPassword ? "an alert for a wrong password" : nil,
      expected.failure.flatMap { $0 } != nil ? "a failure" : nil, expected.password != nil ? "a password" : nil,
    ].compactMap { $0 }.first
    let onPage = [expected.alert == .forget ? "an alert to forget" : nil, expected.canForget == true ? "Forget is offered" : nil]
      .compactMap { $0 }.first
    switch expected.destination {
    case .some(.none):
      if let what = onSheet ?? onPage { throw contradiction("no destination", what) }
      if expected.isLost == true { throw contradiction("no destination", "its network is lost") }
    case .detail: if let onSheet { throw contradiction("the destination is a detail page", onSheet) }
    case .connect: if let onPage { throw contradiction("the destination is the connect sheet", onPage) }
    case .known: if let what = onSheet ?? onPage { throw contradiction("the destination is the page of known networks", what) }
    case nil: if let onSheet, let onPage { throw contradiction(onSheet, onPage) }
    }
    if let destination = expected.destination, destination != .known, expected.known != nil {
      throw contradiction("the destination is another", "something is expected of the known networks")
    }
    if expected.isOn == false {
      if expected.known != nil { throw contradiction("Wi-Fi is off", "something is expected of the known networks") }
      if let destination = expected.destination, destination != .none { throw contradiction("Wi-Fi is off", "there is a destination") }
      if let rows = expected.rows, !rows.isEmpty { throw contradiction("Wi-Fi is off", "rows are shown") }
      if let count = expected.count, count > 0 { throw contradiction("Wi-Fi is off", "\(count) rows are shown") }
      if let first = expected.contains.first { throw contradiction("Wi-Fi is off", "\(first) is shown") }
    }
    if expected.isConnecting == true, expected.alert == .incorrectPassword {
      throw contradiction("connecting", "an alert for a wrong password")
    }
    if let both = expected.contains.first(where: expected.missing.contains) {
      throw contradiction("\(both) is there", "it is missing")
    }
    if let rows = expected.rows {
      if let count = expected.count, count != rows.count { throw contradiction("\(count) rows", "\(rows.count) names of rows") }
      if let lacking = expected.contains.first(where: { !rows.contains($0.name) }) {
        throw contradiction("\(lacking) is there", "it is not among the rows")
      }
      if let present = expected.missing.first(where: { rows.contains($0.name) }) {
        throw contradiction("\(present) is missing", "it is among the rows")
      }
    }
    if expected.selected == .some(nil), expected.isOutOfRange == true {
      throw contradiction("nothing is selected", "the selected network is out of range")
    }
  }

  /// Between two expectations with nothing between them.
  static func check(_ scenario: Scenario) throws(ScenarioProblem) {
    for (step, next) in zip(scenario.steps, scenario.steps.dropFirst()) {
      guard case .expect(let first) = step.action, case .expect(let second) = next.action else { continue }
      if let what = difference(first, second) {
        throw ScenarioProblem(
          file: scenario.file, place: next.place,
          sentence: "this contradicts line \(step.place.line): nothing happens between the two, yet \(what) differs.")
      }
    }
  }

  private static func difference(_ first: Expectations, _ second: Expectations) -> String? {
    func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
      if let left, let right { left != right } else { false }
    }
    if differ(first.isOn, second.isOn) { return "“wifi”" }
    if differ(first.isConnecting, second.isConnecting) { return "“connecting”" }
    if differ(first.alert, second.alert) { return "“alert”" }
    if differ(first.failure, second.failure) { return "“failure”" }
    if differ(first.password, second.password) { return "“password”" }
    if differ(first.selected, second.selected) { return "“selected”" }
    if differ(first.isOutOfRange, second.isOutOfRange) { return "“outOfRange”" }
    if differ(first.isLost, second.isLost) { return "“lost”" }
    if differ(first.canForget, second.canForget) { return "“canForget”" }
    if differ(first.rows, second.rows) { return "“rows”" }
    if differ(first.count, second.count) { return "“count”" }
    if differ(first.issueCount, second.issueCount) { return "“issues”" }
    if let left = first.destination, let right = second.destination, !agree(left, right) { return "“destination”" }
    if first.contains.contains(where: second.missing.contains) || first.missing.contains(where: second.contains.contains) {
      return "“contains” and “missing”"
    }
    return nil
  }

  private static func agree(_ left: Expectations.Destination, _ right: Expectations.Destination) -> Bool {
    switch (left, right) {
    case (.none, .none), (.known, .known): true
    case (.connect(let left), .connect(let right)), (.detail(let left), .detail(let right)): left == nil || right == nil || left == right
    default: false
    }
  }
}
