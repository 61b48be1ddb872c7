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
  /// What is drawn about the radio, which other programs move; `nil` where no daemon moves it.
  private var radio: RandomStream?
  /// The kinds of things that this user does not do (swarm testing, Groce and others, 2012).
  private let avoids: Set<String>
  /// What this user does four times as often as others; `nil` where it is nothing.
  private let favours: String?
  /// What is drawn about the view; `nil` where the user sets nothing of it.
  private var view: RandomStream?
  /// Rows that were tapped, which may be gone meanwhile.
  private var tapped: [NetworkReference] = []
  /// How many more things this user does in haste: one in 24 of them is a wait.
  private var haste: Int
  /// Whether a form of a known network was filled in, and not saved since.
  private var hasFilled = false
  /// Whether the switch was moved by the step before.
  private var hasSwitched = false
  private let password: String
  private let knowsPassword: Bool
  /// Whether this user, who knows the password, mostly types it first.
  private let isDetermined: Bool
  /// Whether this user seldom waits for more than a second.
  private let isQuick: Bool
  /// Whether there is time to wait until networks are lost and found again.
  private let hasTime: Bool
  private let hasDaemon: Bool
  /// What networks are called.
  private let names: [String]

  init(_ plan: RunPlan) {
    var stream = RandomStream(seed: plan.seed, name: "person")
    knowsPassword = stream.bool(3, in: 4)
    known = plan.drawsKnownNetworks ? RandomStream(seed: plan.seed, name: "known person") : nil
    view = plan.setsView ? RandomStream(seed: plan.seed, name: "view user") : nil
    radio = plan.source.daemon == nil ? nil : RandomStream(seed: plan.seed, name: "radio")
    password = plan.source.daemon == nil ? JoinRule.shortPassword : ScenarioKnownNetwork.defaultPassword
    var swarm = RandomStream(seed: plan.seed, name: "swarm")
    let leavesOut = swarm.bool(1, in: 2)
    var avoids = Set(Self.kinds.filter { _ in leavesOut && swarm.bool(1, in: 3) })
    let favoured = swarm.pick(Self.kinds)
    favours = swarm.bool(1, in: 2) && !avoids.contains(favoured) ? favoured : nil
    // Where another program acts there is less to be said of what comes of a join.
    if swarm.bool(1, in: 2), favours != "others" { avoids.insert("others") }
    self.avoids = avoids
    isDetermined = knowsPassword && swarm.bool(1, in: 2)
    isQuick = swarm.bool(3, in: 4)
    var pace = RandomStream(seed: plan.seed, name: "pace")
    haste = pace.bool(3, in: 4) ? 1 + Int(pace.next(below: 128)) : 0
    names = plan.names
    (hasTime, hasDaemon) = (plan.activeLength > .seconds(60), plan.source.daemon != nil)
  }

  /// What a user may leave out.
  private static let kinds = ["switch", "world", "dismiss", "info", "late", "atOnce", "wrong", "cancel", "others"]

  /// Whether something is drawn that this user does not leave out.
  private func draws(_ kind: String, _ count: UInt64, _ stream: inout RandomStream) -> Bool {
    stream.bool(1, in: kind == favours ? max(count / 4, 2) : count) && !avoids.contains(kind)
  }

  mutating func next(_ fixture: SettingsFixture, _ user: SettingsUser, _ stream: inout RandomStream) -> ScenarioAction {
    // A switch is moved back before the radio is there.
    if hasSwitched, stream.bool(1, in: 2) {
      hasSwitched = false
      return .switchWiFi(isOn: !fixture.model.isOn)
    }
    hasSwitched = false
    // A user looks before each tap, mostly for a while, at times not at all.
    // While something runs they are quick. Most begin in haste.
    let isHasty = haste > 0
    if isHasty { haste -= 1 }
    if isBusy(fixture), let other = otherJoin(fixture) { return other }
    // What a daemon takes its time for is given up between two of its messages.
    if isBusy(fixture), let messages = messages(fixture, &stream), stream.bool(3, in: 4) {
      if stream.bool(1, in: 2) { return .advance(messages) }
      return user.controls.first { $0 == .cancel || $0 == .back }.map { .tap($0) } ?? .dismiss
    }
    if stream.bool(1, in: isHasty ? 24 : isBusy(fixture) ? 4 : 2) { return .advance(pause(fixture, &stream)) }
    if draws("atOnce", 12, &stream) {
      if let both = inPlaceOfWhatIsShown(fixture, user, &stream) ?? twoThatMeet(user, &stream) { return both }
      let first = action(fixture, user, &stream)
      // To move the switch twice is to move it back.
      if case .switchWiFi(let isOn) = first { return .atOnce([first, .switchWiFi(isOn: !isOn)]) }
      // A double tap, or two things before the screen is drawn again.
      let second = stream.bool(1, in: 2) ? first : action(fixture, user, &stream)
      return .atOnce([first, second])
    }
    return action(fixture, user, &stream, or: .advance(pause(fixture, &stream)))
  }

  /// Another program joins a known network that is heard, while an attempt or a request runs; `nil` mostly.
  private mutating func otherJoin(_ fixture: SettingsFixture) -> ScenarioAction? {
    guard known?.bool(1, in: favours == "others" ? 2 : 6) == true, !avoids.contains("others"), let daemon = fixture.daemon
    else { return nil }
    let heard = Set(fixture.networkRows.filter { !$0.isOutOfRange }.map(\.name))
    let names = daemon.networks.filter { heard.contains(PrintableText.escape($0.bytes)) }
    guard !names.isEmpty, let name = known?.pick(names) else { return nil }
    return .world(.known(.joined(String(decoding: name.bytes, as: UTF8.self))))
  }

  /// How long up to 16 messages of a daemon take on one of the links to it; `nil` where they take no time.
  private func messages(_ fixture: SettingsFixture, _ stream: inout RandomStream) -> Duration? {
    guard let latency = fixture.daemon?.machine.latency, latency > .zero else { return nil }
    return latency * (1 << Int(stream.next(below: 3))) * Int(1 + stream.next(below: 16))
  }

  /// Whether an attempt to join, or a request about known networks, runs.
  private func isBusy(_ fixture: SettingsFixture) -> Bool {
    fixture.model.destination?.connect?.isConnecting == true || isAsked(fixture.model.destination?.known)
  }

  /// Whether a list of the known networks is read, or a change of them runs.
  private func isAsked(_ known: KnownNetworksModel?) -> Bool {
    known.map { $0.isLoading || $0.path.contains(where: \.isSaving) || $0.addSheet?.isSaving == true } ?? false
  }

  /// Something that takes a while, and what gives it up or asks before it is over, before the screen is drawn again.
  private func twoThatMeet(_ user: SettingsUser, _ stream: inout RandomStream) -> ScenarioAction? {
    let there = user.controls
    let pairs: [(ScenarioAction.Control, ScenarioAction.Control)] = [
      (.join, .cancel), (.save, .cancel), (.forget, .save), (.save, .forget),
    ]
    var possible = pairs.filter { there.contains($0) && there.contains($1) }.map { [ScenarioAction.tap($0), .tap($1)] }
    for control in [ScenarioAction.Control.join, .save] where there.contains(control) { possible.append([.tap(control), .dismiss]) }
    guard !possible.isEmpty, stream.bool(1, in: 2) else { return nil }
    return .atOnce(stream.pick(possible))
  }

  /// What lies over the list goes away, and a row is tapped before the screen is drawn again.
  private mutating func inPlaceOfWhatIsShown(
    _ fixture: SettingsFixture, _ user: SettingsUser, _ stream: inout RandomStream
  ) -> ScenarioAction? {
    let rows = fixture.networkRows
    guard fixture.presenter.shown.count == 1, ["connect", "detail"].contains(fixture.presenter.shown[0].name), !rows.isEmpty,
      stream.bool(1, in: 3)
    else { return nil }
    let reference = reference(rows, row: rows[Int(stream.next(below: UInt64(rows.count)))])
    return .atOnce([.dismiss, stream.bool(1, in: 3) ? .info(reference) : .tapNetwork(reference)])
  }

  /// Something that the user or the world does; where there is nothing to do, `other` or a turn of the switch.
  private mutating func action(
    _ fixture: SettingsFixture, _ user: SettingsUser, _ stream: inout RandomStream, or other: ScenarioAction? = nil
  ) -> ScenarioAction {
    if draws("switch", 24, &stream) {
      hasSwitched = true
      return .switchWiFi(isOn: !fixture.model.isOn)
    }
    if draws("world", 16, &stream), let event = worldEvent(fixture, &stream) { return .world(event) }
    if let rule = answerRule(fixture) { return .world(.known(.answer(rule))) }
    let isSoon = favours == "others" || isBusy(fixture)
    if known?.bool(1, in: isSoon ? 6 : 24) == true, !avoids.contains("others"), let event = knownEvent(fixture) {
      return .world(.known(event))
    }
    if radio?.bool(1, in: favours == "others" ? 8 : 48) == true, !avoids.contains("others"), let isOn = fixture.daemon?.radioIsOn {
      return .world(.radio(isOn: !isOn))
    }
    if view?.bool(1, in: 8) == true, let setting = viewSetting(fixture, user) { return .view(setting) }
    if let top = fixture.presenter.shown.last {
      if known != nil, let action = onKnown(top.name, fixture, user) { return action }
      return onTop(top.name, fixture, user, &stream, mayWait: other != nil)
    }
    if user.controls.contains(.knownNetworks), known?.bool(1, in: 3) == true { return .tap(.knownNetworks) }
    if draws("late", 12, &stream), let late = lateTap(fixture, &stream) { return late }
    let rows = user.rows
    if rows.isEmpty { return fixture.model.isOn ? other ?? .switchWiFi(isOn: false) : .switchWiFi(isOn: true) }
    let reference = reference(rows, row: row(rows, fixture, &stream))
    if tapped.count < 8 { tapped.append(reference) }
    return draws("info", 3, &stream) ? .info(reference) : .tapNetwork(reference)
  }

  /// One of the rows; for a user who goes to the known networks as often as not that of one of them.
  private mutating func row(_ rows: [NetworkRow], _ fixture: SettingsFixture, _ stream: inout RandomStream) -> NetworkRow {
    let names = Set(fixture.daemon?.networks.map { PrintableText.escape($0.bytes) } ?? [])
    let familiar = rows.filter { names.contains($0.name) }
    let rows = !familiar.isEmpty && known?.bool(1, in: 2) == true ? familiar : rows
    return stream.pick(rows)
  }

  /// A tap on a row that was tapped before and is gone.
  private func lateTap(_ fixture: SettingsFixture, _ stream: inout RandomStream) -> ScenarioAction? {
    let names = Set(fixture.networkRows.map(\.name))
    let gone = tapped.filter { !names.contains($0.rowName) }
    guard !gone.isEmpty else { return nil }
    let name = stream.pick(gone).name
    return .stale(NetworkReference(name: name), isInfo: stream.bool(1, in: 2))
  }

  private func pause(_ fixture: SettingsFixture, _ stream: inout RandomStream) -> Duration {
    // Until the very moment in which something else happens, which is where what runs can be given up.
    let clock = fixture.simulation.clock
    if let messages = messages(fixture, &stream), stream.bool(1, in: 4) { return messages }
    if stream.bool(isBusy(fixture) ? 2 : 1, in: 4), let next = clock.nextDeadline { return next.offset - clock.now.offset }
    if hasTime, stream.bool(1, in: 12) { return .seconds(Int64(31 + stream.next(below: 10))) }
    switch isQuick ? 0 : stream.next(below: 4) {
    case 0: return .milliseconds(Int64(1 + stream.next(below: 999)))
    case 1: return .seconds(1)
    case 2: return .seconds(Int64(1 + stream.next(below: 4)))
    default: return .milliseconds(Int64(1000 + stream.next(below: 6000)))
    }
  }

  private func onTop(
    _ name: String, _ fixture: SettingsFixture, _ user: SettingsUser, _ stream: inout RandomStream, mayWait: Bool
  ) -> ScenarioAction {
    if name == "connect", let sheet = user.sheet {
      // Who has typed the password, or needs none, mostly joins, and waits a while.
      if sheet.isConnecting, mayWait, stream.bool(1, in: 2) {
        return .advance(stream.bool(1, in: 3) ? pause(fixture, &stream) : .seconds(Int64(1 + stream.next(below: 3))))
      }
      let isComplete = sheet.password == password || !sheet.network.isSecured
      // Now and then the access point answers in another way just then.
      let row = fixture.networkRows.first { $0.id == sheet.network.id && !$0.isOutOfRange }
      if !sheet.isConnecting, isComplete, draws("world", 12, &stream), takesEvents(fixture), let row {
        return .world(answers(reference(fixture.networkRows, row: row), &stream))
      }
      if !sheet.isConnecting, isComplete, stream.bool(1, in: 2) { return .tap(.join) }
      if isDetermined, !sheet.isConnecting, sheet.network.isSecured, sheet.password != password, stream.bool(1, in: 2) {
        return .typePassword(password)
      }
    }
    if draws("dismiss", 8, &stream) { return .dismiss }
    if name == "connect", stream.bool(1, in: 3) {
      let isRight = knowsPassword && (stream.bool(2, in: 3) || avoids.contains("wrong"))
      return .typePassword(isRight ? password : stream.pick(["", "nöpe", "\(password) ", "another one"]))
    }
    let controls = user.controls.filter { $0 != .cancel || !avoids.contains("cancel") }
    guard !controls.isEmpty else { return .dismiss }
    let control = stream.pick(controls)
    // Who knows the password seldom joins without one.
    if control == .join, knowsPassword, user.sheet?.network.isSecured == true, user.sheet?.password.isEmpty == true,
      stream.bool(3, in: 4)
    {
      return .typePassword(password)
    }
    return .tap(control)
  }

  /// What the user does on a screen of the known networks; `nil` on any other.
  private mutating func onKnown(_ top: String, _ fixture: SettingsFixture, _ user: SettingsUser) -> ScenarioAction? {
    guard var stream = known, let model = fixture.model.destination?.known else { return nil }
    defer { known = stream }
    switch top {
    case "known":
      guard !model.rows.isEmpty, stream.bool(1, in: 2) else { return nil }
      let row = stream.pick(model.rows)
      return .tapNetwork(.init(rowName: row.name, row.id, of: model.rows.filter { $0.name == row.name }.map(\.id)))
    case "add", "edit":
      // What was filled in is mostly saved.
      if hasFilled, user.controls.contains(.save), stream.bool(1, in: 2) {
        hasFilled = false
        return .tap(.save)
      }
      guard stream.bool(1, in: 2) else { return nil }
      var fields = KnownNetworkFields()
      if top == "add" { fields.name = stream.pick(names + [""]) }
      if stream.bool(2, in: 3) { fields.password = stream.pick(["", "nope", password, "another one"]) }
      if stream.bool(1, in: 3) { fields.security = stream.pick([.open, .owe, .psk, .sae, .pskOrSAE]) }
      if stream.bool(1, in: 3) { fields.priority = stream.pick([0, 1, 7, -999, 999]) }
      if stream.bool(1, in: 4) { fields.joinsAutomatically = stream.bool(1, in: 2) }
      if stream.bool(1, in: 6) { fields.isHidden = stream.bool(1, in: 2) }
      hasFilled = fields != KnownNetworkFields()
      return hasFilled ? .fill(fields) : nil
    default: return nil
    }
  }

  /// How long what is asked about known networks takes from now on.
  ///
  /// Mostly it is long, and not long while something is asked, so that a later answer overtakes it. Of a daemon it is
  /// how long each message takes, so that a user acts between two of them.
  private mutating func answerRule(_ fixture: SettingsFixture) -> KnownNetworkAnswerRule? {
    guard let destination = fixture.model.destination, hasDaemon || destination.known != nil else { return nil }
    let isAsked = isAsked(destination.known)
    guard known?.bool(1, in: hasDaemon ? 6 : isAsked ? 8 : 16) == true, let number = known?.next(below: 4) else { return nil }
    var rule = KnownNetworkAnswerRule()
    let possible = hasDaemon ? [0, 0, 5, 20] : isAsked ? [0, 0, 100, 5000] : [0, 1000, 5000, 20_000]
    rule.duration = .milliseconds(Int64(possible[Int(number)]))
    return rule
  }

  /// What another program does to the known networks.
  private mutating func knownEvent(_ fixture: SettingsFixture) -> KnownNetworkEvent? {
    guard var stream = known, fixture.world.knownNetworks != nil else { return nil }
    defer { known = stream }
    let shown = fixture.model.destination?.known?.rows.compactMap { PrintableText.bytes(unescaping: $0.name) } ?? []
    let names = shown.isEmpty ? fixture.daemon?.networks.map { Array($0.bytes) } ?? [] : shown
    switch stream.next(below: 4) {
    case 0 where !names.isEmpty: return .forget(String(decoding: stream.pick(names), as: UTF8.self))
    case 1 where !names.isEmpty: return .joined(String(decoding: stream.pick(names), as: UTF8.self))
    case 2: return .joined(nil)
    default:
      var rule = KnownNetworkAnswerRule()
      let failures: [KnownNetworkAnswerRule.Failure?] = [nil, nil, .noPermission, .daemonLost]
      rule.failure = stream.pick(failures)
      if !hasDaemon { rule.duration = .milliseconds(stream.pick([0, 100, 100, 1000, 5000, 20_000])) }
      return .answer(rule)
    }
  }

  /// Something that the user sets in the view.
  private mutating func viewSetting(_ fixture: SettingsFixture, _ user: SettingsUser) -> ScenarioAction.ViewSetting? {
    guard var stream = view else { return nil }
    defer { view = stream }
    guard fixture.presenter.shown.isEmpty else {
      return user.hasPasswordField ? .showsPassword(stream.bool(2, in: 3)) : nil
    }
    guard fixture.model.isOn else { return nil }
    if stream.bool(1, in: 4) { return .sort(stream.pick(NetworkSort.Criterion.allCases)) }
    return .filter(stream.pick(["", "", "i", "wi", "the", "02:00"]))
  }

  /// Whether anything can be done to the world; a source and a recording go on by themselves.
  private func takesEvents(_ fixture: SettingsFixture) -> Bool {
    !(fixture.world is SourceScenarioWorld) && !(fixture.world is RecordedScenarioWorld)
  }

  private func worldEvent(_ fixture: SettingsFixture, _ stream: inout RandomStream) -> ScenarioAction.WorldEvent? {
    guard takesEvents(fixture) else { return nil }
    if fixture.world.canChangeNetworks, stream.bool(1, in: 4) {
      var network = ScenarioNetwork(name: stream.pick(names))
      network.isSecured = stream.bool(1, in: 2)
      return .find(network)
    }
    if (fixture.world as? ProbedWorld)?.world is KernelScenarioWorld, fixture.world.associationObserver != nil, stream.bool(1, in: 4) {
      return .link(stream.bool(1, in: 3) ? .roams : .dismissed(reason: stream.pick([3, 4, 8])))
    }
    let rows = fixture.networkRows.filter { !$0.isOutOfRange }
    guard !rows.isEmpty else { return nil }
    // The joined one mostly, which matters most.
    let joined = stream.bool(1, in: 2) ? rows.first { $0.isSelected } : nil
    let reference = reference(fixture.networkRows, row: joined ?? stream.pick(rows))
    if fixture.world.canChangeNetworks, stream.bool(1, in: 2) { return .lose(reference) }
    return answers(reference, &stream)
  }

  /// Joins of a network are answered in another way from here on.
  private func answers(_ reference: NetworkReference, _ stream: inout RandomStream) -> ScenarioAction.WorldEvent {
    var answer = ScenarioAction.JoinAnswer()
    answer.duration = .milliseconds(stream.pick([0, 500, 1000, 5000, 20_000]))
    if stream.bool(1, in: 2) { answer.failure = stream.pick(ExpectedFailure.allCases) }
    return .join(reference, answer)
  }

  /// The words for a row among all that are shown.
  private func reference(_ rows: [NetworkRow], row: NetworkRow) -> NetworkReference {
    NetworkReference(rowName: row.name, row.id, of: rows.filter { $0.name == row.name }.map(\.id))
  }
}

extension NetworkReference {
  /// The words for a row; of several rows of one name, whose identities are `ids`, with its number.
  fileprivate init<ID: Equatable>(rowName: String, _ id: ID, of ids: [ID]) {
    let name = PrintableText.bytes(unescaping: rowName).map { String(decoding: $0, as: UTF8.self) } ?? rowName
    self.init(name: name, number: ids.count == 1 ? nil : (ids.firstIndex(of: id) ?? 0) + 1)
  }
}
