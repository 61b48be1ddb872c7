import Determinism
import Models
import WiFi

/// Compares expectations with the state.
struct ExpectationCheck {
  let fixture: SettingsFixture

  /// How long the password is that was expected, and not what it is.
  static func words(for password: String) -> String { password.isEmpty ? "empty" : password.count.counted("other character") }

  /// Every difference, one line each; empty where all is as expected.
  func differences(_ expected: Expectations) -> [String] {
    let state = SettingsState(fixture.model)
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ expected: Value?, _ actual: Value, _ text: (Value) -> String) {
      if let expected, expected != actual { differences.append("\(name): expected \(text(expected)), is \(text(actual))") }
    }
    compare("wifi", expected.isOn, state.isOn, \.onOrOff)
    if let destination = expected.destination { differences += compareDestination(destination, state) }
    compare("connecting", expected.isConnecting, state.isConnecting, \.onOrOff)
    compare("alert", expected.alert, state.alert, \.rawValue)
    compare("failure", expected.failure, state.failure) { $0?.rawValue ?? "none" }
    if let password = expected.password, let actual = fixture.model.destination?.connect?.password, password != actual {
      differences.append(
        "password: expected \(Self.words(for: password)), was \(actual.count.counted("character"))")
    } else if expected.password != nil, fixture.model.destination?.connect == nil {
      differences.append("password: there is no password field")
    }
    if let selected = expected.selected { differences += compareSelection(selected, state) }
    compare("outOfRange", expected.isOutOfRange, state.isOutOfRange, \.onOrOff)
    compare("lost", expected.isLost, state.isLost, \.onOrOff)
    compare("canForget", expected.canForget, state.canForget, \.onOrOff)
    differences += compareRows(expected)
    compare("issues", expected.issueCount, fixture.issues.count) { "\($0)" }
    let link = state.link?.description ?? "none"
    // What is said without a reason has happened with any.
    if let expected = expected.link, expected != link, !link.hasPrefix("\(expected): ") {
      differences.append("link: expected \(expected), is \(link)")
    }
    compare("radio", expected.radio, state.radioProblem ?? "none") { $0 }
    if let known = expected.known { differences += KnownExpectationCheck(model: fixture.model.destination?.known).differences(known) }
    return differences
  }

  private func compareDestination(_ expected: Expectations.Destination, _ state: SettingsState) -> [String] {
    let (name, reference): (String, NetworkReference?) =
      switch expected {
      case .none: ("none", nil)
      case .connect(let reference): ("connect", reference)
      case .detail(let reference): ("detail", reference)
      case .known: ("known", nil)
      }
    guard name == state.destination else { return ["destination: expected \(name), is \(state.destination)"] }
    guard let reference, let actual = state.destinationNetwork else { return [] }
    let network = fixture.model.destination?.connect?.network ?? fixture.model.destination?.detail?.network
    if let network, let number = reference.number {
      let named = fixture.rows(of: reference)
      if named.indices.contains(number - 1), named[number - 1].id == network.id { return [] }
    } else if let network, reference.isName(of: network) {
      return []
    }
    return ["destination: expected \(name) of \(reference), is of \(actual)"]
  }

  private func compareSelection(_ expected: NetworkReference?, _ state: SettingsState) -> [String] {
    guard let expected else { return state.selected.map { ["selected: expected none, is \($0)"] } ?? [] }
    guard let network = fixture.model.selectedNetwork, expected.isName(of: network) else {
      return ["selected: expected \(expected), is \(state.selected ?? "none")"]
    }
    return []
  }

  private func compareRows(_ expected: Expectations) -> [String] {
    let rows = fixture.panel.networks.compactMap(\.networkRow)
    let names = rows.map(\.name)
    func shown(_ name: String) -> String { PrintableText.escape(name) }
    var differences: [String] = []
    if let expectedRows = expected.rows?.map(shown), expectedRows != names {
      differences.append("rows (- expected, + shown):")
      differences += LineDifference.text(expected: expectedRows, actual: names).map { "  \($0)" }
    }
    for reference in expected.contains {
      let count = names.count { $0 == shown(reference.name) }
      if count < reference.number ?? 1 {
        differences.append("rows: expected \(reference) among them; \(count) of \(names.count) have that name")
      }
    }
    for reference in expected.missing where names.count(where: { $0 == shown(reference.name) }) >= reference.number ?? 1 {
      differences.append("rows: expected no \(reference), but it is there")
    }
    if let count = expected.count, count != rows.count { differences.append("count: expected \(count) rows, there are \(rows.count)") }
    for expectation in expected.row {
      let named = fixture.rows(of: expectation.network)
      let index = (expectation.network.number ?? 1) - 1
      guard named.indices.contains(index) else {
        differences.append("row: there is no \(expectation.network)")
        continue
      }
      if let isSecured = expectation.isSecured, isSecured != named[index].isSecured {
        let (expected, actual) = isSecured ? ("secured", "open") : ("open", "secured")
        differences.append("row \(expectation.network): expected \(expected), is \(actual)")
      }
      if let bars = expectation.bars, bars != named[index].bars {
        differences.append("row \(expectation.network): expected \(bars) bars, has \(named[index].bars)")
      }
    }
    return differences
  }
}
