import Synchronization

/// The time of a clock and those who sleep on it.
///
/// Apart from the clock, so that the executor of a simulation can have it too without the two holding each other.
final class SleeperTable: Sendable {
  let heap = Mutex(SleeperHeap())

  var now: Duration { heap.withLock { $0.now } }
  var nextDeadline: Duration? { heap.withLock { $0.nextDeadline } }

  /// Who sleeps, in the order in which they will wake.
  var sleepers: [VirtualClock.Sleeper] {
    heap.withLock { $0.all }.map { who, deadline in
      VirtualClock.Sleeper(task: who.name, origin: who.task?.origin, deadline: .init(offset: deadline))
    }
  }

  /// The tasks that were started by a simulation and sleep.
  var tasks: [SimulatedTask] { heap.withLock { $0.all }.compactMap(\.who.task) }

  /// Sets the time to the earliest deadline, and wakes all that sleep until then.
  func step() {
    // Resuming only enqueues a job, which takes no lock of the clock.
    heap.withLock { $0.takeEarliest { $0.resume() } }
  }

  /// Sets the time, which is not before the one now and not after the next deadline.
  func set(_ time: Duration) {
    heap.withLock { heap in
      precondition(
        time >= heap.now && time <= heap.nextDeadline ?? time,
        "VirtualClock: from \(heap.now) to \(time) past the deadline \(String(describing: heap.nextDeadline))")
      heap.now = time
    }
  }
}
