import Determinism
import Models
import Observing
import Simulator
import WiFi

/// Draws what a user does next, of anything that is on the screen, step by step.
///
/// What is drawn depends on the seed and on what is on the screen. Each step is an explicit ``ScenarioAction``, so that
/// a run can be repeated without a seed.
struct SettingsGenerator {
  /// What is drawn about known networks, which leaves all else as it is; `nil` where the user does not go there.
  private var known: RandomStream?
  private let password: String
  private let knowsPassword: Bool
  /// Whether there is time to wait until networks are lost and found again.
  private let hasTime: Bool

  init(_ plan: RunPlan) {
    var stream = RandomStream(seed: plan.seed, name: "person")
    knowsPassword = stream.bool(3, in: 4)
    known = plan.drawsKnownNetworks ? RandomStream(seed: plan.seed, name: "known person") : nil
    password = plan.source.daemon == nil ? JoinRule.shortPassword : ScenarioKnownNetwork.defaultPassword
    hasTime = plan.activeLength > .seconds(60)
  }

  /// What happens next.
  mutating func next(_ fixture: SettingsFixture, _ user: SettingsUser, _ stream: inout RandomStream) -> ScenarioAction {
    // A user looks before each tap, mostly for a while, at times not at all.
    if stream.bool(1, in: 2) { return .advance(pause(fixture, &stream)) }
    if stream.bool(1, in: 12) {
      let first = action(fixture, user, &stream)
      // To move the switch twice is to move it back.
      if case .switchWiFi(let isOn) = first { return .atOnce([first, .switchWiFi(isOn: !isOn)]) }
      // A double tap, or two things before the screen is drawn again.
      let second = stream.bool(1, in: 2) ? first : action(fixture, user, &stream)
      return .atOnce([first, second])
    }
    return action(fixture, user, &stream, or: .advance(pause(fixture, &stream)))
  }

  /// Something that the user or the world does; where there is nothing to do, `other` or a turn of the switch.
  private mutating func action(
    _ fixture: SettingsFixture, _ user: SettingsUser, _ stream: inout RandomStream, or other: ScenarioAction? = nil
  ) -> ScenarioAction {
    if stream.bool(1, in: 24) { return .switchWiFi(isOn: !fixture.model.isOn) }
    if stream.bool(1, in: 16), let event = worldEvent(fixture, &stream) { return .world(event) }
    if known?.bool(1, in: 24) == true, let event = knownEvent(fixture) { return .world(.known(event)) }
    if let top = fixture.presenter.shown.last {
      if known != nil, let action = onKnown(top.name, fixture, user) { return action }
      return onTop(top.name, user, &stream)
    }
    if user.controls.contains(.knownNetworks), known?.bool(1, in: 6) == true { return .tap(.knownNetworks) }
    let rows = user.rows
    if rows.isEmpty { return fixture.model.isOn ? other ?? .switchWiFi(isOn: false) : .switchWiFi(isOn: true) }
    let reference = reference(rows, Int(stream.next(below: UInt64(rows.count))))
    return stream.bool(1, in: 3) ? .info(reference) : .tapNetwork(reference)
  }

  private func pause(_ fixture: SettingsFixture, _ stream: inout RandomStream) -> Duration {
    // Until the very moment in which something else happens.
    let clock = fixture.simulation.clock
    if stream.bool(1, in: 4), let next = clock.nextDeadline { return next.offset - clock.now.offset }
    if hasTime, stream.bool(1, in: 12) { return .seconds(Int64(31 + stream.next(below: 10))) }
    switch stream.next(below: 4) {
    case 0: return .milliseconds(Int64(1 + stream.next(below: 999)))
    case 1: return .seconds(1)
    case 2: return .seconds(Int64(1 + stream.next(below: 4)))
    default: return .milliseconds(Int64(1000 + stream.next(below: 6000)))
    }
  }

  private func onTop(_ name: String, _ user: SettingsUser, _ stream: inout RandomStream) -> ScenarioAction {
    if stream.bool(1, in: 8) { return .dismiss }
    if name == "connect", stream.bool(1, in: 3) {
      return .typePassword(knowsPassword && stream.bool(2, in: 3) ? password : ["", "nope", "\(password) "][Int(stream.next(below: 3))])
    }
    let controls = user.controls
    guard !controls.isEmpty else { return .dismiss }
    return .tap(controls[Int(stream.next(below: UInt64(controls.count)))])
  }

  /// What the user does on a screen of the known networks; `nil` on any other.
  private mutating func onKnown(_ top: String, _ fixture: SettingsFixture, _ user: SettingsUser) -> ScenarioAction? {
    guard var stream = known, let model = fixture.model.destination?.known else { return nil }
    defer { known = stream }
    switch top {
    case "known":
      guard !model.rows.isEmpty, stream.bool(1, in: 2) else { return nil }
      let row = model.rows[Int(stream.next(below: UInt64(model.rows.count)))]
      let named = model.rows.filter { $0.name == row.name }
      let name = PrintableText.bytes(unescaping: row.name).map { String(decoding: $0, as: UTF8.self) } ?? row.name
      return .tapNetwork(.init(name: name, number: named.count == 1 ? nil : (named.firstIndex { $0.id == row.id } ?? 0) + 1))
    case "add", "edit":
      guard stream.bool(1, in: 2) else { return nil }
      var fields = KnownNetworkFields()
      if top == "add" { fields.name = (PreviewNetwork.names + [""])[Int(stream.next(below: UInt64(PreviewNetwork.names.count + 1)))] }
      if stream.bool(2, in: 3) { fields.password = ["", "nope", password, "another one"][Int(stream.next(below: 4))] }
      if stream.bool(1, in: 3) { fields.security = [.open, .owe, .psk, .sae, .pskOrSAE][Int(stream.next(below: 5))] }
      if stream.bool(1, in: 3) { fields.priority = [0, 1, 7, -999, 999][Int(stream.next(below: 5))] }
      if stream.bool(1, in: 4) { fields.joinsAutomatically = stream.bool(1, in: 2) }
      if stream.bool(1, in: 6) { fields.isHidden = stream.bool(1, in: 2) }
      return fields == KnownNetworkFields() ? nil : .fill(fields)
    default: return nil
    }
  }

  /// What another program does to the known networks.
  private mutating func knownEvent(_ fixture: SettingsFixture) -> KnownNetworkEvent? {
    guard var stream = known, fixture.world.knownNetworks != nil else { return nil }
    defer { known = stream }
    let names = fixture.model.destination?.known?.rows.compactMap { PrintableText.bytes(unescaping: $0.name) } ?? []
    switch stream.next(below: 4) {
    case 0 where !names.isEmpty: return .forget(String(decoding: names[Int(stream.next(below: UInt64(names.count)))], as: UTF8.self))
    case 1 where !names.isEmpty: return .joined(String(decoding: names[Int(stream.next(below: UInt64(names.count)))], as: UTF8.self))
    case 2: return .joined(nil)
    default:
      var rule = KnownNetworkAnswerRule()
      let failures: [KnownNetworkAnswerRule.Failure?] = [nil, nil, .noPermission, .daemonLost]
      rule.failure = failures[Int(stream.next(below: 4))]
      return .answer(rule)
    }
  }

  private func worldEvent(_ fixture: SettingsFixture, _ stream: inout RandomStream) -> ScenarioAction.WorldEvent? {
    guard !(fixture.world is SourceScenarioWorld), !(fixture.world is RecordedScenarioWorld) else { return nil }
    if fixture.world.canChangeNetworks, stream.bool(1, in: 4) {
      let index = Int(stream.next(below: UInt64(PreviewNetwork.names.count)))
      var network = ScenarioNetwork(name: PreviewNetwork.names[index])
      network.isSecured = stream.bool(1, in: 2)
      return .find(network)
    }
    let rows = fixture.networkRows.filter { !$0.isOutOfRange }
    guard !rows.isEmpty else { return nil }
    let reference = reference(fixture.networkRows, row: rows[Int(stream.next(below: UInt64(rows.count)))])
    if fixture.world.canChangeNetworks, stream.bool(1, in: 2) { return .lose(reference) }
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
