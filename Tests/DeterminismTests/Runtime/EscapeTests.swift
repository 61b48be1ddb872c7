import Determinism
import Dispatch
import Foundation
import Synchronization
import Testing

/// What leaves all the same is reported, by task, place and what it did, every time; and nothing traps or hangs.
@Suite(.serialized) struct EscapeTests {
  enum Way: String, CaseIterable, Sendable {
    case queue, timer, thread, sleeps, foundationSleep, semaphore, sockets, condition, concurrentPerform, runLoopTimer, runLoopBlock
    case pipe, stream, fileLock, recordLock, child, program, programByShell, descriptors, source
    case namedPipe, namedPipeStream, timedLock, timedReadLock, barrier, signal, alarm, intervalTimer, runLoop, forked
    case threadOfC11, sleepOfC11, conditionOfC11, futex

    /// What the report says.
    var action: String {
      switch self {
      case .queue: "called dispatch_async, which goes on elsewhere,"
      case .timer: "called dispatch_after, which goes on elsewhere,"
      case .thread: "called pthread_create, which goes on elsewhere,"
      case .sleeps: "called usleep, which blocks the thread of the simulation,"
      case .semaphore: "called dispatch_semaphore_wait, which blocks the thread of the simulation,"
      case .sockets: "opened a socket"
      case .condition: "called pthread_cond_timedwait, which blocks the thread of the simulation,"
      case .foundationSleep: "called nanosleep, which blocks the thread of the simulation,"
      case .concurrentPerform: "called dispatch_apply, which goes on elsewhere,"
      case .runLoopTimer: "set a timer of the system, as timers of a run loop are,"
      case .runLoopBlock: "gave a block to a run loop, which does not run in a simulation,"
      case .pipe: "called read, which blocks the thread of the simulation,"
      case .stream: "called fgetc, which blocks the thread of the simulation,"
      case .fileLock: "called flock, which blocks the thread of the simulation,"
      case .recordLock: "called fcntl for a lock, which blocks the thread of the simulation,"
      case .child: "called waitpid, which blocks the thread of the simulation,"
      case .program, .programByShell, .forked: "started a program, which runs elsewhere,"
      case .descriptors: "called poll, which blocks the thread of the simulation,"
      case .source: "made a source of Dispatch, whose events come from elsewhere,"
      case .namedPipe, .namedPipeStream: "opened a named pipe, which blocks the thread of the simulation,"
      case .timedLock: "called pthread_mutex_timedlock, which blocks the thread of the simulation,"
      case .timedReadLock: "called pthread_rwlock_timedrdlock, which blocks the thread of the simulation,"
      case .barrier: "called pthread_barrier_wait, which blocks the thread of the simulation,"
      case .signal: "called sigtimedwait, which blocks the thread of the simulation,"
      case .alarm, .intervalTimer: "set an alarm of the system"
      case .runLoop: "ran a run loop, which does not run in a simulation,"
      case .threadOfC11: "called thrd_create, which goes on elsewhere,"
      case .sleepOfC11: "called thrd_sleep, which blocks the thread of the simulation,"
      case .conditionOfC11: "called cnd_timedwait, which blocks the thread of the simulation,"
      case .futex: "called syscall for a futex, which blocks the thread of the simulation,"
      }
    }

    func leave() async {
      switch self {
      case .queue: await withCheckedContinuation { next in DispatchQueue.global().async { next.resume() } }
      case .timer:
        await withCheckedContinuation { next in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.0001) { next.resume() }
        }
      case .thread: await withCheckedContinuation { next in Thread.detachNewThread { next.resume() } }
      case .sleeps: block()
      case .semaphore: wait()
      case .sockets:
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        close(descriptor)
      case .condition: waitForCondition()
      case .foundationSleep: sleepByFoundation()
      case .concurrentPerform: performConcurrently()
      case .runLoopTimer: setTimer()
      case .runLoopBlock: giveBlock()
      case .pipe: Waits.shared.interrupted { readPipe() }
      case .stream: Waits.shared.interrupted { readStream() }
      case .fileLock: Waits.shared.interrupted { lockFile() }
      case .recordLock: Waits.shared.interrupted { lockRecord() }
      case .child: Waits.shared.interrupted { waitForChild() }
      case .program: startProgram()
      case .programByShell: startByShell()
      case .descriptors: waitForDescriptor()
      case .source: makeSource()
      case .namedPipe: Waits.shared.interrupted { openNamedPipe() }
      case .namedPipeStream: Waits.shared.interrupted { openNamedPipeAsStream() }
      case .timedLock: lockForAWhile()
      case .timedReadLock: lockToReadForAWhile()
      case .barrier: waitAtBarrier()
      case .signal: waitForSignal()
      case .alarm: setAlarm()
      case .intervalTimer: setIntervalTimer()
      case .runLoop: runLoop()
      case .forked: startByVfork()
      case .threadOfC11: startThreadOfC11()
      case .sleepOfC11: sleepByC11()
      case .conditionOfC11: waitForConditionOfC11()
      case .futex: waitForWord()
      }
    }

    // Swift does not import the threads of C11, nor functions of a variable number of arguments.
    private func function<Function>(_ name: String, _: Function.Type) -> Function {
      unsafe unsafeBitCast(dlsym(nil, name), to: Function.self)
    }
    private func startThreadOfC11() {
      typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> CInt
      typealias Create = @convention(c) (UnsafeMutablePointer<UInt>, Body, UnsafeMutableRawPointer?) -> CInt
      let create = unsafe function("thrd_create", Create.self)
      var thread: UInt = 0
      let result = unsafe create(&thread, { _ in 0 }, nil)
      let detached = function("thrd_detach", (@convention(c) (UInt) -> CInt).self)(thread)
      #expect(result == 0 && detached == 0)
    }
    private func sleepByC11() {
      typealias Sleep = @convention(c) (UnsafePointer<Int>, UnsafeMutablePointer<Int>?) -> CInt
      let sleep = unsafe function("thrd_sleep", Sleep.self)
      var time = [0, 1]
      let result = unsafe sleep(&time, nil)
      #expect(result == 0)
    }
    private func waitForConditionOfC11() {
      typealias Wait = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<Int>) -> CInt
      let wait = unsafe function("cnd_timedwait", Wait.self)
      // As large as the types of C, and as `mtx_init` and `cnd_init` leave them.
      var (condition, mutex): (pthread_cond_t, pthread_mutex_t) = unsafe (pthread_cond_t(), pthread_mutex_t())
      var deadline = [0, 0]
      _ = unsafe function("clock_gettime", (@convention(c) (clockid_t, UnsafeMutablePointer<Int>) -> CInt).self)(CLOCK_REALTIME, &deadline)
      deadline[1] += 1
      unsafe pthread_mutex_lock(&mutex)
      let result = unsafe wait(&condition, &mutex, &deadline)
      unsafe pthread_mutex_unlock(&mutex)
      #expect(result == 4, "thrd_timedout")
    }
    private func waitForWord() {
      typealias Call = @convention(c) (Int, UnsafeMutablePointer<UInt32>, Int, Int, UnsafePointer<Int>, Int, Int) -> Int
      let call = unsafe function("syscall", Call.self)
      var word: UInt32 = 7
      var time = [0, 1]
      #if arch(x86_64)
        let futex = 202
      #else
        let futex = 98
      #endif
      let result = unsafe call(futex, &word, 0, 7, &time, 0, 0)
      #expect(result == -1)
    }

    private func block() { usleep(1) }
    private func wait() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .nanoseconds(1)) }
    private func sleepByFoundation() { Thread.sleep(forTimeInterval: 0.000_001) }
    private func performConcurrently() { DispatchQueue.concurrentPerform(iterations: 2) { _ in } }
    // Never invalidated: the run loop of a thread that runs one simulation after another keeps it.
    private func setTimer() { RunLoop.current.add(Timer(timeInterval: 1, repeats: false) { _ in }, forMode: .default) }
    private func giveBlock() { RunLoop.current.perform {} }
    // The calls are not inside of `#expect`, whose code has lines of its own.
    private func readPipe() {
      var byte: UInt8 = 0
      let count = unsafe read(Waits.shared.pipe, &byte, 1)
      #expect(count == -1)
    }
    private func readStream() {
      let byte = unsafe fgetc(Waits.shared.stream)
      #expect(byte == EOF)
    }
    private func lockFile() {
      let result = flock(Waits.shared.unlocked, LOCK_EX)
      #expect(result == -1)
    }
    private func lockRecord() {
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      let result = unsafe fcntl(Waits.shared.unlocked, Waits.setLockAndWait, &lock)
      #expect(result == -1)
    }
    private func waitForChild() {
      var status: Int32 = 0
      let result = unsafe waitpid(Waits.shared.child, &status, 0)
      #expect(result == -1)
    }
    private func startProgram() {
      let name = unsafe strdup("true")
      defer { unsafe free(name) }
      var (child, status): (pid_t, Int32) = (0, 0)
      let arguments = unsafe [name, nil]
      let started = unsafe posix_spawnp(&child, "true", nil, nil, arguments, environ)
      let ended = unsafe waitpid(child, &status, 0)
      #expect(started == 0 && ended == child && status == 0)
    }
    private func startByShell() {
      let stream = unsafe popen("true", "r")
      let status = unsafe pclose(stream)
      #expect(status == 0)
    }
    private func waitForDescriptor() {
      var descriptor = pollfd(fd: Waits.shared.pipe, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&descriptor, 1, 1)
      #expect(count == 0)
    }
    static func readForEver() {
      var byte: UInt8 = 0
      _ = unsafe read(Waits.shared.pipe, &byte, 1)
    }
    static func take(_ lock: NSLock) { lock.lock() }
    static func give(_ lock: NSLock) { lock.unlock() }
    private func openNamedPipe() {
      let descriptor = unsafe open(Waits.shared.namedPipe, O_RDONLY)
      #expect(descriptor == -1)
    }
    private func openNamedPipeAsStream() {
      let stream = unsafe fopen(Waits.shared.namedPipe, "w")
      #expect(unsafe stream == nil)
    }
    // Foundation asks the C library for it with a time of the wall clock, which is virtual.
    private func lockForAWhile() {
      let isLocked = Waits.shared.lock.lock(before: Date(timeIntervalSinceNow: 0.000_001))
      #expect(!isLocked)
    }
    private func lockToReadForAWhile() {
      var deadline = [0, 0]
      _ = unsafe function("clock_gettime", (@convention(c) (clockid_t, UnsafeMutablePointer<Int>) -> CInt).self)(CLOCK_REALTIME, &deadline)
      deadline[1] += 1
      typealias Lock = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<Int>) -> CInt
      let result = unsafe function("pthread_rwlock_timedrdlock", Lock.self)(Waits.shared.writeLock, &deadline)
      #expect(result == ETIMEDOUT)
    }
    private func waitAtBarrier() {
      let result = unsafe pthread_barrier_wait(Waits.shared.barrier)
      #expect(result == PTHREAD_BARRIER_SERIAL_THREAD)
    }
    private func waitForSignal() {
      var signals = sigset_t()
      var time = [0, 1]
      typealias Wait = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?, UnsafePointer<Int>) -> CInt
      let result = unsafe function("sigtimedwait", Wait.self)(&signals, nil, &time)
      #expect(result == -1)
    }
    private func setAlarm() {
      _ = Foundation.alarm(3600)
      _ = Foundation.alarm(0)
    }
    // None: it is set for no time.
    private func setIntervalTimer() {
      var none = itimerval()
      let result = unsafe setitimer(__itimer_which_t(0), &none, nil)
      #expect(result == 0)
    }
    private func runLoop() { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.1)) }
    private func startByVfork() {
      // The library declares it as one that Swift may not call.
      let child = unsafe unsafeBitCast(dlsym(nil, "vfork"), to: (@convention(c) () -> pid_t).self)()
      if child == 0 { _exit(0) }
      var status: Int32 = 0
      let ended = unsafe waitpid(child, &status, 0)
      #expect(ended == child && status == 0)
    }
    private func makeSource() { DispatchSource.makeReadSource(fileDescriptor: Waits.shared.pipe).activate() }
    private func waitForCondition() {
      let condition = NSCondition()
      condition.lock()
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.001))
      condition.unlock()
    }
  }

  private static func report(_ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Void) async -> [Escape] {
    var limits = SimulationLimits()
    limits.escapeGrace = .seconds(30)
    limits.realTime = nil
    do {
      try await simulate(seed: 7, limits: limits, body)
      return []
    } catch {
      guard case .escaped(let escapes)? = (error as? SimulationFailure)?.reason else { return [] }
      return escapes
    }
  }

  @Test(arguments: Way.allCases) func `each way out is reported, 1,000 of 1,000 times`(way: Way) async {
    var count = 0
    for _ in 0..<1000 {
      let escapes = await Self.report { simulation in
        await simulation.task("leaves") { await way.leave() }.finished()
      }
      let escape = escapes.first { $0.action == way.action }
      let isNamed = escape?.function?.contains("EscapeTests.Way") == true && escape?.place?.hasPrefix("EscapeTests.swift:") == true
      if escape?.task == "leaves", escape?.origin?.contains("EscapeTests.swift") == true, isNamed {
        count += 1
      } else {
        Issue.record("\(escapes)")
        break
      }
    }
    #expect(count == 1000)
  }

  @Test func `a loop that waits for a time to come is reported, and ends`() async {
    @Sendable func waitInALoop() {
      let end = Date(timeIntervalSinceNow: 0.001)
      while Date() < end {}
    }
    let escapes = await Self.report { simulation in
      await simulation.task("waits") { waitInALoop() }.finished()
    }
    let escape = escapes.first { $0.action.hasPrefix("reads the clock again and again") }
    #expect(escape?.task == "waits" && escape?.function?.contains("EscapeTests") == true, "\(escapes)")
  }

  @Test func `a detached task on the main actor's model is reported by its own name`() async {
    let escapes = await Self.report { @MainActor simulation in
      await Task.detached(name: "reads a file") {
        await withCheckedContinuation { next in
          DispatchQueue.global().async {
            // Long enough that the task has gone when it comes back, on a busy machine, too.
            usleep(100_000)
            next.resume()
          }
        }
      }.value
    }
    #expect(escapes.map(\.task) == ["reads a file"] && escapes.map(\.action) == [Way.queue.action], "\(escapes)")
  }

  @Test func `the words of a report are the same in each run`() async {
    var reports: Set<String> = []
    for _ in 0..<20 {
      let escapes = await Self.report { @MainActor _ in
        // How many of them come back before the end is another number each time.
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 {
            group.addTask { await withCheckedContinuation { next in DispatchQueue.global().async { next.resume() } } }
          }
        }
      }
      reports.insert(escapes.map(\.description).joined(separator: "; "))
    }
    #expect(reports.count == 1 && reports.first?.contains("called dispatch_async") == true, "\(reports)")
  }

  @Test func `what leaves again and again from one place costs little`() async {
    let used = Mutex(Duration.zero)
    let escapes = await Self.report { simulation in
      await simulation.task("leaves") {
        used.withLock { used in
          let begin = Self.timeOfThread
          for _ in 0..<10_000 { DispatchQueue.global().async {} }
          used = Self.timeOfThread - begin
        }
      }.finished()
    }
    #expect(escapes.map(\.action) == [Way.queue.action])
    let time = used.withLock { $0 }
    #expect(time < .seconds(1), "\(time)")
  }

  /// How much time of the processor this thread has used.
  private static var timeOfThread: Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test func `a storm of sleeps from outside neither traps nor hangs`() async {
    final class Shared: Sendable {
      let isOver = Atomic(false)
      let clock = Mutex<VirtualClock?>(nil)
    }
    let shared = Shared()
    let storm = (0..<4).map { _ in
      Task.detached {
        while !shared.isOver.load(ordering: .acquiring) {
          guard let clock = shared.clock.withLock({ $0 }) else {
            await Task.yield()
            continue
          }
          let sleep = Task.detached { try? await clock.sleep(for: .milliseconds(1)) }
          await Task.yield()
          sleep.cancel()
        }
      }
    }
    var limits = SimulationLimits()
    limits.escapeGrace = .milliseconds(1)
    for seed in 0..<2500 as Range<UInt64> {
      _ = try? await simulate(seed: seed, limits: limits) { simulation in
        shared.clock.withLock { $0 = simulation.clock }
        for _ in 0..<20 { try await simulation.clock.sleep(for: .seconds(1)) }
      }
    }
    shared.isOver.store(true, ordering: .releasing)
    for task in storm { await task.value }
  }

  // MARK: Waits end

  @Test func `a run ends when its caller is cancelled`() async {
    let task = Task {
      try await simulate(seed: 7) { simulation in
        simulation.task("frames") { while true { try await simulation.clock.sleep(for: .milliseconds(16)) } }
        await simulation.run()
      }
    }
    try? await Task.sleep(for: .milliseconds(50))
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test func `a body that ignores its cancellation is ended all the same`() async {
    let task = Task {
      try await simulate(seed: 7) { simulation in
        while true { await simulation.advance(by: .seconds(1)) }
      }
    }
    try? await Task.sleep(for: .milliseconds(20))
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test func `each wait ends with its task`() async throws {
    try await simulate(seed: 7) { simulation in
      let waits: [(String, nonisolated(nonsending) @Sendable (Simulation) async -> Void)] = [
        ("advance", { await $0.advance(by: .seconds(100)) }), ("run", { await $0.run() }),
        ("waitForSleepers", { await $0.clock.waitForSleepers(1000) }),
        (
          "finished",
          { simulation in
            let never = simulation.task("never", atEnd: .cancel) { try await simulation.clock.sleep(for: .seconds(1_000_000)) }
            await never.finished()
          }
        ),
      ]
      for (name, wait) in waits {
        let task = simulation.task(name) { await wait(simulation) }
        try await simulation.clock.sleep(for: .seconds(1))
        #expect(!task.isFinished, "\(name)")
        task.cancel()
        await task.finished()
        #expect(task.isFinished, "\(name)")
      }
      #expect(simulation.clock.now.offset == .seconds(4))
    }
    let clock = VirtualClock()
    let wait = Task { await clock.waitForSleepers(1) }
    wait.cancel()
    await wait.value
  }

  @Test func `an endless timer ends with the limit of real time, and says who slept`() async {
    var limits = SimulationLimits()
    limits.realTime = .milliseconds(100)
    limits.time = .seconds(1 << 40)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        await simulation.task("frames") { while true { try await simulation.clock.sleep(for: .milliseconds(16)) } }.finished()
      }
    }
    guard case .realTimeLimit(.milliseconds(100), let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(waiting.contains { $0.contains("frames") }, "\(waiting)")
  }

  @Test func `a job that never returns is given up by name`() async {
    let mayEnd = Atomic(false)
    var limits = SimulationLimits()
    limits.realTime = .milliseconds(100)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        await simulation.task("spins") { while !mayEnd.load(ordering: .acquiring) {} }.finished()
      }
    }
    guard case .blocked(let task, _)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(task.hasPrefix("“spins” (started at DeterminismTests/EscapeTests.swift"), "\(task)")
    mayEnd.store(true, ordering: .releasing)
  }

  @Test(.timeLimit(.minutes(5))) func `a run that blocks for ever is ended soon, whatever its limit of real time`() async {
    var limits = SimulationLimits()
    limits.realTime = .seconds(24 * 3600)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        await simulation.task("reads") { Way.readForEver() }.finished()
      }
    }
    guard case .escaped(let escapes)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(escapes.map(\.action) == [Way.pipe.action], "\(escapes)")
  }

  @Test(.timeLimit(.minutes(5))) func `a lock that the run itself has is named at once`() async {
    var limits = SimulationLimits()
    limits.realTime = .seconds(24 * 3600)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        let lock = NSLock()
        simulation.task("keeps") {
          Way.take(lock)
          try await simulation.clock.sleep(for: .seconds(1))
          Way.give(lock)
        }
        await simulation.settle()
        await simulation.task("takes") { Way.take(lock) }.finished()
      }
    }
    guard case .escaped(let escapes)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    let action = "called pthread_mutex_lock for a lock that this run has already, which blocks the thread of the simulation,"
    #expect(escapes.map(\.action) == [action], "\(escapes)")
    #expect(escapes.map(\.task) == ["takes"], "\(escapes)")
  }

  // MARK: The end

  @MainActor final class FollowsAStream {
    let (values, next) = AsyncStream.makeStream(of: Int.self)
    var last = 0
    var task: Task<Void, Never>?

    func begin() { task = Task { await follow() } }

    private func follow() async { for await value in values { last = value } }
  }

  @Test func `a task of the model's own that still waits at the end is named by its function`() async throws {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { @MainActor simulation in
        let model = FollowsAStream()
        model.begin()
        model.next.yield(3)
        await simulation.settle()
        #expect(model.last == 3)
      }
    }
    guard case .unfinished(let asleep, let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(asleep.isEmpty)
    #expect(waiting.count == 1 && waiting[0].contains(" in DeterminismTests.EscapeTests.FollowsAStream."), "\(waiting)")
  }

  @Test func `a task of the model's own passes where it ends with the model, is cancelled or allowed`() async throws {
    try await simulate(seed: 7) { @MainActor simulation in
      let model = FollowsAStream()
      model.begin()
      await simulation.settle()
      model.task?.cancel()
    }
    try await simulate(seed: 7) { @MainActor simulation in
      let model = FollowsAStream()
      model.begin()
      await simulation.settle()
      model.next.finish()
    }
    var limits = SimulationLimits()
    limits.allowed.insert(.unfinishedTasks)
    let hasEnded = Atomic(false)
    try await simulate(seed: 7, limits: limits) { @MainActor _ in
      let (values, next) = AsyncStream.makeStream(of: Int.self)
      Task {
        for await _ in values {}
        hasEnded.store(true, ordering: .releasing)
      }
      await Task.yield()
      _ = next
    }
    // It was cancelled with the run.
    let ended = hasEnded.load(ordering: .acquiring)
    #expect(ended)
    try withSimulation(seed: 7, limits: limits) { _ in }
  }

  @Test func `of a run that cannot go on each task that waits is named by its function`() async throws {
    @Sendable func waitForNothing() async { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { _ in await waitForNothing() }
    }
    guard case .stalled(let waiting)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(waiting.contains { $0.contains(" in DeterminismTests.EscapeTests.") }, "\(waiting)")
  }

  @Test func `a forgotten timer, a reader and an effect are named at the end, unless allowed`() async throws {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { @MainActor simulation in
        simulation.task("timer") { while true { try await simulation.clock.sleep(for: .seconds(1)) } }
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        simulation.task("reader") { for await _ in stream {} }
        Task(name: "effect") { try await Task.sleep(for: .seconds(60)) }
        await simulation.advance(by: .seconds(2))
        _ = continuation
      }
    }
    let words = "\(failure as Any)"
    #expect(words.contains("timer sleeps until 3 s (started at DeterminismTests/EscapeTests.swift:"), "\(words)")
    #expect(words.contains("effect sleeps until 60 s"), "\(words)")
    #expect(words.contains("“reader” (started at DeterminismTests/EscapeTests.swift:"), "\(words)")
    var limits = SimulationLimits()
    limits.allowed.insert(.unfinishedTasks)
    try await simulate(seed: 7, limits: limits) { simulation in
      simulation.task("timer") { while true { try await simulation.clock.sleep(for: .seconds(1)) } }
      await simulation.advance(by: .seconds(2))
    }
  }

  @Test func `time that would move back, or is moved twice, is a sentence`() async {
    let back = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in await simulation.advance(by: .seconds(-1)) }
    }
    #expect(back?.description.contains("the time cannot move back, from 0 s to -1 s") == true, "\(back as Any)")
    let inside = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in Self.advance(simulation) }
    }
    #expect(inside?.description.contains("without await inside of the simulation") == true, "\(inside as Any)")
  }

  private static func advance(_ simulation: Simulation) { simulation.advance(by: .seconds(1)) }
}
