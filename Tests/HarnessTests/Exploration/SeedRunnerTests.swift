import Determinism
import Harness
import Testing

/// Tells what an explorer does, but for a seed whose run it changes.
private struct FakeRunner: SeedRunner {
  struct Trouble: Error, Equatable {}

  var explorer: Explorer
  /// The seed whose run it tells otherwise.
  var seed: UInt64
  /// Changes that run.
  var change: @Sendable (inout RunRecord) -> Void = { _ in }
  /// What it tells with fixed hashing.
  var fixed = Fixed.same
  enum Fixed { case none, same, different }
  /// Whether it fails instead.
  var fails = false

  func firstRuns(of seeds: Range<UInt64>) async throws(Trouble) -> FirstRuns { await explorer.firstRuns(of: seeds) }

  func digests(
    of seeds: Range<UInt64>, judging judged: Set<UInt64>, without ended: Set<UInt64>
  ) async throws(Trouble) -> [UInt64?] {
    if fails { throw Trouble() }
    let digests = await explorer.digests(of: seeds, judging: judged, without: ended)
    return zip(seeds, digests).map { $0 == seed ? $1.map { $0 &+ 1 } : $1 }
  }

  func record(of seed: UInt64) async throws(Trouble) -> RunRecord {
    var record = await explorer.record(of: seed)
    if seed == self.seed { change(&record) }
    return record
  }

  func records(of seed: UInt64, count: Int) async throws(Trouble) -> [RunRecord] {
    let record = await explorer.record(of: seed)
    return switch fixed {
    case .none: []
    case .same: Array(repeating: record, count: count)
    case .different: Array(repeating: record, count: count - 1) + [RunRecord(events: [])]
    }
  }
}

@Suite struct SecondTellerTests {
  private let explorer = Explorer(worlds: ["preview"])

  private func difference(_ generator: FakeRunner) async throws -> Violation? {
    let batch = try await explorer.explore(0..<4, in: generator)
    let found = batch.findings.filter { $0.violation.property == Violation.sameRunTwice }
    #expect(found.allSatisfy { $0.seed == generator.seed } && found.count <= 1, "\(found)")
    return found.first?.violation
  }

  @Test func `who tells the same finds nothing, and a batch is what it is without`() async throws {
    let generator = FakeRunner(explorer: explorer, seed: 99)
    #expect(try await explorer.explore(0..<4, in: generator) == explorer.explore(0..<4))
  }

  @Test func `an event that differs in another process is told with its time, place, task, and what came before`() async throws {
    let record = await explorer.record(of: 2)
    let index = try #require(record.events.lastIndex { $0.place == "on the screen" && $0.number != nil && !$0.tasks.isEmpty })
    let (event, before) = (record.events[index], record.events[index - 1])
    let violation = try await difference(
      FakeRunner(explorer: explorer, seed: 2, change: { $0.events[index].text = "panel remove everything" }))
    let sentence = try #require(violation?.sentence)
    let number = try #require(event.number)
    #expect(sentence.hasPrefix("two runs part at event \(number), at "), "\(sentence)")
    #expect(sentence.contains(" s, on the screen, where \(event.tasks[0])"), "\(sentence)")
    #expect(event.tasks[0].hasPrefix("“follows the networks” (started at Harness/SettingsFixture.swift:"), "\(event.tasks)")
    #expect(sentence.contains("once “\(event.text)” and once “panel remove everything”"), "\(sentence)")
    #expect(sentence.contains("The last that was the same is “\(before.text)” at"), "\(sentence)")
    #expect(sentence.contains("the last step “") || sentence.contains("the last step the end"), "\(sentence)")
    #expect(sentence.hasSuffix("With fixed hashing eight runs are the same: look for the order of a Set or Dictionary."), "\(sentence)")
    #expect(violation?.time == event.time)
  }

  @Test func `a run that is over before the other says so`() async throws {
    let count = await explorer.record(of: 1).events.count { $0.number != nil }
    let violation = try await difference(
      FakeRunner(explorer: explorer, seed: 1, change: { $0.events.removeLast() }, fixed: .different))
    #expect(violation?.sentence.contains("and once “the end”") == true, "\(violation as Any)")
    let hint = "With fixed hashing runs differ, too: look for a clock or randomness."
    #expect(violation?.sentence.hasSuffix(hint) == true, "\(violation as Any)")
    #expect(count > 0)
  }

  @Test func `what does not come again is told as that`() async throws {
    let violation = try await difference(FakeRunner(explorer: explorer, seed: 3))
    #expect(violation?.sentence.contains("sixteen more did not") == true, "\(violation as Any)")
  }

  @Test func `who cannot tell ends the exploration of the batch`() async {
    await #expect(throws: FakeRunner.Trouble()) {
      try await explorer.explore(0..<4, in: FakeRunner(explorer: explorer, seed: 0, fails: true))
    }
  }

  @Test func `a record is the same twice, and reads back`() async throws {
    for seed: UInt64 in 0..<8 {
      let record = await Explorer().record(of: seed)
      #expect(await Explorer().record(of: seed) == record)
      #expect(RunRecord(line: record.line.dropLast()) == record)
      #expect(RunRecord(line: record.line.dropLast(record.line.count / 2)) == nil)
      let outcome = await Explorer().run(of: seed).run(recorder: RunRecorder(keeps: .trace))
      #expect(record.events.count { $0.number != nil } == outcome.trace.count)
    }
  }
}
