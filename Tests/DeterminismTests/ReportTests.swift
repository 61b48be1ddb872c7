import Determinism
import Observation
import Synchronization
import Testing

/// What a person reads of ten bugs that models really have.
@Suite struct ReportTests {
  // MARK: 1. A lost update

  final class Account: Explorable {
    enum Step: Hashable, Sendable { case deposit(Int) }
    static var eventually: [Property<Account>] { [Property("the balance is what was paid in") { $0.balance == $0.paidIn }] }
    private let simulation: Simulation
    private var balance = 0
    private var paidIn = 0
    init(in simulation: Simulation) { self.simulation = simulation }
    func next(_ stream: inout RandomStream) -> Step? { .deposit(stream.next(in: 1...100)) }
    func perform(_ step: Step) {
      guard case .deposit(let amount) = step else { return }
      paidIn += amount
      simulation.task("deposit") {
        let before = self.balance
        try await self.simulation.clock.sleep(for: .milliseconds(250))
        self.balance = before + amount
      }
    }
    static func simpler(_ step: Step) -> [Step] { if case .deposit(let amount) = step, amount > 1 { [.deposit(1)] } else { [] } }
  }

  // MARK: 2. A stale answer

  @MainActor @Observable final class Search {
    private(set) var text = ""
    private(set) var results: [String] = []
    func typed(_ text: String) {
      self.text = text
      Task {
        try? await Task.sleep(for: .milliseconds(text.count == 1 ? 800 : 200))
        results = ["\(text)!"]
      }
    }
  }

  @MainActor final class SearchSubject: @MainActor Explorable {
    enum Step: Hashable, Sendable { case type(String) }
    static var eventually: [Property<SearchSubject>] {
      [Property("the results are those of the text") { $0.model.text.isEmpty || $0.model.results == ["\($0.model.text)!"] }]
    }
    let model = Search()
    init(in simulation: Simulation) {}
    func next(_ stream: inout RandomStream) -> Step? { .type(stream.pick(["a", "ab", "abc"])) }
    func canPerform(_ step: Step) -> Bool { step != .type(model.text) }
    func perform(_ step: Step) { if case .type(let text) = step { model.typed(text) } }
    var summary: String { "\(model.text): \(model.results)" }
    static func simpler(_ step: Step) -> [Step] { step == .type("abc") ? [.type("ab")] : [] }
  }

  // MARK: 3. A double submit

  @MainActor final class Checkout {
    private(set) var orders = 0
    private(set) var isSending = false
    func payButtonTapped() async {
      guard !isSending else { return }
      await validate()
      isSending = true
      try? await Task.sleep(for: .seconds(1))
      orders += 1
      isSending = false
    }
    private func validate() async { try? await Task.sleep(for: .milliseconds(50)) }
  }

  @MainActor final class CheckoutSubject: @MainActor Explorable {
    enum Step: Hashable, Sendable { case tap, scroll }
    static var always: [Property<CheckoutSubject>] { [Property("one tap is one order") { $0.model.orders <= 1 }] }
    let model = Checkout()
    let simulation: Simulation
    init(in simulation: Simulation) { self.simulation = simulation }
    func next(_ stream: inout RandomStream) -> Step? { stream.pick([.tap, .scroll]) }
    func canPerform(_ step: Step) -> Bool { step == .scroll || model.orders == 0 }
    func perform(_ step: Step) {
      if step == .tap { simulation.task("tap") { @MainActor [model] in await model.payButtonTapped() } }
    }
  }

  // MARK: 4. A cancellation that is missing

  final class Page: Explorable {
    enum Step: Hashable, Sendable { case open, close, scroll }
    static var always: [Property<Page>] {
      [Property("what is closed is not loaded") { run in run.loads.contains("late") ? "a page was loaded after it was closed" : nil }]
    }
    private let simulation: Simulation
    private var isOpen = false
    private var loads: [String] = []
    init(in simulation: Simulation) { self.simulation = simulation }
    func next(_ stream: inout RandomStream) -> Step? { stream.pick([.open, .close, .scroll]) }
    func canPerform(_ step: Step) -> Bool { isOpen != (step == .open) }
    func perform(_ step: Step) {
      switch step {
      case .open:
        isOpen = true
        simulation.task("load") {
          try await self.simulation.clock.sleep(for: .seconds(2))
          self.loads.append(self.isOpen ? "in time" : "late")
        }
      case .close: isOpen = false
      case .scroll: break
      }
    }
  }

  // MARK: 5. A storm of retries

  final class Uploader: Explorable {
    enum Step: Hashable, Sendable { case upload, network(isOn: Bool) }
    static var always: [Property<Uploader>] { [Property("no more than ten attempts in vain in ten seconds") { $0.recent <= 10 }] }
    private let simulation: Simulation
    private var isOn = true
    private var attempts: [Duration] = []
    private var recent: Int {
      let now = simulation.clock.now.offset
      return attempts.count { now - $0 <= .seconds(10) }
    }
    init(in simulation: Simulation) { self.simulation = simulation }
    func next(_ stream: inout RandomStream) -> Step? { stream.bool(1, in: 2) ? .upload : .network(isOn: !isOn) }
    func canPerform(_ step: Step) -> Bool { if case .network(let isOn) = step { isOn != self.isOn } else { true } }
    func perform(_ step: Step) {
      switch step {
      case .network(let isOn): self.isOn = isOn
      case .upload:
        simulation.task("upload", atEnd: .cancel) {
          while true {
            if self.isOn { return }
            self.attempts.append(self.simulation.clock.now.offset)
            self.simulation.trace.record("attempt \(self.attempts.count)")
            try await self.simulation.clock.sleep(for: .milliseconds(500))
          }
        }
      }
    }
  }

  // MARK: 6. A timer left on

  @MainActor @Observable final class Stopwatch {
    private(set) var seconds = 0
    private(set) var isRunning = false
    @ObservationIgnored private var timer: Task<Void, Never>?
    func startTapped() {
      isRunning = true
      timer = Task {
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(1))
          if !Task.isCancelled { seconds += 1 }
        }
      }
    }
    func stopTapped() {
      isRunning = false
      timer?.cancel()
    }
  }

  @MainActor final class StopwatchSubject: @MainActor Explorable {
    enum Step: Hashable, Sendable { case start, stop }
    static var always: [Property<StopwatchSubject>] {
      var before: (isRunning: Bool, seconds: Int) = (true, 0)
      return [
        Property("a stopwatch that is stopped stands") { run in
          defer { before = (run.model.isRunning, run.model.seconds) }
          return before.isRunning || run.model.isRunning || run.model.seconds == before.seconds
        }
      ]
    }
    let model = Stopwatch()
    init(in simulation: Simulation) {}
    func next(_ stream: inout RandomStream) -> Step? { stream.pick([.start, .stop]) }
    func perform(_ step: Step) { if step == .start { model.startTapped() } else { model.stopTapped() } }
    var summary: String { "\(model.seconds) s" }
  }

  // MARK: 7. An actor that is entered again

  actor Cache {
    private var values: [Int: Int] = [:]
    private(set) var loads: [Int: Int] = [:]
    private let clock: VirtualClock
    init(_ clock: VirtualClock) { self.clock = clock }
    func value(_ key: Int) async throws -> Int {
      if let value = values[key] { return value }
      loads[key, default: 0] += 1
      try await clock.sleep(for: .milliseconds(100))
      values[key] = key * key
      return key * key
    }
  }

  final class CacheSubject: Explorable {
    enum Step: Hashable, Sendable { case ask(Int) }
    static var always: [Property<CacheSubject>] { [Property("each key is loaded once") { $0.loads.values.allSatisfy { $0 == 1 } }] }
    private let cache: Cache
    private let simulation: Simulation
    private var loads: [Int: Int] = [:]
    init(in simulation: Simulation) { (self.simulation, cache) = (simulation, Cache(simulation.clock)) }
    func next(_ stream: inout RandomStream) -> Step? { .ask(stream.next(in: 0...4)) }
    func perform(_ step: Step) {
      guard case .ask(let key) = step else { return }
      simulation.task("ask") {
        _ = try await self.cache.value(key)
        self.loads = await self.cache.loads
      }
    }
    static func simpler(_ step: Step) -> [Step] { if case .ask(let key) = step, key > 0 { [.ask(0)] } else { [] } }
  }

  // MARK: 8. Events out of order

  final class Chat: Explorable {
    enum Step: Hashable, Sendable { case send(String), idle }
    static var eventually: [Property<Chat>] { [Property("messages come in the order in which they were sent") { $0.received == $0.sent }] }
    private let simulation: Simulation
    private var sent: [String] = []
    private var received: [String] = []
    init(in simulation: Simulation) { self.simulation = simulation }
    func next(_ stream: inout RandomStream) -> Step? { stream.bool(1, in: 4) ? .idle : .send(stream.pick(["a", "b", "c"])) }
    func perform(_ step: Step) {
      guard case .send(let text) = step else { return }
      sent.append(text)
      simulation.task("send") { self.received.append(text) }
    }
    static func simpler(_ step: Step) -> [Step] { step == .send("c") ? [.send("a"), .send("b")] : step == .send("b") ? [.send("a")] : [] }
  }

  // MARK: 9. An observer that is called within itself

  final class Cart: Explorable {
    enum Step: Hashable, Sendable { case add(Int), remove }
    static var always: [Property<Cart>] { [Property("the total is the sum") { $0.total == $0.prices.reduce(0, +) }] }
    private var prices: [Int] = [] { didSet { pricesChanged() } }
    private var total = 0
    private var isUpdating = false
    init(in simulation: Simulation) {}
    func next(_ stream: inout RandomStream) -> Step? { stream.bool(1, in: 3) ? .remove : .add(stream.next(in: 1...50)) }
    func canPerform(_ step: Step) -> Bool { step != .remove || !prices.isEmpty }
    func perform(_ step: Step) {
      switch step {
      case .add(let price): prices.append(price)
      case .remove: prices.removeLast()
      }
    }
    private func pricesChanged() {
      if isUpdating { return }
      isUpdating = true
      total = prices.reduce(0, +)
      // A present, which changes what is observed.
      if prices.count == 3 { prices.append(0 - prices[0]) }
      isUpdating = false
    }
    static func simpler(_ step: Step) -> [Step] { if case .add(let price) = step, price > 1 { [.add(1)] } else { [] } }
  }

  // MARK: 10. A deadline that races

  final class Request: Explorable {
    enum Step: Hashable, Sendable { case ask, answer }
    static var always: [Property<Request>] { [Property("an answer or a timeout") { $0.outcomes <= 1 }] }
    private let simulation: Simulation
    private var isWaiting = false
    private var outcomes = 0
    init(in simulation: Simulation) { self.simulation = simulation }
    func next(_ stream: inout RandomStream) -> Step? { isWaiting ? .answer : .ask }
    func canPerform(_ step: Step) -> Bool { isWaiting == (step == .answer) }
    func perform(_ step: Step) async {
      switch step {
      case .ask:
        (isWaiting, outcomes) = (true, 0)
        simulation.task("timeout") {
          try await self.simulation.clock.sleep(for: .milliseconds(3450))
          guard self.isWaiting else { return }
          await Task.yield()
          self.outcomes += 1
          self.isWaiting = false
        }
      case .answer:
        outcomes += 1
        await Task.yield()
        isWaiting = false
      }
    }
  }

  // MARK: The reports

  /// The actions of the smallest run, and what was wrong.
  @MainActor private func report<Subject: Explorable>(
    _ subject: Subject.Type
  ) async throws -> (actions: [Action<Subject.Step>], sentence: String, finding: Exploration<Subject.Step>.Finding) {
    let exploration = await explore(Subject.self, seeds: 0..<200)
    #expect(exploration.findings.count == 1, "\(exploration)")
    let finding = try #require(exploration.findings.first)
    #expect(finding.actions.count <= 3, "\(finding)")
    return (finding.actions, finding.violation.sentence, finding)
  }

  @Test @MainActor func `ten bugs are reported in three actions at most, none of them needless, and with values`() async throws {
    let account = try await report(Account.self)
    #expect(account.actions == [.step(.deposit(1)), .step(.deposit(1))])
    #expect(account.sentence == "it does not hold: balance = 1, paidIn = 2")
    let search = try await report(SearchSubject.self)
    #expect(search.actions == [.step(.type("a")), .step(.type("ab"))])
    #expect(search.sentence == #"it does not hold: model.text = "ab", model.results = ["a!"]"#)
    let checkout = try await report(CheckoutSubject.self)
    #expect(checkout.actions == [.step(.tap), .step(.tap)])
    #expect(checkout.sentence == "it does not hold: model.orders = 2, model.isSending = false")
    let page = try await report(Page.self)
    #expect(page.actions == [.step(.open), .step(.close)])
    #expect(page.sentence == "a page was loaded after it was closed")
    let uploader = try await report(Uploader.self)
    #expect(uploader.actions == [.step(.network(isOn: false)), .step(.upload)])
    #expect(uploader.sentence.hasPrefix("it does not hold: isOn = false, attempts = [.seconds(0), .milliseconds(500), "))
    let stopwatch = try await report(StopwatchSubject.self)
    #expect(stopwatch.actions == [.step(.start), .step(.start), .step(.stop)])
    #expect(stopwatch.sentence == "it does not hold: model.seconds = 1, model.isRunning = false")
    let cache = try await report(CacheSubject.self)
    #expect(cache.actions == [.step(.ask(0)), .step(.ask(0))])
    #expect(cache.sentence == "it does not hold: loads = [0: 2]")
    let chat = try await report(Chat.self)
    #expect(chat.actions.count == 2 && chat.finding.choices.count == 1)
    let cart = try await report(Cart.self)
    #expect(cart.actions == Array(repeating: .step(.add(1)), count: 3))
    #expect(cart.sentence == "it does not hold: prices = [1, 1, 1, -1], total = 3, isUpdating = false")
    let request = try await report(Request.self)
    #expect(request.actions == [.step(.ask), .step(.answer), .step(.ask)])
    #expect(request.sentence == "it does not hold: isWaiting = false, outcomes = 2")
  }

  @Test @MainActor func `each seed that finds a bug reports it in as few actions`() async throws {
    func check<Subject: Explorable>(_ subject: Subject.Type, _ count: Int) async {
      for seed in 0..<40 as Range<UInt64> {
        guard let finding = await explore(Subject.self, seeds: seed..<seed + 1).findings.first else { continue }
        #expect(finding.actions.count <= count, "\(finding)")
      }
    }
    await check(Account.self, 2)
    await check(SearchSubject.self, 2)
    await check(CheckoutSubject.self, 2)
    await check(Page.self, 2)
    await check(Uploader.self, 2)
    await check(StopwatchSubject.self, 3)
    await check(CacheSubject.self, 2)
    await check(Chat.self, 2)
    await check(Cart.self, 3)
    await check(Request.self, 3)
  }

  // MARK: Pauses

  /// Two taps make a double tap where they are neither too near nor too far from each other.
  final class Taps: Explorable {
    static var always: [Property<Taps>] { [Property("there is no double tap") { !$0.isDouble }] }
    private let clock: VirtualClock
    private var last: Duration?
    private var isDouble = false
    init(in simulation: Simulation) { clock = simulation.clock }
    func next(_ stream: inout RandomStream) -> Int? { stream.next(in: 1...3) }
    func perform(_ finger: Int) {
      let now = clock.now.offset
      if let last, now - last >= .milliseconds(237), now - last < .milliseconds(980) { isDouble = true }
      last = now
    }
    static func simpler(_ finger: Int) -> [Int] { finger > 1 ? [1] : [] }
  }

  @Test func `a pause that is less than a second is as short as can be`() async throws {
    let exploration = await explore(Taps.self, seeds: 0..<100)
    #expect(exploration.findings.first?.actions == [.step(1), .wait(.milliseconds(237)), .step(1)], "\(exploration)")
  }

  // MARK: A window of the trace

  /// Ticks for as long as it runs, and must be stopped in the end.
  final class Ticker: Explorable {
    enum Step: Hashable, Sendable { case begin, end }
    static var eventually: [Property<Ticker>] { [Property("it stands in the end") { !$0.isRunning }] }
    private let simulation: Simulation
    private var isRunning = false
    private var count = 0
    init(in simulation: Simulation) { self.simulation = simulation }
    func next(_ stream: inout RandomStream) -> Step? { isRunning ? .end : .begin }
    func canPerform(_ step: Step) -> Bool { isRunning == (step == .end) }
    func perform(_ step: Step) {
      isRunning = step == .begin
      guard isRunning else { return }
      simulation.task("ticks", atEnd: .cancel) {
        while self.isRunning {
          try await self.simulation.clock.sleep(for: .seconds(1))
          self.count += 1
        }
      }
    }
    var summary: String { "\(count) ticks" }
  }

  @Test func `the trace of a report is what came last, and each step`() async throws {
    let finding = try #require(await explore(Ticker.self, seeds: 0..<20).findings.first)
    #expect(finding.trace.count == 62)
    let lines = finding.description.split(separator: "\n").drop { $0 != "Trace:" }
    #expect(
      lines.prefix(7) == [
        "Trace:", "  0.000 0 ticks", "  0.000 step .begin", "  1.000 1 ticks", "  2.000 2 ticks", "  3.000 3 ticks", "  … 37 lines",
      ], "\(finding)")
    #expect(lines.dropFirst(7).count == 20 && lines.last == "  60.000 60 ticks", "\(finding)")
  }

  @Test func `what comes after the violation is no part of its trace`() async throws {
    var limits = SimulationLimits.exploration
    limits.jobsPerInstant = 1000
    let finding = await #expect(throws: Exploration<Ticker.Step>.Finding.self) {
      try await replay(Ticker.self, seed: 0, [.step(.begin), .wait(.seconds(2))], quiet: .seconds(1), limits: limits)
    }
    #expect(finding?.trace == ["0.000 0 ticks", "0.000 step .begin", "1.000 1 ticks", "2.000 2 ticks", "3.000 3 ticks"])
    let stopwatch = await #expect(throws: Exploration<Page.Step>.Finding.self) {
      try await replay(Page.self, seed: 0, [.step(.open), .step(.close), .wait(.seconds(9)), .step(.open)])
    }
    #expect(stopwatch?.trace == ["0.000 step .open", "0.000 step .close"])
  }

  // MARK: Values

  /// What a subject may hold beside plain values.
  final class Drawer: Explorable {
    enum Kind: Hashable, Sendable { case big, small(Int) }
    class Thing { var name = "thing" }
    final class Box: Thing { var size: Kind? = .small(2) }
    actor Clerk { var count = 0 }
    static var always: [Property<Drawer>] { [Property("it is shut") { !$0.isOpen }] }
    private let simulation: Simulation
    private let box = Box()
    private var other: Box?
    private let clerk = Clerk()
    private let closure = { 1 }
    private let stream = AsyncStream<Int>.makeStream()
    private var isOpen = false
    private var pair = (kind: Kind.big, after: Duration.seconds(1))
    private var text = String(repeating: "x", count: 100)
    private let lock = Mutex(1)
    private weak var parent: Box?
    init(in simulation: Simulation) { self.simulation = simulation }
    func next(_ stream: inout RandomStream) -> Int? { 1 }
    func perform(_ step: Int) { isOpen = true }
  }

  @Test func `the values of a report are those of the subject and its objects`() async throws {
    let finding = try #require(await explore(Drawer.self, seeds: 0..<1).findings.first)
    let text = "\"" + String(repeating: "x", count: 59) + "…"
    #expect(
      finding.violation.sentence
        == "it does not hold: other = nil, isOpen = true, pair = (kind: .big, after: .seconds(1)), text = \(text), parent = nil, "
        + #"box.name = "thing", box.size = .small(2)"#)
  }
}
