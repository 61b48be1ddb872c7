import CRuntimeHooks
import Synchronization

/// Tasks of which it is known whether they have ended: by them the place is found where the runtime keeps that.
enum TaskLayoutProbe {
  /// Runs the tasks, on the thread of the caller, and lets the C side look at them.
  static func learn() {
    let jobs = ProbeJobs()
    let held = HeldContinuations()
    // The second of each is cancelled.
    let tasks = [waits(held, jobs), waits(held, jobs), ends(jobs), ends(jobs)]
    let roots = jobs.all
    for index in [1, 3] { tasks[index].cancel() }
    jobs.drain()
    let children = jobs.all.dropFirst(roots.count).filter { !roots.contains($0) }
    if roots.count == 4, roots.allSatisfy(\.isRoot), !children.isEmpty, children.allSatisfy({ !$0.isRoot }) {
      let pointers = unsafe roots.compactMap { unsafe UnsafeRawPointer(bitPattern: $0.address) }
      unsafe runtime_hooks_learn_tasks([pointers[0], pointers[1]], [pointers[2], pointers[3]])
      unsafe runtime_hooks_learn_names(pointers[0], name)
    }
    held.resume()
    jobs.drain()
  }

  /// The name of those that wait.
  private static let name = "the layout of tasks is found by this"

  private static func waits(_ held: HeldContinuations, _ jobs: ProbeJobs) -> Task<Void, Never> {
    Task.detached(name: name, executorPreference: jobs) {
      await withCheckedContinuation { next in
        unsafe withUnsafeCurrentTask { task in
          guard let task = unsafe task else { return }
          unsafe runtime_hooks_learn_continuation(
            unsafeBitCast(next, to: UnsafeRawPointer.self), unsafeBitCast(task, to: UnsafeRawPointer.self))
        }
        held.add(next)
      }
    }
  }

  private static func ends(_ jobs: ProbeJobs) -> Task<Void, Never> {
    Task.detached(executorPreference: jobs) {
      async let child: Void = nothing()
      await child
    }
  }

  private static func nothing() async {}
}

private final class HeldContinuations: Sendable {
  private let held = Mutex<[CheckedContinuation<Void, Never>]>([])
  func add(_ next: CheckedContinuation<Void, Never>) { held.withLock { $0.append(next) } }
  func resume() { for next in held.withLock({ $0 }) { next.resume() } }
}

/// Keeps jobs until it is drained.
private final class ProbeJobs: TaskExecutor {
  struct Job: Equatable {
    var address: UInt
    /// Looked at while it is there.
    var isRoot: Bool
  }

  private let state = Mutex<(waiting: [UnownedJob], all: [Job])>(([], []))

  /// All that came, the earliest first.
  var all: [Job] { state.withLock { $0.all } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let pointer = unsafe unsafeBitCast(job, to: UnsafeRawPointer.self)
    let isRoot = unsafe runtime_hooks_is_root(pointer)
    state.withLock { state in
      state.waiting.append(job)
      state.all.append(Job(address: UInt(bitPattern: pointer), isRoot: isRoot))
    }
  }

  func drain() {
    while let job = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
