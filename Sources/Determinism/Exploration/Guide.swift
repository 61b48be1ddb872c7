/// From where the runs of a batch go on: half of them are drawn from their seeds, half begin as an earlier run of the
/// batch did, until that came to a situation that few others come to, and go on with fresh choices.
///
/// This is the greybox fuzzing of AFL and its schedule of seeds by rarity (Böhme and others, "Coverage-based Greybox
/// Fuzzing as Markov Chain", 2016), over changes of situation in place of branches. What a batch learns stays in it: so
/// a run depends on the runs of its batch before it and on nothing else, on however many cores and in whatever shards.
struct Guide<Subject: Explorable, Start: Hashable & Sendable> {
  typealias Run = ExploredRun<Subject, Start>

  /// A beginning of a run that ends with a change which no run before had reached.
  private struct Place {
    var run: Run
    var key: UInt64
  }

  /// The number of runs that reached each change.
  private var counts: [UInt64: Int] = [:]
  private var places: [Place] = []

  /// Whether a run said what kind of state its model is in: where none does, each is drawn by itself.
  var learns: Bool { !counts.isEmpty }

  /// The run of a seed: as it was drawn, or with the beginning of an earlier one.
  func run(_ drawn: Run) -> Run {
    var stream = RandomStream(seed: drawn.seed, name: "guide")
    guard stream.bool(1, in: 2), !places.isEmpty else { return drawn }
    // The rarest of three.
    var place = stream.pick(places)
    for _ in 0..<2 {
      let other = stream.pick(places)
      if counts[other.key, default: 0] < counts[place.key, default: 0] { place = other }
    }
    var run = place.run
    run.beginning?.seed = drawn.seed
    run.order = drawn.order
    return run
  }

  /// Learns what became of a run.
  mutating func take(_ run: Run, _ outcome: Run.Outcome) {
    var seen: Set<UInt64> = []
    for reached in outcome.reached where seen.insert(reached.key).inserted {
      counts[reached.key, default: 0] += 1
      if counts[reached.key] == 1, outcome.violations.isEmpty, let run = run.beginning(at: reached, of: outcome) {
        places.append(Place(run: run, key: reached.key))
      }
    }
  }
}

extension ExploredRun {
  /// A run that begins as this one did until it reached something, and then draws what it does; `nil` where that was
  /// there from the start.
  fileprivate func beginning(at reached: Reached, of outcome: Outcome) -> ExploredRun? {
    guard reached.actions > 0 else { return nil }
    var actions = Array(outcome.actions.prefix(reached.actions))
    if let shortened = actions.last?.shortened(to: reached.elapsed) { actions[actions.count - 1] = shortened }
    var run = self
    run.beginning = Beginning(
      actions: actions, choices: outcome.choices.filter { $0.number < reached.choices }, choiceCount: reached.choices, seed: seed)
    return run
  }
}

extension Action {
  /// The same pause, no longer than this; `nil` where it is none.
  fileprivate func shortened(to duration: Duration) -> Action? {
    switch self {
    case .wait(let time): .wait(min(time, duration))
    case .sleep(let time): .sleep(min(time, duration))
    case .step: nil
    }
  }
}
