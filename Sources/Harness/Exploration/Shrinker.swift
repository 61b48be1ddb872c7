public import Determinism
import WiFi

/// Makes a run that violates a property smaller, until nothing can be taken out any more.
///
/// Works on what was recorded, not on the seed: everything around the steps, steps, what a step can be replaced by in the
/// start, networks; then values are made simpler, and which task went on when is said choice by choice, and those that do
/// not matter left out. Each candidate is told again and must violate the same property.
/// Deterministic, and idempotent: the smallest run shrinks to itself. Delta debugging (Zeller and Hildebrandt,
/// "Simplifying and isolating failure-inducing input", 2002) for the steps, one by one and two by two at the end.
public struct Shrinker: Sendable {
  /// The name of the property that must stay violated.
  public let property: String
  /// The most candidates that are told.
  public let limit: Int
  private let properties: [SettingsProperty]

  /// Shrinks what violates a property, with at most `limit` candidates.
  ///
  /// - Parameter properties: those that each candidate is held against, the one among them.
  public init(
    property: String, limit: Int = 2000, properties: [SettingsProperty] = SettingsProperties.safety
  ) {
    self.property = property
    self.limit = limit
    self.properties = properties
  }

  /// The smallest run that was found.
  public struct Result: Hashable, Sendable {
    /// The run, with explicit steps.
    public var run: SettingsRun
    /// What became of it.
    public var outcome: SettingsRun.Outcome
    /// The smallest change away from it that does not violate the property, with its trace; `nil` where none was told.
    public var nearest: SettingsRun?
    /// The number of candidates that were told.
    public var candidates: Int
  }

  private struct State {
    var run: SettingsRun
    var outcome: SettingsRun.Outcome
    var nearest: SettingsRun?
    var candidates = 0
    /// When the property is violated; `nil` where that is asked at the end.
    var time: Duration?

    /// The number of steps.
    var steps: Int { run.steps?.count ?? 0 }
  }

  /// Shrinks a run whose outcome violates the property.
  ///
  /// - Parameter progress: told of the number of candidates so far and of the number of steps left.
  public func shrink(
    _ run: SettingsRun, _ outcome: SettingsRun.Outcome, progress: (Int, Int) -> Void = { _, _ in }
  ) async -> Result {
    var explicit = run
    explicit.steps = outcome.steps
    var state = State(run: explicit, outcome: outcome)
    state.time = outcome.violations.first { $0.property == property }?.time
    if SettingsGoals.all.contains(where: { $0.name == property }) || property == SettingsRun.endedObservation { state.time = nil }
    let begin = state
    await reduce(&state, movesWorld: true, progress)
    if state.steps > 0 {
      // In its own world, where networks come and go by themselves, fewer steps may do.
      var other = begin
      other.candidates = state.candidates
      await reduce(&other, movesWorld: false, progress)
      await reduce(&other, movesWorld: true, progress)
      state.candidates = other.candidates
      if other.steps < state.steps { state = other }
    }
    if let nearest = state.nearest, await !nearest.run(properties: properties).violations.isEmpty { state.nearest = nil }
    return Result(run: state.run, outcome: state.outcome, nearest: state.nearest, candidates: state.candidates)
  }

  /// Makes a run smaller until nothing more can be done.
  ///
  /// - Parameter movesWorld: whether another world may do, and a start that the first steps lead to.
  private func reduce(_ state: inout State, movesWorld: Bool, _ progress: (Int, Int) -> Void) async {
    let mayMove: @Sendable (SettingsRun, SettingsRun) -> Bool = { run, candidate in
      let (source, other) = (run.plan.source, candidate.plan.source)
      return movesWorld || (source.world == other.world && source.churns == other.churns)
    }
    var before: SettingsRun?
    while before != state.run, state.candidates < limit {
      before = state.run
      for pass in [Self.plainer, Self.plainerWorld] {
        while await improve(&state, { run in pass(run).filter { mayMove(run, $0) } }) { progress(state.candidates, state.steps) }
      }
      await dropSteps(&state, progress)
      if movesWorld { await beginLater(&state, progress) }
      for pass in [Self.laterStart, Self.fewerPairs, Self.fewerNetworks, Self.plainerSteps] {
        while await improve(&state, pass) { progress(state.candidates, state.steps) }
      }
      await dropChoices(&state)
    }
  }

  /// Takes the first candidate of a pass that still violates the property; `false` where none does.
  private func improve(_ state: inout State, _ pass: @Sendable (SettingsRun) -> [SettingsRun]) async -> Bool {
    for candidate in pass(state.run) where candidate != state.run {
      if await take(candidate, &state) { return true }
    }
    return false
  }

  /// Tells a candidate, and takes it where it still violates the property.
  private func take(_ candidate: SettingsRun, _ state: inout State) async -> Bool {
    if state.candidates >= limit { return false }
    state.candidates += 1
    // Who makes a run smaller does not make its trouble come later: nobody needs to wait longer than until then.
    let outcome = await candidate.run(properties: properties, until: state.time)
    if let violation = outcome.violations.first(where: { $0.property == property }) {
      state.run = candidate
      // What came after the violation was not told; a step that could not be performed goes with the next passes.
      state.run.steps = outcome.steps
      state.outcome = outcome
      if let time = state.time { state.time = max(time, violation.time) }
      return true
    }
    if outcome.violations.isEmpty { state.nearest = candidate }
    return false
  }

  /// Leaves out runs of steps: all, halves, quarters and so on, down to single ones.
  private func dropSteps(_ state: inout State, _ progress: (Int, Int) -> Void) async {
    var length = state.run.steps?.count ?? 0
    while length > 0 {
      var start = 0
      while let count = state.run.steps?.count, start < count {
        var candidate = state.run
        candidate.steps?.removeSubrange(start..<min(start + length, count))
        if await take(candidate, &state) {
          progress(state.candidates, state.steps)
        } else {
          start += length
        }
      }
      length = min(length / 2, state.run.steps?.count ?? 0)
    }
  }

  /// Says which choices among tasks were made, instead of how they are drawn, and leaves out those that do not matter.
  private func dropChoices(_ state: inout State) async {
    switch state.run.plan.jobs {
    case .inOrder: return
    case .shuffled, .prioritized:
      let record = ChoiceRecord()
      _ = await state.run.run(state.run.plan.scheduling.recorded(in: record), properties: properties, until: state.time)
      var candidate = state.run
      candidate.plan.jobs = .chosen(record.choices)
      guard await take(candidate, &state) else { return }
    case .chosen: break
    }
    var length = Self.choices(state.run).count
    while length > 0 {
      var start = 0
      while start < Self.choices(state.run).count {
        var choices = Self.choices(state.run)
        choices.removeSubrange(start..<min(start + length, choices.count))
        var candidate = state.run
        candidate.plan.jobs = choices.isEmpty ? .inOrder : .chosen(choices)
        if await !take(candidate, &state) { start += length }
      }
      length = min(length / 2, Self.choices(state.run).count)
    }
    for place in Self.choices(state.run).indices where Self.choices(state.run)[place].index > 1 {
      var choices = Self.choices(state.run)
      choices[place].index = 1
      var candidate = state.run
      candidate.plan.jobs = .chosen(choices)
      _ = await take(candidate, &state)
    }
  }

  private static func choices(_ run: SettingsRun) -> [Scheduling.Choice] {
    if case .chosen(let choices) = run.plan.jobs { choices } else { [] }
  }

  /// Begins where the first steps lead, in the plainest world; what goes wrong with joins there is said by a step.
  private func beginLater(_ state: inout State, _ progress: (Int, Int) -> Void) async {
    var count = state.run.steps?.count ?? 0
    while count > 0, let steps = state.run.steps, count <= steps.count {
      if let start = await state.run.start(after: count) {
        var candidate = SettingsRun(state.run.plan, steps: Array(steps.dropFirst(count)))
        candidate.plan.source = .init(world: "preview", seed: state.run.plan.source.seed)
        candidate.plan.source.churns = false
        candidate.plan.start = start
        var candidates = [candidate]
        // How joins are answered is no part of a start.
        let answers = steps.prefix(count).filter { if case .world(.join) = $0 { true } else { false } }
        if !answers.isEmpty, answers.count < count {
          candidates.append(SettingsRun(candidate.plan, steps: answers + steps.dropFirst(count)))
        }
        let timesOut = state.run.plan.source.faults.contains { $0.name == "connectTimeout" }
        if timesOut, case .connect(let network, _, _, _, _, isLost: false) = start.destination {
          var answer = ScenarioAction.JoinAnswer()
          answer.failure = .timedOut
          candidate.steps?.insert(.world(.join(network, answer)), at: 0)
          candidates.append(candidate)
        }
        // What the world loses by itself is lost by hand.
        let churns = state.run.plan.source.world != "preview" || state.run.plan.source.churns
        if churns, count > 1 {
          for network in [start.destination?.network, start.selected].compactMap(\.self) {
            candidates.append(SettingsRun(candidate.plan, steps: [.world(.lose(network))] + steps.dropFirst(count)))
          }
        }
        for candidate in candidates where candidate.plan.startIsPossible && !start.isConnecting {
          guard await take(candidate, &state) else { continue }
          progress(state.candidates, state.steps)
          return
        }
      }
      count -= 1
    }
  }

  // MARK: Passes, the boldest candidates first

  /// Everything around the steps, plainer: all at once, then one by one.
  private static let plainer: @Sendable (SettingsRun) -> [SettingsRun] = { run in
    var candidates: [SettingsRun] = []
    func add(_ change: (inout RunPlan) -> Void) {
      var candidate = run
      change(&candidate.plan)
      candidates.append(candidate)
    }
    add {
      $0.source.faults = []
      $0.source.faultsUntil = nil
      $0.source.interval = .seconds(2)
      $0.jobs = .inOrder
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
    add {
      $0.jobs = .inOrder
      $0.races = false
    }
    add { $0.jobs = .inOrder }
    add { $0.races = false }
    if run.plan.source.world == "preview" { add { $0.source.churns = false } }
    add { $0.start.viewCancels = true }
    add { $0.start.destination = nil }
    add {
      $0.start.selected = nil
      $0.start.selectedIsOutOfRange = false
    }
    add { $0.start.isOn = true }
    if run.plan.source.faults.count > 1 {
      for index in run.plan.source.faults.indices { add { $0.source.faults.remove(at: index) } }
    }
    // What goes wrong each time goes wrong whatever else is taken out.
    for index in run.plan.source.faults.indices where run.plan.source.faults[index].permille.map({ $0 < 1000 }) == true {
      add { $0.source.faults[index].permille = 1000 }
    }
    return candidates.filter { $0.plan.startIsPossible }
  }

  /// Another world with the networks that the steps name: the preview without churn, else a still one.
  private static let plainerWorld: @Sendable (SettingsRun) -> [SettingsRun] = { run in
    let source = run.plan.source
    if source.world == "preview", !source.churns { return [] }
    var candidates: [SettingsRun] = []
    for world in ["preview", "still"] where !(world == "still" && (source.world == "still" || source.world == "preview")) {
      for isSecured in [true, false] {
        var candidate = run
        candidate.plan.source.world = world
        candidate.plan.source.churns = world != "preview"
        if world == "preview" {
          candidate.plan.source.faults = []
          candidate.plan.source.faultsUntil = nil
          candidate.plan.source.interval = .seconds(2)
          for index in candidate.plan.start.networks.indices { candidate.plan.start.networks[index].isHidden = false }
        }
        candidate.plan.addNetworks(of: candidate.steps ?? [], isSecured: isSecured)
        if candidate.plan.startIsPossible, !candidates.contains(candidate) { candidates.append(candidate) }
      }
    }
    return candidates
  }

  /// The start, as the first step or two leave it.
  private static let laterStart: @Sendable (SettingsRun) -> [SettingsRun] = { run in
    guard let steps = run.steps, let first = steps.first, run.plan.start.isOn else { return [] }
    var candidates: [SettingsRun] = []
    func add(_ change: (inout RunPlan) -> Void) {
      var candidate = run
      change(&candidate.plan)
      candidate.steps?.removeFirst()
      if candidate.plan.startIsPossible { candidates.append(candidate) }
    }
    switch first {
    case .tapNetwork(let network):
      add { $0.start.destination = .connect(network) }
      add { $0.start.selected = network }
      add { $0.start.destination = .detail(network) }
    case .info(let network): add { $0.start.destination = .detail(network) }
    case .switchWiFi(isOn: false):
      add {
        $0.start.isOn = false
        $0.start.destination = nil
      }
    case .typePassword(let text):
      if case .connect(let network, _, let alert, let failure, let isConnecting, let isLost) = run.plan.start.destination {
        add {
          $0.start.destination = .connect(
            network, password: text, alert: alert, failure: failure, isConnecting: isConnecting, isLost: isLost)
        }
      }
    case .tap(.forget):
      if case .detail(let network, _, let isLost) = run.plan.start.destination {
        add { $0.start.destination = .detail(network, forgetAlert: true, isLost: isLost) }
      }
    default: break
    }
    return candidates
  }

  /// Without two steps that only go together, and with one pause instead of two.
  private static let fewerPairs: @Sendable (SettingsRun) -> [SettingsRun] = { run in
    guard let steps = run.steps else { return [] }
    let joined = steps.reduce(into: [ScenarioAction]()) { steps, step in
      if case .advance(let second) = step, case .advance(let first) = steps.last {
        steps[steps.count - 1] = .advance(first + second)
      } else {
        steps.append(step)
      }
    }
    var candidates = joined.count < steps.count ? [SettingsRun(run.plan, steps: joined)] : []
    guard steps.count <= 12 else { return candidates }
    for index in steps.indices.dropLast() {
      guard case .advance(let first) = steps[index], case .advance(let second) = steps[index + 1] else { continue }
      var candidate = run
      candidate.steps?.replaceSubrange(index...index + 1, with: [.advance(first + second)])
      candidates.append(candidate)
    }
    for left in steps.indices {
      for right in steps.indices.dropFirst(left + 1) {
        var candidate = run
        candidate.steps?.remove(at: right)
        candidate.steps?.remove(at: left)
        candidates.append(candidate)
      }
    }
    return candidates
  }

  /// Without some of the networks that there are at the start.
  private static let fewerNetworks: @Sendable (SettingsRun) -> [SettingsRun] = { run in
    let networks = run.plan.start.networks
    var candidates: [SettingsRun] = []
    if networks.count > 1 {
      for half in [networks.prefix(networks.count / 2), networks.suffix(networks.count - networks.count / 2)] {
        var candidate = run
        candidate.plan.start.networks = Array(half)
        candidates.append(candidate)
      }
    }
    for index in networks.indices {
      var candidate = run
      candidate.plan.start.networks.remove(at: index)
      candidates.append(candidate)
    }
    return candidates.filter { $0.plan.startIsPossible }
  }

  /// Each step with a simpler value.
  private static let plainerSteps: @Sendable (SettingsRun) -> [SettingsRun] = { run in
    var candidates: [SettingsRun] = []
    for (index, step) in (run.steps ?? []).enumerated() {
      for simpler in Self.simpler(step) {
        var candidate = run
        candidate.steps?[index] = simpler
        candidates.append(candidate)
      }
    }
    if case .connect(let network, let password, let alert, let failure, let isConnecting, let isLost) = run.plan.start.destination {
      func add(_ password: String, _ alert: Bool, _ failure: ExpectedFailure?) {
        var candidate = run
        candidate.plan.start.destination = .connect(
          network, password: password, alert: alert, failure: failure, isConnecting: isConnecting, isLost: isLost)
        candidates.append(candidate)
      }
      if !password.isEmpty { add("", alert, failure) }
      if alert { add(password, false, failure) }
      if failure != nil { add(password, alert, nil) }
    }
    for (index, network) in run.plan.start.networks.enumerated() where network.connectivityPercent != 100 {
      var candidate = run
      candidate.plan.start.networks[index].connectivityPercent = 100
      candidates.append(candidate)
    }
    return candidates
  }

  private static func simpler(_ step: ScenarioAction) -> [ScenarioAction] {
    switch step {
    case .advance(let duration):
      return [.advance(.seconds(1)), .advance(.seconds(2)), .advance(.seconds(5)), .advance(.seconds(10))].filter {
        if case .advance(let simpler) = $0 { simpler < duration || !isWhole(duration) && simpler < duration + .seconds(1) } else { false }
      }
    case .typePassword(let password): return password == "blob" || password == "nope" ? [] : [.typePassword("nope")]
    case .atOnce(let actions): return actions.map { $0 }
    case .world(.join(let network, let answer)):
      var simpler: [ScenarioAction] = []
      if answer.duration != .seconds(1) {
        var other = answer
        other.duration = .seconds(1)
        simpler.append(.world(.join(network, other)))
      }
      if answer.failure != nil {
        var other = answer
        other.failure = nil
        simpler.append(.world(.join(network, other)))
      }
      return simpler
    default: return []
    }
  }

  private static func isWhole(_ duration: Duration) -> Bool { duration.components.attoseconds == 0 }
}

extension RunPlan {
  /// Whether the start means networks that there are.
  var startIsPossible: Bool {
    func isThere(_ reference: NetworkReference) -> Bool {
      // A world with a kernel has heard nothing when it begins.
      guard source.world == "preview" else { return false }
      let count = start.networks.count { $0.name == reference.name }
      return reference.number.map { $0 <= count } ?? (count == 1)
    }
    if let selected = start.selected, !start.selectedIsOutOfRange, !isThere(selected) { return false }
    switch start.destination {
    case .connect(let network, _, _, _, _, let isLost), .detail(let network, _, let isLost): return isLost || isThere(network)
    case nil: return true
    }
  }

  /// Adds the networks that steps name and the start has not.
  mutating func addNetworks(of steps: [ScenarioAction], isSecured: Bool) {
    for step in steps {
      guard let name = step.networkName, !start.networks.contains(where: { $0.name == name }) else { continue }
      var network = ScenarioNetwork(name: name)
      network.isSecured = isSecured
      start.networks.append(network)
    }
  }
}

extension ScenarioStart {
  /// Whether a join seems to run, which a start can say and not bring about.
  fileprivate var isConnecting: Bool {
    if case .connect(_, _, _, _, isConnecting: true, _) = destination { true } else { false }
  }
}

extension ScenarioAction {
  /// The network that a step means, by its name.
  fileprivate var networkName: String? {
    switch self {
    case .tapNetwork(let network), .info(let network), .world(.lose(let network)), .world(.join(let network, _)): network.name
    case .atOnce(let actions): actions.lazy.compactMap { $0.networkName }.first
    default: nil
    }
  }
}
