import Synchronization

/// Runs every job of a simulation, one at a time, on whichever thread drains it.
///
/// It is a serial executor and a task executor in one, so that neither code that is isolated to the simulation's actor
/// nor code that is isolated to nobody leaves it. When nothing is runnable, time jumps to the next deadline: that
/// nothing is runnable is known, not guessed.
///
/// What comes from another thread is an escape: some task left, for a real sleep, a detached task or a thread, and
/// came back. It is let in, so that nothing hangs, and reported.
final class VirtualExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  // Touched by the thread that drains, or, while nobody does, by the one that owns the simulation.
  private var queue: JobQueue
  private var currentJob: UnownedJob?
  /// The job that ran last, made runnable again by itself: the same task goes on behind a hop.
  private var continuation: UnownedJob?
  private var drivers: [Driver] = []
  private var tasks: [SimulatedTask] = []
  /// Whether who is absent is waited for, in real time, before the time moves on.
  private var waitsForAbsent = false
  private(set) var jobCount = 0
  private var jobsAtInstant = 0
  /// The same without the jobs that merely go on behind a hop, of which there may be more in one build than in another.
  private var turnsAtInstant = 0
  private(set) var failure: SimulationFailure.Reason?
  let table = SleeperTable()
  /// Called when the time is about to move on: everything has come to rest.
  var onRest: (() -> Void)?
  /// Told of each job of a task that the simulation started, for who compares runs.
  var onTask: ((SimulatedTask) -> Void)?
  /// Told of each sleep that begins inside, with its deadline, for who compares runs.
  var onSleep: ((Duration) -> Void)?

  // Touched by any thread.
  /// The thread that drains; ``nobody`` before and after a run, ``parked`` while a run waits for who has left.
  private let drainingThread = Atomic<UInt>(nobody)
  private static let nobody: UInt = 0
  private static let parked: UInt = 1
  private let outside = Mutex(Outside())

  private struct Outside {
    var jobs: [UnownedJob] = []
    var escapes: [Escape] = []
  }

  /// Somebody inside who moves the time and waits until everything has come to rest.
  private struct Driver {
    /// The time to rest at, or `nil` for the time when nobody sleeps any more.
    var target: Duration?
    var suspension: Suspension
  }

  /// When a drain is over.
  enum Goal {
    /// When the task has ended.
    case end(of: SimulatedTask)
    /// When everything rests at this time.
    case time(Duration)
    /// When everything rests and nobody sleeps.
    case nobodySleeps
  }

  let limits: SimulationLimits

  init(_ scheduling: Scheduling, limits: SimulationLimits) {
    queue = JobQueue(scheduling)
    self.limits = limits
  }

  // MARK: Jobs

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = drainingThread.load(ordering: .acquiring)
    if thread == ThreadIdentity.current.value {
      // A task that hops, from one isolation to another, has not waited for anything. How often it does so is the
      // optimizer's choice, so it is nobody else's turn: a seed gives the same order of jobs in every build.
      if let currentJob, Self.isSame(job, currentJob) { continuation = job } else { queue.append(job) }
    } else if thread == Self.nobody || limits.pace == .real {
      outside.withLock { $0.jobs.append(job) }
    } else {
      // Time is read on a thread that does not own it, for the report only.
      let escape = Escape(task: Self.identity(job), deed: "came back from another thread", time: table.now)
      outside.withLock {
        $0.jobs.append(job)
        $0.escapes.append(escape)
      }
    }
  }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  func checkIsolated() {
    precondition(isCurrent, "VirtualExecutor: called from outside of the simulation")
  }

  /// Whether nothing but the task that runs now has run since the time moved, or could.
  var isAlone: Bool { turnsAtInstant <= 1 && queue.isEmpty }

  /// Whether the thread that runs now drains this executor.
  var isCurrent: Bool { drainingThread.load(ordering: .acquiring) == ThreadIdentity.current.value }

  /// Whether two jobs, neither of which has ended, are one; a task is its own job.
  private static func isSame(_ left: UnownedJob, _ right: UnownedJob) -> Bool {
    unsafe unsafeBitCast(left, to: UInt.self) == unsafeBitCast(right, to: UInt.self)
  }

  private static func identity(_ job: UnownedJob) -> String { job.taskID.map(String.init) ?? "" }

  /// Takes note of a use from outside while the simulation runs.
  func checkCaller(_ deed: String) {
    let thread = drainingThread.load(ordering: .acquiring)
    guard limits.pace == .virtual, thread != Self.nobody, thread != ThreadIdentity.current.value else { return }
    let name = Task.name ?? SimulatedTask.current?.name ?? "a task without a name"
    let escape = Escape(
      task: name, origin: SimulatedTask.current?.origin, deed: "\(deed) from another thread", time: table.now)
    outside.withLock { $0.escapes.append(escape) }
  }

  /// Tells who compares runs of a sleep that begins.
  func noteSleep(until deadline: Duration) {
    if isCurrent, let onSleep { onSleep(deadline) }
  }

  private func takeOutside() -> Bool {
    let jobs = outside.withLock { outside in
      defer { outside.jobs.removeAll() }
      return outside.jobs
    }
    for job in jobs { queue.append(job) }
    return !jobs.isEmpty
  }

  /// The tasks that left, by name.
  var escapes: [Escape] {
    outside.withLock { $0.escapes }.map { escape in
      guard escape.task.allSatisfy(\.isNumber) else { return escape }
      let task = UInt64(escape.task).flatMap(task)
      var named = escape
      named.task = task?.name ?? "task \(escape.task), which has no name,"
      named.origin = task?.origin
      return named
    }
  }

  // MARK: Tasks

  func started(_ task: SimulatedTask) {
    if tasks.count >= 64 { tasks.removeAll(where: \.isFinished) }
    tasks.append(task)
  }

  /// The task of the simulation whose job has this number.
  private func task(_ jobID: UInt64) -> SimulatedTask? { tasks.first { $0.jobID == jobID } }

  func begin(_ task: SimulatedTask) {
    task.begin(jobID: currentJob?.taskID)
    onTask?(task)
  }

  func threw(_ task: SimulatedTask, _ error: any Error) {
    if failure == nil { failure = .threw(task: task.name, error: "\(error)") }
  }

  var unfinished: [SimulatedTask] { tasks.filter { !$0.isFinished } }

  /// Who waits for what, a phrase each.
  var waiting: [String] {
    let asleep = table.tasks
    let others = unfinished.filter { task in !asleep.contains { $0 === task } }
    return table.sleepers.map(\.sentence)
      + others.map { "\($0.name) waits for something that is neither the clock nor runnable" + SimulatedTask.started($0.origin) }
  }

  // MARK: Time

  /// Lets time go on inside the simulation, and returns when everything rests at `target`.
  func rest(at target: Duration?) async {
    try? await Suspension.suspend { drivers.append(Driver(target: target, suspension: $0)) }
  }

  /// Waits until everything rests, and in real time for tasks that may have left: who neither sleeps nor is done.
  ///
  /// Costs ``SimulationLimits/escapeGrace`` where one waits for something else.
  func restWithAbsent() async {
    guard hasAbsent else { return }
    waitsForAbsent = true
    await rest(at: table.now)
    waitsForAbsent = false
  }

  private var hasAbsent: Bool {
    let asleep = table.tasks
    return unfinished.contains { task in task.name != SimulatedTask.bodyName && !asleep.contains { $0 === task } }
  }

  func advance(to time: Duration) { drain(.time(time)) }
  func run() { drain(.nobodySleeps) }

  /// What became of a drain.
  enum DrainResult {
    /// The goal is reached, or never will be.
    case over
    /// Nothing can go on but what has left, if anything has.
    case stalled
  }

  /// Runs jobs and moves time until the goal is reached, or can not be.
  ///
  /// - Parameter isLast: whether the owner may go on from outside afterwards; if not, what comes before the next drain has
  ///   left.
  @discardableResult
  func drain(_ goal: Goal, isLast: Bool = true) -> DrainResult {
    let me = ThreadIdentity.current.value
    let before = drainingThread.exchange(me, ordering: .acquiringAndReleasing)
    precondition(
      before == Self.nobody || before == Self.parked,
      before == me
        ? "Simulation: advance(by:) without await inside of the simulation; await it"
        : "Simulation: two threads move the time of one simulation")
    var result = DrainResult.over
    while failure == nil {
      runJobs()
      if failure != nil { break }
      if takeOutside() { continue }
      onRest?()
      guard let next = move(to: goal) else { continue }
      result = next
      break
    }
    drainingThread.store(result == .over && isLast ? Self.nobody : Self.parked, ordering: .releasing)
    return result
  }

  /// Drains until the goal is reached; where nothing can go on, waits a little, in real time, for who has left.
  ///
  /// It suspends while it waits, so that what has left finds a thread to run on.
  func drainAndWait(_ goal: Goal) async {
    if limits.pace == .real { return await drainInRealTime(goal) }
    var grace = limits.escapeGrace
    while drain(goal, isLast: false) == .stalled {
      let pause = Duration.milliseconds(1)
      while !hasOutsideJobs, grace > .zero {
        await sleepForReal(pause)
        grace -= pause
      }
      if !hasOutsideJobs, waitsForAbsent {
        waitsForAbsent = false
        grace = limits.escapeGrace
      } else if !hasOutsideJobs {
        failure = .stalled(waiting: waiting)
        drainingThread.store(Self.nobody, ordering: .releasing)
        return
      }
    }
  }

  /// Runs jobs as they come and lets time pass as it does.
  private func drainInRealTime(_ goal: Goal) async {
    let stopwatch = Stopwatch()
    while failure == nil {
      drainingThread.store(ThreadIdentity.current.value, ordering: .releasing)
      runJobs()
      while takeOutside() { runJobs() }
      onRest?()
      var isOver = false
      if case .end(let task) = goal, task.isFinished { isOver = true }
      let now = stopwatch.elapsed
      let event = nextEvent()
      let isDue = event.map { $0.time <= now } ?? false
      if let event, isDue { perform(event) } else { table.set(now) }
      drainingThread.store(isOver ? Self.nobody : Self.parked, ordering: .releasing)
      if isOver { return }
      if !isDue { await sleepForReal(min(event.map { $0.time - now } ?? .milliseconds(5), .milliseconds(5))) }
    }
    drainingThread.store(Self.nobody, ordering: .releasing)
  }

  private var hasOutsideJobs: Bool { outside.withLock { !$0.jobs.isEmpty } }

  private func runJobs() {
    let serial = unsafe asUnownedSerialExecutor()
    let tasks = unsafe asUnownedTaskExecutor()
    defer { currentJob = nil }
    while let job = continuation ?? queue.next() {
      if continuation == nil { turnsAtInstant += 1 }
      continuation = nil
      currentJob = job
      if let onTask, let task = job.taskID.flatMap(task) { onTask(task) }
      unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: tasks)
      jobCount += 1
      jobsAtInstant += 1
      if jobsAtInstant > limits.jobsPerInstant {
        let asleep = table.tasks
        let awake = unfinished.filter { task in !asleep.contains { $0 === task } }.map(\.name)
        failure = .neverSettles(jobs: jobsAtInstant, awake: awake)
        return
      }
    }
  }

  /// What happens next, everything being at rest.
  private enum Event {
    /// Those who sleep until then wake.
    case wake(Duration)
    /// A driver has come to its time.
    case serve(Int, at: Duration)

    var time: Duration {
      switch self {
      case .wake(let time), .serve(_, let time): time
      }
    }
  }

  /// The next event: deadlines before drivers at the same time, drivers in the order in which they began to wait.
  private func nextEvent() -> Event? {
    let deadline = table.nextDeadline
    var event = deadline.map(Event.wake)
    for index in drivers.indices {
      guard let target = drivers[index].target else {
        if event == nil { event = .serve(index, at: table.now) }
        continue
      }
      if let event, event.time <= target { continue }
      event = .serve(index, at: target)
    }
    return event
  }

  /// Moves the time once, everything being at rest, unless the drain ends here.
  private func move(to goal: Goal) -> DrainResult? {
    if case .end(let task) = goal, task.isFinished { return .over }
    if waitsForAbsent, hasAbsent { return .stalled }
    let event = nextEvent()
    switch goal {
    case .time(let target) where event.map { $0.time > target } ?? true:
      table.set(target)
      return .over
    case .nobodySleeps where event == nil: return .over
    default: break
    }
    guard let event else { return .stalled }
    if event.time > limits.time {
      failure = .timeLimit(limits.time, waiting: waiting)
      return .over
    }
    perform(event)
    return nil
  }

  private func perform(_ event: Event) {
    if event.time > table.now { (jobsAtInstant, turnsAtInstant) = (0, 0) }
    switch event {
    case .wake: table.step()
    case .serve(let index, let time):
      // In real time it may be later already.
      table.set(max(time, table.now))
      drivers.remove(at: index).suspension.resume()
    }
  }
}

extension VirtualExecutor {
  /// The end of a run: what remains is cancelled and comes to rest.
  ///
  /// - Parameter isHeld: whether somebody still holds the simulation; if so, that may be a task which has left, and
  ///   which is given a little real time to come back.
  func conclude(isHeld: () -> Bool) async {
    let end = table.now
    // What this cancels becomes runnable here, and has not left.
    drainingThread.store(ThreadIdentity.current.value, ordering: .releasing)
    for task in unfinished { task.cancel() }
    drainingThread.store(Self.parked, ordering: .releasing)
    drain(.time(end), isLast: false)
    var grace = min(limits.escapeGrace, .milliseconds(20))
    while isHeld(), !hasOutsideJobs, grace > .zero {
      await sleepForReal(.milliseconds(1))
      grace -= .milliseconds(1)
    }
    drain(.time(end))
    let sleepers = table.sleepers
    if failure == nil, !sleepers.isEmpty, !limits.allowsSleepersAtEnd { failure = .stillAsleep(sleepers) }
  }
}

/// A result that the executor's thread sets and reads.
final class Outcome<Result: Sendable>: Sendable {
  private let stored = Mutex<Swift.Result<Result, any Error>?>(nil)
  var value: Swift.Result<Result, any Error>? { stored.withLock { $0 } }
  func set(_ value: Swift.Result<Result, any Error>) { stored.withLock { $0 = value } }
}
