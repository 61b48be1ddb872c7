import Isolations
import Observation
import Observing
import Testing

@Observable private final class Counter {
  var a = 0
  var b = 0
  var isOn = false
  var object: Counter?
  init() {}
}

@Suite(.timeLimit(.minutes(10))) struct ObserveTests {
  @Test(arguments: Ground.allCases)
  func `runs once at once, then once after a changed field, with the new value`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var seen: [Int] = []
      let token = observe { seen.append(counter.a) }
      #expect(seen == [0])
      counter.a = 1
      #expect(seen == [0])
      await endTurn()
      #expect(seen == [0, 1])
      await endTurn()
      #expect(seen == [0, 1])
      token.cancel()
    }
  }

  @Test(arguments: Ground.allCases)
  func `three changes in one turn are one run`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var seen: [[Int]] = []
      let token = observe { seen.append([counter.a, counter.b]) }
      counter.a = 1
      counter.a = 2
      counter.b = 3
      await endTurn()
      #expect(seen == [[0, 0], [2, 3]])
      token.cancel()
    }
  }

  @Test(arguments: Ground.allCases)
  func `a field that was not read is no reason to run`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var runs = 0
      let token = observe {
        _ = counter.a
        runs += 1
      }
      counter.b = 1
      await endTurn()
      #expect(runs == 1)
      token.cancel()
    }
  }

  @Test(arguments: Ground.allCases)
  func `an equal value assigned again is no reason to run`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      counter.object = Counter()
      var runs = 0
      var performed: [Int] = []
      let token = observe {
        _ = counter.a
        runs += 1
      }
      let effect = observe {
        counter.a
      } perform: {
        performed.append($0)
      }
      counter.a = 0
      counter[keyPath: \.a] = 0
      Binding(counter, \.a).wrappedValue += 0
      await endTurn()
      #expect(runs == 1)
      // Changed in place: the macro does not compare, the value form does.
      counter.a += 0
      await endTurn()
      #expect(performed == [0])
      counter.a = 1
      counter.a = 0
      await endTurn()
      #expect(performed == [0])
      token.cancel()
      effect.cancel()
    }
  }

  @Test(arguments: Ground.allCases)
  func `only what the last run read counts`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var seen: [Int] = []
      let token = observe { seen.append(counter.isOn ? counter.a : -1) }
      counter.a = 1
      await endTurn()
      #expect(seen == [-1])
      counter.isOn = true
      await endTurn()
      #expect(seen == [-1, 1])
      counter.a = 2
      await endTurn()
      #expect(seen == [-1, 1, 2])
      counter.isOn = false
      await endTurn()
      counter.a = 3
      await endTurn()
      #expect(seen == [-1, 1, 2, -1])
      token.cancel()
    }
  }

  @Test(arguments: Ground.allCases)
  func `nested observation runs each closure for its own fields only`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var log: [String] = []
      var inner: ObservationToken?
      let outer = observe {
        log.append("outer \(counter.a)")
        inner = observe { log.append("inner \(counter.b)") }
      }
      #expect(log == ["outer 0", "inner 0"])
      for value in 1...3 {
        log = []
        counter.b = value
        await endTurn()
        #expect(log == ["inner \(value)"])
      }
      log = []
      counter.a = 1
      await endTurn()
      #expect(log == ["outer 1", "inner 3"])
      log = []
      counter.b = 4
      await endTurn()
      #expect(log == ["inner 4"])
      outer.cancel()
      _ = inner
      inner = nil
    }
  }

  @Test(arguments: Ground.allCases)
  func `a cancelled token ends it, even what waits already, and lets the closure go`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var runs = 0
      weak var model: Counter?
      let token: ObservationToken
      do {
        let strong = Counter()
        model = strong
        token = observe {
          _ = counter.a + strong.a
          runs += 1
        }
      }
      #expect(model != nil)
      counter.a = 1
      token.cancel()
      #expect(model == nil)
      await endTurn()
      counter.a = 2
      await endTurn()
      #expect(runs == 1)
    }
  }

  @Test(arguments: Ground.allCases)
  func `a dropped token ends it`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var runs = 0
      var token: ObservationToken? = observe {
        _ = counter.a
        runs += 1
      }
      _ = token
      counter.a = 1
      token = nil
      await endTurn()
      #expect(runs == 1)
    }
  }

  @Test(arguments: Ground.allCases)
  func `eight observers of one field run in the order in which they registered`(ground: Ground) async {
    await ground.run { _ in
      for round in 0..<50 {
        let counter = Counter()
        var log: [Int] = []
        let turn = ObservationTurn()
        let tokens = (0..<8).map { number in
          observe(in: turn) {
            _ = counter.a
            log.append(number)
          }
        }
        for change in 1...4 {
          log = []
          counter.a = change
          await endTurn()
          #expect(log == Array(0..<8), "round \(round)")
        }
        withExtendedLifetime(tokens) {}
      }
    }
  }

  @Test(arguments: Ground.allCases)
  func `what a run changes runs the others, earlier ones too, in the same turn`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var log: [String] = []
      let first = observe { log.append("first \(counter.b)") }
      let second = observe {
        log.append("second \(counter.a)")
        if counter.a > 0 { counter.b = counter.a * 10 }
      }
      let third = observe { log.append("third \(counter.a) \(counter.b)") }
      log = []
      counter.a = 1
      await endTurn()
      #expect(log == ["second 1", "third 1 10", "first 10"])
      withExtendedLifetime((first, second, third)) {}
    }
  }

  @Test(arguments: Ground.allCases)
  func `an effect that changes its own value is performed again until it settles`(ground: Ground) async {
    await ground.run { _ in
      let counter = Counter()
      var log: [Int] = []
      let token = observe {
        counter.a
      } perform: { value in
        log.append(value)
        if value < 3 { counter.a += 1 }
      }
      await endTurn()
      #expect(log == [0, 1, 2, 3])
      counter.a = 1
      await endTurn()
      #expect(log == [0, 1, 2, 3, 1, 2, 3])
      token.cancel()
    }
  }

  @Test func `an effect that never settles stops the program and says where it stands`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let counter = Counter()
      let turn = ObservationTurn()
      let token = observe(in: turn) {
        counter.a
      } perform: { _ in
        counter.a += 1
      }
      turn.end()
      token.cancel()
    }
    let said = text(result?.standardErrorContent)
    #expect(said.contains("observe: the closure registered at ObservingTests/ObserveTests.swift:"))
    #expect(said.contains(" is run again without end"))
  }

  @Test func `without an isolation it stops the program and says what to do`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      func nowhere() -> ObservationToken { observe {} }
      nowhere().cancel()
    }
    let said = text(result?.standardErrorContent)
    #expect(said.contains("observe at ObservingTests/ObserveTests.swift:"))
    #expect(said.contains(": no isolation is known here"))
  }

  @Test func `a change from elsewhere stops the program and says so`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Elsewhere().change()
    }
    let said = text(result?.standardErrorContent)
    #expect(said.contains("Incorrect actor executor assumption"))
  }

  private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

  @Test func `tokens in an array end with it, in order`() {
    let counter = Counter()
    let turn = ObservationTurn()
    var log: [Int] = []
    var tokens: [ObservationToken] = []
    for number in 0..<3 { observe(in: turn) { log.append(number + counter.a) }.store(in: &tokens) }
    turn { counter.a = 10 }
    #expect(log == [0, 1, 2, 10, 11, 12])
    tokens = []
    turn { counter.a = 20 }
    #expect(log.count == 6)
  }

  @Test(arguments: Ground.allCases)
  func `models that are released while they are observed do not leak`(ground: Ground) async {
    await ground.run { _ in
      weak var released: Counter?
      var runs = 0
      let other = Counter()
      var token: ObservationToken?
      do {
        let counter = Counter()
        released = counter
        token = observe { [weak counter] in
          _ = (counter?.a ?? 0) + other.a
          runs += 1
        }
      }
      #expect(released == nil)
      other.a = 1
      await endTurn()
      #expect(runs == 2)
      token = nil
      _ = token
    }
  }

  @Test func `an actor that keeps its tokens does not leak`() async {
    weak var released: Screen?
    do {
      let screen = Screen()
      released = screen
      await screen.start()
      await screen.change()
    }
    #expect(released == nil)
  }

  @Test func `a turn ended by hand needs no isolation`() {
    let counter = Counter()
    let turn = ObservationTurn()
    var seen: [Int] = []
    let token = observe(in: turn) { seen.append(counter.a) }
    turn {
      counter.a = 1
      counter.a = 2
    }
    #expect(seen == [0, 2])
    turn.end()
    counter.a = 3
    #expect(seen == [0, 2])
    turn.end()
    #expect(seen == [0, 2, 3])
    token.cancel()
  }

  @Test func `a change is one job, enqueued on the owner by the change itself`() async {
    let executor = HandExecutor()
    executor.run { _ in
      let counter = Counter()
      let turn = ObservationTurn()
      let tokens = (0..<3).map { _ in observe(in: turn) { _ = counter.a } }
      #expect(executor.count == 0)
      counter.a = 1
      #expect(executor.count == 1)
      counter.a = 2
      #expect(executor.count == 1)
      await endTurn()
      #expect(executor.count == 0)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `many owners at once each keep to themselves`() async {
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask {
          let counter = Counter()
          let turn = ObservationTurn()
          var sum = 0
          let token = observe(in: turn) { sum += counter.a }
          for _ in 0..<100 { turn { counter.a += 1 } }
          token.cancel()
          return sum
        }
      }
      for await sum in group { #expect(sum == 5050) }
    }
  }
}

private actor Screen {
  private let counter = Counter()
  private var token: ObservationToken?
  private var seen = 0

  func start() { token = observe { [weak self] in self?.assumeIsolated { $0.seen += $0.counter.a } } }

  func change() async {
    counter.a += 1
    await endTurn()
    #expect(seen == 1)
    // What is observed now is not changed any more.
  }
}

/// Changes what is observed on an actor from another task.
private actor Elsewhere {
  private let box = UncheckedBox(Counter())

  func change() async {
    let box = box
    let token = observe { [self] in _ = self.box.value.a }
    await Task.detached { box.value.a = 1 }.value
    token.cancel()
  }
}

private struct UncheckedBox: @unchecked Sendable {
  let value: Counter
  init(_ value: Counter) { self.value = value }
}
