import CDeterminism
import Synchronization

/// Ends runs that take too long, or that no caller waits for any more.
///
/// One thread looks at all runs, twenty times a second, while there are any.
enum Watchdog {
  /// A run that is looked at.
  final class Entry: Sendable {
    let executor: VirtualExecutor
    /// Ends the wait for a run that does not end itself.
    let giveUp: @Sendable () -> Void
    let state = Mutex(State())

    struct State {
      /// When it was first looked at.
      var begin: Duration?
      /// When it was first seen that the run is to stop.
      var stopSeen: Duration?
      var jobs = 0
      /// The number of jobs when it was last seen to change, when that was, and how long its thread had computed.
      var progress = (jobs: -1, since: Duration.zero, computing: Duration.zero)
    }

    init(_ executor: VirtualExecutor, giveUp: @escaping @Sendable () -> Void) {
      self.executor = executor
      self.giveUp = giveUp
    }
  }

  private struct Watched {
    var entries: [Entry] = []
    var hasThread = false
    /// How long the watchdog has looked.
    ///
    /// What a process did not get, because it was stopped or others used all processors, is not held against its runs:
    /// a pause that takes longer than it should counts at most twice its length.
    var time = Duration.zero
  }

  private static let watched = Mutex(Watched())
  private static let gate = Gate()
  /// How long it waits between two looks.
  private static let pause = Duration.milliseconds(50)
  /// How long a run that is to stop may still go on.
  private static let grace = Duration.milliseconds(500)
  /// How long one job of a run that has failed already may take: as a rule it is blocked by what it was reported for.
  private static let patience = Duration.seconds(3)

  static func add(_ entry: Entry) {
    let needsThread = watched.withLock { watched in
      watched.entries.append(entry)
      defer { watched.hasThread = true }
      return !watched.hasThread
    }
    if needsThread, unsafe !determinism_start_thread({ _ in Watchdog.serve() }, nil) {
      watched.withLock { $0.hasThread = false }
    }
  }

  static func remove(_ entry: Entry) { watched.withLock { $0.entries.removeAll { $0 === entry } } }

  private static func serve() {
    var idle = 0
    while idle < 40 {
      let stopwatch = Stopwatch()
      gate.wait(pause)
      let (entries, time) = watched.withLock { watched in
        watched.time += min(stopwatch.elapsed, pause * 2)
        return (watched.entries, watched.time)
      }
      idle = entries.isEmpty ? idle + 1 : 0
      for entry in entries where look(at: entry, time) {
        remove(entry)
        entry.giveUp()
      }
      if idle == 40 {
        // The next entry that is added starts another thread.
        let isOver = watched.withLock { watched in
          guard watched.entries.isEmpty else { return false }
          watched.hasThread = false
          return true
        }
        if !isOver { idle = 0 }
      }
    }
  }

  /// Whether more can hardly be learned from the run: the job that runs has not returned for a while and a task has
  /// left, or it has computed for a fifteenth of the real time that the run may take.
  private static func isStuck(_ entry: Entry, _ now: Duration) -> Bool {
    let executor = entry.executor
    guard executor.limits.pace == .virtual, let limit = executor.limits.realTime else { return false }
    let jobs = executor.jobCount
    return entry.state.withLock { state in
      if state.progress.jobs != jobs { state.progress = (jobs, now, executor.observedComputing) }
      let time = now - state.progress.since
      if !executor.escapes.isEmpty { return time > patience }
      // A short run gets a larger share.
      let most = max(limit / 15, min(limit / 6, .seconds(4)))
      return time > most && executor.observedComputing - state.progress.computing > most
    }
  }

  /// Whether the run is to be given up.
  private static func look(at entry: Entry, _ time: Duration) -> Bool {
    let now = entry.state.withLock { state in
      let begin = state.begin ?? time
      state.begin = begin
      return time - begin
    }
    if let limit = entry.executor.limits.realTime, now > limit { entry.executor.requestStop(.realTimeLimit) }
    if isStuck(entry, now) { entry.executor.requestStop(.realTimeLimit) }
    guard entry.executor.stop != .none else { return false }
    return entry.state.withLock { state in
      let since = state.stopSeen ?? now
      if state.stopSeen == nil { state.jobs = entry.executor.jobCount }
      state.stopSeen = since
      // What is looked up for a report comes first.
      if determinism_is_naming() {
        state.stopSeen = now
        return false
      }
      guard now - since > grace else { return false }
      entry.executor.spins.store(entry.executor.jobCount != state.jobs, ordering: .releasing)
      return true
    }
  }
}
