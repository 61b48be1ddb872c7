package import Determinism
import Models
package import WiFi

/// Searches the settings for violations: runs many seeds, each twice, and asks the properties.
public struct Explorer: Sendable {
  /// The worlds to choose among.
  package var worlds: [String]
  /// How long each run goes on, in virtual time.
  package var length: Duration
  /// How many access points there are when a run begins; `nil` is a few, drawn from the seed.
  package var accessPoints: Int?
  /// The simulated daemon that joins in worlds with a kernel; `nil` draws one, or none in a third of the runs.
  package var daemon: JoinDaemon?
  /// The view that user input goes through, `nil` for any; the hash is the same through each.
  package var view: ViewKind?
  /// Whether each seed is run twice, which must give the same.
  package var runsTwice: Bool

  /// The worlds where no others are asked for: half of them are still, as there it is known what a join comes to.
  public static let usualWorlds = ["preview", "still", "still", "home"]

  /// Looks in these worlds; in one that is named twice twice as often.
  public init(
    worlds: [String] = Self.usualWorlds, length: Duration = .seconds(75), accessPoints: Int? = nil,
    runsTwice: Bool = true
  ) {
    self.worlds = worlds
    self.length = length
    self.accessPoints = accessPoints
    self.runsTwice = runsTwice
  }

  /// The run of a seed.
  package func run(of seed: UInt64) -> SettingsRun {
    var plan = RunPlan(
      seed: seed, worlds: worlds, length: length, accessPoints: accessPoints, daemon: daemon, drawsRooms: true)
    if let view { plan.view = view }
    return SettingsRun(plan)
  }

  /// Runs a batch of seeds, one after the other, and each once more.
  public func explore(_ seeds: Range<UInt64>) async -> Batch { await explore(seeds, in: self) }

  /// Lets seeds be run, one after the other, and each once more.
  ///
  /// - Throws: what keeps the runner from running them.
  package func explore<Runner: SeedRunner>(_ seeds: Range<UInt64>, in runner: Runner) async throws(Runner.Failure) -> Batch {
    let first = try await runner.firstRuns(of: seeds)
    var batch = first.batch
    guard runsTwice else { return batch }
    let judged = Set(batch.findings.filter { $0.violation.property != SelfCheck.name }.map(\.seed))
    let second = try await runner.digests(of: seeds, judging: judged, without: first.ended)
    precondition(second.count == seeds.count, "Explorer: \(second.count) digests of \(seeds)")
    let ended = first.ended
    var differing: [UInt64] = []
    for (seed, (one, other)) in zip(seeds, zip(first.digests, second)) {
      guard let one, !ended.contains(seed) else { continue }
      if let other {
        if one != other { differing.append(seed) }
        continue
      }
      let sentence = "the second run ended its process, the first did not"
      batch.findings.append(.init(seed: seed, violation: Violation(property: Violation.endsProcess, sentence: sentence, time: .zero)))
      break
    }
    for seed in differing {
      // A report explains the first only.
      let violation =
        seed == differing[0]
        ? try await violation(seed, runner)
        : Violation(property: Violation.sameRunTwice, sentence: "two runs had different hashes", time: .zero)
      batch.findings.append(.init(seed: seed, violation: violation))
    }
    return batch
  }
}

extension RunOutcome {
  /// Whether the run did not end in real time.
  var isEndless: Bool { violations.contains { SimulationFailure.endless.contains($0.property) } }
}

extension SettingsRun {
  /// The same run without a view, which gives the same hash: so a second run is held to what views may change, too.
  var withoutView: SettingsRun { through(.headless) }

  /// The same run through a view.
  package func through(_ view: ViewKind) -> SettingsRun {
    var run = self
    run.start.view = view
    return run
  }

  /// Where the run parts from the same without a view, though it does not part from itself.
  func divergenceOfView() async -> Divergence? {
    guard start.view != .headless else { return nil }
    let first = await record()
    guard let divergence = await Divergence(first, withoutView.record()), await Divergence(first, record()) == nil else { return nil }
    return divergence
  }
}

/// What is violated on purpose: that every exploration finds it shows that it can find anything.
package enum SelfCheck {
  /// The name of the property.
  package static let name = "self-check: no network is ever joined"
  static let what = "a network was joined"
  static let violation = Violation(property: name, sentence: "a network was joined, as it should be", time: .zero)
}
