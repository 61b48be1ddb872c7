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
      let wait = ExpectationWait(expectations: expectations, timeout: timeout, enforceOrder: enforceOrder, file: file, line: line)
      guard wait.isVirtual, let executor = VirtualExecutor.current else {
        let original = unsafe unsafeBitCast(
          original(
            "$s6XCTest0A4CaseC11fulfillment2of7timeout12enforceOrder4file4lineySayAA0A11ExpectationCG_SdSbs12StaticStringVSitYaFTu", self),
          to: Fulfillment.self)
        return await original.function(expectations, timeout, enforceOrder, file, line)
      }
      await wait.rest(executor)
      _ = wait.judge(XCTWaiter(delegate: self))
    }

    @_silgen_name(
      "$s6XCTest0A4CaseC4wait3for7timeout12enforceOrder4file4lineySayAA0A11ExpectationCG_SdSbs12StaticStringVSitF")
    nonisolated func waitByHand(
      for expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool, file: StaticString, line: Int
    ) {
      let wait = ExpectationWait(expectations: expectations, timeout: timeout, enforceOrder: enforceOrder, file: file, line: line)
      guard wait.moveByHand() else {
        let original = unsafe unsafeBitCast(
          original(
            "$s6XCTest0A4CaseC4wait3for7timeout12enforceOrder4file4lineySayAA0A11ExpectationCG_SdSbs12StaticStringVSitF", self),
          to: Wait.self)
        return original.function(expectations, timeout, enforceOrder, file, line)
      }
      _ = wait.judge(XCTWaiter(delegate: self))
    }

    @_silgen_name("$s6XCTest0A4CaseC19waitForExpectations7timeout4file4line7handlerySd_s12StaticStringVSiys5Error_pSgcSgtF")
    nonisolated func waitByHand(timeout: TimeInterval, file: StaticString, line: Int, handler: (((any Error)?) -> Void)?) {
      let made = ExpectationWait.property("_allExpectations", of: self) as? [XCTestExpectation] ?? []
      let expectations = made.filter { ExpectationWait.property("_hasBeenWaitedOn", of: $0) as? Bool == false }
      let wait = ExpectationWait(expectations: expectations, timeout: timeout, enforceOrder: false, file: file, line: line)
      // Without any, XCTest says so.
      guard !expectations.isEmpty, wait.moveByHand() else {
        let original = unsafe unsafeBitCast(
          original("$s6XCTest0A4CaseC19waitForExpectations7timeout4file4line7handlerySd_s12StaticStringVSiys5Error_pSgcSgtF", self),
          to: WaitForAll.self)
        return original.function(timeout, file, line, handler)
      }
      let result = wait.judge(XCTWaiter(delegate: self))
      handler?(result == .completed ? nil : XCTestError(.timeoutWhileWaiting))
    }
  }

  // Programs call those of a waiter by the table of its class.

  extension XCTWaiter {
    @_silgen_name(
      "$s6XCTest9XCTWaiterC4wait3for7timeout12enforceOrder4file4lineAC6ResultOSayAA0A11ExpectationCG_SdSbs12StaticStringVSitF")
    nonisolated func waitByHand(
      for expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool, file: StaticString, line: Int
    ) -> Result {
      let wait = ExpectationWait(expectations: expectations, timeout: timeout, enforceOrder: enforceOrder, file: file, line: line)
      if wait.moveByHand() { return wait.judge(self) }
      return originalWait(expectations, timeout, enforceOrder, file, line)
    }

    @_silgen_name(
      "$s6XCTest9XCTWaiterC4wait3for7timeout12enforceOrder4file4lineAC6ResultOSayAA0A11ExpectationCG_SdSbs12StaticStringVSitFZ")
    nonisolated static func waitByHand(
      for expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool, file: StaticString, line: Int
    ) -> Result {
      XCTWaiter().waitByHand(for: expectations, timeout: timeout, enforceOrder: enforceOrder, file: file, line: line)
    }

    @_silgen_name(
      "$s6XCTest9XCTWaiterC11fulfillment2of7timeout12enforceOrder4file4lineAC6ResultOSayAA0A11ExpectationCG_SdSbs12StaticStringVSitYaF")
    nonisolated(nonsending) func waitInTurn(
      of expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool, file: StaticString, line: Int
    ) async -> Result {
      let wait = ExpectationWait(expectations: expectations, timeout: timeout, enforceOrder: enforceOrder, file: file, line: line)
      guard wait.isVirtual, let executor = VirtualExecutor.current else {
        let original = unsafe unsafeBitCast(original(Self.fulfillmentName, self), to: WaiterFulfillment.self)
        return await original.function(expectations, timeout, enforceOrder, file, line)
      }
      await wait.rest(executor)
      return wait.judge(self)
    }

    @_silgen_name(
      "$s6XCTest9XCTWaiterC11fulfillment2of7timeout12enforceOrder4file4lineAC6ResultOSayAA0A11ExpectationCG_SdSbs12StaticStringVSitYaFZ")
    nonisolated(nonsending) static func waitInTurn(
      of expectations: [XCTestExpectation], timeout: TimeInterval, enforceOrder: Bool, file: StaticString, line: Int
    ) async -> Result {
      await XCTWaiter().waitInTurn(of: expectations, timeout: timeout, enforceOrder: enforceOrder, file: file, line: line)
    }

    private static let waitName =
      "$s6XCTest9XCTWaiterC4wait3for7timeout12enforceOrder4file4lineAC6ResultOSayAA0A11ExpectationCG_SdSbs12StaticStringVSitF"
    private static let fulfillmentName =
      "$s6XCTest9XCTWaiterC11fulfillment2of7timeout12enforceOrder4file4lineAC6ResultOSayAA0A11ExpectationCG_SdSbs12StaticStringVSitYaFTu"

    fileprivate var originalWait: ([XCTestExpectation], TimeInterval, Bool, StaticString, Int) -> Result {
      unsafe unsafeBitCast(original(Self.waitName, self), to: WaiterWait.self).function
    }

    fileprivate static var replaced: [String] {
      [waitName, waitName + "Z", fulfillmentName, String(fulfillmentName.dropLast(2)) + "ZTu"]
    }
  }

  extension XCTNSPredicateExpectation {
    // XCTest would look at it in real time, on a run loop. In a simulation the wait does so.
    @_silgen_name("$s6XCTest25XCTNSPredicateExpectationC15didBeginWaitingyyF")
    nonisolated func beginToBeLookedAt() {
      if VirtualExecutor.current == nil { unsafe unsafeBitCast(original(Self.beginName, self), to: Begin.self).function() }
    }

    fileprivate static let beginName = "$s6XCTest25XCTNSPredicateExpectationC15didBeginWaitingyyF"

    fileprivate func look() {
      if ExpectationWait.isFulfilled(self) == false, predicate.evaluate(with: object), handler?() ?? true { fulfill() }
    }
  }

  /// Puts functions in the place of XCTest's in the table of a class.
  private func replace(_ names: [String], in type: AnyClass) {
    let table = unsafe unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
    // How many bytes it has, and how many of them are in front of its address (`ClassMetadata` in ABI/Metadata.h).
    let (size, offset) = unsafe (table.load(fromByteOffset: 32, as: UInt32.self), table.load(fromByteOffset: 36, as: UInt32.self))
    for name in names {
      guard let ours = unsafe dlsym(nil, name), let original = unsafe dlsym(next, name), unsafe ours != original else { continue }
      for place in stride(from: 0, to: Int(size) - Int(offset), by: MemoryLayout<UInt>.size) {
        if unsafe table.load(fromByteOffset: place, as: UnsafeMutableRawPointer?.self) == original {
          unsafe table.storeBytes(of: ours, toByteOffset: place, as: UnsafeMutableRawPointer.self)
        }
      }
    }
  }

  @section(".init_array") @used
  private let replaceInTables: @convention(c) () -> Void = {
    replace(XCTWaiter.replaced, in: XCTWaiter.self)
    replace([XCTNSPredicateExpectation.beginName], in: XCTNSPredicateExpectation.self)
  }

  /// What the dynamic linker calls the libraries behind this one.
  private var next: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: -1) }

  /// XCTest's own function with an object as its context: the two words of a closure.
  private func original(_ name: String, _ object: AnyObject) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer) {
    guard let function = unsafe dlsym(next, name) else { fatalError("XCTest has no function \(name)") }
    return unsafe (function, Unmanaged.passRetained(object).toOpaque())
  }

  // Functions of XCTest. A function of its own type, which no generic function has given another convention.

  private struct Fulfillment {
    var function: nonisolated(nonsending) ([XCTestExpectation], TimeInterval, Bool, StaticString, Int) async -> Void
  }

  private struct Wait {
    var function: ([XCTestExpectation], TimeInterval, Bool, StaticString, Int) -> Void
  }

  private struct WaiterWait {
    var function: ([XCTestExpectation], TimeInterval, Bool, StaticString, Int) -> XCTWaiter.Result
  }

  private struct WaiterFulfillment {
    var function: nonisolated(nonsending) ([XCTestExpectation], TimeInterval, Bool, StaticString, Int) async -> XCTWaiter.Result
  }

  private struct Begin {
    var function: () -> Void
  }

  private struct WaitForAll {
    var function: (TimeInterval, StaticString, Int, (((any Error)?) -> Void)?) -> Void
  }

  /// A wait for expectations.
  private struct ExpectationWait: @unchecked Sendable {
    let expectations: [XCTestExpectation]
    let timeout: TimeInterval
    let enforceOrder: Bool
    let file: StaticString
    let line: Int

    /// Whether it can be seen when they are fulfilled.
    var isVirtual: Bool { expectations.allSatisfy { Self.isFulfilled($0) != nil } }

    /// Looks at predicates, and whether more time changes nothing: all are fulfilled, or one that must not be.
    private var isOver: Bool {
      for expectation in expectations { (expectation as? XCTNSPredicateExpectation)?.look() }
      let inverted = expectations.filter(\.isInverted)
      if inverted.contains(where: { Self.isFulfilled($0) == true }) { return true }
      return inverted.isEmpty && expectations.allSatisfy { Self.isFulfilled($0) == true }
    }

    /// XCTest has no other way to ask, but to wait.
    static func isFulfilled(_ expectation: XCTestExpectation) -> Bool? { property("isFulfilled", of: expectation) as? Bool }

    /// A stored property of an object by its name, also of a class above its own.
    static func property(_ name: String, of object: Any) -> Any? {
      var mirror: Mirror? = Mirror(reflecting: object)
      while let one = mirror {
        if let child = one.children.first(where: { $0.label == name }) { return child.value }
        mirror = one.superclassMirror
      }
      return nil
    }

    /// How often it is looked at predicates, as XCTest does.
    private var step: Duration? { expectations.contains { $0 is XCTNSPredicateExpectation } ? .milliseconds(10) : nil }

    /// The timeout, which may be infinite: no simulation goes on for longer than this.
    private var limit: Duration { timeout > 0 ? .seconds(min(timeout, 1e12)) : .zero }

    /// Lets the time of a simulation go on until the wait is over.
    nonisolated(nonsending) func rest(_ executor: VirtualExecutor) async {
      await executor.rest(for: limit, step: step) { isOver }
    }

    /// Moves the time of a simulation by hand until the wait is over; false where there is none.
    func moveByHand() -> Bool {
      guard isVirtual, let executor = VirtualExecutor.current, executor.isMovedByHand else { return false }
      executor.move(for: limit, step: step) { isOver }
      return true
    }

    /// Lets a waiter say what it says of such a wait, whose time is over.
    func judge(_ waiter: XCTWaiter) -> XCTWaiter.Result {
      let before = waiter.delegate
      let delegate = before.map { Delegate(delegate: $0, timeout: timeout, file: file, line: line) }
      waiter.delegate = delegate
      defer { waiter.delegate = before }
      return withExtendedLifetime(delegate) { waiter.originalWait(expectations, 0, enforceOrder, file, line) }
    }

    /// Names the time that was waited in the simulation.
    private final class Delegate: XCTWaiterDelegate {
      private let delegate: any XCTWaiterDelegate
      private let timeout: TimeInterval
      private let file: StaticString
      private let line: Int

      init(delegate: any XCTWaiterDelegate, timeout: TimeInterval, file: StaticString, line: Int) {
        (self.delegate, self.timeout, self.file, self.line) = (delegate, timeout, file, line)
      }

      func waiter(_ waiter: XCTWaiter, didTimeoutWithUnfulfilledExpectations unfulfilled: [XCTestExpectation]) {
        guard let test = delegate as? XCTestCase else {
          return delegate.waiter(waiter, didTimeoutWithUnfulfilledExpectations: unfulfilled)
        }
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
        delegate.waiter(waiter, fulfillmentDidViolateOrderingConstraintsFor: expectation, requiredExpectation: requiredExpectation)
      }

      func waiter(_ waiter: XCTWaiter, didFulfillInvertedExpectation expectation: XCTestExpectation) {
        delegate.waiter(waiter, didFulfillInvertedExpectation: expectation)
      }

      func nestedWaiter(_ waiter: XCTWaiter, wasInterruptedByTimedOutWaiter timedOut: XCTWaiter) {
        delegate.nestedWaiter(waiter, wasInterruptedByTimedOutWaiter: timedOut)
      }
    }
  }
#endif
