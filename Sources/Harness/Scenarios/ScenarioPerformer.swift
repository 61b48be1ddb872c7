import Models
import WiFi

/// Performs the steps of a scenario on a stage.
final class ScenarioPerformer {
  private let scenario: Scenario
  private let stage: SettingsStage
  private let person: SettingsPerson

  init(_ scenario: Scenario, _ stage: SettingsStage) {
    self.scenario = scenario
    self.stage = stage
    person = SettingsPerson(stage)
  }

  private var simulation: Simulation { stage.simulation }

  /// Performs one step and lets everything come to rest.
  ///
  /// - Returns: what was not as it had to be, empty where all was.
  func perform(_ step: ScenarioStep) async -> [String] {
    stage.action = step.action
    stage.isAfterAction = true
    do throws(SettingsPerson.Cannot) {
      switch step.action {
      case .tap(let control): try person.tap(control)
      case .tapNetwork(let reference): try person.tap(reference)
      case .info(let reference): try person.tapInfo(reference)
      case .stale(let reference, let isInfo): person.tapStale(Self.staleID(reference, stage), isInfo: isInfo)
      case .typePassword(let password): try person.type(password: password)
      case .switchWiFi(let isOn): try person.switchWiFi(isOn: isOn)
      case .dismiss: try person.dismissTop()
      case .advance(let duration): await simulation.advance(by: duration)
      case .wait(let expected, let limit): return await wait(expected, limit)
      case .expect(let expected): return ExpectationCheck(stage: stage).differences(expected)
      case .world(let event): try perform(event)
      }
    } catch {
      return [error.description]
    }
    await simulation.settle()
    return []
  }

  /// Moves time from one deadline to the next until all is as expected.
  private func wait(_ expected: Expectations, _ limit: Duration) async -> [String] {
    let end = simulation.clock.now.offset + limit
    while true {
      let differences = ExpectationCheck(stage: stage).differences(expected)
      if differences.isEmpty { return [] }
      let now = simulation.clock.now.offset
      if now >= end { return ["not so within \(VirtualTime.text(limit)):"] + differences }
      let next = simulation.clock.sleepers.first { $0.deadline.offset > now }?.deadline.offset ?? end
      await simulation.advance(to: .init(offset: min(next, end)))
    }
  }

  private func perform(_ event: ScenarioAction.WorldEvent) throws(SettingsPerson.Cannot) {
    simulation.trace.record("world \(Self.text(event))")
    do throws(WorldCannot) {
      switch event {
      case .find: try stage.world.perform(event, on: nil)
      case .lose(let reference), .join(let reference, _): try stage.world.perform(event, on: network(reference))
      }
    } catch {
      throw SettingsPerson.Cannot(description: error.sentence)
    }
  }

  private static func text(_ event: ScenarioAction.WorldEvent) -> String {
    switch event {
    case .lose(let reference): "loses \(reference)"
    case .find(let network): "has \(network.name.isEmpty ? "(hidden)" : PrintableText.escape(Array(network.name.utf8))) now"
    case .join(let reference, let answer):
      "answers joins of \(reference) after \(VirtualTime.text(answer.duration))"
        + (answer.failure.map { " with \($0.rawValue)" } ?? " as the password says")
    }
  }

  /// The network that a reference means: a row, or what a sheet or page is about.
  private func network(_ reference: NetworkReference) -> Network? {
    if let row = try? person.row(reference) {
      return stage.model.foundNetworks[row.id]?.network ?? stage.model.selectedNetwork
    }
    return stage.model.foundNetworks.all.first { NetworkRow($0).name == PrintableText.escape(Array(reference.name.utf8)) }
  }

  /// The identity of a network that is not in the list: nobody has heard it.
  private static func staleID(_ reference: NetworkReference, _ stage: SettingsStage) -> NetworkID {
    if stage.world.grouping == .network, let ssid = SSID(Array(reference.name.utf8)) { return .network(ssid, .personal) }
    return .bss(MACAddress(0x02_FF_FF_FF_FF_FF))
  }
}
