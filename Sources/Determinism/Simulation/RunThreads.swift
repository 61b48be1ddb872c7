import CDeterminism
import Synchronization

/// The threads that runs are drained on, and the turns of runs.
///
/// A run has its thread to itself, so that what it waits for elsewhere finds a thread of the pool, and so that one
/// whose job never returns can be given up. Runs begin in the order in which they were asked for; one that is exclusive
/// begins when no other goes on.
enum RunThreads {
  /// Something to run; whether its thread may be used again.
  typealias Work = @Sendable () -> Bool

  private struct Turn {
    var isExclusive: Bool
    /// On a thread of these, or where a caller waits.
    var place: Place

    enum Place {
      case thread(Work)
      case caller(Gate)
    }
  }

  private struct State {
    /// The turns that wait, by the number that each drew.
    private var queue: [Int: Turn] = [:]
    private var (first, last) = (0, 0)
    /// What may begin, for the next thread that is free.
    var ready: [(work: Work, isExclusive: Bool)] = []
    var idle: [Gate] = []
    /// Threads that run something and are not given up, or are about to.
    var busy = 0
    /// Runs that have begun and not ended.
    var runs = 0
    /// Whether one of them is exclusive: then it is the only one.
    var isExclusive = false

    /// Lets those begin whose turn it is; what is to be done for that without the lock.
    mutating func admit() -> [Step] {
      var steps: [Step] = []
      while let turn = queue[first], !isExclusive, !turn.isExclusive || runs == 0 {
        switch turn.place {
        case .caller(let gate): steps.append(.wake(gate))
        case .thread(let work):
          if busy >= limit { return steps }
          busy += 1
          ready.append((work, turn.isExclusive))
          steps.append(idle.popLast().map(Step.wake) ?? .start)
        }
        queue[first] = nil
        first += 1
        (runs, isExclusive) = (runs + 1, turn.isExclusive)
      }
      return steps
    }

    mutating func wait(for turn: Turn) {
      queue[last] = turn
      last += 1
    }

    mutating func end(_ wasExclusive: Bool) {
      runs -= 1
      if wasExclusive { isExclusive = false }
    }
  }

  private static let state = Mutex(State())
  /// The most runs at once: enough that all processors are busy, and few enough that other threads get time.
  private static let limit = max(4, Int(determinism_processor_count()))

  private static func change(_ body: (inout sending State) -> Void) {
    let steps = state.withLock { state in
      body(&state)
      return state.admit()
    }
    for step in steps { perform(step) }
  }

  /// Runs `work` on a thread of its own, now or when another run has ended.
  static func run(isExclusive: Bool, _ work: @escaping Work) {
    change { $0.wait(for: Turn(isExclusive: isExclusive, place: .thread(work))) }
  }

  /// Blocks the caller until it is the turn of a run on its own thread.
  static func begin(isExclusive: Bool) {
    let gate = Gate()
    change { $0.wait(for: Turn(isExclusive: isExclusive, place: .caller(gate))) }
    gate.wait()
  }

  /// Ends a run that was begun so.
  static func end(isExclusive: Bool) { change { $0.end(isExclusive) } }

  /// Counts a thread no more, whose work will not return.
  static func giveUp(isExclusive: Bool) {
    change {
      $0.busy -= 1
      $0.end(isExclusive)
    }
  }

  /// Waits in real time on a thread of a run, which counts as none meanwhile.
  static func waiting<Result>(_ wait: () -> Result) -> Result {
    change { $0.busy -= 1 }
    defer { state.withLock { $0.busy += 1 } }
    return wait()
  }

  private enum Step {
    case wake(Gate)
    case start
  }

  private static func perform(_ step: Step) {
    switch step {
    case .wake(let gate): gate.open()
    case .start:
      let gate = unsafe Unmanaged.passRetained(Gate()).toOpaque()
      let isStarted = unsafe determinism_start_thread(
        { gate in if let gate = unsafe gate { unsafe RunThreads.serve(Unmanaged<Gate>.fromOpaque(gate).takeRetainedValue()) } },
        gate)
      if !isStarted { fatalError("no thread can be started to run a simulation on") }
    }
  }

  /// What a thread does: all that may begin, then it waits a few seconds for more.
  private static func serve(_ gate: Gate) {
    while true {
      if let next = state.withLock({ $0.ready.isEmpty ? nil : $0.ready.removeFirst() }) {
        if !next.work() { return }
        change {
          $0.busy -= 1
          $0.end(next.isExclusive)
          $0.idle.append(gate)
        }
      } else {
        state.withLock { $0.idle.append(gate) }
      }
      if gate.wait(.seconds(5)) { continue }
      let isOver = state.withLock { state in
        guard let index = state.idle.firstIndex(where: { $0 === gate }) else { return false }
        state.idle.remove(at: index)
        return true
      }
      if isOver { return }
      // Taken at the last moment: the gate is open, or about to be.
      gate.wait()
    }
  }
}

/// Ends runs that take too long, or that no caller waits for any more.
///
/// One thread looks at all runs, twenty times a second, while there are any.
enum Watchdog {
  /// A run that is looked at.
  final class Entry: Sendable {
    let executor: VirtualExecutor
    /// Ends the wait for a run that does not end itself.
    let giveUp: @Sendable () -> Void
    fileprivate let state = Mutex(State())

    fileprivate struct State {
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

  static func remove(_ entry: Entry) {
    watched.withLock { watched in
      if let index = watched.entries.lastIndex(where: { $0 === entry }) { watched.entries.remove(at: index) }
    }
  }

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
        entry.executor.keepPlace()
        entry.executor.requestStop(.abandoned)
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
    let jobs = executor.observedProgress
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
      if state.stopSeen == nil { state.jobs = entry.executor.observedProgress }
      state.stopSeen = since
      // What is looked up for a report comes first.
      if determinism_is_naming() {
        state.stopSeen = now
        return false
      }
      guard now - since > grace else { return false }
      entry.executor.spins.store(entry.executor.observedProgress != state.jobs, ordering: .releasing)
      return true
    }
  }
}
