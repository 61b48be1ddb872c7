import Dispatch
import Flaky
import Testing

@Suite struct FlakyTests {
  @Test func waits() async throws {
    for _ in 0..<5 { try await Task.sleep(for: .milliseconds(100)) }
  }

  @Test("first come, first served") func order() async throws {
    let stock = Stock(2)
    let first = Task {
      try await Task.sleep(for: .milliseconds(100))
      await stock.take(for: "a")
    }
    // At the same moment as the first, and as a rule a little later.
    for _ in 0..<10 { try await Task.sleep(for: .milliseconds(10)) }
    await stock.take(for: "b")
    try await first.value
    #expect(await stock.buyers == ["a", "b"])
  }

  @Test(arguments: [1, 2]) func counts(number: Int) async {
    let stock = Stock(number)
    await stock.take(for: "a")
    #expect(await stock.count == number - 1)
  }

  @Test func sharedState() async {
    #expect(await Cache.shared.add("key") == 1)
  }

  @Test func queue() async {
    await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
  }

  @Test func spins() async {
    let end = ContinuousClock.now.advanced(by: .milliseconds(20))
    while ContinuousClock.now < end { await Task.yield() }
  }

  @Test func traps() async {
    let began = ContinuousClock.now
    let stock = Stock(100)
    for number in 0..<100 { await stock.take(for: "\(number)") }
    precondition(began < .now, "work takes time")
  }

  @Test func broken() { #expect([1, 2, 3].count == 4) }
}

@Test func clock() async throws {
  let began = ContinuousClock.now
  let stock = Stock(100)
  for number in 0..<100 { await stock.take(for: "\(number)") }
  // Work takes time outside, and none in a simulation.
  #expect(began.duration(to: .now) > .zero)
}
