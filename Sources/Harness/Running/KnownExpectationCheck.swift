import Models
import WiFi

/// Compares expectations of the known networks with their state.
struct KnownExpectationCheck {
  let model: KnownNetworksModel?

  /// Every difference, one line each; empty where all is as expected.
  func differences(_ expected: KnownExpectations) -> [String] {
    guard let model else { return ["known: the page of known networks is not there"] }
    let state = KnownState(model)
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ expected: Value?, _ actual: Value, _ text: (Value) -> String) {
      if let expected, expected != actual { differences.append("known \(name): expected \(text(expected)), is \(text(actual))") }
    }
    func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
    compare("rows", expected.rows, state.rows.map(\.name), list)
    compare("pages", expected.pages, state.pages, list)
    compare("sheet", expected.hasSheet, state.sheet != nil, \.onOrOff)
    compare("loading", expected.isLoading, state.isLoading, \.onOrOff)
    compare("saving", expected.isSaving, state.isSaving, \.onOrOff)
    compare("gone", expected.isGone, state.isGone, \.onOrOff)
    compare("failure", expected.failure, state.failure) { $0 ?? "none" }
    if let password = expected.password {
      let actual = model.addSheet?.password ?? model.path.last?.password
      if actual != password {
        differences.append(
          "known password: expected \(ExpectationCheck.words(for: password)), "
            + (actual.map { "was \($0.count.counted("character"))" } ?? "there is no field"))
      }
    }
    if let row = expected.row { differences += compareRow(row, state.rows) }
    return differences
  }

  private func compareRow(_ expected: KnownExpectations.Row, _ rows: [KnownNetworkRow]) -> [String] {
    guard let row = rows.first(where: { $0.name == expected.name }) else { return ["known row: there is no \(expected.name)"] }
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ expected: Value?, _ actual: Value) {
      if let expected, expected != actual { differences.append("known row \(row.name): expected \(name) \(expected), is \(actual)") }
    }
    compare("security", expected.security, row.security)
    compare("priority", expected.priority, row.priority ?? 0)
    compare("autoconnect", expected.joinsAutomatically, row.joinsAutomatically)
    compare("hidden", expected.isHidden, row.isHidden)
    compare("joined", expected.isJoined, row.isJoined)
    compare("inRange", expected.isInRange, row.isInRange)
    return differences
  }
}
