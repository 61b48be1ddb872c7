internal import Synchronization

/// Wakes one waiting task, once; a call before the wait lets the wait return at once.
final class Wake: Sendable {
  private enum State {
    case idle
    case fired
    case waiting(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.idle)

  /// Wakes the side that waits, or will wait.
  func fire() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .fired }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiter?.resume()
  }

  /// Waits for ``fire()``.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isFired = state.withLock { state in
        if case .fired = state { return true }
        state = .waiting(continuation)
        return false
      }
      if isFired { continuation.resume() }
    }
  }

  /// Waits for ``fire()``, until a time, or until the task is cancelled; one that was cancelled before waits, too.
  func wait(until time: Duration, _ clock: BootClock) async {
    let sleeper = clock.sleeper(until: time)
    guard !Task.isCancelled else {
      // A task of a group is cancelled, too, and cannot sleep; one of its own runs where this one does.
      let executor = unsafe withUnsafeCurrentTask { task in unsafe task?.unownedTaskExecutor?.asTaskExecutor() }
      let timer = Task(executorPreference: executor) {
        try? await sleeper()
        self.fire()
      }
      await wait()
      timer.cancel()
      return await timer.value
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await sleeper()
        self.fire()
      }
      await wait()
      group.cancelAll()
    }
  }
}
