import Testing

@testable import Determinism

/// A board that shows the snapshot that was decoded last, not the newest.
@MainActor private final class BoardSubject: @MainActor Explorable {
  enum Step: Hashable, Sendable { case push }
  static var eventually: [Property<BoardSubject>] { [Property("the newest snapshot is shown") { $0.shown == $0.pushed }] }
  private var pushed = 0
  private var shown = 0

  init(in simulation: Simulation) {}
  func next(_ stream: inout RandomStream) -> Step? { .push }
  func perform(_ step: Step) {
    pushed += 1
    let version = pushed
    Task {
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...200)))
      shown = version
    }
  }
}

/// A search that waits for the end of the typing, and shows an answer that no longer counts.
@MainActor private final class SearchSubject: @MainActor Explorable {
  enum Step: Hashable, Sendable { case type(Int) }
  static var eventually: [Property<SearchSubject>] { [Property("the rows are those of the text") { $0.rows == $0.text }] }
  static var always: [Property<SearchSubject>] {
    [
      Property("two seconds after the last key the rows are those of the text") { run in
        run.clock.now.offset - run.lastKey < .seconds(2) || run.rows == run.text
      }
    ]
  }
  private let clock: VirtualClock
  private var text = 0
  private var rows = 0
  private var lastKey = Duration.zero
  private var search: Task<Void, any Error>?

  init(in simulation: Simulation) { clock = simulation.clock }
  func next(_ stream: inout RandomStream) -> Step? { .type(stream.next(in: 1...4)) }
  func perform(_ step: Step) {
    guard case .type(let text) = step else { return }
    (self.text, lastKey) = (text, clock.now.offset)
    search?.cancel()
    search = Task {
      try await Task.sleep(for: .milliseconds(300))
      // Old code with a callback: it does not notice that its caller has given up.
      await Task { try? await Task.sleep(for: .milliseconds(Int.random(in: 50...900))) }.value
      rows = text
    }
  }
}

/// An account that is only asked in the end.
private final class SavingsSubject: Explorable {
  actor Account {
    private(set) var balance = 100
    func withdraw(_ sum: Int) async {
      guard balance >= sum else { return }
      try? await Task.sleep(for: .milliseconds(Int.random(in: 10...300)))
      balance -= sum
    }
  }
  enum Step: Hashable, Sendable { case withdraw(Int) }
  static var eventually: [Property<SavingsSubject>] {
    [Property("it is not overdrawn") { $0.account.assumeIsolated { $0.balance } >= 0 }]
  }
  private let account = Account()

  init(in simulation: Simulation) {}
  func next(_ stream: inout RandomStream) -> Step? { .withdraw(stream.pick([10, 20, 50, 80])) }
  func perform(_ step: Step) {
    guard case .withdraw(let sum) = step else { return }
    Task { [account] in await account.withdraw(sum) }
  }
}

/// What a model and its fakes draw while they run, and what only time brings about.
@MainActor @Suite struct ChanceTests {
  @Test(arguments: 0..<30 as Range<UInt64>) func `two steps are enough, whichever seeds find it`(seed: UInt64) async {
    let exploration = await explore(BoardSubject.self, seeds: seed..<seed + 1, steps: 6...6, pause: .zero)
    for finding in exploration.findings { #expect(finding.actions == [.step(.push), .step(.push)], "\(exploration)") }
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func `a step that another seed does not need is left out`(hundred: UInt64) async {
    let exploration = await explore(SearchSubject.self, seeds: hundred * 300..<hundred * 300 + 300, pause: .seconds(1))
    #expect(!exploration.findings.isEmpty)
    for finding in exploration.findings { #expect(finding.actions.count <= 4, "\(exploration)") }
  }

  @Test func `the next seeds are shrunk where the first keeps more than three actions`() async throws {
    for hundred in 0..<6 as Range<UInt64> {
      let exploration = await explore(SavingsSubject.self, seeds: hundred * 100..<hundred * 100 + 100)
      let finding = try #require(exploration.findings.first)
      #expect(finding.actions.count <= 3, "\(exploration)")
      #expect(try #require(finding.firstSeed) < hundred * 100 + 30 && finding.runs > 20, "\(exploration)")
    }
  }

  @Test func `what must always hold is asked after a wait in which nothing runs, too`() async throws {
    let typed: [Action<SearchSubject.Step>] = [.step(.type(1)), .wait(.milliseconds(300)), .step(.type(2))]
    func failures(_ more: [Action<SearchSubject.Step>]) async -> Int {
      var count = 0
      for seed in 0..<100 as Range<UInt64> {
        do throws(Exploration<SearchSubject.Step>.Finding) {
          try await replay(SearchSubject.self, seed: seed, typed + more)
        } catch {
          if error.violation.property.hasPrefix("two seconds") { count += 1 }
        }
      }
      return count
    }
    let (atTheEnd, waited, acted) = await (failures([]), failures([.wait(.seconds(5))]), failures([.wait(.seconds(5)), .step(.type(2))]))
    #expect(atTheEnd > 10)
    #expect(waited == atTheEnd && acted == atTheEnd, "\(atTheEnd) \(waited) \(acted)")
  }
}
