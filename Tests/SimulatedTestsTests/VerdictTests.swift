import Determinism
import DeterminismTesting
import SimulatedSuites
import Testing

@testable import SimulatedTests

/// What a test is, by how its runs ended.
@Suite struct VerdictTests {
  private static func runs(_ words: String, order: String = "") -> [Run] {
    words.enumerated().map { index, letter in
      var run = Run(outcome: .passed, seed: UInt64(index), order: order)
      switch letter {
      case "f": (run.outcome, run.words) = (.failed, "1 == 2")
      case "e": (run.outcome, run.kind, run.words) = (.reported, "escaped", "a called dispatch_async")
      case "n": (run.outcome, run.kind, run.words) = (.reported, "never settles", "1000001 jobs ran at one virtual time")
      case "t": (run.outcome, run.words) = (.trapped, "Fatal error")
      case "h": (run.outcome, run.words) = (.hung, "no end within 60 s")
      case "s": run.outcome = .skipped
      default: break
      }
      return run
    }
  }

  struct Example: Sendable, CustomTestStringConvertible {
    var kind: Verdict.Kind
    var outside = ""
    var inside = ""
    var alone = ""
    var plain = ""
    var twice = ""
    var testDescription: String { "\(kind.rawValue): \(outside) \(inside) \(alone) \(plain) \(twice)" }
  }

  static let examples: [Example] = [
    Example(kind: .unwrapped),
    Example(kind: .passed, outside: "ppp", inside: "pppp"),
    Example(kind: .skipped, outside: "sss", inside: "ssss"),
    Example(kind: .skipped, outside: "ppp", inside: "ssss"),
    Example(kind: .broken, outside: "fff", inside: "pfpp"),
    Example(kind: .clock, outside: "fff", inside: "pppp", twice: "pp"),
    Example(kind: .broken, outside: "fff", inside: "e"),
    Example(kind: .trapped, outside: "ppp", inside: "ppt"),
    Example(kind: .hung, outside: "ppp", inside: "h"),
    Example(kind: .restless, outside: "ppp", inside: "pn"),
    Example(kind: .escape, outside: "ppp", inside: "pe"),
    Example(kind: .escape, outside: "ppp", inside: "fe"),
    Example(kind: .order, outside: "ppp", inside: "ppfp", alone: "f", plain: "p", twice: "pp"),
    Example(kind: .order, outside: "ppp", inside: "ffff", alone: "f", plain: "p", twice: "pp"),
    Example(kind: .order, outside: "ppf", inside: "ppfp", alone: "f", plain: "f", twice: "pp"),
    Example(kind: .clock, outside: "ppp", inside: "ffff", alone: "f", plain: "f", twice: "pp"),
    Example(kind: .clock, outside: "pfp", inside: "pppp", twice: "pp"),
    Example(kind: .sharedState, outside: "ppp", inside: "pfff", alone: "p", plain: "p", twice: "pf"),
    Example(kind: .sharedState, outside: "ppp", inside: "ffff", alone: "f", plain: "f", twice: "pf"),
    Example(kind: .clock, outside: "ppf", inside: "pppp", twice: "pf"),
    Example(kind: .clock, outside: "ppf", inside: "ffff", alone: "f", plain: "f", twice: "fp"),
  ]

  @Test(arguments: examples) func `a test is sorted`(example: Example) {
    var evidence = Evidence()
    evidence.outside = Self.runs(example.outside)
    evidence.inside = Self.runs(example.inside)
    evidence.alone = Self.runs(example.alone)
    evidence.plain = Self.runs(example.plain)
    evidence.twice = Self.runs(example.twice)
    #expect(Verdict(evidence).kind == example.kind, "\(Verdict(evidence))")
  }

  @Test(arguments: ["p", "f"]) func `an order is named by the tasks that matter`(plain: String) {
    var evidence = Evidence()
    (evidence.outside, evidence.inside) = (Self.runs("p"), Self.runs("pf"))
    (evidence.alone, evidence.plain, evidence.twice) = (Self.runs("f"), Self.runs(plain), Self.runs("pp"))
    evidence.smallest = Run(outcome: .failed, seed: 1, order: "3:1", overtakings: "“a” goes on before “b”")
    let other = plain == "p" ? "passes, and fails" : "fails, and passes"
    let failure = "fails in the simulations of 1 of 2 seeds, the first of which is 1: 1 == 2"
    #expect(Verdict(evidence).reason == "\(failure) The plain order \(other) where “a” goes on before “b”.")
    evidence.smallest = nil
    #expect(Verdict(evidence).reason.hasSuffix("1 == 2 The plain order \(plain == "p" ? "passes" : "fails")."))
  }

  // MARK: Orders

  private typealias Choice = JobOrder.Choice

  /// The smallest order that is found, where a run fails if `fails` says so of its choices.
  private func smallest(
    _ mode: SuiteOrders.Mode = .failing, from first: [Choice], runs: Int = 100, fails: ([Choice]) -> Bool
  ) -> [Choice]? {
    var (orders, found, count) = (SuiteOrders(mode, seeds: [7]), [Choice]?.none, 0)
    while let (seed, order) = orders.next(), count < runs {
      count += 1
      #expect(seed == 7 && (count > 1 || order == .shuffled))
      let choices = if case .chosen(let chosen) = order { chosen } else { first }
      if fails(choices) == (mode == .failing) { found = choices }
      orders.add(isFailed: fails(choices), made: choices, counts: Array(repeating: 3, count: 10))
    }
    #expect(count < runs)
    return found
  }

  private let all = [(0, 1), (2, 2), (3, 1), (5, 2), (7, 1), (9, 1)].map { Choice(number: $0.0, index: $0.1) }

  @Test func `an order is made as small as it can be`() {
    let (one, other) = (Choice(number: 2, index: 1), Choice(number: 7, index: 1))
    #expect(smallest(from: all) { $0.contains { $0.number == 2 } } == [one])
    #expect(smallest(from: all) { $0.contains { $0.number == 2 } && $0.contains(other) } == [one, other])
    let alone = Choice(number: 4, index: 2)
    #expect(smallest(from: all) { ($0.contains { $0.number == 2 } && $0.contains(other)) || $0 == [alone] } == [alone])
    #expect(smallest(.passing, from: all) { !$0.contains(other) } == [other])
    #expect(smallest(from: all) { _ in false } == nil)
    #expect(smallest(from: all) { _ in true } == [])
  }

  @Test func `other orders are run once with each seed`() {
    for (mode, order) in [(.shuffled, .shuffled), (.plain, .inOrder)] as [(SuiteOrders.Mode, JobOrder)] {
      var orders = SuiteOrders(mode, seeds: [1, 2])
      for seed in [1, 2] as [UInt64] {
        let next = orders.next()
        #expect(next?.seed == seed && next?.order == order)
        orders.add(isFailed: true, made: all, counts: [])
      }
      #expect(orders.next() == nil)
    }
  }

  @Test func `a record is read as it was written`() throws {
    var line = TestLine(test: "M.S/a\tb\\()", seed: 7, order: "3:1", outcome: .begun)
    let begun = line.text
    (line.outcome, line.kind, line.virtual, line.real, line.words) = (.reported, "escaped", 3600.5, 0.25, "one\ntwo\\n")
    line.overtakings = "a goes on before b"
    let record = [begun, line.text, TestLine(test: "M.S/c()", seed: nil, outcome: .begun).text, "torn"].joined(separator: "\n")
    let (ended, open) = Run.runs(ofRecord: record)
    try #require(ended.count == 1 && open.count == 1)
    #expect(ended[0].test == "M.S/a\tb\\()")
    let expected = Run(
      outcome: .reported, seed: 7, order: "3:1", kind: "escaped", virtual: 3600.5, real: 0.25, words: "one\ntwo\\n",
      overtakings: "a goes on before b")
    #expect(ended[0].run == expected)
    #expect(open[0].test == "M.S/c()" && open[0].run.seed == nil && open[0].run.outcome == .trapped)
  }

  // MARK: Reports

  private static let report: Report = {
    var judgement = Judgement(seeds: 0..<4, times: 3)
    (judgement.secondsOutside, judgement.secondsInside) = (12.34, 0.5)
    for (index, example) in examples.enumerated() {
      var evidence = Evidence()
      (evidence.outside, evidence.inside) = (runs(example.outside), runs(example.inside))
      (evidence.alone, evidence.plain, evidence.twice) = (runs(example.alone), runs(example.plain), runs(example.twice))
      for place in evidence.inside.indices { (evidence.inside[place].virtual, evidence.inside[place].real) = (1.5, 0.001) }
      judgement.tests.append(("Tests.Suite/a<\(index)>()", Verdict(evidence), evidence))
    }
    return Report(package: "Some & other", judgement: judgement)
  }()

  @Test func `a report is Markdown`() {
    expectGolden(Self.report.markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), "report")
  }

  @Test func `a report says in words how often tests ran as they are`() {
    let report = Report(package: "Other", judgement: Judgement(seeds: 0..<1, times: 1))
    #expect(report.markdown.contains("0 tests, once as they are, and in simulations of the seeds 0..<1."))
  }

  @Test func `a report is JUnit`() {
    expectGolden(Self.report.junit.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), "report of JUnit")
  }

  @Test func `tests of Swift Testing are known by their names`() {
    #expect(TestProgram.identity("M.S/a()/File.swift:3:4") == "M.S/a()")
    #expect(TestProgram.identity("M.S/a()") == "M.S/a()")
  }

  @Test(arguments: ["5", "5..<5", "a..<b", "-1..<3", "0...4"]) func `what is no range of seeds is refused`(text: String) {
    #expect(SimulatedTests.range(text) == nil)
    #expect(SimulatedTests.range("3..<5") == 3..<5)
  }
}
