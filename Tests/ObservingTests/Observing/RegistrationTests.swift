import Determinism
import Isolations
import Observation
import Observing
import Synchronization
import Testing

@Observable private final class Counter {
  var value = 0
  var other = 0
  init() {}
}

@MainActor @Observable private final class MainCounter {
  var value = 0
  init() {}
}

private enum Place { @TaskLocal static var name = "nowhere" }

/// In whose context an observer runs: in that of its registration.
@Suite(.timeLimit(.minutes(10))) struct RegistrationTests {
  @Test(arguments: Ground.allCases)
  func `each observer keeps the task-locals of its registration, whoever changes first`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var log: [String] = []
      var tokens: [ObservationToken] = []
      let turn = ObservationTurn()
      for name in ["a", "b", "c"] {
        Place.$name.withValue(name) {
          tokens.append(observe(in: turn) { log.append("\(name) in \(Place.name): \(counter.value)") })
        }
      }
      tokens.append(
        observe {
          counter.value
        } perform: {
          log.append("d in \(Place.name): \($0)")
        })
      for value in 1...3 {
        log = []
        Place.$name.withValue("a change") { counter.value = value }
        #expect(log.isEmpty)
        await endTurn()
        #expect(log == ["a in a: \(value)", "b in b: \(value)", "c in c: \(value)", "d in nowhere: \(value)"])
        #expect(Place.name == "nowhere")
      }
      withExtendedLifetime(tokens) {}
    }
  }

  @Test(arguments: Ground.allCases)
  func `an observer runs in the isolation in which it was registered`(ground: Ground) async {
    await ground.run { isolation in
      let counter = Counter()
      var runs = 0
      let token = observe {
        _ = counter.value
        isolation.preconditionIsolated()
        isolation.assumeIsolated { _ in runs += 1 }
      }
      counter.value = 1
      await endTurn()
      isolation.preconditionIsolated()
      counter.value = 2
      await endTurn()
      #expect(runs == 3)
      token.cancel()
    }
  }

  @Test(arguments: Ground.allCases)
  func `an observer that is registered inside a run keeps the task-locals of that place`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var log: [String] = []
      var inner: ObservationToken?
      let turn = ObservationTurn()
      let outer = Place.$name.withValue("outer") {
        observe(in: turn) {
          _ = counter.value
          log.append("outer in \(Place.name)")
          Place.$name.withValue("inner") { inner = observe { log.append("inner \(counter.other) in \(Place.name)") } }
        }
      }
      #expect(log == ["outer in outer", "inner 0 in inner"])
      log = []
      Place.$name.withValue("a change") { counter.other = 1 }
      await endTurn()
      #expect(log == ["inner 1 in inner"])
      log = []
      counter.value = 1
      await endTurn()
      #expect(log == ["outer in outer", "inner 1 in inner"])
      withExtendedLifetime((outer, inner)) {}
      inner = nil
    }
  }

  @Test @MainActor func `an expectation that fails in an observer belongs to its own test`() async {
    let own = Test.current?.id
    #expect(own != nil)
    let counter = MainCounter()
    var tests: [Test.ID?] = []
    let token = observe {
      _ = counter.value
      tests.append(Test.current?.id)
    }
    // What changes it is of no test.
    await Task.detached { await MainActor.run { counter.value = 1 } }.value
    await endTurn()
    #expect(tests == [own, own])
    token.cancel()
  }

  @Test @MainActor func `an issue that is recorded in an observer finds its test`() async {
    let counter = MainCounter()
    await withKnownIssue {
      let token = observe { if counter.value > 0 { Issue.record("in a run") } }
      // An issue of no test would not be known.
      await Task.detached { await MainActor.run { counter.value = 1 } }.value
      await endTurn()
      token.cancel()
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `in a simulation, too, in any order of tasks`(seed: UInt64) async throws {
    try await simulate(seed: seed) { simulation in
      let counter = Counter()
      var log: [String] = []
      var tokens: [ObservationToken] = []
      let turn = ObservationTurn()
      for name in 0..<4 {
        Place.$name.withValue("\(name)") { tokens.append(observe(in: turn) { log.append("\(name) \(Place.name) \(counter.value)") }) }
      }
      for task in 0..<4 {
        simulation.task("change \(task)") { Place.$name.withValue("a change") { counter.value += 1 } }
      }
      await simulation.settle()
      #expect(log.suffix(4) == ["0 0 4", "1 1 4", "2 2 4", "3 3 4"])
      #expect(Place.name == "nowhere")
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `a turn ended by hand on an actor keeps them, without an actor it has those of its end`() async {
    await Ground.customActor.run { _ in
      let counter = Counter()
      let turn = ObservationTurn()
      var log: [String] = []
      let token = Place.$name.withValue("registration") { observe(in: turn) { log.append("\(Place.name) \(counter.value)") } }
      Place.$name.withValue("end") { turn { counter.value = 1 } }
      #expect(log == ["registration 0", "registration 1"])
      token.cancel()
    }
    func byHand() -> [String] {
      let counter = Counter()
      let turn = ObservationTurn()
      var log: [String] = []
      let token = Place.$name.withValue("registration") { observe(in: turn) { log.append("\(Place.name) \(counter.value)") } }
      Place.$name.withValue("end") { turn { counter.value = 1 } }
      token.cancel()
      return log
    }
    #expect(byHand() == ["registration 0", "end 1"])
  }

  @Test(arguments: Ground.allCases)
  func `what a registration carries is let go with the token, before a run, after one, in one, and elsewhere`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      weak var carried: Carried?
      let turn = ObservationTurn()
      func register(_ body: @escaping () -> Void = {}) -> ObservationToken {
        let object = Carried()
        carried = object
        return Carried.$current.withValue(object) {
          observe(in: turn) {
            _ = counter.value
            body()
          }
        }
      }
      var token: ObservationToken? = register()
      #expect(carried != nil)
      token = nil
      #expect(carried == nil)
      token = register()
      counter.value += 1
      await endTurn()
      #expect(carried != nil)
      token = nil
      #expect(carried == nil)
      var isEnding = false
      token = register { if isEnding { token?.cancel() } }
      isEnding = true
      counter.value += 1
      await endTurn()
      #expect(carried == nil)
      token = register()
      let last = token
      token = nil
      await Task.detached { last?.cancel() }.value
      #expect(carried == nil)
    }
  }

  @Test func `tokens that end on other threads while observers run neither stop, hang nor leak`() async {
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { await Ground.customActor.run { _ in await Self.endElsewhere() } } }
    }
  }

  private static func endElsewhere(isolation: isolated (any Actor)? = #isolation) async {
    for round in 0..<400 {
      let counter = Counter()
      weak var carried: Carried?
      var strangers = 0
      let turn = ObservationTurn()
      let token: ObservationToken
      do {
        let object = Carried()
        let id = ObjectIdentifier(object)
        carried = object
        token = Carried.$current.withValue(object) {
          observe(in: turn) {
            _ = counter.value
            if Carried.current.map(ObjectIdentifier.init) != id { strangers += 1 }
          }
        }
      }
      let ending = Task.detached {
        if round % 3 == 0 { await Task.yield() }
        token.cancel()
      }
      for _ in 0..<20 {
        turn { counter.value += 1 }
        if round % 2 == 0 { await Task.yield() }
      }
      await ending.value
      #expect(strangers == 0)
      #expect(carried == nil)
    }
  }
}

/// Something that a task-local holds.
private final class Carried: Sendable {
  @TaskLocal static var current: Carried?
  init() {}
}
