import Dispatch
import Flaky
import XCTest

final class FlakyXCTests: XCTestCase {
  private var values: AsyncStream<Int>?
  private var started: ContinuousClock.Instant?

  override func setUp() async throws {
    started = .now
    try await Task.sleep(nanoseconds: 10_000_000)
  }

  override func setUpWithError() throws {
    values = AsyncStream { values in
      Task {
        try await Task.sleep(nanoseconds: 10_000_000)
        values.yield(1)
        values.finish()
      }
    }
  }

  /// What the set-up starts goes on in the simulation of the test.
  func testIsSetUpInside() async throws {
    var all: [Int] = []
    for await value in try XCTUnwrap(values) { all.append(value) }
    XCTAssertEqual(all, [1])
    XCTAssertGreaterThanOrEqual(ContinuousClock.now, try XCTUnwrap(started).advanced(by: .milliseconds(20)))
    addTeardownBlock { [started] in XCTAssertNotNil(started) }
  }

  func testIsFulfilled() {
    let expectation = expectation(description: "after a second")
    Task {
      try await Task.sleep(nanoseconds: 100_000_000)
      expectation.fulfill()
    }
    wait(for: [expectation], timeout: 10)
  }

  func testIsFulfilledLater() async {
    let expectation = expectation(description: "later")
    Task {
      try await Task.sleep(nanoseconds: 100_000_000)
      expectation.fulfill()
    }
    await fulfillment(of: [expectation], timeout: 10)
  }

  @MainActor func testOrder() async throws {
    var order: [Int] = []
    let first = Task { @MainActor in
      try await Task.sleep(nanoseconds: 100_000_000)
      order.append(1)
    }
    for _ in 0..<10 { try await Task.sleep(nanoseconds: 10_000_000) }
    order.append(2)
    try await first.value
    XCTAssertEqual(order, [1, 2])
  }

  func testBlocks() {
    let semaphore = DispatchSemaphore(value: 0)
    Task { semaphore.signal() }
    semaphore.wait()
  }

  func testIsSkipped() throws { throw XCTSkip("not here") }

  func testThrows() async throws {
    struct Wrong: Error {}
    throw Wrong()
  }
}
