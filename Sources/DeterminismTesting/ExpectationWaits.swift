// Where these functions are the ones that were looked at, with their isolation; elsewhere their waits are reported.
#if os(Linux) && canImport(XCTest) && compiler(>=6.3) && compiler(<6.4)
  import Determinism
  import Foundation
  import XCTest

  // The waits of XCTest poll the run loop in real time, on a thread of their own where they are asynchronous. In a
  // simulation they have its time: each stands in the place of XCTest's function of that name, which the linker finds
  // second, and which is called outside of simulations.

  extension XCTestCase {
    @_silgen_name(
      "$s6XCTest0A4CaseC11fulfillment2of7timeout12enforceOrder4file4lineySayAA0A11ExpectationCG_SdSbs12StaticStringVSitYaF")
    nonisolated(nonsending) func waitInTurn(
      of expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool, file: StaticString, line: Int
    ) async {
      let wait = ExpectationWait(of: expectations, timeout: timeout, enforceOrder: enforceOrder, file: file, line: line)
      guard wait.isVirtual, let executor = VirtualExecutor.current else {
        let original = unsafe unsafeBitCast(
          original("$s6XCTest0A4CaseC11fulfillment2of7timeout12enforceOrder4file4lineySayAA0A11ExpectationCG_SdSbs12StaticStringVSitYaFTu"),
          to: Fulfillment.self)
        return await original.function(expectations, timeout, enforceOrder, file, line)
      }
      await executor.rest(for: .seconds(timeout)) { wait.isOver }
      wait.judge(self)
    }

    @_silgen_name(
      "$s6XCTest0A4CaseC4wait3for7timeout12enforceOrder4file4lineySayAA0A11ExpectationCG_SdSbs12StaticStringVSitF")
    nonisolated func waitByHand(
      for expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool, file: StaticString, line: Int
    ) {
      let wait = ExpectationWait(of: expectations, timeout: timeout, enforceOrder: enforceOrder, file: file, line: line)
      guard wait.isVirtual, let executor = VirtualExecutor.current, executor.isMovedByHand else {
        let original = unsafe unsafeBitCast(
          original("$s6XCTest0A4CaseC4wait3for7timeout12enforceOrder4file4lineySayAA0A11ExpectationCG_SdSbs12StaticStringVSitF"),
          to: Wait.self)
        return original.function(expectations, timeout, enforceOrder, file, line)
      }
      executor.move(for: .seconds(timeout)) { wait.isOver }
      wait.judge(self)
    }

    /// XCTest's own function with this test case as its context: the two words of a closure.
    private func original(_ name: String) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer) {
      guard let function = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: -1), name) else {
        fatalError("XCTest has no function \(name)")
      }
      return unsafe (function, Unmanaged.passRetained(self).toOpaque())
    }
  }

  // Functions of XCTest. A function of its own type, which no generic function has given another convention.

  private struct Fulfillment {
    var function: nonisolated(nonsending) ([XCTestExpectation], TimeInterval, Bool, StaticString, Int) async -> Void
  }

  private struct Wait {
    var function: ([XCTestExpectation], TimeInterval, Bool, StaticString, Int) -> Void
  }

  /// A wait for expectations.
  private struct ExpectationWait: @unchecked Sendable {
    private let expectations: [XCTestExpectation]
    private let timeout: TimeInterval
    private let enforceOrder: Bool
    private let file: StaticString
    private let line: Int

    init(of expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool, file: StaticString, line: Int) {
      (self.expectations, self.timeout, self.enforceOrder) = (expectations, timeout, enforceOrder)
      (self.file, self.line) = (file, line)
    }

    /// Whether it can be seen when they are fulfilled.
    var isVirtual: Bool { expectations.allSatisfy { Self.isFulfilled($0) != nil } }

    /// Whether more time changes nothing: all are fulfilled, or one that must not be.
    var isOver: Bool {
      let inverted = expectations.filter(\.isInverted)
      if inverted.contains(where: { Self.isFulfilled($0) == true }) { return true }
      return inverted.isEmpty && expectations.allSatisfy { Self.isFulfilled($0) == true }
    }

    /// XCTest has no other way to ask, but to wait.
    private static func isFulfilled(_ expectation: XCTestExpectation) -> Bool? {
      Mirror(reflecting: expectation).descendant("isFulfilled") as? Bool
    }

    /// Lets XCTest say what it says of such a wait, whose time is over.
    func judge(_ test: XCTestCase) {
      VirtualExecutor.letThrough {
        let delegate = Delegate(test: test, timeout: timeout, file: file, line: line)
        let waiter = XCTWaiter(delegate: delegate)
        _ = waiter.wait(for: expectations, timeout: 0, enforceOrder: enforceOrder, file: file, line: line)
      }
    }

    /// Names the time that was waited in the simulation.
    private final class Delegate: XCTWaiterDelegate {
      private let test: XCTestCase
      private let timeout: TimeInterval
      private let file: StaticString
      private let line: Int

      init(test: XCTestCase, timeout: TimeInterval, file: StaticString, line: Int) {
        (self.test, self.timeout, self.file, self.line) = (test, timeout, file, line)
      }

      func waiter(_ waiter: XCTWaiter, didTimeoutWithUnfulfilledExpectations unfulfilled: [XCTestExpectation]) {
        let names = unfulfilled.map(\.expectationDescription).joined(separator: ", ")
        test.recordFailure(
          withDescription:
            "Asynchronous wait failed - Exceeded timeout of \(timeout) seconds of virtual time, with unfulfilled expectations: \(names)",
          inFile: "\(file)", atLine: line, expected: true)
      }

      func waiter(
        _ waiter: XCTWaiter, fulfillmentDidViolateOrderingConstraintsFor expectation: XCTestExpectation,
        requiredExpectation: XCTestExpectation
      ) {
        test.waiter(waiter, fulfillmentDidViolateOrderingConstraintsFor: expectation, requiredExpectation: requiredExpectation)
      }

      func waiter(_ waiter: XCTWaiter, didFulfillInvertedExpectation expectation: XCTestExpectation) {
        test.waiter(waiter, didFulfillInvertedExpectation: expectation)
      }

      func nestedWaiter(_ waiter: XCTWaiter, wasInterruptedByTimedOutWaiter timedOut: XCTWaiter) {
        test.nestedWaiter(waiter, wasInterruptedByTimedOutWaiter: timedOut)
      }
    }
  }
#endif
