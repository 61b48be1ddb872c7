import Determinism
import Models
import WiFi

/// Performs the steps of a scenario on a fixture.
final class ScenarioPerformer {
  private let scenario: Scenario
  private let fixture: SettingsFixture
  private let user: SettingsUser
  /// The rows that there were, by name.
  private var rowsBefore: [String: NetworkID] = [:]
  private let remembersRows: Bool
  /// The list that was looked at last.
  private var revision = -1

  /// - Parameter remembersRows: whether a late tap may mean a row that is gone; `nil` where the steps say.
  init(_ scenario: Scenario, _ fixture: SettingsFixture, remembersRows: Bool? = nil) {
    self.scenario = scenario
    self.fixture = fixture
    user = SettingsUser(fixture)
    self.remembersRows = remembersRows ?? scenario.steps.contains { $0.action.isLate }
  }

  private var simulation: Simulation { fixture.simulation }

  /// Performs one step and runs the simulation until everything is at rest.
  ///
  /// - Returns: what was not as it had to be, empty where all was.
  func perform(_ step: ScenarioStep) async -> [String] {
    if case .atOnce(let actions) = step.action { fixture.actions += actions } else { fixture.actions.append(step.action) }
    rememberRows()
    do throws(SettingsUser.Cannot) {
      switch step.action {
      case .advance(let duration):
        if scenario.races { await race(after: duration) } else { await simulation.advance(by: duration) }
        return []
      case .wait(let expected, let limit):
        if scenario.races { await simulation.settle() }
        return await wait(expected, limit)
      case .expect(let expected):
        if scenario.races { await simulation.settle() }
        return ExpectationCheck(fixture: fixture).differences(expected)
      case .atOnce(let actions): for action in actions { try perform(action) }
      case .tap, .tapNetwork, .info, .stale, .typePassword, .fill, .switchWiFi, .dismiss, .view, .world: try perform(step.action)
      }
    } catch {
      // Of several things at once the first may have been done.
      if case .atOnce = step.action { await simulation.settle() }
      return [error.description]
    }
    await simulation.settle()
    return []
  }

  /// Waits for a turn among all that happens then; with whatever does, what comes next is several things at once.
  private func race(after duration: Duration) async {
    try? await simulation.clock.sleep(for: duration)
    if !simulation.isAlone { fixture.actions.append(.advance(duration)) }
  }

  /// Lets a user or the world do something, and nothing come of it yet.
  private func perform(_ action: ScenarioAction) throws(SettingsUser.Cannot) {
    switch action {
    case .tap(let control): try user.tap(control)
    case .tapNetwork(let reference): try user.tap(reference)
    case .info(let reference): try user.tapInfo(reference)
    case .stale(let reference, let isInfo): user.tapStale(try staleID(reference), called: reference, isInfo: isInfo)
    case .typePassword(let password): try user.type(password: password)
    case .fill(let fields): try user.fill(fields)
    case .switchWiFi(let isOn): try user.switchWiFi(isOn: isOn)
    case .dismiss: try user.dismissTop()
    case .view(let setting): try user.set(setting)
    case .world(let event): try perform(event)
    case .advance, .wait, .expect, .atOnce: preconditionFailure("ScenarioPerformer: \(action) takes more than one turn")
    }
  }

  /// Moves time from one deadline to the next until all is as expected.
  private func wait(_ expected: Expectations, _ limit: Duration) async -> [String] {
    let end = simulation.clock.now.offset + limit
    while true {
      let differences = ExpectationCheck(fixture: fixture).differences(expected)
      if differences.isEmpty { return [] }
      let now = simulation.clock.now.offset
      if now >= end {
        let reason = fixture.sourceError.map { ["the source of scans failed: \($0)"] } ?? []
        return ["not met within \(VirtualTime.text(limit)):"] + differences + reason
      }
      var next = simulation.clock.sleepers.first { $0.deadline.offset > now }?.deadline.offset ?? end
      // What happens on a real machine has no deadline here.
      if case .interface = scenario.source { next = min(next, now + .milliseconds(100)) }
      await simulation.advance(to: .init(offset: min(next, end)))
    }
  }

  private func perform(_ event: ScenarioAction.WorldEvent) throws(SettingsUser.Cannot) {
    simulation.trace.record("world \(Self.text(event))", in: .world)
    do throws(WorldCannot) {
      switch event {
      case .find, .link, .radio: try fixture.world.perform(event, on: nil)
      case .known(let event): try fixture.world.perform(event)
      case .lose(let reference), .join(let reference, _): try fixture.world.perform(event, on: network(reference))
      }
    } catch {
      throw SettingsUser.Cannot(description: error.sentence)
    }
  }

  private static func text(_ event: ScenarioAction.WorldEvent) -> String {
    switch event {
    case .lose(let reference): "loses \(reference)"
    case .find(let network): "has \(NetworkReference(name: network.name)) now"
    case .link(.dismissed(let reason)): "ends the link with reason code \(reason)"
    case .link(.roams): "lets the daemon move to another access point"
    case .radio(let isOn): isOn ? "lets the radio send again" : "blocks the radio"
    case .known(.forget(let name)): "forgets the known network \(name)"
    case .known(.joined(let name)): name.map { "joins the known network \($0)" } ?? "leaves the known network"
    case .known(.answer(let rule)):
      "answers about known networks after \(VirtualTime.text(rule.duration ?? KnownNetworkAnswerRule.usualDuration))"
        + (rule.failure.map { " with \($0.rawValue)" } ?? "")
    case .join(let reference, let answer):
      "answers joins of \(reference) after \(VirtualTime.text(answer.duration))"
        + (answer.failure.map { " with \($0.rawValue)" } ?? " as the password says")
    }
  }

  /// The network that a reference means: a row, or what a sheet or page is about.
  private func network(_ reference: NetworkReference) -> Network? {
    if let row = try? user.row(reference) {
      return fixture.model.foundNetworks[row.id]?.network ?? fixture.model.selectedNetwork
    }
    return fixture.model.foundNetworks.all.first(where: reference.isName)
  }

  // MARK: Rows that are gone

  /// Keeps which rows there were, where a late tap will mean one of them.
  private func rememberRows() {
    guard remembersRows, revision != fixture.model.foundNetworks.revision else { return }
    revision = fixture.model.foundNetworks.revision
    for row in fixture.networkRows { rowsBefore[row.name] = row.id }
  }

  /// The identity of a row that was there and is not any more, or of a network that was never heard.
  private func staleID(_ reference: NetworkReference) throws(SettingsUser.Cannot) -> NetworkID {
    guard fixture.rows(of: reference).isEmpty else {
      throw SettingsUser.Cannot(description: "\(reference) is in the list, so a tap on it is not late; use “tap” or “info”.")
    }
    if let id = rowsBefore[reference.rowName] { return id }
    if fixture.world.grouping == .network, let ssid = SSID(Array(reference.name.utf8)) { return .network(ssid, .personal) }
    return .bss(MACAddress(0x02_FF_FF_FF_FF_FF))
  }
}

extension ScenarioAction {
  /// Whether it is a tap on a row that is gone, or holds one.
  fileprivate var isLate: Bool {
    switch self {
    case .stale: true
    case .atOnce(let actions): actions.contains { $0.isLate }
    default: false
    }
  }
}
