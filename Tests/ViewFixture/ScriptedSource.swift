import Simulator
package import WiFi

/// A source whose scans a test gives, one by one.
///
///     let source = ScriptedSource(clock: simulation.clock)
///     let model = RoamingModel(source: source)
///     simulation.task("follows") { await model.follow() }
///     source.hear([cafe.bss(signalDBm: -50)])
///     await simulation.settle()
///
/// A scan that is given before it is waited for is kept. The time since boot is that of `clock` since the source was
/// made.
package final class ScriptedSource: NetworkSource {
  private let scans = Mailbox<Result<Scan, any Error>>()
  private let elapsed: () -> Duration
  /// How many scans were taken.
  package private(set) var takenCount = 0

  /// Makes a source that has heard nothing yet.
  package init<Time: Clock>(clock: Time) where Time.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// The time of the source's clock, as time since boot.
  package var bootTime: Duration { elapsed() }

  /// Gives a complete scan that has just heard these.
  package func hear(_ bss: [BSS], completion: Scan.Completion = .complete) { give(.hearing(bss, at: bootTime, completion: completion)) }

  /// Gives a scan.
  package func give(_ scan: Scan) { scans.put(.success(scan)) }

  /// Lets the next wait for a scan fail.
  package func fail(_ error: any Error) { scans.put(.failure(error)) }

  /// There are no more scans.
  public func end() { scans.end() }

  /// Waits for the next scan; `nil` after ``end()``, or where the task is cancelled.
  public nonisolated(nonsending) func nextScan() async throws -> Scan? {
    guard let scan = await scans.take() else { return nil }
    takenCount += 1
    return try scan.get()
  }
}

/// A joiner whose answers a test gives.
///
///     let joiner = ScriptedJoiner()
///     model.joinButtonTapped()
///     await simulation.settle()
///     #expect(joiner.attempts.map(\.password) == ["nope"])
///     joiner.answer(.failure(.wrongPassword))
///
/// An answer that is given before the attempt is kept for it.
package final class ScriptedJoiner: NetworkJoiner {
  /// A join was requested.
  package struct Attempt: Hashable, Sendable {
    /// The network.
    package var network: NetworkID
    /// The password, where one was given.
    package var password: String?
  }

  private let answers = Mailbox<Result<Void, JoinError>>()
  /// All attempts so far, in order; a cancelled one is among them.
  package private(set) var attempts: [Attempt] = []
  /// How many attempts wait for their answers.
  package private(set) var waitingCount = 0

  /// Makes a joiner that has not been asked.
  package init() {}

  /// Answers the earliest attempt that waits, or the next.
  package func answer(_ result: Result<Void, JoinError>) { answers.put(result) }

  /// Waits for an answer of the test; `JoinError.cancelled` where the task is cancelled first.
  public nonisolated(nonsending) func join(_ network: Network, password: String?) async throws(JoinError) {
    attempts.append(Attempt(network: network.id, password: password))
    waitingCount += 1
    defer { waitingCount -= 1 }
    guard let answer = await answers.take() else { throw .cancelled }
    try answer.get()
  }
}

/// Values that one side gives and another waits for, in order.
final class Mailbox<Value> {
  private var values: [Value] = []
  private var waiters: [(number: Int, wake: AsyncStream<Void>.Continuation)] = []
  private var count = 0
  private var isEnded = false

  func put(_ value: Value) {
    values.append(value)
    wakeFirst()
  }

  func end() {
    isEnded = true
    for waiter in waiters { waiter.wake.finish() }
    waiters = []
  }

  /// The first value that has not been taken; `nil` where there will be none, or the task is cancelled.
  nonisolated(nonsending) func take() async -> Value? {
    while true {
      if Task.isCancelled { return nil }
      // Those who waited before go first.
      if waiters.isEmpty, !values.isEmpty { return values.removeFirst() }
      if isEnded { return values.isEmpty ? nil : values.removeFirst() }
      let (stream, wake) = AsyncStream<Void>.makeStream()
      count += 1
      let number = count
      waiters.append((number, wake))
      for await _ in stream { break }
      if let index = waiters.firstIndex(where: { $0.number == number }) {
        waiters.remove(at: index)
      } else if !Task.isCancelled, !values.isEmpty {
        return values.removeFirst()
      } else if !values.isEmpty {
        // A cancelled one was woken: the next has its value.
        wakeFirst()
      }
    }
  }

  private func wakeFirst() {
    guard !waiters.isEmpty else { return }
    waiters.removeFirst().wake.yield()
  }
}
