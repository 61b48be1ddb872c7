import Determinism
import Models
import Observing
import Simulator
import WiFi

/// Draws what a user does next, of anything that is on the screen, step by step.
///
/// What is drawn depends on the seed and on what is on the screen. Each step is an explicit ``ScenarioAction``, so that
/// what was told can be told again without a seed.
struct ActionGenerator {
  private var stream: RandomStream
  private let knowsPassword: Bool
  /// Whether there is time to wait until networks are lost and found again.
  private let hasTime: Bool

  init(_ plan: RunPlan) {
    stream = RandomStream(seed: plan.seed, name: "person")
    knowsPassword = stream.bool(3, in: 4)
    hasTime = plan.activeLength > .seconds(60)
  }

  /// What happens next.
  mutating func next(_ stage: SettingsStage, _ user: SettingsUser) -> ScenarioAction {
    // A user looks before each tap, mostly for a while, at times not at all.
    if stream.bool(1, in: 2) { return .advance(pause(stage)) }
    if stream.bool(1, in: 12) {
      let first = action(stage, user)
      // To move the switch twice is to move it back.
      if case .switchWiFi(let isOn) = first { return .atOnce([first, .switchWiFi(isOn: !isOn)]) }
      // A double tap, or two things before the screen is drawn again.
      let second = stream.bool(1, in: 2) ? first : action(stage, user)
      return .atOnce([first, second])
    }
    return action(stage, user, or: .advance(pause(stage)))
  }

  /// Something that the user or the world does; where there is nothing to do, `other` or a turn of the switch.
  private mutating func action(_ stage: SettingsStage, _ user: SettingsUser, or other: ScenarioAction? = nil) -> ScenarioAction {
    if stream.bool(1, in: 24) { return .switchWiFi(isOn: !stage.model.isOn) }
    if stream.bool(1, in: 16), let event = worldEvent(stage) { return .world(event) }
    if let top = stage.presenter.shown.last { return onTop(top.name, user) }
    let rows = user.rows
    if rows.isEmpty { return stage.model.isOn ? other ?? .switchWiFi(isOn: false) : .switchWiFi(isOn: true) }
    let reference = reference(rows, Int(stream.next(below: UInt64(rows.count))))
    return stream.bool(1, in: 3) ? .info(reference) : .tapNetwork(reference)
  }

  private mutating func pause(_ stage: SettingsStage) -> Duration {
    // Until the very moment in which something else happens.
    let clock = stage.simulation.clock
    if stream.bool(1, in: 4), let next = clock.nextDeadline { return next.offset - clock.now.offset }
    if hasTime, stream.bool(1, in: 12) { return .seconds(Int64(31 + stream.next(below: 10))) }
    switch stream.next(below: 4) {
    case 0: return .milliseconds(Int64(1 + stream.next(below: 999)))
    case 1: return .seconds(1)
    case 2: return .seconds(Int64(1 + stream.next(below: 4)))
    default: return .milliseconds(Int64(1000 + stream.next(below: 6000)))
    }
  }

  private mutating func onTop(_ name: String, _ user: SettingsUser) -> ScenarioAction {
    if stream.bool(1, in: 8) { return .dismiss }
    if name == "connect", stream.bool(1, in: 3) {
      return .typePassword(knowsPassword && stream.bool(2, in: 3) ? "blob" : ["", "nope", "blob "][Int(stream.next(below: 3))])
    }
    let controls = user.controls
    guard !controls.isEmpty else { return .dismiss }
    return .tap(controls[Int(stream.next(below: UInt64(controls.count)))])
  }

  private mutating func worldEvent(_ stage: SettingsStage) -> ScenarioAction.WorldEvent? {
    guard !(stage.world is SourceScenarioWorld), !(stage.world is RecordedScenarioWorld) else { return nil }
    if stage.world.canChangeNetworks, stream.bool(1, in: 4) {
      let index = Int(stream.next(below: UInt64(PreviewNetwork.names.count)))
      var network = ScenarioNetwork(name: PreviewNetwork.names[index])
      network.isSecured = stream.bool(1, in: 2)
      return .find(network)
    }
    let rows = stage.networkRows.filter { !$0.isOutOfRange }
    guard !rows.isEmpty else { return nil }
    let reference = reference(stage.networkRows, row: rows[Int(stream.next(below: UInt64(rows.count)))])
    if stage.world.canChangeNetworks, stream.bool(1, in: 2) { return .lose(reference) }
    var answer = ScenarioAction.JoinAnswer()
    answer.duration = .milliseconds(Int64([0, 500, 1000, 5000, 20_000][Int(stream.next(below: 5))]))
    if stream.bool(1, in: 2) { answer.failure = ExpectedFailure.allCases[Int(stream.next(below: 3))] }
    return .join(reference, answer)
  }

  private func reference(_ rows: [NetworkRow], _ index: Int) -> NetworkReference { reference(rows, row: rows[index]) }

  /// The words for a row among all that are shown.
  private func reference(_ rows: [NetworkRow], row: NetworkRow) -> NetworkReference {
    let named = rows.filter { $0.name == row.name }
    let name = PrintableText.bytes(unescaping: row.name).map { String(decoding: $0, as: UTF8.self) } ?? row.name
    return NetworkReference(name: name, number: named.count == 1 ? nil : (named.firstIndex { $0.id == row.id } ?? 0) + 1)
  }
}
