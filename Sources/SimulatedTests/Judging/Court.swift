/// Runs a suite in every way that sorting its tests takes.
struct Court {
  var program: TestProgram
  var seeds: Range<UInt64>
  /// How often the suite runs as it is.
  var times: Int
  var say: (String) -> Void

  func judge(_ tests: [TestProgram.Test]) throws -> Judgement {
    var judgement = Judgement(seeds: seeds, times: times)
    var evidence: [TestProgram.Test: Evidence] = [:]
    for time in 1...times {
      say("running \(tests.count) tests as they are, \(time) of \(times)")
      // The last time one after another, as simulations run: a suite may count on what runs beside.
      let (runs, seconds) = try program.run(tests, .init(isSerial: time > 1 && time == times))
      for (test, runs) in runs { evidence[test, default: Evidence()].outside += runs.worst }
      judgement.secondsOutside = min(judgement.secondsOutside ?? .infinity, seconds)
    }
    say("running them in the simulations of the seeds \(seeds)")
    let (runs, seconds) = try program.run(tests, .init(seeds: seeds))
    judgement.secondsInside = seconds
    for (test, runs) in runs { evidence[test, default: Evidence()].inside += runs }
    for test in tests {
      var known = evidence[test] ?? Evidence()
      if Verdict(known).isFinding, Verdict(known).kind != .broken { try examine(test, &known) }
      judgement.tests.append((test.name, Verdict(known), known))
    }
    return judgement
  }

  /// Runs a test that failed in the ways that show what it depends on.
  private func examine(_ test: TestProgram.Test, _ known: inout Evidence) throws {
    say("looking at \(test.name)")
    func runs(_ mode: TestProgram.Mode) throws -> [Run] { try program.run([test], mode).runs[test] ?? [] }
    known.twice = try runs(.init(times: 2))
    guard let seed = known.inside.first(where: \.isBad)?.seed else { return }
    known.alone = try runs(.init(seeds: seed..<seed + 1))
    known.plain = try runs(.init(seeds: seed..<seed + 1, order: "plain"))
    // From a seed with which the test ends otherwise than in the plain order to the plain order with a choice or two.
    let failsPlainly = known.plain.contains(where: \.isBad)
    guard let seed = failsPlainly ? known.inside.first(where: { !$0.isBad })?.seed : seed else { return }
    let orders = try runs(.init(seeds: seed..<seed + 1, order: failsPlainly ? "passing" : "failing"))
    known.smallest = orders.last { $0.isBad != failsPlainly && !$0.overtakings.isEmpty }
  }
}

extension [Run] {
  /// The runs of one process as one: the cases of a test with arguments each have a run.
  fileprivate var worst: [Run] { first(where: \.isBad).map { [$0] } ?? Array(prefix(1)) }
}

/// What was found in a suite.
struct Judgement {
  var seeds: Range<UInt64>
  var times: Int
  var tests: [(name: String, verdict: Verdict, evidence: Evidence)] = []
  /// The shortest of the runs as it is, and the run of all seeds.
  var secondsOutside: Double?
  var secondsInside: Double?

  var hasFindings: Bool { tests.contains { $0.verdict.isFinding } }

  func count(_ kind: Verdict.Kind) -> Int { tests.count { $0.verdict.kind == kind } }

  /// Those that fail inside and not outside, without a report that says why.
  var failOnlyInside: Int {
    tests.count { test in
      test.verdict.isFinding && test.evidence.inside.contains { $0.isBad && $0.outcome != .reported }
        && !(test.evidence.outside + test.evidence.twice).contains(where: \.isBad)
    }
  }
}
