import Determinism
import DeterminismTesting
import Foundation
import Synchronization
import Testing

/// Turns that take virtual time: loops that only yield and read a clock end.
@Suite struct JobCostTests {
  private static func costing(_ cost: Duration, _ change: (inout SimulationLimits) -> Void = { _ in }) -> SimulationLimits {
    var limits = SimulationLimits()
    limits.jobCost = cost
    change(&limits)
    return limits
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  @Test func `a loop that yields until a time has come ends`() async throws {
    let yields = try await simulate(seed: 7, limits: Self.costing(.milliseconds(1))) { simulation in
      let deadline = simulation.clock.now.advanced(by: .seconds(1))
      var yields = 0
      while simulation.clock.now < deadline {
        await Task.yield()
        yields += 1
      }
      #expect(simulation.clock.now == deadline)
      return yields
    }
    #expect(yields == 500, "a yield is two turns")
  }

  @Test(.simulated(seeds: 0..<20, limits: costing(.microseconds(10)))) @MainActor
  func `the clocks of the standard library and the wall clock go on with it`() async throws {
    let (start, date) = (ContinuousClock.now, Date())
    while ContinuousClock.now < start + .milliseconds(100) { await Task.yield() }
    #expect(abs(Date().timeIntervalSince(date) - 0.1) < 0.000_011)
  }

  @Test func `without a cost such a loop is a circle`() async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in
        let deadline = simulation.clock.now.advanced(by: .seconds(1))
        while simulation.clock.now < deadline { await Task.yield() }
      }
    }
    guard case .neverSettles? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
  }

  @Test func `a sleep ends while another task yields, and in the order of deadlines`() async throws {
    for seed: UInt64 in 0..<20 {
      try await simulate(seed: seed, limits: Self.costing(.milliseconds(3))) { simulation in
        let (clock, flag) = (simulation.clock, Flag())
        let woken = Mutex<[Int]>([])
        // Another turn comes first as often as the seed draws it.
        for number in [3, 1, 2] {
          simulation.task("sleeps \(number) s") {
            try await clock.sleep(for: .seconds(number))
            let late = clock.now.offset - .seconds(number)
            #expect(late >= .zero && late <= .milliseconds(90))
            woken.withLock { $0.append(number) }
            if number == 3 { flag.set() }
          }
        }
        while !flag.isSet { await Task.yield() }
        #expect(woken.withLock { $0 } == [1, 2, 3])
      }
    }
  }

  @Test func `what wakes when nothing else runs is on time, and so is the end of a wait for rest`() async throws {
    try await simulate(seed: 7, limits: Self.costing(.milliseconds(1))) { simulation in
      let clock = simulation.clock
      simulation.task("sleeps") {
        for second in 1...3 {
          try await clock.sleep(until: .init(offset: .seconds(second)))
          #expect(clock.now.offset == .seconds(second))
        }
      }
      await simulation.advance(to: .init(offset: .milliseconds(3500)))
      #expect(clock.now.offset == .milliseconds(3500))
      await simulation.settle()
      #expect(clock.now.offset >= .milliseconds(3500) && clock.now.offset < .milliseconds(3510))
      await simulation.advance(by: .microseconds(1))
      await simulation.run()
    }
  }

  @Test func `time that is moved by hand may be later than what was asked for, and never goes back`() throws {
    try withSimulation(seed: 7, limits: Self.costing(.seconds(1))) { simulation in
      let flag = Flag()
      for number in 0..<10 { simulation.task("\(number)") { await Task.yield() } }
      simulation.task("waits") {
        try await simulation.clock.sleep(for: .seconds(5))
        flag.set()
      }
      simulation.settle()
      #expect(simulation.clock.now.offset >= .seconds(21))
      #expect(flag.isSet)
      let now = simulation.clock.now
      simulation.advance(by: .milliseconds(500))
      #expect(simulation.clock.now == now.advanced(by: .milliseconds(500)))
    }
  }

  @Test func `a circle ends at the limit of virtual time, and its task is named`() async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: Self.costing(.seconds(1)) { $0.time = .seconds(100) }) { simulation in
        await simulation.task("spins") { while !Task.isCancelled { await Task.yield() } }.finished()
      }
    }
    guard case .timeLimit(.seconds(100), let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(failure?.time == .seconds(100))
    #expect(waiting.contains { $0.contains("spins") }, "\(waiting)")
  }

  @Test func `what goes on after the body is held back, at the time of its end`() async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: Self.costing(.milliseconds(1))) { simulation in
        Task(name: "polls") { while true { await Task.yield() } }
        try await simulation.clock.sleep(for: .seconds(2))
      }
    }
    guard case .unfinished(asleep: [], let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(waiting.count == 1 && waiting[0].contains("polls"))
    #expect(failure.map { $0.time >= .seconds(2) && $0.time < .milliseconds(2010) } == true)
  }

  @concurrent private static func add(_ number: Int) async -> Int { number + 1 }

  @Test func `a hop costs nothing, so that a seed is one run in every build`() async throws {
    let time = try await simulate(seed: 7, limits: Self.costing(.seconds(1))) { simulation in
      var count = 0
      for _ in 0..<100 { count = await Self.add(count) }
      #expect(count == 100)
      return simulation.clock.now.offset
    }
    #expect(time == .zero)
  }

  private actor Counter {
    var count = 0
    func add() { count += 1 }
  }

  @Test func `a call of an actor costs the same in every build`() async throws {
    let time = try await simulate(seed: 7, limits: Self.costing(.seconds(1))) { simulation in
      let counter = Counter()
      for _ in 0..<100 { await counter.add() }
      return simulation.clock.now.offset
    }
    #expect(time == .seconds(200))
  }

  @Test func `in real time it counts for nothing`() async throws {
    let limits = Self.costing(.seconds(1000)) { $0.pace = .real }
    try await simulate(seed: 7, limits: limits) { simulation in
      for _ in 0..<10 { await Task.yield() }
      #expect(simulation.clock.now.offset < .seconds(1000))
    }
  }

  @Test func `a seed is one run with it, too, and its order is the one without`() async throws {
    @Sendable func order(_ seed: UInt64, _ cost: Duration) async throws -> [Int] {
      try await simulate(seed: seed, limits: Self.costing(cost)) { simulation in
        let order = Mutex<[Int]>([])
        for number in 0..<8 {
          simulation.task("\(number)") {
            await Task.yield()
            order.withLock { $0.append(number) }
          }
        }
        await simulation.settle()
        return order.withLock { $0 }
      }
    }
    for seed: UInt64 in 0..<10 {
      let first = try await order(seed, .milliseconds(1))
      #expect(try await order(seed, .milliseconds(1)) == first)
      #expect(try await order(seed, .zero) == first)
    }
  }
}
