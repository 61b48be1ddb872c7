#if os(Linux)
  import Determinism
  import Foundation
  import Synchronization
  public import XCTest

  /// A case of XCTest whose test methods run as the environment says, as they are or in simulations.
  ///
  /// In a simulation all of a test is inside, from its set-up to its teardown. A method without `async` runs in one
  /// whose time moves while it waits for expectations.
  open class SuiteWrappedTestCase: XCTestCase {
    private let state = Mutex(State())
    private let closure: Uncounted<XCTestCaseClosure>
    /// The name that a filter takes.
    private let method: String

    private struct State: @unchecked Sendable {
      /// The run that what fails belongs to; that of the case that XCTest knows.
      var run: TestRun?
      /// The case that XCTest knows, where this is one of the copies that run.
      weak var original: SuiteWrappedTestCase?
      var seed: UInt64?
      var order = JobOrder.inOrder
      /// Whether the method is asynchronous; `nil` where that is not known yet.
      var isAsynchronous: Bool?
      /// The body of a method that is asynchronous.
      var body: (() async throws -> Void)?
      var teardown: [() async throws -> Void] = []
    }

    private struct Uncounted<Value>: @unchecked Sendable {
      var value: Value
    }

    public required init(name: String, testClosure: @escaping XCTestCaseClosure) {
      method = name
      closure = Uncounted(value: testClosure)
      super.init(name: name, testClosure: testClosure)
    }

    /// Invokes the test once for each seed and order, each time in a new instance: XCTest ends what one has at its end.
    open override func invokeTest() {
      guard let suite = SuiteRun.current else { return super.invokeTest() }
      let copied = state.withLock { $0.original == nil ? nil : $0 }
      if let copied {
        guard let run = copied.run, let seed = copied.seed else { return super.invokeTest() }
        return invoke(seed, copied.order, suite, run, isAsynchronous: copied.isAsynchronous)
      }
      var isAsynchronous: Bool?
      var orders = SuiteOrders(suite.orders, seeds: suite.seeds)
      while let (seed, order) = orders.next() {
        let run = TestRun("\(String(reflecting: type(of: self)))/\(method)", seed: seed, order: order, suite)
        state.withLock { $0.run = run }
        let isFound = invokeCopy(run, seed, order, isAsynchronous)
        // A method shows only where it is called that it is asynchronous; then it has not run yet.
        if isAsynchronous == nil, isFound { _ = invokeCopy(run, seed, order, true) }
        isAsynchronous = isAsynchronous ?? isFound
        run.end()
        orders.add(isFailed: run.isFailed, made: run.choices.choices, counts: run.choices.counts)
        if run.isReported { break }
      }
    }

    /// Invokes the test in a new instance; whether its method has left a body, as it is asynchronous.
    private func invokeCopy(_ run: TestRun, _ seed: UInt64?, _ order: JobOrder, _ isAsynchronous: Bool?) -> Bool {
      let copy = type(of: self).init(name: method, testClosure: closure.value)
      copy.state.withLock { state in
        (state.original, state.run, state.seed, state.order) = (self, run, seed, order)
        state.isAsynchronous = isAsynchronous
      }
      copy.invokeTest()
      return copy.takeBody() != nil
    }

    open override func recordFailure(withDescription description: String, inFile path: String, atLine line: Int, expected: Bool) {
      let (run, original) = state.withLock { ($0.run, $0.original) }
      if let original { return original.recordFailure(withDescription: description, inFile: path, atLine: line, expected: expected) }
      // What comes from a thread that was given up, when the test is over, would end the process.
      if testRun?.stopDate != nil { return }
      run?.fail("\(description) (\(path.split(separator: "/").last ?? ""):\(line))")
      super.recordFailure(withDescription: description, inFile: path, atLine: line, expected: expected)
    }

    /// What SwiftPM wraps an asynchronous test method in; found before the one of XCTest, as it is a member.
    public static func asyncTest<T: XCTestCase>(_ method: @escaping (T) -> () async throws -> Void) -> (T) -> () throws -> Void {
      { testCase in
        guard let wrapped = testCase as? SuiteWrappedTestCase, wrapped.state.withLock({ $0.seed }) != nil else {
          return plainAsyncTest(method)(testCase)
        }
        return { wrapped.state.withLock { $0.body = method(testCase) } }
      }
    }

    // MARK: In a simulation

    private func invoke(_ seed: UInt64, _ order: JobOrder, _ suite: SuiteRun, _ run: TestRun, isAsynchronous: Bool?) {
      do {
        if isAsynchronous == true {
          try invokeAsynchronously(seed, order, suite, run)
        } else {
          try invokeByHand(seed, order, suite, run)
        }
      } catch {
        note(error, run)
      }
    }

    private func note(_ error: any Error, _ run: TestRun) {
      if error is XCTSkip { return run.skip() }
      if let failure = error as? SimulationFailure { run.report(failure) }
      recordFailure(withDescription: "threw error \"\(error)\"", inFile: "<EXPR>", atLine: 0, expected: false)
    }

    private func setUpWithoutWaiting() throws {
      try setUpWithError()
      setUp()
    }

    private func tearDownWithoutWaiting() throws {
      tearDown()
      try tearDownWithError()
    }

    /// A test case in its simulation, whose thread alone uses it.
    private struct Inside: @unchecked Sendable {
      let testCase: SuiteWrappedTestCase

      func setUp() async throws {
        nonisolated(unsafe) let testCase = testCase
        try await unsafe testCase.setUp()
      }

      func tearDown() async throws {
        nonisolated(unsafe) let testCase = testCase
        try await unsafe testCase.tearDown()
      }
    }

    /// Runs a method without `async`, or finds out that it has it.
    ///
    /// On a thread of its own, so that one that blocks is given up.
    private func invokeByHand(_ seed: UInt64, _ order: JobOrder, _ suite: SuiteRun, _ run: TestRun) throws {
      let result = Outcome()
      let inside = Inside(testCase: self)
      let thread = Thread {
        result.end {
          try withSimulation(seed: seed, order: order, limits: suite.limits) { simulation in
            result.simulation.withLock { $0 = simulation }
            run.follow(simulation)
            defer { run.reached(simulation.clock.now.offset) }
            let testCase = inside.testCase
            do {
              try Self.wait(simulation) { try await inside.setUp() }
              try testCase.setUpWithoutWaiting()
              try testCase.closure.value(testCase)
            } catch {
              testCase.note(error, run)
            }
            for block in testCase.blocks.reversed() { try Self.wait(simulation, block.value) }
            try testCase.tearDownWithoutWaiting()
            try Self.wait(simulation) { try await inside.tearDown() }
          }
        }
      }
      thread.stackSize = 8 << 20
      thread.start()
      let limit = suite.limits.realTime ?? .seconds(5)
      if try result.wait(limit) { return }
      if let failure = result.simulation.withLock({ $0 })?.failure { throw failure }
      run.report("blocked", "the method did not return within \(limit): it blocks its thread, or computes without end")
      throw Problem(description: "the method did not return")
    }

    private struct Problem: Error, CustomStringConvertible {
      var description: String
    }

    /// Moves the time until a body has ended.
    private static func wait(_ simulation: Simulation, _ body: @escaping () async throws -> Void) throws {
      let result = Mutex<Result<Void, any Error>?>(nil)
      let body = Uncounted(value: body)
      let set = Uncounted(value: { (value: Result<Void, any Error>) in result.withLock { $0 = value } })
      simulation.task("sets up or tears down") {
        do {
          try await body.value()
          set.value(.success(()))
        } catch {
          set.value(.failure(error))
        }
      }
      simulation.settle()
      while true {
        if let result = result.withLock({ $0 }) { return try result.get() }
        guard let next = simulation.clock.nextDeadline else { throw Problem(description: "the set-up or teardown never ends") }
        simulation.advance(to: next)
      }
    }

    private func invokeAsynchronously(_ seed: UInt64, _ order: JobOrder, _ suite: SuiteRun, _ run: TestRun) throws {
      let result = Outcome()
      let inside = Inside(testCase: self)
      Task.detached {
        do {
          try await simulate(seed: seed, order: order, limits: suite.limits) { simulation in
            run.follow(simulation)
            defer { run.reached(simulation.clock.now.offset) }
            do {
              try await inside.setUp()
              try inside.testCase.setUpWithoutWaiting()
              try inside.testCase.closure.value(inside.testCase)
              try await inside.testCase.takeBody()?.value()
            } catch {
              inside.testCase.note(error, run)
            }
            for block in inside.testCase.blocks.reversed() { try await block.value() }
            try inside.testCase.tearDownWithoutWaiting()
            try await inside.tearDown()
          }
          result.end {}
        } catch {
          result.end { throw error }
        }
      }
      // A run that blocks ends by itself; this is for what keeps it from beginning.
      if try result.wait(.seconds(45)) { return }
      run.report("blocked", "the simulation of the method did not end")
      throw Problem(description: "the method did not return")
    }

    private func takeBody() -> Uncounted<() async throws -> Void>? { state.withLock { $0.body.map(Uncounted.init) } }

    private var blocks: [Uncounted<() async throws -> Void>] { state.withLock { $0.teardown.map(Uncounted.init) } }

    /// How something on another thread ended.
    private final class Outcome: Sendable {
      let simulation = Mutex<Simulation?>(nil)
      private let error = Mutex<(any Error)?>(nil)
      private let ended = XCTestExpectation(description: "the end of a run")

      func end(_ body: () throws -> Void) {
        do { try body() } catch { self.error.withLock { $0 = error } }
        ended.fulfill()
      }

      /// Whether it ended within some time; throws what it threw.
      ///
      /// In the run loop, as XCTest waits, so that what is for the main queue meanwhile is done.
      func wait(_ limit: Duration) throws -> Bool {
        guard XCTWaiter().wait(for: [ended], timeout: limit / .seconds(1)) == .completed else { return false }
        if let error = error.withLock({ $0 }) { throw error }
        return true
      }
    }

    // MARK: Teardown

    /// Whether it runs in a simulation.
    private var isInside: Bool { state.withLock { $0.original != nil && $0.seed != nil } }

    private func addTeardown(_ block: @escaping () async throws -> Void) { state.withLock { $0.teardown.append(block) } }

    open override func addTeardownBlock(_ block: @escaping () -> Void) {
      if isInside { addTeardown(block) } else { super.addTeardownBlock(block) }
    }

    /// Adds what is done at the end of a test; called by the copy of a suite in the place of XCTest's function.
    public static func addTeardown(_ testCase: XCTestCase, _ block: @escaping @Sendable () async throws -> Void) {
      if let wrapped = testCase as? SuiteWrappedTestCase, wrapped.isInside {
        wrapped.addTeardown(block)
      } else {
        testCase.addTeardownBlock(block)
      }
    }
  }

  /// The function of XCTest, whose name the member hides.
  private func plainAsyncTest<T: XCTestCase>(_ method: @escaping (T) -> () async throws -> Void) -> (T) -> () throws -> Void {
    asyncTest(method)
  }
#endif
