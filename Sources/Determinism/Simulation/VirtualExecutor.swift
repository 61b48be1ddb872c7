import CDeterminism
import Synchronization

/// Runs every job of a simulation, one at a time, on whichever thread drains it.
///
/// It is a serial executor and a task executor in one, so that neither code that is isolated to the simulation's actor
/// nor nonisolated code leaves it. On the thread that drains it, it also is the main actor's executor and the
/// global pool, where the runtime can be asked for that (``SimulationSupport``). When nothing is runnable, time jumps
/// to the next deadline: that nothing is runnable is known, not guessed.
///
/// What comes from another thread is an escape: some task left, for a real sleep, a queue or a thread, and
/// came back. It is let in, so that nothing hangs, and reported.
@safe package final class VirtualExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  // Touched by the thread that drains, or, while none does, by the one that owns the simulation.
  private var queue: JobQueue
  private var currentJob: RunnableJob?
  /// The address of the actor whose work the job is that runs, or 0.
  private var currentActor: UInt = 0
  /// Whether that job is a task, where that is known; others are gone while they run.
  private var currentIsTask: Bool?
  /// The job that ran last, made runnable again by itself: the same task continues behind a hop.
  private var continuation: RunnableJob?
  /// How often it was just now, one after the other.
  private var hopsInRow = 0
  /// The number of the task that was begun in place last.
  private var lastImmediate: UInt64?
  var drivers: [Driver] = []
  var lastDriver = 0
  /// Tasks that sleep on a clock of the standard library: by task the sleep that it must have ended when it runs again.
  private var realClockSleeps = SleepsByTask()
  /// Room for what wakes at one time.
  var wokenBuffer: [SleeperHeap.Waiter] = []
  /// All tasks that began here and have not ended, in a run that can know.
  ///
  /// Asked for each job, so nothing checks at run time that accesses do not overlap: the release of a task, which may
  /// run anything, is the last that any method does.
  @exclusivity(unchecked) var openTasks: OpenTasks
  /// Whether absent tasks are waited for, in real time, before the time moves on.
  var waitsForAbsent = false
  var jobsAtInstant = 0
  /// The same without the jobs that merely go on behind a hop, of which there may be more in one build than in another.
  var turnsAtInstant = 0
  /// Whether a turn has begun that has not taken its time yet.
  private var owesTime = false
  var failure: SimulationFailure.Reason?
  let table = SleeperTable()
  /// Called when the time is about to move on: everything is at rest.
  var onRest: (() -> Void)?
  /// Called after ``onRest``, for judging runs.
  var onJudgement: (() -> Void)?
  /// Called with each job of a task that the simulation started, for comparing runs.
  var onTask: ((SimulatedTask) -> Void)?
  /// Called with the deadline of each sleep that begins inside, for comparing runs.
  var onSleep: ((Duration) -> Void)?
  /// Called where an order that is given lets one task go on before another, in words.
  var onOvertaking: ((String) -> Void)?
  /// What system calls for random bytes get.
  private var systemRandomness: RandomStream

  /// The tasks of the global pool that were remembered last: mostly one that sleeps, and the one that wakes it.
  private var lastRemembered: (latest: UInt64, earlier: UInt64) = (0, 0)

  // Touched by any thread.
  private let phase = Atomic<UInt8>(Phase.idle.rawValue)
  /// How many jobs will come back from outside that did not leave.
  private let expected = Atomic<Int>(0)
  private let stopRequest = Atomic<UInt8>(Stop.none.rawValue)
  /// Whether the caller cancelled the run that was given up.
  let wasCancelled = Atomic(false)
  /// Whether jobs still ran, one after the other, when it was given up.
  let spins = Atomic(false)
  /// What is left at the end of a run, where it is counted how often each task still runs.
  private(set) var leftovers: Leftovers?
  /// The number of jobs so far.
  private let finishedJobs = Atomic(0)
  var jobCount: Int { finishedJobs.load(ordering: .relaxed) }
  /// The job that runs now, as others may see it, with its lowest bit set where it is no task; and the thread on which
  /// it does.
  private let observedJob = Atomic<UInt>(0)
  private let observedThread = Atomic<UInt>(0)
  /// The place where the job was when the run was given up, where that is known.
  let stuckPlace = Mutex<String?>(nil)
  private let tasks = Mutex(StartedTasks())
  private let outside = Mutex(Outside())
  /// What the streams that were made here keep their values in.
  let streams = Mutex(WeakObjects())
  /// Opened when something came from outside or the run is to stop.
  let gate = Gate()

  /// What happens to jobs that come from other threads.
  private enum Phase: UInt8 {
    /// Before and after a run, or between two calls of a simulation that is moved by hand: they wait.
    case idle
    /// Some thread drains: they are escapes.
    case draining
    /// A run waits in real time for what has left: they are escapes.
    case parked
  }

  /// Why a run is to end early.
  enum Stop: UInt8 {
    case none
    case cancelled
    case realTimeLimit
    /// No caller waits for the run any more: the job that runs is the last.
    case abandoned
  }

  private struct Outside {
    var jobs: [RunnableJob] = []
    var escapes: [Escape] = []
    /// Whether anything left, also where that is allowed, and the tasks that did so then: they may come back.
    var hasEscapes = false
    var allowedTasks: Set<UInt> = []
    /// Waits for rest whose task was cancelled by another thread.
    var cancelledDrivers: [Int] = []
    /// Tasks of the global pool that ran here, to know them again.
    var tasks = RecentTasks()
  }

  /// A wait inside that moves the time until everything is at rest.
  struct Driver {
    var number: Int
    var who: SleeperHeap.Who
    /// The time to rest at, or `nil` for the time when no task sleeps any more.
    var target: Duration?
    var suspension: Suspension

    /// Such as `the body of simulate moves the time on to 3 s`.
    var sentence: String {
      (who.name ?? Escape.unnamedTask)
        + (target.map { " moves the time on to \(VirtualTime.text($0))" } ?? " waits until no task sleeps any more")
        + SimulatedTask.started(who.task?.origin)
    }
  }

  /// The simulation that runs on it.
  weak var simulation: Simulation?
  let limits: SimulationLimits
  /// The tasks that went on at the end of the run though they were cancelled.
  var ignoredCancellation: [String] = []
  /// What stays inside beside what asks for this executor.
  let support: SimulationSupport
  let seed: UInt64
  /// What is written where a job ends the program.
  private let lastWords: UnsafeMutableBufferPointer<CChar>
  /// What the libraries keep for a process, and this run has of its own.
  private let kept = UnsafeMutableRawPointer.allocate(byteCount: Int(DETERMINISM_KEPT_SIZE), alignment: 16)
  /// How a test is run again with the seed of a run that is begun now; its own sentence.
  @TaskLocal package static var repetition: String?
  /// The number below which all tasks were made before the run; 0 where time is moved by hand, as the test is outside
  /// then.
  private var firstTask: UInt64 = 0
  /// The run inside of which this one is, on the same thread.
  private var outer: VirtualExecutor?
  /// The tasks made outside of the run that it woke, in words, the first ones.
  private(set) var outsideTasks: [String] = []
  private var outsideTaskNumbers: Set<UInt64> = []

  init(_ scheduling: Scheduling, limits: SimulationLimits, seed: UInt64, choices: ChoiceRecord? = nil) {
    queue = JobQueue(scheduling, record: choices)
    self.limits = limits
    self.seed = seed
    let words = "In the simulation of seed \(seed)." + (Self.repetition.map { " \($0)" } ?? "") + "\n"
    let text = words.utf8CString
    unsafe lastWords = .allocate(capacity: text.count)
    _ = unsafe lastWords.initialize(from: text)
    unsafe kept.initializeMemory(as: UInt8.self, repeating: 0, count: Int(DETERMINISM_KEPT_SIZE))
    systemRandomness = RandomStream(seed: seed, name: "system")
    support = limits.pace == .virtual ? limits.support.intersection(.linked) : []
    unsafe openTasks = OpenTasks(isKept: support.contains(.globalPool))
    SimulationSupport.register()
  }

  deinit {
    unsafe lastWords.deallocate()
    unsafe kept.deallocate()
  }

  // MARK: Jobs

  package func enqueue(_ job: consuming ExecutorJob) { add(RunnableJob(job: UnownedJob(job), isGlobal: false)) }

  /// Takes a job that was made for the global pool on this executor's thread; false where its task was made outside of
  /// the run.
  ///
  /// Such a task waits outside for what the run does, as a logger of the application does. It continues where it was.
  func enqueueGlobal(_ job: UnownedJob, task: UInt64) -> Bool {
    if task != 0, task < firstTask {
      noteOutsideTask(job, task)
      return outer?.takeFromInner(job, task) ?? false
    }
    if task != 0, task != lastRemembered.latest, !remember(task), firstTask != 0 {
      if let owner = SimulationSupport.owner(of: task, besides: self) {
        forget(task)
        noteOutsideTask(job, task)
        guard case .run(let other) = owner else { return false }
        other.addFromOutside(RunnableJob(job: job), "was woken by another simulation")
        return true
      }
    }
    add(RunnableJob(job: job))
    return true
  }

  /// Takes a job that a run inside of a job of this one made runnable, on the same thread.
  private func takeFromInner(_ job: UnownedJob, _ task: UInt64) -> Bool {
    guard support.contains(.globalPool) else { return false }
    if task < firstTask { return outer?.takeFromInner(job, task) ?? false }
    queue.append(RunnableJob(job: job))
    return true
  }

  /// Keeps what a task from outside is called, once for each, and so many at most.
  private func noteOutsideTask(_ job: UnownedJob, _ task: UInt64) {
    guard outsideTaskNumbers.count < 100, outsideTaskNumbers.insert(task).inserted else { return }
    outsideTasks.append(words(of: RunnableJob(job: job).pointer))
  }

  /// How often another library had taken a hook of the runtime when the run began, and who did so during the run.
  private var hookChanges: UInt64 = 0
  private(set) var hookCulprit: String?

  /// Puts the hooks of the runtime back where another library took them during the run, and keeps who that was.
  func checkHooks() {
    var culprit: UnsafeMutableRawPointer?
    guard unsafe determinism_put_hooks(&culprit) != hookChanges, hookCulprit == nil else { return }
    var functions: [UnsafeMutableRawPointer] = unsafe [culprit].compactMap(\.self)
    hookCulprit = unsafe TaskLayout.function(at: &functions, Int32(functions.count)) ?? "another library"
  }

  /// Makes the run one that distinguishes its tasks from those that were made before.
  func announceRun() {
    outer = VirtualExecutor.current
    firstTask = TaskNumber.next()
  }

  /// Puts the hooks of the runtime where they were, and keeps how often they had been taken.
  func beginRun() {
    var culprit: UnsafeMutableRawPointer?
    unsafe hookChanges = determinism_put_hooks(&culprit)
  }

  private func add(_ job: RunnableJob) {
    if isCurrent {
      if origins != nil, let currentJob, currentIsTask == true, TaskLayout.actor(of: job.pointer) != 0 {
        let caller = words(of: currentJob.pointer) + SimulatedTask.started(origins?[currentJob.pointer])
        origins?[job.pointer] = caller
      }
      // A task that hops, from one isolation to another, has not waited for anything. How often it does so is the
      // optimizer's choice, so no other job takes its turn: a seed gives the same order of jobs in every build.
      // One off or onto an actor is a turn: another task may be in the actor meanwhile.
      switch hop(of: job) {
      case .ofTheTaskThatRuns: continuation = job
      case .ofOneThatBegins: runInPlace(job)
      case nil: queue.append(job)
      }
    } else {
      addFromOutside(job)
    }
  }

  /// A hop that takes no turn.
  private enum Hop {
    case ofTheTaskThatRuns
    /// Of a task that the job which runs has begun, and which that waits for: the runtime begins an immediate child of
    /// a group without the executor that its parent prefers, and its first step is a hop to that.
    case ofOneThatBegins
  }

  /// Which hop it is that makes a job runnable, if it is one.
  ///
  /// A task that hops is no longer the current one. One that has ended is none either, and makes runnable what waited
  /// for it: such a task goes on in a function of the runtime.
  private func hop(of job: RunnableJob) -> Hop? {
    guard let currentJob else { return nil }
    guard let currentIsTask else { return job.pointer == currentJob.pointer ? .ofTheTaskThatRuns : nil }
    guard currentIsTask, TaskLayout.isTask(job.pointer) else { return nil }
    if job.pointer == currentJob.pointer { return .ofTheTaskThatRuns }
    guard unsafe withUnsafeCurrentTask(body: { unsafe $0 == nil }), TaskLayout.isHop(job.pointer), job.job.taskID != lastImmediate
    else { return nil }
    return .ofOneThatBegins
  }

  private func runInPlace(_ job: RunnableJob) {
    let outer = currentJob
    let thread = unsafe determinism_this_thread()
    let ranJob = unsafe thread.pointee.runs_job
    // What makes a job runnable is no job, but this is one.
    unsafe thread.pointee.runs_job = true
    (currentJob, lastImmediate) = (job, job.job.taskID)
    showJob()
    run(job)
    currentJob = outer
    showJob()
    unsafe thread.pointee.runs_job = ranJob
    // It has had its turn.
    if let continuation { queue.append(continuation) }
    continuation = nil
  }

  private func showJob() {
    observedJob.store((currentJob?.pointer ?? 0) | (currentIsTask == false ? 1 : 0), ordering: .relaxed)
  }

  /// Whether the job that runs is a task, or may run it, as it is the work of an actor.
  func mayRun(_ task: UInt) -> Bool {
    let job = observedJob.load(ordering: .relaxed)
    return phase.load(ordering: .relaxed) == Phase.draining.rawValue && (job == task || job & 1 != 0)
  }

  private func addFromOutside(_ job: RunnableJob, _ action: String = Escape.return) {
    let isEscape = phase.load(ordering: .acquiring) != Phase.idle.rawValue && limits.pace == .virtual
    // The work of an actor runs all that waits for it, whatever run that is of.
    let actor = isEscape ? VirtualExecutor.current?.noteSharing() : nil
    let action = actor.map { "was run by another simulation, in the actor \($0) that both use," } ?? action
    // Time is read on a thread that does not own it, for the report only.
    let time = isEscape ? table.now : .zero
    outside.withLock { outside in
      outside.jobs.append(job)
      guard isEscape else { return }
      if actor == nil, expectsJob { return _ = expected.subtract(1, ordering: .relaxed) }
      let task = job.job.taskID.flatMap(task)
      let name = task?.name ?? TaskLayout.name(of: job.pointer) ?? Escape.unnamedTask
      note(Escape(task: name, origin: task?.origin, action: action, sharedActor: actor, time: time), of: job.pointer, &outside)
    }
    gate.open()
  }

  /// Lets one job come back from outside, and no time pass until then.
  func expectJob() { expected.add(1, ordering: .relaxed) }
  var expectsJob: Bool { expected.load(ordering: .relaxed) > 0 }

  /// Notes that the job that runs now ran a task of another run; in which actor.
  private func noteSharing() -> String? {
    guard let actor = unsafe UnsafeRawPointer(bitPattern: currentActor) else { return nil }
    // It is there as long as its work runs.
    let name = unsafe String(reflecting: type(of: Unmanaged<AnyObject>.fromOpaque(actor).takeUnretainedValue()))
    let escape = Escape(
      task: "the actor \(name)", action: "ran a task of another simulation, which uses it too,", sharedActor: name, time: table.now)
    outside.withLock { note(escape, of: 0, &$0) }
    return name
  }

  /// Keeps an escape, once for each task and action, and so many at most: a storm must not take all memory.
  ///
  /// One that is allowed is not kept, nor that a task comes back which left so before.
  private func note(_ escape: Escape, of task: UInt, _ outside: inout Outside) {
    outside.hasEscapes = true
    if escape.action == Escape.return, outside.allowedTasks.contains(task) { return }
    if limits.allows(escape.sentence) {
      if task != 0 { outside.allowedTasks.insert(task) }
      return
    }
    guard outside.escapes.count < 100 else { return }
    if outside.escapes.contains(where: { ($0.task, $0.origin, $0.action) == (escape.task, escape.origin, escape.action) }) { return }
    outside.escapes.append(escape)
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  package func checkIsolated() {
    if !isCurrent { fatalError("a task calls code that is isolated to a simulation from outside of it") }
  }

  /// Whether nothing but the task that runs now has run since the time moved, or could.
  var isAlone: Bool { turnsAtInstant <= 1 && queue.isEmpty }

  /// Whether the thread that runs now is this executor's: it drains it, or belongs to a simulation that is moved by
  /// hand.
  var isCurrent: Bool { unsafe determinism_current_executor() == identity }

  /// Whether this thread drains it, now.
  var isDraining: Bool { isCurrent && phase.load(ordering: .acquiring) == Phase.draining.rawValue }

  private var identity: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  // MARK: Escapes

  /// Notes a use from outside while the simulation runs.
  func checkCaller(_ action: String) {
    guard limits.pace == .virtual, !isCurrent, phase.load(ordering: .acquiring) != Phase.idle.rawValue else { return }
    noteEscape("\(action) from another thread")
  }

  /// Notes that the task that runs now did something that leaves the simulation.
  func noteEscape(_ action: String, in function: String? = nil, at place: String? = nil) {
    let who = SleeperHeap.Who.current
    let escape = Escape(
      task: nameWithoutTask(who) ?? who.name ?? Escape.unnamedTask, origin: who.task?.origin, action: action, function: function,
      place: place, time: table.now)
    outside.withLock { note(escape, of: who.pointer, &$0) }
  }

  /// Whether this run is another, or inside of it, on the same thread.
  func isInside(_ run: VirtualExecutor) -> Bool { self === run || outer?.isInside(run) == true }

  /// Notes that another thread puts something into a stream of this run, by the function that returns to an address.
  func noteGiven(by caller: UnsafeMutableRawPointer?) {
    var callers = unsafe [caller].compactMap(\.self)
    let escape = unsafe Escape(
      task: "another thread", action: "put something into a stream of the simulation, which may find it earlier or later,",
      function: TaskLayout.function(at: &callers, Int32(callers.count)), time: table.now)
    outside.withLock { note(escape, of: 0, &$0) }
  }

  /// What reports call the code that runs now where it is no task of the run: the body of a run that is moved by hand,
  /// or the executor of an actor to which the task of this job has just gone.
  private func nameWithoutTask(_ who: SleeperHeap.Who) -> String? {
    if isScoped, !isDraining { return "the body of withSimulation" }
    guard who.pointer == 0, let job = currentJob?.pointer else { return nil }
    return unfinished.first { $0.job == job }?.name ?? TaskLayout.name(of: job, runs: true) ?? "the executor of an actor"
  }

  /// Remembers a task that belongs here though nothing in it says so, to know it again when another thread resumes it;
  /// whether it was remembered before.
  private func remember(_ task: UInt64) -> Bool {
    // Two that come in turns are looked up once.
    let isKnown = task == lastRemembered.earlier
    lastRemembered = (task, lastRemembered.latest)
    if isKnown { return true }
    let latest = lastRemembered
    return outside.withLock { !$0.tasks.add(task, keeping: [latest.latest, latest.earlier]) }
  }

  /// Takes a job from a thread of no simulation where it is a task of this one; false where it is not.
  func adopt(_ job: UnownedJob, task: UInt64) -> Bool {
    let isMine = owns(task)
    if isMine { addFromOutside(RunnableJob(job: job)) }
    return isMine
  }

  /// Whether a task of the global pool ran here.
  func owns(_ task: UInt64) -> Bool { outside.withLock { $0.tasks.contains(task) } }

  /// Forgets a task that is not of this run, but for its being woken here.
  private func forget(_ task: UInt64) {
    lastRemembered.latest = 0
    outside.withLock { $0.tasks.remove(task) }
  }

  /// Notes the beginning of a sleep, for comparing runs.
  func noteSleep(until deadline: Duration) {
    if isCurrent, let onSleep { onSleep(deadline) }
  }

  /// Processes what came from other threads; returns whether anything did.
  func takeOutside() -> Bool {
    let (jobs, cancelled) = outside.withLock { outside in
      defer { (outside.jobs, outside.cancelledDrivers) = ([], []) }
      return (outside.jobs, outside.cancelledDrivers)
    }
    for job in jobs { queue.append(job) }
    for number in cancelled { resumeDriver(number) }
    return !jobs.isEmpty || !cancelled.isEmpty
  }

  /// Ends a wait for rest whose task was cancelled.
  func cancelDriver(_ number: Int) {
    if isCurrent {
      resumeDriver(number)
    } else {
      outside.withLock { $0.cancelledDrivers.append(number) }
      gate.open()
    }
  }

  private func resumeDriver(_ number: Int) {
    guard let index = drivers.firstIndex(where: { $0.number == number }) else { return }
    drivers.remove(at: index).suspension.resume()
  }

  var hasOutsideJobs: Bool { outside.withLock { !$0.jobs.isEmpty || !$0.cancelledDrivers.isEmpty } }

  /// Whether any task has left, also where that is allowed.
  var hasEscapes: Bool { outside.withLock { $0.hasEscapes } }

  /// The tasks that left, by name, where that is not allowed.
  ///
  /// What came back is left out where it is known what a task did: how much of it came before the end of the run is not
  /// the same in each, and it says no more.
  var escapes: [Escape] {
    let all = outside.withLock { $0.escapes }
    let known = all.filter { $0.action != Escape.return }
    return known.isEmpty ? all : known
  }

  // MARK: Tasks

  func started(_ task: SimulatedTask) { tasks.withLock { $0.add(task) } }
  func ended(_ task: SimulatedTask) { tasks.withLock { $0.remove(task) } }

  /// The task of the simulation whose job has this number.
  private func task(_ jobID: UInt64) -> SimulatedTask? { tasks.withLock { $0.first { $0.jobID == jobID } } }

  func begin(_ task: SimulatedTask) {
    task.begin(jobID: currentJob?.job.taskID, job: currentJob?.pointer ?? 0)
    onTask?(task)
  }

  var unfinished: [SimulatedTask] { tasks.withLock { $0.inOrder } }

  /// What each unfinished task waits for, a phrase each.
  var waiting: [String] {
    let asleep = table.tasks
    let driving = drivers.map(\.who)
    let others = unfinished.filter { task in
      !asleep.contains(ObjectIdentifier(task)) && !driving.contains { $0.pointer != 0 && $0.pointer == task.job }
    }
    return table.reportedSleepers.map(\.sentence) + drivers.map(\.sentence)
      + others.map { task in
        let place = unsafe openTasks.isKept(task.job) ? TaskLayout.function(of: task.job) : nil
        return "\(task.name) waits for something that is neither the clock nor runnable" + SimulatedTask.started(task.origin)
          + (place.map { ", in \($0)" } ?? "")
      } + waitingOpenTasks.map { words(of: $0, " waits") }
  }

  /// What reports call the task of a job that is runnable or waits: its name, the line that started it and where it is.
  func words(of job: UInt, _ action: String = "") -> String {
    let task = unfinished.first { $0.job == job && job != 0 }
    let title = task?.title ?? TaskLayout.name(of: job).map { "“\($0)”" } ?? Escape.unnamedTask
    return title + action + (TaskLayout.function(of: job).map { " in \($0)" } ?? "")
  }

  /// What a trace calls a job that is runnable.
  private func title(of job: RunnableJob) -> String {
    let actor = TaskLayout.actor(of: job.pointer)
    if let actor = unsafe UnsafeRawPointer(bitPattern: actor) {
      let name = unsafe "the actor \(type(of: Unmanaged<AnyObject>.fromOpaque(actor).takeUnretainedValue()))"
      return name + (origins?[job.pointer].map { ", which \($0) calls," } ?? "")
    }
    if TaskLayout.isKnown, !TaskLayout.isTask(job.pointer) { return "a task that yielded" }
    return words(of: job.pointer) + SimulatedTask.started(origins?[job.pointer])
  }

  // MARK: Sleeps on clocks of the standard library

  /// Runs a job after a delay of virtual time; the task that runs now waits for it.
  package func enqueue(_ job: UnownedJob, after delay: Duration) {
    guard isCurrent else { return addFromOutside(RunnableJob(job: job)) }
    if limits.pace == .virtual, !support.contains(.clocks) {
      noteEscape("slept on a clock of the standard library, whose time is real in this program")
    }
    let who = SleeperHeap.Who.current
    let (id, deadline) = table.heap.withLock { heap in
      let deadline = heap.now.adding(max(delay, .zero))
      return (heap.add(RunnableJob(job: job), of: who.pointer, until: deadline, who), deadline)
    }
    realClockSleeps.add(id, of: who.pointer)
    noteSleep(until: deadline)
  }

  /// A task runs again that slept on a clock of the standard library: if its sleep has not ended, it was cancelled.
  private func endSleep(of task: UInt) {
    guard let id = realClockSleeps.remove(task) else { return }
    // What the runtime has to clean up is the job itself, which is no step of the job that ran before.
    currentJob = nil
    if case .job(let job, _)? = table.heap.withLock({ $0.cancel(id) }) { run(job) }
  }

  func wake(_ waiter: SleeperHeap.Waiter) {
    switch waiter {
    case .continuation(let suspension): suspension.resume()
    case .job(let job, let task):
      realClockSleeps.remove(task)
      queue.append(job)
    }
  }

  // MARK: Random bytes

  func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    simulation?.noteDraw()
    var word: UInt64 = 0
    for index in 0..<bytes.count {
      if index % 8 == 0 { word = systemRandomness.next() }
      unsafe bytes[index] = UInt8(truncatingIfNeeded: word)
      word >>= 8
    }
  }

  // MARK: Running

  /// Makes this thread the executor's while `body` runs, and gives it back after.
  func enter<Result>(runsJobs: Bool, _ body: () throws -> Result) rethrows -> Result {
    let thread = unsafe determinism_this_thread()
    let before = unsafe thread.pointee
    unsafe thread.pointee.executor = identity
    unsafe thread.pointee.main = unsafeBitCast(asUnownedSerialExecutor(), to: determinism_executor_ref.self)
    unsafe thread.pointee.features = support.rawValue
    unsafe thread.pointee.runs_job = runsJobs
    unsafe thread.pointee.last_words = UnsafePointer(lastWords.baseAddress)
    unsafe thread.pointee.kept = kept
    unsafe thread.pointee.keeps_origins = origins != nil
    defer {
      // A job may not move to another thread, so this is the same one.
      unsafe thread.pointee = before
    }
    return try body()
  }

  /// Runs jobs until none is runnable, too many ran at one time, or the run is to stop.
  func runJobs() {
    let thread = unsafe determinism_this_thread()
    let ranJob = unsafe thread.pointee.runs_job
    unsafe thread.pointee.runs_job = true
    observedThread.store(determinism_thread_self(), ordering: .relaxed)
    defer {
      unsafe thread.pointee.runs_job = ranJob
      currentJob = nil
    }
    while let job = nextJob() {
      if leftovers?.holdsBack(job) == true { continue }
      if let onTask, let task = job.job.taskID.flatMap(task) { onTask(task) }
      if !realClockSleeps.isEmpty { endSleep(of: job.pointer) }
      currentJob = job
      currentActor = TaskLayout.actor(of: job.pointer)
      currentIsTask = TaskLayout.isKnown ? TaskLayout.isTask(job.pointer) : nil
      showJob()
      unsafe (thread.pointee.clock_reads, thread.pointee.yields, thread.pointee.blocks_since) = (0, 0, 0)
      run(job)
      finishedJobs.store(jobCount + 1, ordering: .relaxed)
      jobsAtInstant += 1
      // A yield is a job of its own, which says nothing of its task: that runs next.
      if jobsAtInstant > limits.jobsPerInstant, jobsAtInstant > limits.jobsPerInstant + 1000 || hasRunnableTask {
        fail(.neverSettles(jobs: jobsAtInstant, awake: runnable))
        return
      }
      // A loop that goes on though each of its waits ends at once; what is left over is counted by task.
      if hopsInRow > limits.jobsPerInstant / 10, leftovers == nil, let job = continuation, TaskLayout.isCancelled(job.pointer) {
        fail(.neverSettles(jobs: jobsAtInstant, awake: runnable))
        return
      }
    }
  }

  private func nextJob() -> RunnableJob? {
    switch stop {
    case .none: break
    case .cancelled, .realTimeLimit: if !isWindingDown { return nil }
    case .abandoned: return nil
    }
    if let job = continuation {
      continuation = nil
      hopsInRow += 1
      return job
    }
    if owesTime, !takeTime() { return nil }
    guard let job = queue.next() else { return nil }
    hopsInRow = 0
    if let onOvertaking, let first = queue.overtaken { onOvertaking("\(title(of: job)) goes on before \(title(of: first))") }
    turnsAtInstant += 1
    owesTime = costsTime
    return job
  }

  /// Whether turns take time: not once the body has ended, when what is left is counted by turns.
  private var costsTime: Bool { limits.jobCost > .zero && limits.pace == .virtual && leftovers == nil }

  /// Moves the time on by what the turn has cost that is over, and wakes those that sleep until then; false where that
  /// would be beyond the limit.
  private func takeTime() -> Bool {
    owesTime = false
    guard costsTime else { return true }
    let time = table.now.adding(limits.jobCost)
    guard time <= limits.time else {
      fail(.timeLimit(limits.time, waiting: runnable + waiting))
      return false
    }
    jobsAtInstant = 0
    repeat {
      while let deadline = table.nextDeadline, deadline <= time { wakeEarliest() }
    } while !table.advance(to: time)
    return true
  }

  /// Where tasks were made, by their addresses, in a run that is recorded and reports who overtakes whom.
  ///
  /// To find a place may take milliseconds.
  private var origins: [UInt: String]?

  func keepOrigin(_ origin: String?, of task: UInt) { origins?[task] = origin }

  func record(_ choices: ChoiceRecord) {
    (queue.record, origins) = (choices, queue.reportsOvertaken ? [:] : nil)
    unsafe determinism_this_thread().pointee.keeps_origins = origins != nil
  }

  private var runnableJobs: [RunnableJob] { (continuation.map { [$0] } ?? []) + queue.all }

  private var hasRunnableTask: Bool { runnableJobs.contains { TaskLayout.isTask($0.pointer) } }

  /// The tasks that are about to run.
  private var runnable: [String] {
    let all = runnableJobs
    let tasks = all.filter { TaskLayout.isTask($0.pointer) }
    return words(of: tasks.isEmpty ? all : tasks)
  }

  /// The first of these jobs, and a number where they are many.
  func words(of jobs: [RunnableJob]) -> [String] {
    jobs.prefix(5).map { words(of: $0.pointer) } + (jobs.count > 5 ? ["\(jobs.count - 5) more"] : [])
  }

  // MARK: What is left at the end

  /// From here on what runs is left over: one task that goes on and on is held back, so that it cannot keep the run
  /// from ending.
  func beginLeftovers() {
    if leftovers == nil { countLeftovers() }
  }

  private func countLeftovers() {
    unsafe (leftovers, jobsAtInstant) = (Leftovers(tasks: openTasks.count + table.heap.withLock { $0.count }), 0)
  }

  /// Lets held jobs go on, as their tasks were cancelled meanwhile.
  func releaseLeftovers() {
    let held = leftovers?.held ?? []
    countLeftovers()
    for job in held { queue.append(job) }
  }

  private func run(_ job: RunnableJob) {
    unsafe openTasks.begin(job)
    if job.isGlobal {
      unsafe job.job.runSynchronously(on: asUnownedTaskExecutor())
    } else {
      unsafe job.job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    unsafe openTasks.end(job)
  }

  /// The tasks that have not ended, neither sleep nor were started by the simulation.
  var waitingOpenTasks: [UInt] {
    let asleep = Set(table.heap.withLock { $0.all }.map(\.who.pointer) + drivers.map(\.who.pointer))
    let named = Set(unfinished.map(\.job))
    return unsafe openTasks.addresses().filter { !asleep.contains($0) && !named.contains($0) }
  }

  // MARK: The end, from any thread

  /// Executors of runs that have ended, the latest last.
  private static let retired = Mutex<[VirtualExecutor]>([])

  /// Keeps the executor of a run that has ended for a while, and forever where something left: a task that comes back
  /// late has but an address of it.
  func retire() {
    if stop == .abandoned { return }
    (onRest, onJudgement, onTask, onSleep, onOvertaking, outer) = (nil, nil, nil, nil, nil, nil)
    unsafe openTasks.removeAll()
    let object = unsafe kept.load(as: UnsafeMutableRawPointer?.self)
    unsafe kept.storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
    if let object = unsafe object { unsafe determinism_release(object) }
    // What never runs again is as it was, and so is what it refers to.
    let hasStopped = leftovers?.held.isEmpty == false || !queue.isEmpty || continuation != nil
    if hasStopped || hasEscapes { _ = unsafe Unmanaged.passRetained(self) }
    // The oldest is released without the lock.
    _ = Self.retired.withLock { retired -> VirtualExecutor? in
      retired.append(self)
      return retired.count > 256 ? retired.removeFirst() : nil
    }
  }

  var stop: Stop { Stop(rawValue: stopRequest.load(ordering: .acquiring)) ?? .none }

  /// Asks the run to end; the first reason stays, but for giving up.
  func requestStop(_ reason: Stop) {
    if reason == .abandoned {
      if stop == .cancelled { wasCancelled.store(true, ordering: .releasing) }
      stopRequest.store(reason.rawValue, ordering: .releasing)
    } else {
      _ = stopRequest.compareExchange(expected: Stop.none.rawValue, desired: reason.rawValue, ordering: .acquiringAndReleasing)
    }
    gate.open()
  }

  /// The time that the processor has spent on the thread, for the watchdog.
  var observedComputing: Duration { .nanoseconds(max(0, determinism_thread_nanoseconds(observedThread.load(ordering: .relaxed)))) }

  /// Keeps the place of the program where its thread is, before the run is given up.
  func keepPlace() {
    let place = TaskLayout.place(of: observedThread.load(ordering: .relaxed))
    stuckPlace.withLock { $0 = place }
  }

  /// The task whose job runs, for the watchdog of a run that does not go on.
  var observedTask: String {
    let job = observedJob.load(ordering: .relaxed) & ~1
    let task = job == 0 ? nil : tasks.withLock { $0.first { $0.job == job } }
    return task?.title ?? TaskLayout.name(of: job, runs: true).map { "“\($0)”" } ?? Escape.unnamedTask
  }

  // MARK: Sleeps that were cancelled before they began

  /// How many such sleeps there were in one job, and in which.
  private var cancelledSleeps = (job: 0, count: 0)

  /// Gives others a turn now and then, where a task sleeps again and again though it is cancelled: its loop would never
  /// wait.
  func sleptCancelled() async {
    guard isCurrent else { return }
    cancelledSleeps = cancelledSleeps.job == jobCount ? (jobCount, cancelledSleeps.count + 1) : (jobCount, 1)
    if cancelledSleeps.count >= 16 { await Task.yield() }
  }

  /// How long, in real time, to wait for what may have left: shorter where all that leaves is noticed and nothing did.
  ///
  /// A thread that was there before may have been given something without a call that is noticed.
  var grace: Duration { mayHaveLeft ? limits.escapeGrace : limits.escapeGrace / 4 }
  var mayHaveLeft: Bool { hasEscapes || expectsJob || !support.contains(.escapes) }

  /// Whether the run is at its end, where a reason to stop is known already.
  var isWindingDown = false
  /// Whether a synchronous run owns this thread: between two drains, too, what comes from elsewhere is an escape.
  var isScoped = false

  var isParked: Bool { phase.load(ordering: .acquiring) == Phase.parked.rawValue }
  func park() { phase.store(Phase.parked.rawValue, ordering: .releasing) }
  func beIdle() { phase.store(Phase.idle.rawValue, ordering: .releasing) }

  /// Begins to drain; false where another thread or a job of this very executor does so.
  func beginDraining() -> Bool {
    phase.exchange(Phase.draining.rawValue, ordering: .acquiringAndReleasing) != Phase.draining.rawValue
  }
}

/// The tasks that a simulation started and that have not ended.
///
/// Each is released as it ends: among what lives longer, the memory of many thousand tasks is found slowly again.
private struct StartedTasks {
  private var tasks: [ObjectIdentifier: (number: Int, task: SimulatedTask)] = [:]
  private var lastNumber = 0

  /// In the order in which they were started.
  var inOrder: [SimulatedTask] { tasks.values.sorted { $0.number < $1.number }.map(\.task) }

  func first(where isWanted: (SimulatedTask) -> Bool) -> SimulatedTask? { tasks.values.first { isWanted($0.task) }?.task }

  mutating func add(_ task: SimulatedTask) {
    lastNumber += 1
    tasks[ObjectIdentifier(task)] = (lastNumber, task)
  }

  mutating func remove(_ task: SimulatedTask) { tasks[ObjectIdentifier(task)] = nil }
}

/// Tasks that were seen lately, by number: those seen first are forgotten when there are many.
struct RecentTasks {
  private var recent: Set<UInt64> = []
  private var earlier: Set<UInt64> = []

  func contains(_ task: UInt64) -> Bool { recent.contains(task) || earlier.contains(task) }

  /// Adds a task; whether it is new.
  ///
  /// Those of `latest` are not forgotten now.
  mutating func add(_ task: UInt64, keeping latest: [UInt64] = []) -> Bool {
    guard recent.insert(task).inserted else { return false }
    let isNew = !earlier.contains(task)
    if recent.count > 1 << 16 { (earlier, recent) = (recent, Set(latest)) }
    return isNew
  }

  mutating func remove(_ task: UInt64) {
    recent.remove(task)
    earlier.remove(task)
  }
}

/// Objects, by their addresses, that may be gone.
struct WeakObjects {
  private struct Entry {
    weak var object: AnyObject?
  }

  private var entries: [UInt: Entry] = [:]
  /// How many there may be before those that are gone are left out.
  private var limit = 64

  /// Adds an object that is there.
  mutating func add(_ address: UInt) {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
    if entries.count >= limit {
      entries = entries.filter { $0.value.object != nil }
      limit = max(64, 2 * entries.count)
    }
    entries[address] = unsafe Entry(object: Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
  }

  /// Whether an object is one of them, and still there: another may have its address later.
  func contains(_ address: UInt) -> Bool { entries[address]?.object != nil }
}

/// The number of a task that is made for nothing else: the runtime counts the tasks of a process.
private final class TaskNumber: TaskExecutor {
  private let number = Atomic<UInt64>(0)

  /// A number above those of all tasks that were made before, or 0 where tasks have none.
  static func next() -> UInt64 {
    let executor = TaskNumber()
    _ = Task.detached(executorPreference: executor) {}
    return executor.number.load(ordering: .relaxed)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    number.store(job.taskID ?? 0, ordering: .relaxed)
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// The sleep of each task that sleeps on a clock of the standard library; mostly there is one.
private struct SleepsByTask {
  private var first: (task: UInt, id: SleeperHeap.ID)?
  private var others: [UInt: SleeperHeap.ID] = [:]

  var isEmpty: Bool { first == nil && others.isEmpty }

  mutating func add(_ id: SleeperHeap.ID, of task: UInt) {
    if first == nil || first?.task == task { first = (task, id) } else { others[task] = id }
  }

  @discardableResult
  mutating func remove(_ task: UInt) -> SleeperHeap.ID? {
    if let one = first, one.task == task {
      first = nil
      return one.id
    }
    return others.isEmpty ? nil : others.removeValue(forKey: task)
  }
}

/// How often each task ran since the run had ended, and which are held back.
struct Leftovers {
  /// How many jobs may run before they are counted by task, then each task, and all in all: a task may start the next.
  private static let (uncounted, perTask) = (10_000, 10_000)
  private let all: Int

  /// - Parameter tasks: how many there are.
  init(tasks: Int) { all = 200_000 + 50 * tasks }

  private var count = 0
  private var countsByPlace: [UInt: Int] = [:]
  private var countsByTask: [UInt64: Int] = [:]
  /// The jobs that do not run, of tasks that went on and on.
  private(set) var held: [RunnableJob] = []

  mutating func holdsBack(_ job: RunnableJob) -> Bool {
    count += 1
    guard count > Self.uncounted, count > all || isOften(job) else { return false }
    held.append(job)
    return true
  }

  private mutating func isOften(_ job: RunnableJob) -> Bool {
    countsByPlace[job.pointer, default: 0] += 1
    guard countsByPlace[job.pointer, default: 0] > Self.perTask else { return false }
    // The next task may be where the last one was, with another number, which takes longer to ask for.
    let task = job.job.taskID ?? UInt64(job.pointer)
    countsByTask[task, default: 0] += 1
    return countsByTask[task, default: 0] > Self.perTask
  }
}

/// A job, and by which way it came.
package struct RunnableJob: Sendable {
  var job: UnownedJob
  /// Whether it is for the global pool: its code is nonisolated.
  var isGlobal = true

  /// Where the job is; a task is its own job, for as long as it lives.
  var pointer: UInt { unsafe unsafeBitCast(job, to: UInt.self) }
}
