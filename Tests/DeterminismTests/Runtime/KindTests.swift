import Determinism
import Dispatch
import Foundation
import Synchronization
import Testing

/// What programs ask the system for, by kind: what a run gives, and what is reported.
@Suite(.serialized) struct KindTests {
  // MARK: Elsewhere

  /// A thread that was there before the runs, and works for them.
  private final class Worker: Sendable {
    static let shared = Worker()
    private let work = Mutex<[@Sendable () -> Void]>([])
    private let condition = NSCondition()

    private init() {
      Thread.detachNewThread { [self] in
        while true {
          condition.lock()
          while work.withLock({ $0.isEmpty }) { condition.wait() }
          let next = work.withLock { $0.removeFirst() }
          condition.unlock()
          next()
        }
      }
    }

    func give(_ next: @escaping @Sendable () -> Void) {
      condition.lock()
      work.withLock { $0.append(next) }
      condition.signal()
      condition.unlock()
    }
  }

  private struct Resuming: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var wait: @Sendable (Worker) async throws -> Void
  }

  private actor Waiter {
    func wait(_ worker: Worker) async { await withCheckedContinuation { next in worker.give { next.resume() } } }
  }

  private static let resuming: [Resuming] = [
    Resuming(testDescription: "checked") { worker in await withCheckedContinuation { next in worker.give { next.resume() } } },
    Resuming(testDescription: "checked, with an error") { worker in
      try? await withCheckedThrowingContinuation { next in worker.give { next.resume(throwing: CancellationError()) } }
    },
    Resuming(testDescription: "unsafe") { worker in
      await unsafe withUnsafeContinuation { next in worker.give { unsafe next.resume() } }
    },
    Resuming(testDescription: "unsafe, throwing") { worker in
      try await unsafe withUnsafeThrowingContinuation { next in worker.give { unsafe next.resume() } }
    },
    Resuming(testDescription: "unsafe, with an error") { worker in
      try? await unsafe withUnsafeThrowingContinuation { next in worker.give { unsafe next.resume(throwing: CancellationError()) } }
    },
    Resuming(testDescription: "in an actor") { worker in await Waiter().wait(worker) },
    Resuming(testDescription: "on the main actor") { worker in await { @MainActor in await Waiter().wait(worker) }() },
  ]

  @Test(arguments: resuming) private func `a thread from before the run that resumes a task is reported each time`(
    _ way: Resuming
  ) async {
    let worker = Worker.shared
    var count = 0
    for _ in 0..<200 {
      do { try await simulate(seed: 7) { _ in try await way.wait(worker) } } catch {
        if "\(error)".contains(" came back from another thread at 0 s") { count += 1 }
      }
    }
    #expect(count == 200)
  }

  @Test func `a task outside is resumed at once while runs go on`() async throws {
    let isOver = Atomic(false)
    let hasBegun = Atomic(false)
    async let runs: Void = {
      while !isOver.load(ordering: .acquiring) {
        try await simulate(seed: 7) { _ in
          hasBegun.store(true, ordering: .releasing)
          let waiter = SleepingActor()
          for _ in 0..<100 { await waiter.sleep() }
        }
      }
    }()
    while !hasBegun.load(ordering: .acquiring) { await Task.yield() }
    let start = ContinuousClock.now
    for _ in 0..<100 {
      await withCheckedContinuation { next in Worker.shared.give { next.resume() } }
      await withCheckedContinuation { $0.resume() }
      await unsafe withUnsafeContinuation { next in unsafe next.resume() }
      await withCheckedContinuation { next in _ = Task.immediate { next.resume() } }
    }
    // A single one that was waited for takes a second.
    #expect(start.duration(to: .now) < .seconds(60))
    isOver.store(true, ordering: .releasing)
    try await runs
  }

  private actor SleepingActor {
    func sleep() async { try? await Task.sleep(for: .seconds(1)) }
  }
}
