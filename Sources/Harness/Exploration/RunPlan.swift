import Determinism
import Models
import Simulator
package import WiFi

/// What a seed draws before a run begins: the world, how everything starts, and what goes wrong.
package struct RunPlan: Hashable, Sendable {
  /// The seed.
  package var seed: UInt64
  /// Where the networks come from.
  package var source: ScenarioSource.SimulatedSource
  /// How everything is when it begins.
  package var start = ScenarioStart()
  /// Whether a user who has waited acts when the turn comes, and not when everything is at rest.
  package var races = false
  /// The view that user input goes through; the trace is the same through each.
  package var view = ViewKind.headless
  /// Whether the user sets something of the view, which there need not be.
  package private(set) var setsView = false
  /// Whether the user goes to the known networks, too.
  package private(set) var drawsKnownNetworks = false
  /// How long the whole run goes on, in virtual time; from 75 s on one in eight lasts a minute more, and one whose
  /// scans are far apart as long as it takes.
  package var length: Duration

  /// What networks are called.
  package private(set) var names = PreviewNetwork.names

  /// How long the user acts: a third, now and then more, so that networks are lost and found again meanwhile.
  package private(set) var activeLength: Duration
  /// How much that view shows and keeps: mostly little, so that a short run reaches the limits.
  var viewLimits: ViewLimits { [.small, ViewLimits(), .small, .large][Int(seed % 4)] }
  /// How long it may take in real time, which is many times as long as it does: with hundreds of networks it is longer.
  var realTime: Duration { .seconds(6) + length / 30 + .milliseconds(40) * max(source.devices ?? 0, start.networks.count / 2) }
  /// How long nothing is done in the end: two thirds or more, which must be more than the rule of loss and the longest
  /// join, and where events are lost than a scan before it whose end was not heard.
  package var quietLength: Duration {
    let losesEvents = source.faults.contains { $0.name == "lostEvents" }
    return max(length - length / 3, .seconds(losesEvents ? 50 : 0), (source.interval + .seconds(5)) * 5)
  }

  /// Draws a plan from the stream `plan` of a seed.
  ///
  /// - Parameters:
  ///   - seed: what everything is drawn from.
  ///   - worlds: the worlds to choose among; one that is named twice is drawn twice as often.
  ///   - length: how long the run goes on, in virtual time.
  ///   - daemon: the simulated daemon that joins in worlds with a kernel; `nil` joins without one.
  ///   - drawsRooms: whether, now and then, a daemon joins, networks are known when it begins and the user adds, edits,
  ///     copies and forgets them, and the user looks at the terminal or the page.
  ///   - accessPoints: how many access points there are when it begins: in a radio world half as many devices, of which
  ///     most have two; `nil` draws up to seven, and leaves a radio world as its profile says.
  package init(
    seed: UInt64, worlds: [String] = Explorer.usualWorlds, length: Duration = .seconds(75), accessPoints: Int? = nil,
    daemon: JoinDaemon? = nil, drawsRooms: Bool = false
  ) {
    precondition(!worlds.isEmpty, "RunPlan: no world to choose")
    self.seed = seed
    self.length = length
    activeLength = length / 3
    var stream = RandomStream(seed: seed, name: "plan")
    source = .init(world: stream.pick(worlds), seed: seed)
    races = stream.bool(1, in: 2)
    if source.world != "preview" { drawNames() }
    if source.world == "preview" || source.world == "still" {
      drawStart(accessPoints, &stream)
    } else {
      source.devices = accessPoints.map { max($0 / 2, SimulatedWorlds.minimumDevices) }
    }
    // Shorter than this, a run lasts as long as it was asked to.
    let hasTime = length >= .seconds(75)
    if hasTime, stream.bool(1, in: 8) { activeLength += .seconds(60) }
    if source.world != "preview" {
      if hasTime, stream.bool(1, in: 6) { source.interval = .seconds(stream.pick([1, 10, 14, 20])) }
      drawFaults(&stream)
    }
    start.isOn = stream.bool(9, in: 10)
    if !start.isOn { start.destination = nil }
    start.viewCancels = stream.bool(3, in: 4)
    var rooms = RandomStream(seed: seed, name: "rooms")
    let drawnDaemon = rooms.bool(2, in: 3) ? rooms.pick(JoinDaemon.allCases) : nil
    if source.world != "preview", let daemon = daemon ?? (drawsRooms ? drawnDaemon : nil) {
      source.daemon = daemon
      source.faults.removeAll { FaultCatalog.namesAboutJoins.contains($0.name) }
      // What a join comes to is known for certain only where nothing goes wrong.
      if rooms.bool(1, in: 2) { (source.faults, source.faultsUntil) = ([], nil) }
    }
    guard drawsRooms else { return }
    if source.daemon != nil, rooms.bool(1, in: 3) { source.latency = .milliseconds(rooms.bool(1, in: 2) ? 5 : 20) }
    // They cost five times as much.
    view = rooms.bool(1, in: 8) ? rooms.bool(1, in: 2) ? .terminal : .page : .headless
    var views = RandomStream(seed: seed, name: "view")
    setsView = view != .headless || views.bool(1, in: 4)
    drawsKnownNetworks = rooms.bool(source.daemon == nil ? 2 : 3, in: 4)
    if drawsKnownNetworks { drawKnown() }
  }

  /// In a third of the worlds with a kernel there are two names, so that networks are each other's namesakes, in the
  /// air and among the known ones.
  private mutating func drawNames() {
    var stream = RandomStream(seed: seed, name: "names")
    guard stream.bool(1, in: 3) else { return }
    let first = Int(stream.next(below: UInt64(names.count)))
    names = [names[first], names[(first + 1) % names.count]]
  }

  /// Up to three known networks, some of them among those that are there; from a stream of its own, so that everything
  /// else stays as it is.
  private mutating func drawKnown() {
    var stream = RandomStream(seed: seed, name: "known")
    for _ in 0..<stream.next(below: 4) {
      // Half have the name of another, or of a network that is there.
      var names =
        start.known.map { String(decoding: $0.draft.ssid.bytes, as: UTF8.self) } + start.networks.filter { !$0.isHidden }.map(\.name)
      if names.isEmpty || stream.bool(1, in: 2) { names += self.names }
      guard let ssid = SSID(Array(stream.pick(names).utf8)), !ssid.isHidden else { continue }
      var security: JoinSecurity = stream.pick([.psk, .sae, .pskOrSAE, .open])
      // What is there is mostly known as it is, and what is open as what is not but encrypts.
      if stream.bool(1, in: 2), let there = start.networks.first(where: { ssid.bytes.elementsEqual($0.name.utf8) }) {
        let own = there.joinSecurity
        security = own == .open && stream.bool(1, in: 2) ? .owe : own == .owe && stream.bool(1, in: 2) ? .open : own
        if own == .enterprise || own == .wep { security = .psk }
      }
      let password = stream.bool(3, in: 4) ? ScenarioKnownNetwork.defaultPassword : "another one"
      var draft = KnownNetworkDraft(ssid: ssid, security: security, password: security.needsPassword ? Secret(password) : nil)
      draft.priority = Int(stream.next(below: 4))
      draft.joinsAutomatically = stream.bool(1, in: 2)
      draft.isHidden = stream.bool(1, in: 4)
      start.known.append(ScenarioKnownNetwork(draft))
    }
    if stream.bool(1, in: 2) { drawJoined(&stream) }
    drawNamesake()
    if stream.bool(1, in: 6), let name = start.known.last?.draft.ssid ?? SSID(typed: "Gone") {
      start.link = stream.pick([.known, .addKnown, .editKnown(name)])
      // Half of the links to a network lead to any, which is mostly not known.
      if start.link == .editKnown(name), stream.bool(1, in: 2), let any = SSID(typed: stream.pick(names)) { start.link = .editKnown(any) }
      start.destination = nil
    }
  }

  /// Now and then one of the known networks has a namesake that is known, too; from a stream of its own.
  ///
  /// It is secured in another way, or over NetworkManager, which keeps several, alike with another priority.
  private mutating func drawNamesake() {
    var stream = RandomStream(seed: seed, name: "namesake")
    guard stream.bool(1, in: 3), !start.known.isEmpty else { return }
    var draft = stream.pick(start.known).draft
    if source.daemon == .networkManager, stream.bool(1, in: 2) {
      draft.priority = 4 + Int(stream.next(below: 4))
    } else {
      let families = start.known.filter { $0.draft.ssid == draft.ssid }.map(\.draft.security.family)
      let others = [JoinSecurity.open, .psk, .sae].filter { !families.contains($0.family) }
      guard !others.isEmpty else { return }
      let security = stream.pick(others)
      draft = KnownNetworkDraft(ssid: draft.ssid, security: security, password: ScenarioKnownNetwork.password(for: security))
    }
    draft.joinsAutomatically = stream.bool(1, in: 2)
    start.known.append(ScenarioKnownNetwork(draft))
  }

  /// One known network is joined before the run begins: mostly one that is there, and is joined by hand alone as often
  /// as not.
  private mutating func drawJoined(_ stream: inout RandomStream) {
    let there = start.networks.filter { !$0.isHidden && ![.enterprise, .wep].contains($0.security) }
    if source.daemon != nil, !there.isEmpty, stream.bool(3, in: 4) {
      let network = stream.pick(there)
      guard let ssid = SSID(typed: network.name) else { return }
      let password = ScenarioKnownNetwork.password(for: network.joinSecurity)
      var draft = KnownNetworkDraft(ssid: ssid, security: network.joinSecurity, password: password)
      draft.joinsAutomatically = stream.bool(1, in: 2)
      start.known.removeAll { $0.draft.ssid == ssid }
      start.known.append(ScenarioKnownNetwork(draft))
      start.known[start.known.count - 1].isJoined = true
    } else if !start.known.isEmpty {
      start.known[Int(stream.next(below: UInt64(start.known.count)))].isJoined = true
    }
  }

  /// The plan of a scenario with a simulated source; `nil` where it has another.
  package init?(_ scenario: Scenario) {
    guard case .simulate(let source) = scenario.source else { return nil }
    self.source = source
    length = .seconds(75)
    activeLength = length / 3
    seed = source.seed
    start = scenario.start
    races = scenario.races
  }

  /// The order in which tasks go on where the seed draws it: as they became runnable, but where the user races.
  var drawnOrder: JobOrder {
    guard races else { return .inOrder }
    var stream = RandomStream(seed: seed, name: "jobs")
    return stream.bool(1, in: 2) ? .shuffled : .prioritized(changes: Int(stream.next(below: 4)))
  }

  private mutating func drawStart(_ count: Int?, _ stream: inout RandomStream) {
    let isPreview = source.world == "preview"
    if isPreview { source.churns = stream.bool(4, in: 5) }
    // Now and then more rows than a list keeps together.
    let crowd = !isPreview && stream.bool(1, in: 64) ? 56 + Int(stream.next(below: 72)) : nil
    let isCrowd = count ?? crowd != nil
    for number in 0..<(count ?? crowd ?? Int(stream.next(below: 8))) {
      var network = ScenarioNetwork(name: stream.pick(names))
      // Several may have one name, secured in different ways.
      if !isPreview, !isCrowd, stream.bool(1, in: 6), let other = start.networks.last { network.name = other.name }
      // There are more than names: each gets one of its own.
      if isCrowd { network.name += " \(number + 1)" }
      network.isSecured = stream.bool(4, in: 5)
      network.connectivityPercent = 1 + Int(stream.next(below: 100))
      if !isPreview {
        network.isHidden = stream.bool(1, in: 10)
        if stream.bool(1, in: 2) {
          let security: JoinSecurity = stream.pick([.open, .owe, .psk, .sae, .pskOrSAE, .enterprise, .wep])
          (network.security, network.isSecured) = (security, security.needsPassword)
        }
      }
      // In the preview two networks of one name are two rows; in a world with a kernel they may be one.
      if !isCrowd, start.networks.contains(where: { $0.name == network.name }), isPreview || !stream.bool(1, in: 2) { continue }
      start.networks.append(network)
    }
    guard !start.networks.isEmpty else { return }
    func pick() -> NetworkReference { NetworkReference(name: stream.pick(start.networks).name) }
    if stream.bool(1, in: 3) { start.selected = pick() }
    // A simulated kernel has heard nothing yet when the run begins: what is known is from another day.
    start.selectedIsOutOfRange = !isPreview && start.selected != nil
    switch stream.next(below: 12) {
    case 0: start.destination = .connect(pick(), password: stream.bool(1, in: 2) ? "blob" : "", isLost: !isPreview)
    case 1: start.destination = .connect(pick(), password: "nope", alert: true, isLost: !isPreview)
    case 2:
      let failure = stream.pick(ExpectedFailure.allCases)
      start.destination = .connect(pick(), password: "nope", failure: failure, isLost: !isPreview)
    case 3: start.destination = .detail(pick(), isLost: !isPreview)
    case 4: start.destination = .detail(pick(), forgetAlert: true, isLost: !isPreview)
    case 5: start.destination = .connect(pick(), password: "blob", isConnecting: true, isLost: !isPreview)
    default: break
    }
  }

  /// Each kind of fault is wholly off, or on with a rate of its own (swarm testing, Groce and others, 2012).
  private mutating func drawFaults(_ stream: inout RandomStream) {
    guard stream.bool(2, in: 3) else { return }
    for name in FaultCatalog.names where stream.bool(1, in: 4) {
      var fault = FaultSpecification(name: name)
      let parameters = FaultCatalog.entry(name)?.parameters ?? []
      if parameters.contains(.permille) { fault.permille = stream.pick([20, 100, 300, 1000]) }
      if parameters.contains(.at) { fault.at = .seconds(Int64(stream.next(below: 30))) }
      if parameters.contains(.lasts) { fault.duration = .seconds(Int64(1 + stream.next(below: 20))) }
      source.faults.append(fault)
    }
    if !source.faults.isEmpty { source.faultsUntil = activeLength }
  }

  /// The plan as a scenario without steps.
  package var scenario: Scenario {
    var scenario = Scenario(name: "seed \(seed)", source: .simulate(source))
    scenario.start = start
    scenario.races = races
    return scenario
  }
}
