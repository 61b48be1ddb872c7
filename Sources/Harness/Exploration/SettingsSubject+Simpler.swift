import Determinism
import Models
import Simulator
import WiFi

extension SettingsSubject {
  typealias Run = StartedRun<ScenarioAction, RunPlan>

  static func simplerStarts(of run: Run) -> [Run] {
    let fewerThings = fewer(\.networks, run) + fewer(\.known, run)
    let starts = plainer(run) + plainerWorld(run) + slowFromStart(run) + laterStart(run) + fewerThings + plainerStart(run)
    return starts.filter { $0.start.isPossible }
  }

  /// Where the first steps lead, in the plainest world; what goes wrong with joins there is said by a step.
  static func later(_ run: Run, after count: Int, from start: RunPlan) -> [Run] {
    joinedBefore(run, after: count, from: start) + withDaemon(run, after: count, from: start)
      + inPreview(run, after: count, from: start)
  }

  /// In the same world, with what the daemon knows by then and where the user is by then.
  private static func withDaemon(_ run: Run, after count: Int, from start: RunPlan) -> [Run] {
    guard run.start.source.daemon != nil, !start.start.isConnecting else { return [] }
    var plan = run.start
    (plan.start.destination, plan.start.link) = (start.start.destination, start.start.link)
    // A world with a kernel has heard nothing when it begins.
    if let network = plan.start.destination?.network { plan.start.lose(network) }
    // What is known is known where its list is on the screen.
    if plan.start.link != nil { plan.start.known = start.start.known.map { known($0, asFilledIn: run.actions.prefix(count)) } }
    for case .step(.world(.find(let network))) in run.actions.prefix(count) { plan.start.networks.append(network) }
    let left = answersToJoins(run, until: count) + run.actions.dropFirst(count)
    // The lists come with answers, and what is there is heard in a scan.
    let runs = begun(plan, left, after: [.seconds(1), taken(by: run, until: count), nil])
    guard plan.start.link != nil || plan.start.destination != nil else { return runs }
    // From here on other messages come before: what happens between two of them happens after another number.
    if let latency = run.actions.lazy.compactMap(answerTime).last { plan.source.latency = latency }
    return runs + begun(plan, left.filter { answerTime($0) == nil }, after: [.seconds(1)]).flatMap(afterMessages)
  }

  /// A known network with the password that was filled in for it last, which its list does not say.
  private static func known(
    _ network: ScenarioKnownNetwork, asFilledIn actions: some Sequence<Action<ScenarioAction>>
  ) -> ScenarioKnownNetwork {
    var (network, name) = (network, "")
    for case .step(.fill(let fields)) in actions {
      name = fields.name ?? name
      guard let password = fields.password, SSID(typed: name) == network.draft.ssid, network.draft.password != nil else { continue }
      network.draft.password = Secret(password)
    }
    return network
  }

  /// With another number of messages of a daemon in the place of the last pause that is as short as some.
  private static func afterMessages(_ run: Run) -> [Run] {
    func isShort(_ action: Action<ScenarioAction>) -> Bool {
      if case .step(.advance(let time)) = action { time < .seconds(1) } else { false }
    }
    let latency = run.start.source.latency
    guard latency > .zero, let place = run.actions.lastIndex(where: isShort) else { return [] }
    return (1...40).map { count in
      var candidate = run
      candidate.actions[place] = .step(.advance(latency * count))
      return candidate
    }
  }

  /// In the same world, with the network joined before the run begins that the first steps join.
  private static func joinedBefore(_ run: Run, after count: Int, from start: RunPlan) -> [Run] {
    guard run.start.source.daemon != nil, let name = start.start.selected?.name, let ssid = SSID(typed: name) else { return [] }
    var plan = run.start
    (plan.start.destination, plan.start.link) = (nil, nil)
    (plan.start.selected, plan.start.selectedIsOutOfRange) = (nil, false)
    for index in plan.start.known.indices { plan.start.known[index].isJoined = plan.start.known[index].draft.ssid == ssid }
    if !plan.start.known.contains(where: \.isJoined) {
      // Most networks of a radio world, which the start does not name, are of WPA2.
      let security = plan.start.networks.first { $0.name == name }?.joinSecurity ?? .psk
      let password = ScenarioKnownNetwork.password(for: security)
      var known = ScenarioKnownNetwork(KnownNetworkDraft(ssid: ssid, security: security, password: password))
      known.isJoined = true
      plan.start.known.append(known)
    }
    let left = Array(run.actions.dropFirst(count))
    // A radio world is another one at another time.
    return begun(plan, left, after: [nil, .seconds(10), taken(by: run, until: count)])
  }

  /// The same actions from a start, after each of some pauses; `nil` is none.
  private static func begun(_ start: RunPlan, _ actions: [Action<ScenarioAction>], after pauses: [Duration?]) -> [Run] {
    pauses.map { pause in Run(start: start, actions: (pause.map { [.step(.advance($0))] } ?? []) + actions) }
  }

  /// How long the first steps take together.
  private static func taken(by run: Run, until count: Int) -> Duration {
    run.actions.prefix(count).reduce(.zero) { if case .step(.advance(let time)) = $1 { $0 + time } else { $0 } }
  }

  /// How joins are answered, which is no part of a start.
  private static func answersToJoins(_ run: Run, until count: Int) -> [Action<ScenarioAction>] {
    run.actions.prefix(count).filter { if case .step(.world(.join)) = $0 { true } else { false } }
  }

  private static func inPreview(_ run: Run, after count: Int, from start: RunPlan) -> [Run] {
    guard start.isPossible, !start.start.isConnecting else { return [] }
    let left = Array(run.actions.dropFirst(count))
    var actions = [left]
    // The known networks come with an answer.
    if start.start.link != nil { actions.append([.step(.advance(.seconds(1)))] + left) }
    let answers = answersToJoins(run, until: count)
    if !answers.isEmpty, answers.count < count { actions.append(answers + left) }
    let timesOut = run.start.source.faults.contains { $0.name == "connectTimeout" }
    if timesOut, case .connect(let network, _, _, _, _, isLost: false) = start.start.destination {
      var answer = ScenarioAction.JoinAnswer()
      answer.failure = .timedOut
      actions.append([.step(.world(.join(network, answer)))] + left)
    }
    // What the world loses by itself is lost by hand.
    let churns = run.start.source.world != "preview" || run.start.source.churns
    if churns, count > 1 {
      for network in [start.start.destination?.network, start.start.selected].compactMap(\.self) {
        actions.append([.step(.world(.lose(network)))] + left)
      }
    }
    return actions.map { Run(start: start, actions: $0) }
  }

  /// How everything is now, as far as a run of the preview world can begin with it.
  var startNow: RunPlan? {
    var next = plan
    next.source = .init(world: "preview", seed: plan.source.seed)
    next.source.churns = false
    next.start = ScenarioStart(fixture)
    return next
  }

  /// Everything around the steps, plainer: all at once, then one by one.
  private static func plainer(_ run: Run) -> [Run] {
    var candidates: [Run] = []
    func add(_ change: (inout RunPlan) -> Void) { candidates.append(run.with(change)) }
    add {
      $0.source.faults = []
      $0.source.faultsUntil = nil
      $0.source.interval = .seconds(2)
      $0.races = false
      $0.source.churns = $0.source.world != "preview"
      $0.start.viewCancels = true
      $0.start.destination = nil
      $0.start.selected = nil
      $0.start.selectedIsOutOfRange = false
      $0.start.isOn = true
    }
    add {
      $0.source.faults = []
      $0.source.faultsUntil = nil
    }
    add { $0.source.interval = .seconds(2) }
    add { $0.races = false }
    if run.start.source.world == "preview" { add { $0.source.churns = false } }
    add { $0.start.viewCancels = true }
    add { $0.start.destination = nil }
    if run.start.start.link != nil { add { $0.start.link = nil } }
    add {
      $0.start.selected = nil
      $0.start.selectedIsOutOfRange = false
    }
    add { $0.start.isOn = true }
    if SimulatedWorlds.profileNames.contains(run.start.source.world) {
      // Another number of devices is another world; it is taken where the fault stays.
      for count in [1, 2, 4].map({ $0 * SimulatedWorlds.minimumDevices }) where count < run.start.source.devices ?? .max {
        add { $0.source.devices = count }
      }
    }
    if run.start.source.daemon != nil {
      // A world joins without a daemon, too, or does not answer.
      add { $0.source.latency = .zero }
      add { $0.source.daemon = nil }
      add {
        var unanswered = FaultSpecification(name: "connectTimeout")
        unanswered.permille = 1000
        ($0.source.daemon, $0.source.faults) = (nil, [unanswered])
      }
    }
    let faults = run.start.source.faults
    if faults.count > 1 { for index in faults.indices { add { $0.source.faults.remove(at: index) } } }
    // What goes wrong each time goes wrong whatever else is taken out.
    for index in faults.indices where faults[index].permille.map({ $0 < 1000 }) == true {
      add { $0.source.faults[index].permille = 1000 }
    }
    return candidates
  }

  /// Another world with the networks that the steps name: the preview without churn, else a still one.
  private static func plainerWorld(_ run: Run) -> [Run] {
    let source = run.start.source
    if source.world == "preview", !source.churns { return [] }
    var candidates: [Run] = []
    for world in ["preview", "still"] where !(world == "still" && (source.world == "still" || source.world == "preview")) {
      for (isSecured, actions) in [nil, true, false].flatMap({ isSecured in
        [run.actions, run.withLastPasswordWrong].map { (isSecured, $0) }
      }) {
        var candidate = run
        candidate.actions = actions
        candidate.start.source.world = world
        candidate.start.source.devices = nil
        candidate.start.source.churns = world != "preview"
        if world == "preview" {
          candidate.start.source.daemon = nil
          candidate.start.source.faults = []
          candidate.start.source.faultsUntil = nil
          candidate.start.source.interval = .seconds(2)
          for index in candidate.start.start.networks.indices { candidate.start.start.networks[index].isHidden = false }
        }
        candidate.start.addNetworks(of: run.actions.compactMap(\.step), isSecured: isSecured)
        candidates.append(candidate)
      }
    }
    return candidates
  }

  /// A daemon that answers from the beginning as slowly as it does from a step on.
  private static func slowFromStart(_ run: Run) -> [Run] {
    guard run.start.source.daemon != nil else { return [] }
    return run.actions.indices.compactMap { index in
      guard let latency = answerTime(run.actions[index]) else { return nil }
      var candidate = run
      candidate.start.source.latency = latency
      candidate.actions.remove(at: index)
      return candidate
    }
  }

  /// How long answers of a daemon take from an action on that changes no more; `nil` where it is another action.
  private static func answerTime(_ action: Action<ScenarioAction>) -> Duration? {
    guard case .step(.world(.known(.answer(let rule)))) = action, rule.failure == nil else { return nil }
    return rule.duration ?? .zero
  }

  /// The start, as the first step leaves it.
  private static func laterStart(_ run: Run) -> [Run] {
    let start = run.start.start
    let hasKernel = run.start.source.world != "preview"
    var steps = run.actions.compactMap(\.step)[...]
    // A world with a kernel has heard nothing when it begins, and a link waits for the list: first a user waits.
    if hasKernel || start.link != nil, case .advance = steps.first { steps.removeFirst() }
    let rules = steps.prefix { if case .world(.known) = $0 { true } else { false } }
    steps.removeFirst(rules.count)
    guard let first = steps.popFirst(), start.isOn else { return [] }
    var candidates: [Run] = []
    func add(_ change: (inout ScenarioStart) -> Void) {
      var candidate = run
      change(&candidate.start.start)
      candidate.actions = (rules + steps).map { .step($0) }
      candidates.append(candidate)
      // What is done there may have to wait for the link, or for the list.
      guard let pause = run.actions.first, pause != .step(first) else { return }
      candidate.actions.insert(pause, at: 0)
      candidates.append(candidate)
    }
    func open(_ link: DeepLink) { add { ($0.link, $0.destination) = (link, nil) } }
    switch first {
    case .tap(.knownNetworks): open(.known)
    case .dismiss where start.link == .addKnown, .tap(.cancel) where start.link == .addKnown: open(.known)
    case .tap(.add) where start.link == .known: open(.addKnown)
    case .tapNetwork(let network) where start.link == .known: if let name = SSID(Array(network.name.utf8)) { open(.editKnown(name)) }
    case .tapNetwork(let network):
      add { $0.destination = .connect(network, isLost: hasKernel) }
      add { ($0.selected, $0.selectedIsOutOfRange) = (network, hasKernel) }
      add { $0.destination = .detail(network, isLost: hasKernel) }
    case .info(let network): add { $0.destination = .detail(network, isLost: hasKernel) }
    case .switchWiFi(isOn: false): add { ($0.isOn, $0.destination) = (false, nil) }
    case .world(.lose(let network)): add { $0.lose(network) }
    case .typePassword(let text):
      if case .connect(let network, _, let alert, let failure, let isConnecting, let isLost) = start.destination {
        add {
          $0.destination = .connect(network, password: text, alert: alert, failure: failure, isConnecting: isConnecting, isLost: isLost)
        }
      }
    case .tap(.forget):
      if case .detail(let network, _, let isLost) = start.destination {
        add { $0.destination = .detail(network, forgetAlert: true, isLost: isLost) }
      }
    default: break
    }
    return candidates
  }

  /// Without some of the networks that there are, or that are known, at the start.
  private static func fewer<Network>(_ list: WritableKeyPath<ScenarioStart, [Network]>, _ run: Run) -> [Run] {
    let networks = run.start.start[keyPath: list]
    var candidates: [Run] = []
    var reduction = Reduction(networks.count)
    while let range = reduction.next() {
      candidates.append(run.with { $0.start[keyPath: list].removeSubrange(range) })
      reduction.add(left: nil)
    }
    return candidates
  }

  /// The start with simpler values.
  private static func plainerStart(_ run: Run) -> [Run] {
    var candidates: [Run] = []
    if case .connect(let network, let password, let alert, let failure, let isConnecting, let isLost) = run.start.start.destination {
      func add(_ password: String, _ alert: Bool, _ failure: ExpectedFailure?) {
        let simpler = ScenarioStart.Destination.connect(
          network, password: password, alert: alert, failure: failure, isConnecting: isConnecting, isLost: isLost)
        candidates.append(run.with { $0.start.destination = simpler })
      }
      if !password.isEmpty { add("", alert, failure) }
      if alert { add(password, false, failure) }
      if failure != nil { add(password, alert, nil) }
    }
    for (index, network) in run.start.start.networks.enumerated() where network.connectivityPercent != 100 {
      candidates.append(run.with { $0.start.networks[index].connectivityPercent = 100 })
    }
    for (index, known) in run.start.start.known.enumerated() {
      let draft = KnownNetworkDraft(ssid: known.draft.ssid, security: known.draft.security, password: known.draft.password)
      for other in [ScenarioKnownNetwork(known.draft), ScenarioKnownNetwork(draft)] where other != known {
        candidates.append(run.with { $0.start.known[index] = other })
      }
    }
    return candidates
  }

  package static func simpler(_ step: ScenarioAction) -> [ScenarioAction] {
    switch step {
    case .advance(let duration):
      return [.advance(.seconds(1)), .advance(.seconds(2)), .advance(.seconds(5)), .advance(.seconds(10))].filter {
        if case .advance(let simpler) = $0 { simpler < duration || !isWhole(duration) && simpler < duration + .seconds(1) } else { false }
      }
    case .tapNetwork(let network) where network.number ?? 1 > 1: return [.tapNetwork(NetworkReference(name: network.name, number: 1))]
    case .typePassword(let password): return password == "blob" || password == "nope" ? [] : [.typePassword("nope")]
    case .atOnce(let actions): return actions
    case .world(.join(let network, let answer)):
      var (sooner, successful) = (answer, answer)
      sooner.duration = .seconds(1)
      successful.failure = nil
      return [sooner, successful].filter { $0 != answer }.map { .world(.join(network, $0)) }
    default: return []
    }
  }

  private static func isWhole(_ duration: Duration) -> Bool { duration.components.attoseconds == 0 }
}

extension StartedRun<ScenarioAction, RunPlan> {
  fileprivate func with(_ change: (inout RunPlan) -> Void) -> Self {
    var run = self
    change(&run.start)
    return run
  }

  /// With a wrong password where one is typed last: what is out of range in a radio world is not in another.
  fileprivate var withLastPasswordWrong: [Action<ScenarioAction>] {
    var actions = actions
    if let last = actions.lastIndex(where: { if case .step(.typePassword) = $0 { true } else { false } }) {
      actions[last] = .step(.typePassword("nope"))
    }
    return actions
  }
}

extension RunPlan {
  /// Whether the start means networks that there are.
  fileprivate var isPossible: Bool {
    func isThere(_ reference: NetworkReference) -> Bool {
      // A world with a kernel has heard nothing when it begins.
      guard source.world == "preview" else { return false }
      let count = start.networks.count { $0.name == reference.name }
      return reference.number.map { $0 <= count } ?? (count == 1)
    }
    if let selected = start.selected, !start.selectedIsOutOfRange, !isThere(selected) { return false }
    return start.destination.map { $0.isLost || isThere($0.network) } ?? true
  }

  /// Adds the networks that steps name and the start has not.
  ///
  /// - Parameter isSecured: whether they are secured; `nil` where what is done next says it.
  fileprivate mutating func addNetworks(of steps: [ScenarioAction], isSecured: Bool?) {
    for (index, step) in steps.enumerated() {
      guard let name = step.networkName, !start.networks.contains(where: { $0.name == name }) else { continue }
      var network = ScenarioNetwork(name: name)
      network.isSecured = isSecured ?? steps.dropFirst(index + 1).first { !$0.isPause }.map(\.isOnSheet) ?? false
      start.networks.append(network)
    }
  }
}

extension KnownNetworkFields {
  /// These fields, and those that another one touches as it has them.
  fileprivate func changed(by other: Self) -> Self {
    var fields = other
    fields.name = other.name ?? name
    fields.password = other.password ?? password
    fields.security = other.security ?? security
    fields.priority = other.priority ?? priority
    fields.joinsAutomatically = other.joinsAutomatically ?? joinsAutomatically
    fields.isHidden = other.isHidden ?? isHidden
    return fields
  }
}

extension ScenarioStart {
  /// A network is not heard any more where it is selected, or on the screen.
  fileprivate mutating func lose(_ lost: NetworkReference) {
    if selected == lost { selectedIsOutOfRange = true }
    switch destination {
    case .connect(let network, let password, let alert, let failure, let isConnecting, _) where network == lost:
      destination = .connect(network, password: password, alert: alert, failure: failure, isConnecting: isConnecting, isLost: true)
    case .detail(let network, let forgetAlert, _) where network == lost:
      destination = .detail(network, forgetAlert: forgetAlert, isLost: true)
    default: break
    }
  }

  /// Whether a join seems to run, which a start can say and not bring about.
  fileprivate var isConnecting: Bool {
    if case .connect(_, _, _, _, isConnecting: true, _) = destination { true } else { false }
  }
}

extension ScenarioAction {
  /// One step that does the same as this one and the next.
  func joined(_ next: ScenarioAction) -> ScenarioAction? {
    switch (self, next) {
    case (.advance(let first), .advance(let second)): .advance(first + second)
    case (.typePassword, .typePassword): next
    case (.fill(let first), .fill(let second)): .fill(first.changed(by: second))
    default: nil
    }
  }

  fileprivate var isPause: Bool { if case .advance = self { true } else { false } }

  /// Whether it is done on the sheet of a network that asks for a password.
  fileprivate var isOnSheet: Bool {
    switch self {
    case .typePassword, .tap(.join), .tap(.cancel): true
    default: false
    }
  }

  /// The network that a step means, by its name.
  fileprivate var networkName: String? {
    switch self {
    case .tapNetwork(let network), .info(let network), .world(.lose(let network)), .world(.join(let network, _)): network.name
    case .atOnce(let actions): actions.lazy.compactMap { $0.networkName }.first
    default: nil
    }
  }
}
