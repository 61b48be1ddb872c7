import Determinism
import DeterminismTesting
import Foundation
import Synchronization
import XCTest

/// The waits of XCTest, in simulations and outside.
final class ExpectationTests: XCTestCase {
  /// What a wait recorded that was to fail.
  private let recorded = Mutex<[String]?>(nil)

  /// What is recorded meanwhile, which then is no failure.
  private func failures(of body: () async throws -> Void) async throws -> [String] {
    recorded.withLock { $0 = [] }
    try await body()
    return recorded.withLock { recorded in
      defer { recorded = nil }
      return recorded ?? []
    }
  }

  override func recordFailure(withDescription description: String, inFile file: String, atLine line: Int, expected: Bool) {
    let isToFail = recorded.withLock { recorded in
      recorded?.append(description)
      return recorded != nil
    }
    if !isToFail {
      super.recordFailure(withDescription: description, inFile: file, atLine: line, expected: expected)
    }
  }

  /// Test cases are not sendable, and this one is used by one run at a time.
  private struct Case: @unchecked Sendable {
    let test: ExpectationTests
  }

  /// How long, in virtual time, a wait for an expectation takes that is fulfilled after a while.
  private func wait(
    fulfilledAfter delay: Duration?, timeout: TimeInterval, isInverted: Bool = false, isFirst: Bool = true
  ) async throws -> TimeInterval {
    let test = Case(test: self)
    return try await simulate(seed: 7) { @MainActor _ in
      let expectation = XCTestExpectation(description: "the answer")
      let later = XCTestExpectation(description: "what comes later")
      expectation.isInverted = isInverted
      let task = Task {
        guard let delay else { return }
        try await Task.sleep(for: delay)
        for one in isFirst ? [expectation, later] : [later, expectation] { one.fulfill() }
      }
      let begin = Date()
      await test.test.fulfillment(of: isInverted ? [expectation] : [expectation, later], timeout: timeout, enforceOrder: true)
      let end = Date()
      task.cancel()
      return end.timeIntervalSince(begin)
    }
  }

  func testAnExpectationIsWaitedForInVirtualTime() async throws {
    let time = try await wait(fulfilledAfter: .seconds(3600), timeout: 7200)
    XCTAssertEqual(time, 3600)
  }

  func testAnExpectationMayBeWaitedForWithoutEnd() async throws {
    for timeout in [.infinity, .greatestFiniteMagnitude] as [TimeInterval] {
      let time = try await wait(fulfilledAfter: .seconds(3600), timeout: timeout)
      XCTAssertEqual(time, 3600)
    }
  }

  private func waitByHand() -> Int {
    let expectation = XCTestExpectation(description: "nothing")
    expectation.isInverted = true
    wait(for: [expectation], timeout: 0.01)
    return #line - 1
  }

  func testAWaitByHandInATaskIsReportedByItsLine() async throws {
    let test = Case(test: self)
    let line = Mutex(0)
    do {
      try await simulate(seed: 7) { @MainActor _ in
        let waited = test.test.waitByHand()
        line.withLock { $0 = waited }
      }
      XCTFail("it was not reported")
    } catch let failure as SimulationFailure {
      guard case .escaped(let escapes) = failure.reason else { return XCTFail("\(failure)") }
      XCTAssertEqual(escapes.map(\.place), line.withLock { ["ExpectationTests.swift:\($0)"] }, "\(escapes)")
    }
  }

  func testATimeoutIsVirtual() async throws {
    let failures = try await failures {
      let time = try await wait(fulfilledAfter: .seconds(20), timeout: 5)
      XCTAssertEqual(time, 5)
    }
    XCTAssertEqual(
      failures,
      [
        "Asynchronous wait failed - Exceeded timeout of 5.0 seconds of virtual time, with unfulfilled expectations: "
          + "the answer, what comes later"
      ])
  }

  func testAnInvertedExpectationIsWaitedForToTheEnd() async throws {
    let time = try await wait(fulfilledAfter: nil, timeout: 5, isInverted: true)
    XCTAssertEqual(time, 5)
  }

  func testAnInvertedExpectationThatIsFulfilledFails() async throws {
    let failures = try await failures {
      let time = try await wait(fulfilledAfter: .seconds(1), timeout: 5, isInverted: true)
      XCTAssertEqual(time, 1)
    }
    XCTAssertEqual(failures, ["Asynchronous wait failed - Fulfilled inverted expectation 'the answer'"])
  }

  func testTheOrderOfExpectationsIsXCTests() async throws {
    let failures = try await failures { _ = try await wait(fulfilledAfter: .seconds(1), timeout: 5, isFirst: false) }
    XCTAssertEqual(failures.count, 1)
    XCTAssert(failures.first?.contains("requires 'the answer', actually fulfilled 'what comes later'") == true, "\(failures)")
  }

  @MainActor func testASynchronousWaitMovesTheTime() throws {
    try withSimulation(seed: 7) { _ in
      let expectation = self.expectation(description: "the answer")
      Task {
        try await Task.sleep(for: .seconds(3600))
        expectation.fulfill()
      }
      let begin = Date()
      wait(for: [expectation], timeout: 7200)
      XCTAssertEqual(Date().timeIntervalSince(begin), 3600)
    }
  }

  /// Fulfills an expectation after an hour of a simulation by hand, and returns how long `wait` takes.
  private func byHand(_ wait: (XCTestExpectation) -> Void) throws -> TimeInterval {
    try withSimulation(seed: 7) { _ in
      let expectation = self.expectation(description: "the answer")
      let task = Task {
        try await Task.sleep(for: .seconds(3600))
        expectation.fulfill()
      }
      let begin = Date()
      wait(expectation)
      let end = Date()
      task.cancel()
      return end.timeIntervalSince(begin)
    }
  }

  private static let notification = Notification.Name("of a simulation")

  func testAWaiterWaitsInVirtualTime() throws {
    XCTAssertEqual(try byHand { XCTAssertEqual(XCTWaiter().wait(for: [$0], timeout: 7200), .completed) }, 3600)
    XCTAssertEqual(try byHand { XCTAssertEqual(XCTWaiter.wait(for: [$0], timeout: 7200), .completed) }, 3600)
    XCTAssertEqual(try byHand { XCTAssertEqual(XCTWaiter().wait(for: [$0], timeout: 5), .timedOut) }, 5)
  }

  func testAWaiterNamesTheVirtualTimeToItsTestCase() async throws {
    let failures = try await failures {
      XCTAssertEqual(try byHand { XCTAssertEqual(XCTWaiter(delegate: self).wait(for: [$0], timeout: 5), .timedOut) }, 5)
    }
    let sentence = "Asynchronous wait failed - Exceeded timeout of 5.0 seconds of virtual time, with unfulfilled expectations: the answer"
    XCTAssertEqual(failures, [sentence])
  }

  /// Waits for all expectations of the test; whether that is an error.
  private func waitForAll(_ timeout: TimeInterval) -> Bool? {
    let test = Case(test: self)
    return MainActor.assumeIsolated {
      let isError = Mutex<Bool?>(nil)
      test.test.waitForExpectations(timeout: timeout) { error in isError.withLock { $0 = error != nil } }
      return isError.withLock(\.self)
    }
  }

  func testAllExpectationsAreWaitedForInVirtualTime() throws {
    for _ in 0..<2 { XCTAssertEqual(try byHand { _ in XCTAssertEqual(waitForAll(7200), false) }, 3600) }
  }

  func testAllExpectationsTimeOutInVirtualTime() async throws {
    let failures = try await failures {
      XCTAssertEqual(try byHand { _ in XCTAssertEqual(waitForAll(5), true) }, 5)
    }
    XCTAssertEqual(failures.count, 1)
  }

  func testANotificationIsWaitedForInVirtualTime() throws {
    let time = try withSimulation(seed: 7) { _ in
      let expectation = expectation(forNotification: Self.notification, object: nil)
      let task = Task {
        try await Task.sleep(for: .seconds(3600))
        NotificationCenter.default.post(name: Self.notification, object: nil)
      }
      let begin = Date()
      wait(for: [expectation], timeout: 7200)
      let end = Date()
      task.cancel()
      return end.timeIntervalSince(begin)
    }
    XCTAssertEqual(time, 3600)
  }

  /// Fulfills an expectation after an hour, and returns how long an asynchronous `wait` takes.
  private func inBody(_ wait: @escaping @Sendable (Case, XCTestExpectation) async -> XCTWaiter.Result) async throws -> [String] {
    let test = Case(test: self)
    return try await simulate(seed: 7) { @MainActor _ in
      let expectation = XCTestExpectation(description: "the answer")
      let task = Task {
        try await Task.sleep(for: .seconds(3600))
        expectation.fulfill()
      }
      let begin = Date()
      let result = await wait(test, expectation)
      let end = Date()
      task.cancel()
      return ["\(result)", "\(end.timeIntervalSince(begin))"]
    }
  }

  func testAWaiterWaitsInVirtualTimeInABody() async throws {
    let own = try await inBody { await XCTWaiter().fulfillment(of: [$1], timeout: 7200) }
    XCTAssertEqual(own, ["completed", "3600.0"])
    let any = try await inBody { await XCTWaiter.fulfillment(of: [$1], timeout: 7200) }
    XCTAssertEqual(any, ["completed", "3600.0"])
    let late = try await inBody { await XCTWaiter().fulfillment(of: [$1], timeout: 5) }
    XCTAssertEqual(late, ["timedOut", "5.0"])
    let failures = try await failures {
      let late = try await inBody { await XCTWaiter(delegate: $0.test).fulfillment(of: [$1], timeout: 5) }
      XCTAssertEqual(late, ["timedOut", "5.0"])
    }
    XCTAssertEqual(failures.count, 1)
    XCTAssert(failures.first?.contains("5.0 seconds of virtual time") == true, "\(failures)")
  }

  /// What is looked at until it is so.
  private final class Answer: Sendable {
    let isThere = Atomic(false)
    let looks = Atomic(0)
    var predicate: NSPredicate {
      NSPredicate { [self] _, _ in
        looks.add(1, ordering: .relaxed)
        return isThere.load(ordering: .relaxed)
      }
    }
    func come(after delay: Duration) -> Task<Void, any Error> {
      Task {
        try await Task.sleep(for: delay)
        isThere.store(true, ordering: .relaxed)
      }
    }
  }

  func testAPredicateIsLookedAtInVirtualTime() async throws {
    let test = Case(test: self)
    let time = try await simulate(seed: 7) { @MainActor _ in
      let answer = Answer()
      let task = answer.come(after: .milliseconds(1005))
      let expectations = [
        test.test.expectation(for: answer.predicate, evaluatedWith: nil),
        XCTNSPredicateExpectation(predicate: NSPredicate { _, _ in Date().timeIntervalSince1970 >= 1_767_225_602 }, object: nil),
      ]
      let begin = Date()
      await test.test.fulfillment(of: expectations, timeout: 10)
      let end = Date()
      try await task.value
      // Looked at no more, once it is fulfilled.
      let looks = answer.looks.load(ordering: .relaxed)
      try await Task.sleep(for: .seconds(60))
      XCTAssertEqual(answer.looks.load(ordering: .relaxed), looks)
      return end.timeIntervalSince(begin)
    }
    // Looked at when the answer came, and each ten milliseconds from then on.
    XCTAssertEqual(time, 2.005, accuracy: 0.000_001)
  }

  func testAPredicateThatDoesNotHoldTimesOutInVirtualTime() async throws {
    let test = Case(test: self)
    let failures = try await failures {
      let time = try await simulate(seed: 7) { @MainActor _ in
        let expectation = test.test.expectation(for: Answer().predicate, evaluatedWith: nil)
        let begin = Date()
        await test.test.fulfillment(of: [expectation], timeout: 10)
        return Date().timeIntervalSince(begin)
      }
      XCTAssertEqual(time, 10)
    }
    XCTAssertEqual(failures.count, 1)
  }

  func testAPredicateIsLookedAtByHand() throws {
    for isTested in [false, true] {
      let time = try withSimulation(seed: 7) { _ in
        let answer = Answer()
        let task = answer.come(after: .seconds(1))
        // An expectation is fulfilled where its handler agrees, too.
        let begin = Date()
        let expectation = expectation(for: answer.predicate, evaluatedWith: nil) { Date().timeIntervalSince1970 >= 1_767_225_603 }
        if isTested { wait(for: [expectation], timeout: 10) } else { XCTAssertEqual(waitForAll(10), false) }
        let end = Date()
        task.cancel()
        return end.timeIntervalSince(begin)
      }
      XCTAssertEqual(time, 3)
    }
  }

  func testOutsideOfSimulationsAPredicateIsLookedAtInRealTime() {
    let answer = Answer()
    _ = answer.come(after: .milliseconds(10))
    wait(for: [expectation(for: answer.predicate, evaluatedWith: nil)], timeout: 60)
  }

  func testOutsideOfSimulationsTheWaitsAreReal() async {
    let expectation = expectation(description: "the answer")
    Task {
      try await Task.sleep(for: .milliseconds(10))
      expectation.fulfill()
    }
    await fulfillment(of: [expectation], timeout: 60)
    let result = await XCTWaiter().fulfillment(of: [XCTestExpectation(description: "none")], timeout: 0.01)
    XCTAssertEqual(result, .timedOut)
  }

  func testOutsideOfSimulationsASynchronousWaitIsReal() {
    let expectation = expectation(description: "the answer")
    Task {
      try await Task.sleep(for: .milliseconds(10))
      expectation.fulfill()
    }
    wait(for: [expectation], timeout: 60)
  }
}
