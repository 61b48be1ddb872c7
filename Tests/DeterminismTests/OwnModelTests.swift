import Foundation
import Observation
import Observing
import Synchronization
import Testing

@testable import Determinism

/// A stack with room for two that says nothing of what it drops.
private final class StackSubject: Explorable {
  enum Step: Hashable, Sendable {
    case push(Int)
    case pop
  }
  static var always: [Property<StackSubject>] {
    [
      Property("as many are there as were pushed") { run in
        run.count == run.stack.count ? nil : "\(run.count) were pushed, \(run.stack.count) are there"
      }
    ]
  }
  static var sometimes: [Property<StackSubject>] { [Property("there are two") { $0.stack.count == 2 }] }

  private var stack: [Int] = []
  private var count = 0

  init(in simulation: Simulation) {}

  func next(_ stream: inout RandomStream) -> Step? { stream.bool(2, in: 3) ? .push(stream.next(in: 0..<100)) : .pop }
  func canPerform(_ step: Step) -> Bool { step != .pop || !stack.isEmpty }

  func perform(_ step: Step) {
    switch step {
    case .push(let number):
      count += 1
      if stack.count < 2 || number == 0 { stack.append(number) }
    case .pop:
      count -= 1
      stack.removeLast()
    }
  }

  static func simpler(_ step: Step) -> [Step] {
    if case .push(let number) = step, number > 1 { [.push(1), .push(number - 1)] } else { [] }
  }
}

/// A step that is cancelled, as one is that waits for what the run ends.
private final class CancelledSubject: Explorable {
  enum Step: Hashable, Sendable { case wait }

  init(in simulation: Simulation) {}

  func next(_ stream: inout RandomStream) -> Step? { .wait }
  func perform(_ step: Step) throws { throw CancellationError() }
}

/// A counter that forgets an update where two tasks meet between its two halves; nothing need hold of it always.
private final class CounterSubject: Explorable {
  enum Step: Hashable, Sendable { case add }
  static var eventually: [Property<CounterSubject>] { [Property("each is counted") { $0.count == $0.added }] }

  private let simulation: Simulation
  private var count = 0
  private var added = 0
  var summary: String { "count \(count)" }

  init(in simulation: Simulation) { self.simulation = simulation }

  func next(_ stream: inout RandomStream) -> Step? { .add }

  func perform(_ step: Step) async {
    added += 1
    simulation.task("add") { await self.add() }
  }

  private func add() async {
    let before = count
    try? await simulation.clock.sleep(for: .milliseconds(300))
    count = before + 1
  }
}

/// Writes and tells of it in two tasks, which is right only in the order in which they are started.
private final class LetterSubject: Explorable {
  enum Step: Hashable, Sendable { case send, idle }
  static var always: [Property<LetterSubject>] { [Property("what is told of is written") { $0.isGood }] }

  private let simulation: Simulation
  private var isWritten = false
  private var isGood = true

  init(in simulation: Simulation) { self.simulation = simulation }

  func next(_ stream: inout RandomStream) -> Step? { stream.pick([.send, .idle]) }

  func perform(_ step: Step) async {
    guard step == .send else { return }
    isWritten = false
    simulation.task("write") { self.isWritten = true }
    simulation.task("tell") { if !self.isWritten { self.isGood = false } }
  }
}

/// Starts tasks that do nothing.
private final class IdleSubject: Explorable {
  enum Step: Hashable, Sendable { case start }
  private let simulation: Simulation

  init(in simulation: Simulation) { self.simulation = simulation }

  func next(_ stream: inout RandomStream) -> Step? { .start }
  func perform(_ step: Step) async { simulation.task("idle") {} }
}

/// Shows what answers first, of two answers that take drawn times; one rarely comes behind the other.
private final class RaceSubject: Explorable {
  enum Step: Hashable, Sendable { case load }
  static var eventually: [Property<RaceSubject>] { [Property("the later source is shown") { $0.shown != "disk" }] }
  private var shown = ""

  init(in simulation: Simulation) {}

  func next(_ stream: inout RandomStream) -> Step? { .load }
  func perform(_ step: Step) async {
    let (disk, network) = (Int.random(in: 5...60), Int.random(in: 40...400))
    shown = disk > network ? "disk" : "network"
  }
}

/// An account that looks before it leaps, as an actor: its properties ask it while everything rests.
private final class AccountSubject: Explorable {
  actor Account {
    private(set) var balance = 100
    func withdraw(_ sum: Int) async {
      guard balance >= sum else { return }
      await Task.yield()
      balance -= sum
    }
  }
  enum Step: Hashable, Sendable { case withdraw(Int) }
  static var always: [Property<AccountSubject>] { [Property("it is not overdrawn") { $0.balance >= 0 }] }
  private let account = Account()
  private var balance: Int { account.assumeIsolated { $0.balance } }
  var summary: String { "\(balance)" }

  init(in simulation: Simulation) {}

  func next(_ stream: inout RandomStream) -> Step? { .withdraw(stream.next(in: 30...80)) }
  func perform(_ step: Step) {
    guard case .withdraw(let sum) = step else { return }
    Task { [account] in await account.withdraw(sum) }
  }
}

/// A lock that locks itself after a time, and must not be open after it.
private final class LockSubject: Explorable {
  enum Step: Hashable, Sendable { case open, look }
  static var always: [Property<LockSubject>] { [Property("nobody looks in after 7 s") { $0.looked.map { $0 < .seconds(7) } ?? true }] }

  private let clock: VirtualClock
  private var opened: Duration?
  private var looked: Duration?

  init(in simulation: Simulation) { clock = simulation.clock }

  func next(_ stream: inout RandomStream) -> Step? { stream.pick([.open, .look]) }

  func perform(_ step: Step) {
    switch step {
    case .open: opened = clock.now.offset
    case .look: if let opened { looked = max(looked ?? .zero, clock.now.offset - opened) }
    }
  }
}

/// Is done a minute after it began.
private final class SlowSubject: Explorable {
  enum Step: Hashable, Sendable { case begin }
  static var eventually: [Property<SlowSubject>] { [Property("it is done") { $0.isDone }] }

  private let simulation: Simulation
  private var isDone = true

  init(in simulation: Simulation) { self.simulation = simulation }

  func next(_ stream: inout RandomStream) -> Step? { isDone ? .begin : nil }

  func perform(_ step: Step) async {
    isDone = false
    simulation.task("begin") {
      try await self.simulation.clock.sleep(for: .seconds(60))
      self.isDone = true
    }
  }
}

/// Does whatever a run cannot be trusted with.
private final class FaultySubject: Explorable {
  enum Step: Hashable, Sendable, CaseIterable { case idle, leave, circle, throwInTask, throwHere, differ, waitForEver }
  struct Trouble: Error {}
  private static let count = Atomic(0)
  static var always: [Property<FaultySubject>] { [Property("nothing") { _ in true }] }
  static var sometimes: [Property<FaultySubject>] { [Property("the impossible") { _ in false }] }
  /// Which of all steps are drawn.
  @TaskLocal static var drawn: [Step] = [.idle]

  private let simulation: Simulation
  private let silence = AsyncStream<Int>.makeStream()

  init(in simulation: Simulation) { self.simulation = simulation }

  func next(_ stream: inout RandomStream) -> Step? { stream.pick(Self.drawn) }

  func perform(_ step: Step) async throws {
    switch step {
    case .idle: break
    case .leave: await simulation.task("loads") { _ = usleep(100) }.finished()
    case .circle: simulation.task("circles") { while !Task.isCancelled { await Task.yield() } }
    case .throwInTask: simulation.task("fails") { throw Trouble() }
    case .throwHere: throw Trouble()
    case .differ:
      simulation.trace.record("run \(Self.count.add(1, ordering: .relaxed).newValue)")
    case .waitForEver: for await _ in silence.stream {}
    }
  }
}

/// Observes a model, as a view does, and writes down what it shows.
private final class ViewSubject: Explorable {
  @Observable final class Light { var isOn = false }
  enum Step: Hashable, Sendable { case turn }
  static var always: [Property<ViewSubject>] { [Property("the view shows the light") { $0.light.isOn == $0.screen.shown }] }
  private final class Screen { var shown = false }

  private let light = Light()
  private let screen = Screen()
  private let token: ObservationToken

  init(in simulation: Simulation) async {
    let (light, screen) = (light, screen)
    token = observe { screen.shown = light.isOn }
  }

  func next(_ stream: inout RandomStream) -> Step? { .turn }
  func perform(_ step: Step) async { light.isOn.toggle() }
}

/// Values that steps are made of.
private struct Price: Hashable, Sendable { var cents: Int }
private enum Thing: Sendable {
  case nothing
  case one(Int)
  case named(text: String, price: Price?)
  case many([Duration], in: Set<Int>)
  indirect case nested(Thing)
}

@Suite struct OwnModelTests {
  @Test(arguments: [
    (Thing.nothing, ".nothing"), (.one(-1), ".one(-1)"),
    (.named(text: "a \"b\"\n", price: nil), #".named(text: "a \"b\"\n", price: nil)"#),
    (.named(text: "", price: Price(cents: 7)), #".named(text: "", price: Price(cents: 7))"#),
    (
      .many([.seconds(1), .milliseconds(1500), .nanoseconds(1), .zero], in: [3, 1, 2]),
      ".many([.seconds(1), .milliseconds(1500), .nanoseconds(1), .seconds(0)], in: [1, 2, 3])"
    ), (.nested(.nested(.one(1))), ".nested(.nested(.one(1)))"),
  ])
  private func `a step is printed as the code that makes it`(thing: Thing, code: String) {
    #expect(CodeText.of(thing) == code)
  }

  @Test func `a planted bug is found and shrunk to its least steps, with the simplest values`() async throws {
    let exploration = await explore(StackSubject.self, seeds: 0..<50)
    let finding = try #require(exploration.findings.first)
    #expect(exploration.findings.count == 1, "\(exploration)")
    #expect(finding.violation.property == "as many are there as were pushed")
    #expect(finding.violation.sentence == "3 were pushed, 2 are there")
    #expect(finding.actions == [.step(.push(1)), .step(.push(1)), .step(.push(1))])
    #expect(finding.choices.isEmpty)
    #expect(finding.runs > 10 && finding.candidates > 3)
  }

  @Test func `updates that get lost are found`() async throws {
    let exploration = await explore(CounterSubject.self, seeds: 0..<50)
    let finding = try #require(exploration.findings.first)
    #expect(finding.violation.property == "each is counted")
    #expect(finding.actions == [.step(.add), .step(.add)])
  }

  @Test func `what depends on the order of tasks is found, and its choices are said`() async throws {
    let exploration = await explore(LetterSubject.self, seeds: 0..<50)
    let finding = try #require(exploration.findings.first)
    #expect(finding.actions == [.step(.send)])
    #expect(finding.choices == [.init(number: 0, index: 1)])
    let again = await #expect(throws: Exploration<LetterSubject.Step>.Finding.self) {
      try await replay(LetterSubject.self, seed: 0, finding.actions, choices: finding.choices)
    }
    #expect(again?.violation == finding.violation)
    try await replay(LetterSubject.self, seed: 0, finding.actions)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `each seed that finds something shrinks to the same`(seed: UInt64) async throws {
    let letter = await explore(LetterSubject.self, seeds: seed..<seed + 1).findings.first
    #expect(letter.map { $0.actions == [.step(.send)] && $0.choices == [.init(number: 0, index: 1)] } ?? true, "\(letter as Any)")
    let counter = await explore(CounterSubject.self, seeds: seed..<seed + 1).findings.first
    #expect(counter.map { $0.actions == [.step(.add), .step(.add)] && $0.choices.isEmpty } ?? true, "\(counter as Any)")
  }

  @Test func `a pause that is needed is as short as can be`() async throws {
    let exploration = await explore(LockSubject.self, seeds: 0..<100)
    #expect(exploration.findings.first?.actions == [.step(.open), .wait(.seconds(7)), .step(.look)], "\(exploration)")
  }

  @Test func `what must come about in the end is asked after the quiet time`() async {
    let patient = await explore(SlowSubject.self, seeds: 0..<20)
    #expect(patient.findings.isEmpty, "\(patient)")
    let hasty = await explore(SlowSubject.self, seeds: 0..<20, quiet: .seconds(59))
    #expect(hasty.findings.map(\.violation.property) == ["it is done"], "\(hasty)")
    #expect(hasty.findings.first?.actions == [.step(.begin)])
    #expect(hasty.findings.first?.violation.time == .seconds(59))
    #expect(hasty.findings.first?.code.contains("quiet: .seconds(59)") == true)
  }

  @Test(arguments: [
    ("no task leaves the simulation", FaultySubject.Step.leave), ("every run settles", .circle),
    ("no task throws", .throwInTask), ("no step throws", .throwHere), ("no task waits for ever", .waitForEver),
  ])
  private func `a run that cannot be trusted is a finding`(property: String, step: FaultySubject.Step) async throws {
    var limits = SimulationLimits.exploration
    limits.escapeGrace = .milliseconds(200)
    let exploration = await FaultySubject.$drawn.withValue([.idle, step]) { [limits] in
      await explore(FaultySubject.self, seeds: 0..<2, candidates: 10, limits: limits)
    }
    let finding = try #require(exploration.findings.first)
    #expect(finding.violation.property == property, "\(exploration)")
    #expect(finding.actions.suffix(1) == [.step(step)], "\(exploration)")
    #expect(finding.actions.count <= 2)
  }

  @Test func `two records that differ are a finding`() async {
    let exploration = await FaultySubject.$drawn.withValue([.differ]) {
      await explore(FaultySubject.self, seeds: 0..<2)
    }
    #expect(exploration.findings.first?.violation.property == Violation.sameRunTwice, "\(exploration)")
  }

  @Test func `a run that observes its model survives`() async {
    let exploration = await explore(ViewSubject.self, seeds: 0..<50)
    #expect(exploration.findings.isEmpty && exploration.steps > 300, "\(exploration)")
  }

  @Test func `what never happens is said`() async {
    let exploration = await explore(FaultySubject.self, seeds: 0..<5)
    #expect(
      exploration.description.hasPrefix(
        "the impossible: it never happened in 5 runs, so they say nothing of it\n\n5 runs of FaultySubject, "),
      "\(exploration)")
  }

  @Test func `the same search gives the same report, and candidates are bounded`() async {
    let first = await explore(CounterSubject.self, seeds: 0..<20)
    let second = await explore(CounterSubject.self, seeds: 0..<20)
    #expect(first.description == second.description)
    #expect(first.hash == second.hash)
    for limit in [0, 1, 5] {
      let short = await explore(CounterSubject.self, seeds: 0..<20, candidates: limit)
      #expect(short.findings.first?.candidates == limit)
    }
  }

  final class Refusing: Explorable {
    struct NoStorage: Error {}
    init(in simulation: Simulation) throws { if simulation.seed >= 3 { throw NoStorage() } }
    func next(_ stream: inout RandomStream) -> Int? { 1 }
    func perform(_ step: Int) {}
  }

  @Test func `a model that cannot be made is a finding`() async throws {
    let exploration = await explore(Refusing.self, seeds: 0..<6)
    let finding = try #require(exploration.findings.first)
    #expect(finding.seed == 3 && finding.violation.property == "the model can be made", "\(finding)")
    #expect(finding.violation.sentence == "Refusing(in:) threw NoStorage()", "\(finding)")
    #expect(finding.actions.isEmpty)
  }

  @Test func `what is smallest shrinks to itself`() async throws {
    func check<Subject: Explorable>(_ subject: Subject.Type) async throws {
      let finding = try #require(await explore(Subject.self, seeds: 0..<100).findings.first)
      let smallest = ExploredRun<Subject, Never?>(
        seed: finding.seed ?? 0, start: nil, order: finding.choices.isEmpty ? .inOrder : .chosen(finding.choices),
        actions: finding.actions, RunOptions())
      let shrinker = Shrinker(finding.violation.property, smallest, await smallest.run())
      await shrinker.shrink()
      #expect(shrinker.outcome.actions == finding.actions)
      #expect(shrinker.run.choices == finding.choices)
      #expect(shrinker.outcome.violations.first?.property == finding.violation.property)
      #expect(shrinker.outcome.violations.first?.time == finding.violation.time)
    }
    try await check(StackSubject.self)
    try await check(CounterSubject.self)
    try await check(LetterSubject.self)
    try await check(LockSubject.self)
  }

  /// Water that runs over; it begins as full as the seed says.
  final class GlassSubject: Explorable {
    struct Level: Hashable, Sendable {
      var litres: Int
      var name = "glass"
    }
    static var always: [Property<GlassSubject>] { [Property("it does not run over") { $0.level.litres < 12 }] }
    private(set) var level: Level

    convenience init(in simulation: Simulation) { self.init(Level(litres: 0)) }
    init(_ level: Level) { self.level = level }
    func next(_ stream: inout RandomStream) -> Int? { stream.next(in: 1...3) }
    func perform(_ litres: Int) { level.litres += litres }
    static var options: RunOptions<GlassSubject, Level> {
      var options = RunOptions<GlassSubject, Level>()
      options.starts = Starts(
        make: { GlassSubject($1) }, now: { $0.level },
        simpler: { $0.start.name == "glass" ? [] : [StartedRun(start: Level(litres: $0.start.litres), actions: $0.actions)] },
        later: { [StartedRun(start: $2, actions: Array($0.actions.dropFirst($1)))] })
      return options
    }
  }

  @Test func `a start is made simpler, and takes the place of steps`() async throws {
    let run = ExploredRun(seed: 5, start: GlassSubject.Level(litres: 5, name: "full"), order: .inOrder, GlassSubject.options)
    let outcome = await run.run()
    #expect(outcome.actions.count > 4)
    let shrinker = Shrinker("it does not run over", run, outcome)
    await shrinker.shrink()
    // Full from the beginning, with nothing done: nothing is smaller.
    #expect(shrinker.run.start.name == "glass" && shrinker.run.start.litres >= 12, "\(shrinker.run.start)")
    #expect(shrinker.run.actions == [])
    let exploration = await explore(GlassSubject.self, seeds: 0..<20)
    #expect(exploration.findings.map(\.violation.property) == ["it does not run over"])
  }

  /// A shelf that breaks under its first twenty books.
  final class ShelfSubject: Explorable {
    static var always: [Property<ShelfSubject>] { [Property("it holds") { !$0.books.isSuperset(of: 0..<20) }] }
    private let books: Set<Int>

    convenience init(in simulation: Simulation) { self.init([]) }
    init(_ books: [Int]) { self.books = Set(books) }
    func next(_ stream: inout RandomStream) -> Never? { nil }
    func perform(_ step: Never) {}
    static var options: RunOptions<ShelfSubject, [Int]> {
      var options = RunOptions<ShelfSubject, [Int]>()
      options.starts = Starts(
        make: { ShelfSubject($1) }, now: { Array($0.books) },
        simpler: { run in run.start.map { book in StartedRun(start: run.start.filter { $0 != book }, actions: []) } },
        later: { _, _, _ in [] })
      return options
    }
  }

  @Test func `of what a start consists of each is left out about once`() async {
    let run = ExploredRun(seed: 5, start: Array(0..<100), order: .inOrder, actions: [], ShelfSubject.options)
    let shrinker = Shrinker("it holds", run, await run.run())
    await shrinker.shrink()
    #expect(shrinker.run.start == Array(0..<20))
    #expect(shrinker.candidates < 200, "\(shrinker.candidates)")
  }

  /// A dial of three places with a bell that must not ring in the first of them.
  final class DialSubject: Explorable {
    enum Step: Hashable, Sendable { case turn, ring }
    static var always: [Property<DialSubject>] { [Property("it does not ring in the first place") { !$0.hasRung }] }
    private(set) var hasRung = false
    private var place = 0

    init(in simulation: Simulation) {}
    func next(_ stream: inout RandomStream) -> Step? { stream.bool(9, in: 10) ? .turn : .ring }
    func perform(_ step: Step) {
      switch step {
      case .turn: place = (place + 1) % 3
      case .ring: hasRung = hasRung || place == 0
      }
    }
  }

  @Test(arguments: [3, 6, 9, 12]) func `steps that lead back to where they began are left out together`(turns: Int) async {
    let actions = Array(repeating: Action.step(DialSubject.Step.turn), count: turns) + [.step(.ring)]
    let run = ExploredRun<DialSubject, Never?>(seed: 0, start: nil, order: .inOrder, actions: actions, RunOptions())
    let shrinker = Shrinker("it does not ring in the first place", run, await run.run())
    await shrinker.shrink()
    #expect(shrinker.run.actions == [.step(.ring)])
  }

  /// A door that must not close after its sixth second, where it was opened.
  final class DoorSubject: Explorable {
    enum Step: Hashable, Sendable { case open, close }
    static var always: [Property<DoorSubject>] { [Property("it does not close late") { !$0.closedLate }] }
    private var closedLate = false
    private var isOpen = false
    private let clock: VirtualClock

    init(in simulation: Simulation) { clock = simulation.clock }
    func next(_ stream: inout RandomStream) -> Step? { stream.pick([.open, .close]) }
    func perform(_ step: Step) {
      switch step {
      case .open: isOpen = true
      case .close: closedLate = closedLate || isOpen && clock.now.offset >= .seconds(6)
      }
    }
  }

  @Test func `one pause takes the place of two between which something happens`() async {
    let actions: [Action<DoorSubject.Step>] = [.wait(.seconds(3)), .step(.open), .wait(.seconds(3)), .step(.close)]
    let run = ExploredRun<DoorSubject, Never?>(seed: 0, start: nil, order: .inOrder, actions: actions, RunOptions())
    let shrinker = Shrinker("it does not close late", run, await run.run())
    await shrinker.shrink()
    #expect(shrinker.run.actions?.count == 3, "\(shrinker.run.actions ?? [])")
    #expect(shrinker.run.actions?.contains(.wait(.seconds(6))) == true)
  }

  /// A meter that notes when it was read, and counts one less than it should.
  final class MeterSubject: Explorable {
    static var always: [Property<MeterSubject>] {
      [
        Property("it counts what was read", { $0.count }, is: { $0.reads.count }),
        Property("it is read once a second at most") { $0.isSlow },
      ]
    }
    private var reads: [Int] = []
    private var count: Int { max(reads.count - 1, 0) }
    private var isSlow = true
    private var continuous: ContinuousClock.Instant?
    private var suspending: SuspendingClock.Instant?
    private var virtual: VirtualClock.Instant?
    private let clock: VirtualClock

    init(in simulation: Simulation) { clock = simulation.clock }
    func next(_ stream: inout RandomStream) -> Int? { stream.next(in: 1...9) }
    func perform(_ step: Int) {
      if let virtual, clock.now.offset - virtual.offset < .seconds(1) { isSlow = false }
      reads.append(step)
      (continuous, suspending, virtual) = (.now, .now, clock.now)
    }
  }

  @Test func `a property that compares gives both values, and instants are times of the run`() async throws {
    func finding(_ actions: [Action<Int>]) async -> Exploration<Int>.Finding? {
      await #expect(throws: Exploration<Int>.Finding.self) { try await replay(MeterSubject.self, seed: 0, actions) }
    }
    #expect(await finding([.step(4)])?.violation.sentence == "it is 0; it should be 1")
    // The first property is violated at the second moment of rest, the other at the first.
    let values = try #require(await finding([.wait(.seconds(2)), .sleep(.milliseconds(59)), .step(1), .step(2)]))
    #expect("\(values.actions)" == "[.wait(.seconds(2)), .sleep(.milliseconds(59)), .step(1), .step(2)]")
    #expect(values.violation.sentence == "it is 1; it should be 2")
    let seen = try await simulate(seed: 0) { simulation in
      let meter = MeterSubject(in: simulation)
      await simulation.advance(by: .milliseconds(59))
      meter.perform(1)
      await simulation.advance(by: .seconds(2))
      return SubjectValues(meter).text
    }
    let at = ".milliseconds(59)"
    #expect(seen == "reads = [1], isSlow = true, continuous = \(at), suspending = \(at), virtual = \(at)", "\(seen)")
  }

  @Test func `a property that remembers begins anew with each run`() async {
    func rising() -> Property<Int> {
      var before = 0
      return Property("it rises") { now in
        defer { before = now }
        return now <= before ? "it went from \(before) to \(now)" : nil
      }
    }
    for _ in 0..<2 {
      let monitor = PropertyMonitor([rising()])
      #expect(monitor.take(2, at: .zero).isEmpty && monitor.take(3, at: .seconds(1)).isEmpty)
      #expect(monitor.take(3, at: .seconds(2)).map(\.description) == ["it rises, at 2 s: it went from 3 to 3"])
      // What was violated once is not asked again.
      #expect(monitor.take(1, at: .seconds(3)).isEmpty && monitor.violations.count == 1)
    }
  }

  @Test func `steps that cannot be done are skipped, and choices that are not there take the last`() async throws {
    let trace = try await replay(StackSubject.self, seed: 0, [.step(.pop), .step(.push(1)), .step(.pop), .step(.pop)])
    #expect(trace == ["0.000 step .push(1)", "0.000 step .pop"])
    try await replay(CounterSubject.self, seed: 0, [.step(.add)], choices: [.init(number: 9, index: 9)])
  }

  @Test func `a finding reads like this`() async throws {
    let exploration = await explore(LetterSubject.self, seeds: 0..<50)
    let finding = try #require(exploration.findings.first)
    #expect(
      exploration.description == """
        what is told of is written, at 0 s: it does not hold: isWritten = true, isGood = false
        seed 0, the first of \(finding.runs); shrunk with \(finding.candidates) candidates. Again:
          try await replay(
            LetterSubject.self, seed: 0,
            [
              .step(.send),
            ], choices: [.init(number: 0, index: 1)])
        Trace:
          0.000 step .send
          0.000 order: “tell” goes on before “write”

        50 runs of LetterSubject, \(exploration.steps) steps
        """)
  }

  @Test func `a property asks an actor while everything rests`() async throws {
    let exploration = await explore(AccountSubject.self, seeds: 0..<50)
    let finding = try #require(exploration.findings.first)
    #expect(exploration.findings.count == 1 && finding.actions.count == 2, "\(exploration)")
    #expect(finding.trace.first == "0.000 100", "\(exploration)")
  }

  @Test func `an order that the body of a run begins is told without what the compiler made of it`() async throws {
    let trace = try await replay(
      IdleSubject.self, seed: 0, [.step(.start), .step(.start), .sleep(.zero), .step(.start)],
      choices: [.init(number: 0, index: 2), .init(number: 1, index: 2), .init(number: 2, index: 1)])
    #expect(trace.contains { $0.contains("order: “the body of simulate”") }, "\(trace)")
    #expect(!trace.contains { $0.contains("thunk") }, "\(trace)")
  }

  @Test func `what a fake draws while it answers is drawn anew where steps are left out`() async throws {
    let exploration = await explore(RaceSubject.self, seeds: 0..<200)
    let finding = try #require(exploration.findings.first)
    #expect(finding.actions.count == 1, "\(exploration)")
    let seed = try #require(finding.seed)
    await #expect(throws: Exploration<RaceSubject.Step>.Finding.self) {
      try await replay(RaceSubject.self, seed: seed, finding.actions)
    }
  }

  @Test func `a step that is cancelled is no finding`() async throws {
    try await explore(CancelledSubject.self, seeds: 0..<3).check()
  }
}
