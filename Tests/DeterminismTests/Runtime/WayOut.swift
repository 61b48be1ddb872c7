import Determinism
import Dispatch
import Foundation
import Synchronization
import Testing

/// A way out of a simulation.
enum WayOut: String, CaseIterable, Sendable {
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
