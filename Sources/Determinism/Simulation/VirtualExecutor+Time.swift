import CDeterminism
import Synchronization

extension VirtualExecutor {
  /// When a drain is over.
  enum Goal {
    /// When the task has ended.
    case end(of: SimulatedTask)
    /// When everything is at rest at this time.
    case time(Duration)
    /// When everything is at rest and no task sleeps.
    case noSleepers
  }

  /// The result of a drain.
  enum DrainResult {
    /// The goal is reached, or never will be.
    case over
    /// Nothing can go on but what has left, if anything has.
    case stalled
  }

  // MARK: From inside

  /// Lets time go on inside the simulation, and returns when everything rests at `target`, or the task is cancelled.
  func rest(at target: Duration?) async {
    // A turn for others, so that a loop which does not look whether it is cancelled can be ended.
    if Task.isCancelled { return await Task.yield() }
    lastDriver += 1
    let number = lastDriver
    await withTaskCancellationHandler {
      try? await Suspension.suspend { suspension in
        if Task.isCancelled { return suspension.resume() }
        drivers.append(Driver(number: number, who: .current, target: target, suspension: suspension))
      }
    } onCancel: {
      cancelDriver(number)
    }
  }

  /// Waits until everything rests, and in real time for tasks that may have left: those that neither sleep nor have
  /// ended.
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
    return unfinished.contains { task in task.name != SimulatedTask.bodyName && !asleep.contains(ObjectIdentifier(task)) }
  }

  /// Waits until it is over what is asked, looking whenever everything rests and after each `step`, or until so much
  /// time has gone by.
  package func rest(for limit: Duration, step: Duration?, until isOver: () -> Bool) async {
    let deadline = table.now + limit
    await rest(at: table.now)
    while !isOver(), table.now < deadline, !Task.isCancelled { await rest(at: nextTime(step, before: deadline)) }
  }

  /// The same by hand.
  package func move(for limit: Duration, step: Duration?, until isOver: () -> Bool) {
    let deadline = table.now + limit
    advance(to: table.now)
    while !isOver(), table.now < deadline, failure == nil, stop == .none { advance(to: nextTime(step, before: deadline)) }
  }

  /// Whether its time is moved by hand, and now could be.
  package var isMovedByHand: Bool { isScoped && isParked }

  private func nextTime(_ step: Duration?, before deadline: Duration) -> Duration {
    min(nextEvent()?.time ?? deadline, step.map { table.now + $0 } ?? deadline, deadline)
  }

  // MARK: Draining

  /// Moves the time on by hand.
  func advance(to time: Duration) {
    if time < table.now {
      fail(.misused("the time cannot move back, from \(VirtualTime.text(table.now)) to \(VirtualTime.text(time))"))
    } else {
      drain(.time(time))
    }
  }

  func run() { drain(.noSleepers) }

  func fail(_ reason: SimulationFailure.Reason) {
    if failure == nil { failure = reason }
  }

  /// Runs jobs and moves time until the goal is reached, or cannot be.
  ///
  /// - Parameter isLast: whether the owner may go on from outside afterwards; if not, what comes before the next drain
  ///   has left.
  @discardableResult
  func drain(_ goal: Goal, isLast: Bool = true) -> DrainResult {
    let isInside = isCurrent
    guard beginDraining() else {
      fail(
        .misused(
          isInside
            ? "advance(by:), settle() or run() was called without await inside of the simulation"
            : "two threads move the time of one simulation"))
      return .over
    }
    let result = enter(runsJobs: false) {
      while failure == nil, canGoOn {
        runJobs()
        if failure != nil || !canGoOn { break }
        if takeOutside() { continue }
        lookAtRest()
        if let result = move(to: goal) { return result }
      }
      return DrainResult.over
    }
    if result == .over, isLast, !isScoped { beIdle() } else { park() }
    return result
  }

  /// Calls the observers of a rest, with the clocks and the random numbers of the run.
  private func lookAtRest() {
    if onRest == nil, onJudgement == nil { return }
    enter(runsJobs: true) {
      unsafe determinism_this_thread().pointee.rests = true
      onRest?()
      onJudgement?()
    }
  }

  private var canGoOn: Bool {
    let stop = stop
    return stop == .none || isWindingDown && stop != .abandoned
  }

  /// Drains until the task has ended; where nothing can go on, waits a little, in real time, for what has left.
  ///
  /// Blocks the thread while it waits.
  func drain(toTheEndOf task: SimulatedTask) {
    var grace = self.grace
    while drain(.end(of: task), isLast: false) == .stalled {
      if expectsJob { RunThreads.waiting { while !hasOutsideJobs, stop == .none { gate.wait(.milliseconds(100)) } } }
      if !hasNews { RunThreads.waiting { waitForNews(&grace) } }
      if hasNews { continue }
      if waitsForAbsent {
        waitsForAbsent = false
        grace = self.grace
      } else {
        fail(.stalled(waiting: waiting))
        beIdle()
        return
      }
    }
  }

  /// Waits for news, at most for the grace.
  ///
  /// In eight naps, each of which lasts until a task of the pool has run, too: what is waited for needs a few turns of
  /// the pool, which come late where the pool is busy. A pool that gives no turn at all for ten times the grace is
  /// waited for no longer.
  private func waitForNews(_ grace: inout Duration) {
    // Inside of another simulation its thread is blocked, and what would be of the pool would be of it.
    let hasPool = VirtualExecutor.current == nil
    let nap = max(limits.escapeGrace / 8, .milliseconds(1))
    var patience = limits.escapeGrace * 10
    while !hasNews, grace > .zero {
      patience -= wait(nap) { false }
      grace -= nap
      guard hasPool, patience > .zero else { continue }
      let probe = PoolProbe()
      Task.detached { [self] in
        probe.hasRun.store(true, ordering: .releasing)
        gate.open()
      }
      patience -= wait(patience) { probe.hasRun.load(ordering: .acquiring) }
    }
  }

  /// Waits for news or for what is asked for, at most so long; how long it was.
  private func wait(_ limit: Duration, until isOver: () -> Bool) -> Duration {
    let stopwatch = Stopwatch()
    while !hasNews, !isOver(), stopwatch.elapsed < limit { gate.wait(min(limit - stopwatch.elapsed, .milliseconds(100))) }
    return stopwatch.elapsed
  }

  /// Whether something came from outside: a job, a sleep that began there, or a request to stop.
  private var hasNews: Bool { hasOutsideJobs || stop != .none || !waitsForAbsent && table.nextDeadline != nil }

  /// Runs jobs as they come and lets time pass as it does, until the task has ended.
  func drainInRealTime(toTheEndOf task: SimulatedTask) async {
    let stopwatch = Stopwatch()
    while failure == nil, stop == .none {
      guard beginDraining() else { break }
      let now = stopwatch.elapsed
      let (event, isDue) = enter(runsJobs: false) {
        runJobs()
        while takeOutside() { runJobs() }
        lookAtRest()
        let event = nextEvent()
        let isDue = event.map { $0.time <= now } ?? false
        if let event, isDue { perform(event) } else { table.advance(to: max(now, table.now)) }
        return (event, isDue)
      }
      if task.isFinished { return beIdle() }
      park()
      if !isDue { await sleepForReal(min(event.map { $0.time - now } ?? .milliseconds(5), .milliseconds(5))) }
    }
    beIdle()
  }

  // MARK: Time

  /// What happens next, everything being at rest.
  private enum Event {
    /// The tasks wake that sleep until then.
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
    if expectsJob { return .stalled }
    if let left = table.heap.withLock({ $0.takeEarliestOver() }) {
      // A task on a default actor, whose jobs are not seen one by one, was cancelled in its sleep.
      wake(left)
      return nil
    }
    let event = nextEvent()
    switch goal {
    case .time(let target) where event.map { $0.time > target } ?? true:
      if target > limits.time, target > table.now {
        fail(.timeLimit(limits.time, waiting: ["the time was to move on to \(VirtualTime.text(target))"] + waiting))
        return .over
      }
      return table.advance(to: max(target, table.now)) ? .over : nil
    case .noSleepers where event == nil: return .over
    default: break
    }
    guard let event else { return .stalled }
    if event.time > limits.time {
      fail(.timeLimit(limits.time, waiting: waiting))
      return .over
    }
    perform(event)
    return nil
  }

  private func perform(_ event: Event) {
    if event.time > table.now { (jobsAtInstant, turnsAtInstant) = (0, 0) }
    switch event {
    case .wake: wakeEarliest()
    case .serve(let index, let time):
      // In real time, or where jobs cost time, it may be later already. A task outside may have begun to sleep
      // meanwhile, until before then.
      guard table.advance(to: max(time, table.now)) else { return }
      drivers.remove(at: index).suspension.resume()
    }
  }

  /// Moves the time on to the earliest deadline, and wakes those that sleep until then.
  func wakeEarliest() {
    var woken: [SleeperHeap.Waiter] = []
    swap(&woken, &wokenBuffer)
    table.step(&woken)
    for waiter in woken { wake(waiter) }
    woken.removeAll(keepingCapacity: true)
    wokenBuffer = woken
  }
}

extension VirtualExecutor {
  // MARK: The end

  /// Ends a run: reports what is left, cancels it and runs it until it is at rest.
  ///
  /// - Parameter isHeld: whether something still holds the simulation; if so, that may be a task which has left, and
  ///   which is given a little real time to come back.
  func windDown(isHeld: () -> Bool) {
    let end = table.now
    checkHooks()
    if let hookCulprit { fail(.misused("a hook of the Swift runtime was replaced during the run by \(hookCulprit)")) }
    let isWhole = failure == nil && stop == .none
    // What ended with the body, such as a model whose streams a task reads, lets others end.
    beginLeftovers()
    if isWhole, unsafe !openTasks.isEmpty { drain(.time(end), isLast: false) }
    if isWhole, failure == nil, !limits.allowed.contains(.unfinishedTasks), let left = unfinishedWork { fail(left) }
    let reason = failure
    failure = nil
    isWindingDown = true
    releaseLeftovers()
    var round = 0
    repeat {
      // What continues after its cancellation may begin something new.
      round += 1
      enter(runsJobs: false) {
        for task in unfinished { task.cancel() }
        table.cancelTasks()
        for task in waitingOpenTasks { unsafe openTasks.cancel(task) }
      }
      drain(.time(end), isLast: false)
    } while round < 16 && failure == nil && stop != .abandoned && (hasOutsideJobs || !table.sleepers.isEmpty)
    if isWhole {
      let stopwatch = Stopwatch()
      let limit = min(limits.escapeGrace, mayHaveLeft ? .milliseconds(20) : .milliseconds(1))
      while isHeld(), !hasOutsideJobs, stopwatch.elapsed < limit { gate.wait(limit - stopwatch.elapsed) }
      drain(.time(end))
    }
    if reason != nil || stop != .none {
      failure = reason
    } else if failure == nil, !table.sleepers.isEmpty {
      // They were cancelled, and sleep anyway.
      fail(.unfinished(asleep: table.reportedSleepers, waiting: []))
    }
    let held = words(of: leftovers?.held ?? [])
    if !held.isEmpty {
      // The caller that cancelled the run needs no reason of its end.
      if failure == nil, isWhole { fail(.ignoredCancellation(tasks: held)) } else { ignoredCancellation = held }
    }
    beIdle()
  }

  /// What has not ended with the body, unless its tasks may be cancelled then.
  private var unfinishedWork: SimulationFailure.Reason? {
    let asleep = table.heap.withLock { $0.all }
    let sleepers = asleep.filter { $0.who.task?.isCancelledAtEnd != true }.map(VirtualClock.Sleeper.init(reported:))
      .filter { !limits.allows($0.sentence) }
    let sleeping = Set(asleep.compactMap(\.who.task).map(ObjectIdentifier.init))
    let held = Set(leftovers?.held.map(\.pointer) ?? [])
    func suffix(_ task: UInt) -> String { held.contains(task) ? SimulationFailure.runsOn : "" }
    let named = unfinished.filter { task in
      !task.isCancelledAtEnd && task.name != SimulatedTask.bodyName && !sleeping.contains(ObjectIdentifier(task))
    }
    let waiting = (named.map { $0.title + suffix($0.job) } + waitingOpenTasks.map { words(of: $0) + suffix($0) })
      .filter { !limits.allows($0) }
    return sleepers.isEmpty && waiting.isEmpty ? nil : .unfinished(asleep: sleepers, waiting: waiting)
  }
}

/// Whether a task of the global pool has run.
private final class PoolProbe: Sendable {
  let hasRun = Atomic(false)
}
