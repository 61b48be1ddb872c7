import WiFi

/// Makes a story that violates a property smaller, until nothing can be taken out any more.
///
/// Works on what was recorded, not on the seed: faults, the start, steps, networks, the order of jobs; then values are made
/// simpler. Each candidate is told again and must violate the same property. Deterministic, and idempotent: the smallest
/// story shrinks to itself. Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input",
/// 2002) for the steps, one by one for the rest.
public struct Shrinker: Sendable {
  /// The name of the property that must stay violated.
  public let property: String
  /// The most candidates that are told.
  public let limit: Int

  /// Shrinks what violates a property, with at most `limit` candidates.
  public init(property: String, limit: Int = 2000) {
    self.property = property
    self.limit = limit
  }

  /// The smallest story that was found.
  public struct Result: Hashable, Sendable {
    /// The story, with explicit steps.
    public var story: Story
    /// What became of it.
    public var outcome: Story.Outcome
    /// The smallest change away from it that does not violate the property, with its trace; `nil` where none was told.
    public var nearest: Story?
    /// The number of candidates that were told.
    public var candidates: Int
  }

  private struct State {
    var story: Story
    var outcome: Story.Outcome
    var nearest: Story?
    var candidates = 0
  }

  /// Shrinks a story whose outcome violates the property.
  ///
  /// - Parameter progress: told of the number of candidates so far and of the number of steps left.
  public func shrink(
    _ story: Story, _ outcome: Story.Outcome, progress: (Int, Int) -> Void = { _, _ in }
  ) async -> Result {
    var explicit = story
    explicit.steps = outcome.steps
    var state = State(story: explicit, outcome: outcome)
    var isSmaller = true
    while isSmaller, state.candidates < limit {
      isSmaller = false
      for pass in [Self.plainer, Self.fewerSteps, Self.fewerNetworks, Self.plainerSteps] {
        while state.candidates < limit, await improve(&state, pass) {
          isSmaller = true
          progress(state.candidates, state.story.steps?.count ?? 0)
        }
      }
    }
    return Result(story: state.story, outcome: state.outcome, nearest: state.nearest, candidates: state.candidates)
  }

  /// Takes the first candidate of a pass that still violates the property; `false` where none does.
  private func improve(_ state: inout State, _ pass: @Sendable (Story) -> [Story]) async -> Bool {
    for candidate in pass(state.story) where candidate != state.story {
      if state.candidates >= limit { return false }
      state.candidates += 1
      let outcome = await candidate.tell()
      if outcome.violations.contains(where: { $0.property == property }) {
        state.story = candidate
        // What came after the violation was not told; a step that could not be performed goes with the next passes.
        state.story.steps = outcome.steps
        state.outcome = outcome
        return true
      }
      if outcome.violations.isEmpty { state.nearest = candidate }
    }
    return false
  }

  // MARK: Passes, the boldest candidates first

  /// Everything around the steps, plainer.
  private static let plainer: @Sendable (Story) -> [Story] = { story in
    var candidates: [Story] = []
    func add(_ change: (inout StoryPlan) -> Void) {
      var candidate = story
      change(&candidate.plan)
      candidates.append(candidate)
    }
    add {
      $0.source.faults = []
      $0.source.faultsUntil = nil
    }
    add { $0.shufflesJobs = false }
    add { $0.source.churns = false }
    add { $0.start.viewCancels = true }
    add { $0.start.destination = nil }
    add { $0.start.selected = nil }
    add { $0.start.isOn = true }
    for index in story.plan.source.faults.indices { add { $0.source.faults.remove(at: index) } }
    return candidates
  }

  /// Without a run of steps, the longest first.
  private static let fewerSteps: @Sendable (Story) -> [Story] = { story in
    guard let steps = story.steps else { return [] }
    var candidates: [Story] = []
    var length = steps.count
    while length > 0 {
      for start in stride(from: 0, through: steps.count - length, by: max(1, length / 2)) {
        var candidate = story
        candidate.steps?.removeSubrange(start..<start + length)
        candidates.append(candidate)
      }
      length /= 2
    }
    return candidates
  }

  /// Without some of the networks that there are at the start.
  private static let fewerNetworks: @Sendable (Story) -> [Story] = { story in
    let networks = story.plan.start.networks
    var candidates: [Story] = []
    if networks.count > 1 {
      for half in [networks.prefix(networks.count / 2), networks.suffix(networks.count - networks.count / 2)] {
        var candidate = story
        candidate.plan.start.networks = Array(half)
        candidates.append(candidate)
      }
    }
    for index in networks.indices {
      var candidate = story
      candidate.plan.start.networks.remove(at: index)
      candidates.append(candidate)
    }
    return candidates.filter { $0.plan.startIsPossible }
  }

  /// Each step with a simpler value.
  private static let plainerSteps: @Sendable (Story) -> [Story] = { story in
    var candidates: [Story] = []
    for (index, step) in (story.steps ?? []).enumerated() {
      for simpler in Self.simpler(step) {
        var candidate = story
        candidate.steps?[index] = simpler
        candidates.append(candidate)
      }
    }
    for (index, network) in story.plan.start.networks.enumerated() where network.connectivityPercent != 100 {
      var candidate = story
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

extension StoryPlan {
  /// Whether the start means networks that there are.
  var startIsPossible: Bool {
    func isThere(_ reference: NetworkReference) -> Bool {
      start.networks.count { $0.name == reference.name } >= reference.number ?? 1
    }
    if let selected = start.selected, !start.selectedIsOutOfRange, !isThere(selected) { return false }
    if let destination = start.destination, !isThere(destination.network) { return false }
    return true
  }
}
