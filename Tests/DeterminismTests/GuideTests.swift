import Determinism
import Testing

/// A lock that opens when six digits are pressed in order, each in its own second.
private final class Lock: Explorable {
  static var always: [Property<Lock>] { [Property("it stays closed") { $0.stage < 6 }] }

  private let digits = [3, 1, 4, 1, 5, 2]
  private(set) var stage = 0

  init(in simulation: Simulation) {}
  init() {}

  func next(_ stream: inout RandomStream) -> Int? { stream.next(in: 1...6) }
  func perform(_ digit: Int) { stage = digit == digits[stage] ? stage + 1 : 0 }
  var situation: String? { "\(stage) right" }
  static func simpler(_ step: Int) -> [Int] { [] }
}

/// The same, and what is known of it does not show.
private final class SilentLock: Explorable {
  static var always: [Property<SilentLock>] { [Property("it stays closed") { $0.lock.stage < 6 }] }

  private let lock = Lock()
  init(in simulation: Simulation) {}
  func next(_ stream: inout RandomStream) -> Int? { lock.next(&stream) }
  func perform(_ digit: Int) { lock.perform(digit) }
}

@Suite struct GuideTests {
  @Test func `a search goes on from situations that are rare`() async throws {
    // Of runs that begin anew one in 1,900 opens it.
    let silent = await explore(SilentLock.self, seeds: 0..<640, runsTwice: false)
    #expect(silent.findings.isEmpty, "\(silent)")
    let exploration = await explore(Lock.self, seeds: 0..<640, runsTwice: false)
    let finding = try #require(exploration.findings.first)
    #expect(finding.actions == [3, 1, 4, 1, 5, 2].map { .step($0) })
    // It repeats alone, without the runs that led to it.
    await #expect(throws: Exploration<Int>.Finding.self) {
      try await replay(Lock.self, seed: try #require(finding.seed), finding.actions, choices: finding.choices)
    }
  }

  /// The batches as they are: from each multiple of 64 to the next.
  private static func slowly(_ seeds: Range<UInt64>) -> [Range<UInt64>] {
    var batches: [Range<UInt64>] = []
    for seed in seeds {
      if seed % 64 == 0 || batches.isEmpty { batches.append(seed..<seed) }
      batches[batches.count - 1] = batches[batches.count - 1].lowerBound..<seed + 1
    }
    return batches
  }

  @Test func `batches begin at multiples of 64, up to the highest seed`() {
    for (low, high) in [(0, 0), (0, 1), (0, 64), (0, 65), (3, 60), (63, 65), (64, 128), (100, 400)] as [(UInt64, UInt64)] {
      #expect(Array(SeedBatches(of: low..<high)) == Self.slowly(low..<high), "\(low)..<\(high)")
    }
    let last = UInt64.max
    #expect(Array(SeedBatches(of: last - 70..<last)) == [last - 70..<last - 63, last - 63..<last])
    // None of them is kept: these would need more memory than there is.
    let all = SeedBatches(of: 0..<last)
    #expect(all.count == 1 << 58 && all.first == 0..<64 && all.last == last - 63..<last)
  }

  @Test func `what is found does not depend on how many run at once`() async {
    let one = await explore(Lock.self, seeds: 100..<300, runsTwice: false, candidates: 0, jobs: 1)
    let four = await explore(Lock.self, seeds: 100..<300, runsTwice: false, candidates: 0, jobs: 4)
    #expect(one.hash == four.hash)
    #expect(one.findings == four.findings)
    // A part of a batch is what it is in the whole.
    let first = await explore(Lock.self, seeds: 100..<170, runsTwice: false)
    let second = await explore(Lock.self, seeds: 170..<300, runsTwice: false)
    #expect(first.hash &+ second.hash == one.hash)
  }
}
