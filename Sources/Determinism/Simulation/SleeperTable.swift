import Synchronization

/// The time of a clock and the tasks that sleep on it.
///
/// Apart from the clock, so that the executor of a simulation can have it too without the two holding each other.
final class SleeperTable: Sendable {
  let heap = Mutex(SleeperHeap())

  var now: Duration { heap.withLock { $0.now } }
  var nextDeadline: Duration? { heap.withLock { $0.nextDeadline } }

  /// The sleepers, in the order in which they will wake.
  var sleepers: [VirtualClock.Sleeper] { heap.withLock { $0.all }.map { VirtualClock.Sleeper($0) } }

  /// The same for a report; called on the thread on which they run.
  var reportedSleepers: [VirtualClock.Sleeper] { heap.withLock { $0.all }.map { VirtualClock.Sleeper(reported: $0) } }

  /// The tasks that were started by a simulation and sleep.
  var tasks: Set<ObjectIdentifier> { Set(heap.withLock { $0.all }.compactMap(\.who.task).map(ObjectIdentifier.init)) }

  /// Sets the time to the earliest deadline, and adds all that sleep until then to `woken`, in the order of
  /// registration.
  ///
  /// They are to be woken without the lock of the clock: that takes a lock of the task, and what cancels the task holds
  /// that one first and this one then.
  func step(_ woken: inout [SleeperHeap.Waiter]) {
    heap.withLock { $0.takeEarliest(&woken) }
  }

  /// Sets the time, unless it is before the one now or a task wakes before then; whether it is set.
  ///
  /// A task outside may begin to sleep at any moment, so that is no mistake of what moves the time.
  @discardableResult
  func advance(to time: Duration) -> Bool {
    heap.withLock { heap in
      guard time >= heap.now, time <= heap.nextDeadline ?? time else { return false }
      heap.now = time
      return true
    }
  }

  /// Cancels the tasks that sleep now.
  func cancelTasks() {
    // Cancelling takes the lock of the clock.
    for (who, _) in heap.withLock({ $0.all }) { who.cancel() }
  }
}

extension Duration {
  /// The sum, or the longest duration there is.
  func adding(_ other: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    return overflow ? Duration(attoseconds: other < .zero ? .min : .max) : Duration(attoseconds: sum)
  }
}
