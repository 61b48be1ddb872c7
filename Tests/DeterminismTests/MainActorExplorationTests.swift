import Determinism
import Synchronization
import Testing

/// A model as most people write it is searched as it is: main actor, tasks of its own, `Task.sleep`.
@Suite struct MainActorExplorationTests {
  /// Searches while somebody types; an answer that comes late overwrites that of the later text, unless it is dropped.
  @MainActor final class SearchModel {
    private(set) var text = ""
    private(set) var results: String?
    private let dropsLateAnswers: Bool

    init(dropsLateAnswers: Bool) { self.dropsLateAnswers = dropsLateAnswers }

    func typed(_ text: String) {
      self.text = text
      Task {
        // The server takes longer for short texts.
        try? await Task.sleep(for: .milliseconds(text.count < 3 ? 500 : 100))
        if dropsLateAnswers, self.text != text { return }
        results = text
      }
    }
  }

  @MainActor final class HastySearch: @MainActor Explorable {
    typealias Step = String
    static let eventually = [
      Property<HastySearch>("the results are those of the text") {
        $0.model.results == nil || $0.model.results == $0.model.text
      }
    ]
    let model = SearchModel(dropsLateAnswers: false)

    init(in simulation: Simulation) {}
    func next(_ stream: inout RandomStream) -> String? { ["a", "ab", "abc", "abcd"][Int(stream.next(below: 4))] }
    func perform(_ step: String) { model.typed(step) }
    var summary: String { "\(model.text): \(model.results ?? "-")" }
    static func simpler(_ step: String) -> [String] { (1..<max(step.count, 1)).map { String(step.prefix($0)) } }
  }

  @MainActor final class PatientSearch: @MainActor Explorable {
    typealias Step = String
    static let eventually = [
      Property<PatientSearch>("the results are those of the text") {
        $0.model.results == nil || $0.model.results == $0.model.text
      }
    ]
    static let sometimes = [Property<PatientSearch>("there are results") { $0.model.results != nil }]
    let model = SearchModel(dropsLateAnswers: true)

    init(in simulation: Simulation) {}
    func next(_ stream: inout RandomStream) -> String? { ["a", "ab", "abc", "abcd"][Int(stream.next(below: 4))] }
    func canPerform(_ step: String) -> Bool { step != model.text }
    func perform(_ step: String) { model.typed(step) }
  }

  @Test @MainActor func `a late answer is found and shrunk, whatever the number of jobs`() async throws {
    let one = await explore(HastySearch.self, seeds: 0..<60, jobs: 1)
    let many = await explore(HastySearch.self, seeds: 0..<60, jobs: 4)
    #expect(one.hash == many.hash)
    #expect("\(one)" == "\(many)")
    let finding = try #require(one.findings.first)
    #expect(one.findings.count == 1, "\(one)")
    #expect(finding.violation.property == "the results are those of the text")
    let steps = finding.actions.compactMap { if case .step(let step) = $0 { step } else { nil } }
    #expect(steps.count == 2, "\(finding)")
    #expect((steps.first?.count ?? 9) < 3 && steps.last?.count == 3, "\(finding)")
    #expect(throws: ExplorationFailure.self) { try one.check() }
    let seed = try #require(finding.seed)
    await #expect(throws: Exploration<String>.Finding.self) {
      try await replay(HastySearch.self, seed: seed, finding.actions, choices: finding.choices)
    }
  }

  @Test @MainActor func `where late answers are dropped nothing is found`() async throws {
    let exploration = await explore(PatientSearch.self, seeds: 0..<60)
    try exploration.check()
    #expect(exploration.seen["there are results"] ?? 0 > 50)
    #expect(exploration.steps > 500)
  }

  // MARK: A body of one's own

  private struct Wrong: Error, CustomStringConvertible {
    var description: String
  }

  @Test func `a body that depends on the order of tasks fails with its seeds`() async {
    let exploration = await explore(seeds: 0..<64) { @MainActor simulation in
      var log: [String] = []
      let tasks = ["a", "b"].map { name in Task { log.append(name) } }
      for task in tasks { await task.value }
      simulation.trace.record(log.joined())
      if log != ["a", "b"] { throw Wrong(description: "\(log.joined()) instead of ab") }
    }
    #expect(exploration.failures.count > 4 && exploration.failures.count < 40, "\(exploration)")
    #expect(exploration.failures.allSatisfy { $0.sentence == "ba instead of ab" }, "\(exploration)")
    #expect(exploration.failures.map(\.seed) == exploration.failures.map(\.seed).sorted())
    #expect(throws: ExplorationFailure.self) { try exploration.check() }
    // One way to fail is one line, and a command repeats it.
    let (first, others) = (exploration.failures[0].seed, exploration.failures.count - 1)
    let lines = exploration.description.split(separator: "\n")
    #expect(lines.count == 3, "\(exploration)")
    #expect(lines[1] == "seed \(first) and \(others) others: ba instead of ab")
    #expect(lines[2].hasPrefix("Repeat it: SIMULATED_SEEDS=\(first) swift test --filter '"))
    #expect(lines[2].contains("a body that depends on the order of tasks fails with its seeds"))
  }

  @Test func `a timer that is left on fails every seed`() async {
    let exploration = await explore(seeds: 0..<3) { _ in
      Task { while !Task.isCancelled { try await Task.sleep(for: .seconds(3)) } }
    }
    #expect(exploration.failures.map(\.seed) == [0, 1, 2], "\(exploration)")
    #expect(exploration.failures.allSatisfy { $0.sentence.contains("sleep") }, "\(exploration)")
    #expect(exploration.description.split(separator: "\n").count == 3, "\(exploration)")
    let allowed = await explore(seeds: 0..<3, limits: .exploration) { _ in
      Task { while !Task.isCancelled { try await Task.sleep(for: .seconds(3)) } }
    }
    #expect(allowed.failures.isEmpty, "\(allowed)")
  }

  @Test func `a body that differs from run to run is found, and one that does not is not`() async throws {
    let count = Atomic(0)
    let differs = await explore(seeds: 0..<4, jobs: 1) { simulation in
      simulation.trace.record("run \(count.add(1, ordering: .relaxed).newValue)")
    }
    #expect(differs.failures.map(\.sentence) == Array(repeating: "two runs of it have different traces", count: 4))
    let same = await explore(seeds: 0..<50) { @MainActor simulation in
      try await Task.sleep(for: .seconds(Int.random(in: 1...9)))
      simulation.trace.record("\(UInt64.random(in: 0...UInt64.max))")
    }
    try same.check()
    #expect(same.description == "50 seeds; nothing found")
    let leaves = await explore(seeds: 0..<2) { simulation in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      for await _ in stream {}
      continuation.finish()
    }
    #expect(leaves.failures.map(\.seed) == [0, 1], "\(leaves)")
  }
}
