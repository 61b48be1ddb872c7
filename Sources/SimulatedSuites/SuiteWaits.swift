#if os(Linux)
  import Determinism
  public import Foundation
  public import XCTest

  /// What takes the place of XCTest's waiting, which uses a run loop or a thread: a simulation moves its time.
  ///
  /// The copy of a suite calls it from extensions of `XCTestCase` of its own.
  public enum SuiteWaits {
    /// Waits in a method without `async`.
    public static func wait(
      _ testCase: XCTestCase, _ expectations: [XCTestExpectation], _ seconds: TimeInterval, _ isOrdered: Bool, _ file: StaticString,
      _ line: Int
    ) -> XCTWaiter.Result {
      guard let simulation = Simulation.current else {
        return XCTWaiter(delegate: testCase).wait(
          for: expectations, timeout: seconds, enforceOrder: isOrdered, file: file, line: line)
      }
      if (testCase as? SuiteWrappedTestCase)?.reportsBlockingWait(file, line) == true { return .timedOut }
      let wait = Wait(expectations, isOrdered)
      let end = simulation.clock.now.advanced(by: .seconds(seconds))
      simulation.settle()
      while !wait.isOver {
        guard let next = simulation.clock.nextDeadline, next <= end else {
          simulation.advance(to: end)
          break
        }
        simulation.advance(to: next)
      }
      return wait.end(testCase, seconds, file, line)
    }

    /// Waits in a method with `async`.
    public nonisolated(nonsending) static func fulfillment(
      _ testCase: XCTestCase, _ expectations: [XCTestExpectation], _ seconds: TimeInterval, _ isOrdered: Bool, _ file: StaticString,
      _ line: Int
    ) async -> XCTWaiter.Result {
      guard let simulation = Simulation.current else {
        return await XCTWaiter(delegate: testCase).fulfillment(
          of: expectations, timeout: seconds, enforceOrder: isOrdered, file: file, line: line)
      }
      let wait = Wait(expectations, isOrdered)
      let end = simulation.clock.now.advanced(by: .seconds(seconds))
      await simulation.settle()
      while !wait.isOver, simulation.clock.now < end, !Task.isCancelled {
        guard let next = simulation.clock.nextDeadline, next <= end else {
          await simulation.advance(to: end)
          break
        }
        await simulation.advance(to: next)
      }
      return wait.end(testCase, seconds, file, line)
    }

    /// Adds what is done at the end of a test.
    public static func addTeardown(_ testCase: XCTestCase, _ block: @escaping @Sendable () async throws -> Void) {
      if let wrapped = testCase as? SuiteWrappedTestCase, wrapped.isInside {
        wrapped.addTeardown(block)
      } else {
        testCase.addTeardownBlock(block)
      }
    }

    /// The expectations that were made of a test case, and not waited for.
    public static func expectations(of testCase: XCTestCase) -> [XCTestExpectation] {
      (property("_allExpectations", of: testCase) as? [XCTestExpectation] ?? []).filter {
        property("_hasBeenWaitedOn", of: $0) as? Bool != true && (testCase as? SuiteWrappedTestCase)?.hasWaited(for: $0) != true
      }
    }

    /// A stored property of an object by its name, as XCTest has no other way to it.
    private static func property(_ name: String, of object: Any) -> Any? {
      var mirror: Mirror? = Mirror(reflecting: object)
      while let one = mirror {
        if let child = one.children.first(where: { $0.label == name }) { return child.value }
        mirror = one.superclassMirror
      }
      return nil
    }

    private struct Wait {
      let expectations: [XCTestExpectation]
      let isOrdered: Bool

      init(_ expectations: [XCTestExpectation], _ isOrdered: Bool) {
        (self.expectations, self.isOrdered) = (expectations, isOrdered)
      }

      private func isFulfilled(_ expectation: XCTestExpectation) -> Bool { property("isFulfilled", of: expectation) as? Bool ?? false }

      private func turn(_ expectation: XCTestExpectation) -> UInt64 { property("fulfillmentToken", of: expectation) as? UInt64 ?? 0 }

      /// Whether nothing can change the result any more.
      var isOver: Bool {
        expectations.allSatisfy { !$0.isInverted && isFulfilled($0) } || expectations.contains { $0.isInverted && isFulfilled($0) }
      }

      func end(_ testCase: XCTestCase, _ seconds: TimeInterval, _ file: StaticString, _ line: Int) -> XCTWaiter.Result {
        func fail(_ words: String) { testCase.recordFailure(withDescription: words, inFile: "\(file)", atLine: line, expected: true) }
        let missing = expectations.filter { !$0.isInverted && !isFulfilled($0) }
        let inverted = expectations.filter { $0.isInverted && isFulfilled($0) }
        let turns = expectations.filter { !$0.isInverted }.map(turn)
        (testCase as? SuiteWrappedTestCase)?.note(expectations)
        if !inverted.isEmpty {
          fail("Asynchronous wait failed - Fulfilled inverted expectation '\(inverted[0].expectationDescription)'")
          return .invertedFulfillment
        }
        if !missing.isEmpty {
          let names = missing.map(\.expectationDescription).joined(separator: ", ")
          fail("Asynchronous wait failed - Exceeded timeout of \(seconds) seconds, with unfulfilled expectations: \(names)")
          return .timedOut
        }
        if isOrdered, turns != turns.sorted() {
          fail("Failed due to expectation fulfilled in incorrect order")
          return .incorrectOrder
        }
        return .completed
      }
    }
  }
#endif
