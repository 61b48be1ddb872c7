import Determinism
import Dispatch
import Foundation
import Synchronization
import Testing

/// What programs ask the system for, by kind: what a run gives, and what is reported.
@Suite(.serialized) struct KindTests {
  /// A kind of code, by the name of the function that is called or of the file that is read.
  struct Kind<Value>: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var value: @Sendable () throws -> Value

    init(_ name: String, _ value: @escaping @Sendable () throws -> Value) { (testDescription, self.value) = (name, value) }
  }

  /// A function that Swift does not import everywhere, or not at all.
  private static func function<Function>(_ name: String, _: Function.Type) -> Function {
    unsafe unsafeBitCast(dlsym(nil, name), to: Function.self)
  }
  private typealias Pointer = UnsafeMutableRawPointer

  // MARK: Randomness

  private static func read(_ path: String, _ count: Int) throws -> [UInt8] {
    guard let stream = unsafe fopen(path, "r") else { throw CocoaError(.fileReadUnknown) }
    defer { unsafe fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = unsafe fread(&bytes, 1, count, stream)
    return Array(bytes.prefix(got))
  }

  private static func named(_ template: String, _ make: (UnsafeMutablePointer<CChar>) -> Void) throws -> String {
    let path = unsafe strdup(NSTemporaryDirectory() + template)
    guard let path = unsafe path else { throw CocoaError(.fileWriteUnknown) }
    defer { unsafe free(path) }
    unsafe make(path)
    return unsafe String(cString: path)
  }

  private static let drawn: [Kind<String>] = [
    Kind("arc4random_uniform") {
      "\((0..<4).map { _ in function("arc4random_uniform", (@convention(c) (UInt32) -> UInt32).self)(1_000_000) })"
    },
    Kind("/dev/random") { "\(try read("/dev/random", 8))" },
    Kind("/dev/urandom") { "\(try read("/dev/urandom", 8))" },
    Kind("/proc/sys/kernel/random/uuid") {
      try #require(UUID(uuidString: String(decoding: read("/proc/sys/kernel/random/uuid", 36), as: UTF8.self))).uuidString
        + String(contentsOfFile: "/proc/sys/kernel/random/uuid", encoding: .utf8)
    },
    Kind("mkstemp") {
      try unsafe named("kinds-XXXXXX") { path in
        unsafe close(mkstemp(path))
        unsafe unlink(path)
      }
    },
    Kind("mkostemp") {
      try unsafe named("kinds-XXXXXX") { path in
        unsafe close(function("mkostemp", (@convention(c) (UnsafeMutablePointer<CChar>, CInt) -> CInt).self)(path, O_CLOEXEC))
        unsafe unlink(path)
      }
    },
    Kind("mkstemps") {
      try unsafe named("kinds-XXXXXX.txt") { path in
        unsafe close(mkstemps(path, 4))
        unsafe unlink(path)
      }
    },
    Kind("mkdtemp") {
      try unsafe named("kinds-XXXXXX") { path in
        _ = unsafe mkdtemp(path)
        unsafe rmdir(path)
      }
    },
    Kind("tempnam") { unsafe String(cString: try #require(tempnam(nil, "kinds"))) },
    Kind("rand") { "\(rand()) \(random()) \(drand48()) \(lrand48()) \(mrand48())" },
  ]

  @Test(arguments: drawn) func `what is random is drawn from the seed`(_ kind: Kind<String>) async throws {
    let (first, again) = (try await simulate(seed: 7) { _ in try kind.value() }, try await simulate(seed: 7) { _ in try kind.value() })
    let other = try await simulate(seed: 8) { _ in try kind.value() }
    #expect(first == again)
    #expect(first != other && !first.contains("XXXXXX"), "\(first), \(again), \(other)")
  }

  @Test func `a file that is left takes its name, and what is drawn later is the same`() async throws {
    @Sendable func draw() async throws -> [String] {
      try await simulate(seed: 7) { _ in
        [try unsafe Self.named("kinds-XXXXXX") { path in unsafe close(mkstemp(path)) }, "\(Int.random(in: 0..<1_000_000))"]
      }
    }
    let (first, second) = (try await draw(), try await draw())
    for name in [first[0], second[0]] { unsafe unlink(name) }
    #expect(first[0] != second[0] && first[1] == second[1], "\(first), \(second)")
  }

  private static let seeded: [Kind<[Double]>] = [
    Kind("srand") {
      srand(42); return (0..<40).map { _ in Double(rand()) }
    },
    Kind("srandom") {
      srandom(42); return (0..<40).map { _ in Double(random()) }
    },
    Kind("srandom, rand") {
      srandom(1); return [Double(rand()), Double(random())]
    },
    Kind("srand48") {
      srand48(42); return [drand48(), Double(lrand48()), Double(mrand48())]
    },
    Kind("seed48") {
      var seed: [UInt16] = [1, 2, 3]
      _ = unsafe seed48(&seed)
      return [drand48(), drand48()]
    },
    Kind("lcong48") {
      var parameters: [UInt16] = [1, 2, 3, 4, 5, 6, 7]
      unsafe lcong48(&parameters)
      defer { srand48(1) }
      return [drand48(), drand48()]
    },
    Kind("initstate, setstate") {
      let state = UnsafeMutablePointer<CChar>.allocate(capacity: 64)
      defer { unsafe state.deallocate() }
      srandom(3)
      let before = unsafe initstate(42, state, 64)
      let values = [Double(random()), Double(random())]
      let after = unsafe setstate(try #require(before))
      return values + [unsafe after == state ? 1 : 0, Double(random())]
    },
  ]

  @Test(arguments: seeded) func `a seed of the program's own gives what it gives outside`(_ kind: Kind<[Double]>) async throws {
    let outside = try kind.value()
    for seed in [7, 8] as [UInt64] {
      let inside = try await simulate(seed: seed) { _ in try kind.value() }
      #expect(inside == outside)
    }
    #expect(Set(outside).count > 1)
  }

  @Test func `a seed of one run is not that of another`() async throws {
    @Sendable func draw() async throws -> Int32 { try await simulate(seed: 7) { _ in rand() } }
    let first = try await draw()
    try await simulate(seed: 7) { _ in srand(42) }
    #expect(try await draw() == first)
  }

  // MARK: Time

  private static let clocks: [Kind<Double>] = [
    Kind("times") {
      var used = tms()
      return unsafe Double(times(&used)) / Double(sysconf(CInt(_SC_CLK_TCK)))
    },
    Kind("sysinfo") {
      // The uptime is its first field.
      let information = Pointer.allocate(byteCount: 256, alignment: 8)
      defer { unsafe information.deallocate() }
      _ = unsafe function("sysinfo", (@convention(c) (Pointer) -> CInt).self)(information)
      return Double(unsafe information.load(as: Int.self))
    },
    Kind("/proc/uptime") {
      let text = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
      return try #require(text.split(separator: " ").first.flatMap { Double($0) })
    },
    Kind("syscall(SYS_clock_gettime)") {
      #if arch(x86_64)
        let number = 228
      #else
        let number = 113
      #endif
      var time = [0, 0]
      let call = unsafe function("syscall", (@convention(c) (Int, Int, UnsafeMutablePointer<Int>) -> Int).self)
      _ = unsafe call(number, 1, &time)
      return Double(time[0])
    },
  ]

  @Test(arguments: clocks) func `clocks are virtual`(_ clock: Kind<Double>) async throws {
    try await simulate(seed: 7) { _ in
      let begin = try clock.value()
      try await Task.sleep(for: .seconds(3))
      let end = try clock.value()
      #expect(begin == 3600 && end == 3603)
    }
    #expect(try clock.value() != 3603)
  }

  // MARK: Times of files

  /// A way to change a file or a folder; the path is of a folder that has a file in it.
  private struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Returns the path whose time is looked at.
    var make: @Sendable (String) throws -> String

    init(_ name: String, _ make: @escaping @Sendable (String) throws -> String) { (testDescription, self.make) = (name, make) }

    /// One of the file.
    init(file name: String, _ make: @escaping @Sendable (String) -> CInt) {
      self.init(name) { folder in
        guard make(folder + "/file") == 0 else { throw CocoaError(.fileWriteUnknown) }
        return folder + "/file"
      }
    }

    /// One of the folder.
    init(folder name: String, _ make: @escaping @Sendable (String) -> CInt) {
      self.init(name) { folder in
        guard make(folder) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return folder
      }
    }
  }

  private static func withFile(_ path: String, _ body: (CInt) -> CInt) -> CInt {
    let file = unsafe open(path, O_RDWR)
    defer { close(file) }
    return body(file)
  }
  /// Seconds and nanoseconds, as in `timespec`, whose members are of another module in each file.
  private static let now = [0, (1 << 30) - 1]
  private typealias SetAt = @convention(c) (CInt, UnsafePointer<CChar>, UnsafePointer<Int>, CInt) -> CInt
  private typealias SetOf = @convention(c) (CInt, UnsafePointer<Int>) -> CInt

  private static let changes: [Change] = [
    Change(file: "utime") { unsafe utime($0, nil) },
    Change(file: "utimes") { unsafe utimes($0, nil) },
    Change(file: "lutimes") { unsafe lutimes($0, nil) },
    Change(file: "utimensat") { unsafe utimensat(AT_FDCWD, $0, nil, 0) },
    Change(file: "utimensat, UTIME_NOW") { unsafe function("utimensat", SetAt.self)(AT_FDCWD, $0, now + now, 0) },
    Change(file: "futimens") { path in withFile(path) { futimens($0, nil) } },
    Change(file: "futimens, UTIME_NOW") { path in withFile(path) { unsafe function("futimens", SetOf.self)($0, now + now) } },
    Change(file: "futimes") { path in withFile(path) { futimes($0, nil) } },
    Change(file: "truncate") { unsafe truncate($0, 1) },
    Change(file: "ftruncate") { path in withFile(path) { ftruncate($0, 1) } },
    Change("copyItem") { folder in
      try FileManager.default.copyItem(atPath: folder + "/file", toPath: folder + "/copy")
      return folder + "/copy"
    },
    Change("createDirectory") { folder in
      try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: false)
      return folder + "/inner"
    },
    Change(folder: "mkdir in it") { unsafe mkdir($0 + "/inner", 0o700) },
    Change(folder: "open in it") { folder in close(unsafe open(folder + "/new", O_CREAT | O_WRONLY, 0o600)) },
    Change(folder: "rename in it") { unsafe rename($0 + "/file", $0 + "/other") },
    Change(folder: "unlink in it") { unsafe unlink($0 + "/file") },
    Change(folder: "link in it") { unsafe link($0 + "/file", $0 + "/other") },
    Change(folder: "symlink in it") { unsafe symlink("file", $0 + "/other") },
  ]

  private static func time(of path: String) throws -> Date {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
  }

  @Test(arguments: changes) private func `what a run changes has the time of the run`(_ change: Change) async throws {
    try await simulate(seed: 7) { _ in
      let folder = try unsafe Self.named("kinds-XXXXXX") { path in _ = unsafe mkdtemp(path) }
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try Data("abc".utf8).write(to: URL(fileURLWithPath: folder + "/file"))
      try await Task.sleep(for: .seconds(86_400))
      let changed = try Self.time(of: change.make(folder))
      #expect(changed == Date())
    }
  }

  // MARK: Waits

  /// What waits, or goes on elsewhere, as the report says.
  private struct Leaving: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var action: String
    var leave: @Sendable () -> Void

    init(_ name: String, _ action: String? = nil, _ leave: @escaping @Sendable () -> Void) {
      (testDescription, self.leave) = (name, leave)
      self.action = action ?? "called \(name), which blocks the thread of the simulation,"
    }
  }

  /// A real time that is over soon, of a clock of the run.
  private static func soon(_ clock: clockid_t) -> [Int] {
    var time = [0, 0]
    _ = unsafe function("clock_gettime", (@convention(c) (clockid_t, UnsafeMutablePointer<Int>) -> CInt).self)(clock, &time)
    time[1] += 1_000_000
    return time
  }
  private static func past(_ clock: clockid_t) -> [Int] {
    var time = [0, 0]
    _ = unsafe function("clock_gettime", (@convention(c) (clockid_t, UnsafeMutablePointer<Int>) -> CInt).self)(clock, &time)
    return time
  }
  private static func withSemaphore(_ body: (UnsafeMutablePointer<sem_t>) -> CInt) -> CInt {
    var semaphore = sem_t()
    unsafe sem_init(&semaphore, 0, 0)
    return unsafe body(&semaphore)
  }
  private static func waitForSemaphore(_ time: [Int]) -> CInt {
    var time = time
    return unsafe withSemaphore { unsafe function("sem_timedwait", (@convention(c) (Pointer, UnsafePointer<Int>) -> CInt).self)($0, &time) }
  }
  private static func waitForSemaphore(ofClock time: [Int]) -> CInt {
    var time = time
    typealias Wait = @convention(c) (UnsafeMutablePointer<sem_t>, clockid_t, UnsafePointer<Int>) -> CInt
    return unsafe withSemaphore { unsafe function("sem_clockwait", Wait.self)($0, CLOCK_MONOTONIC, &time) }
  }
  private static func waitForEvents(_ milliseconds: Int) -> CInt {
    let descriptor = function("epoll_create1", (@convention(c) (CInt) -> CInt).self)(0)
    defer { close(descriptor) }
    var time = [0, milliseconds * 1_000_000]
    typealias Wait = @convention(c) (CInt, Pointer, CInt, UnsafePointer<Int>, Pointer?) -> CInt
    return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { events in
      unsafe events.baseAddress.map { unsafe function("epoll_pwait2", Wait.self)(descriptor, $0, 1, &time, nil) } ?? -1
    }
  }
  private static func withQueue(_ body: (CInt) -> Int) -> Int {
    let name = "/determinism-tests-\(getpid())"
    // Of two messages of eight bytes.
    let attributes: [Int] = [0, 2, 8, 0, 0, 0, 0, 0]
    typealias Open = @convention(c) (UnsafePointer<CChar>, CInt, mode_t, UnsafePointer<Int>) -> CInt
    let queue = unsafe function("mq_open", Open.self)(name, O_CREAT | O_RDWR, 0o600, attributes)
    defer { close(queue) }
    _ = unsafe function("mq_unlink", (@convention(c) (UnsafePointer<CChar>) -> CInt).self)(name)
    return body(queue)
  }
  private static func receive(_ queue: CInt, _ time: [Int]) -> Int {
    var (time, text, priority) = (time, [UInt8](repeating: 0, count: 8), CUnsignedInt(0))
    typealias Receive =
      @convention(c) (
        CInt, UnsafeMutablePointer<UInt8>, Int, UnsafeMutablePointer<CUnsignedInt>, UnsafePointer<Int>
      ) -> Int
    return unsafe function("mq_timedreceive", Receive.self)(queue, &text, 8, &priority, &time)
  }
  private static func send(_ queue: CInt, _ time: [Int]) -> Int {
    var time = time
    typealias Send = @convention(c) (CInt, UnsafePointer<UInt8>, Int, CUnsignedInt, UnsafePointer<Int>) -> CInt
    return Int(unsafe function("mq_timedsend", Send.self)(queue, [1, 2, 3], 3, 0, &time))
  }
  private static func waitForOperation(_ nanoseconds: Int) -> CInt {
    let set = semget(0, 1, 0o600)
    defer { _ = function("semctl", (@convention(c) (CInt, CInt, CInt) -> CInt).self)(set, 0, 0) }
    var time = [0, nanoseconds]
    typealias Wait = @convention(c) (CInt, UnsafeMutablePointer<sembuf>, Int, UnsafePointer<Int>) -> CInt
    var operation = sembuf(sem_num: 0, sem_op: -1, sem_flg: 0)
    return unsafe function("semtimedop", Wait.self)(set, &operation, 1, &time)
  }
  private static func setTimer() {
    var timer: Pointer?
    typealias Make = @convention(c) (clockid_t, Pointer?, UnsafeMutablePointer<Pointer?>) -> CInt
    typealias Set = @convention(c) (Pointer?, CInt, UnsafePointer<Int>, Pointer?) -> CInt
    // Without one, the timer sends a signal; it is set for no time here.
    _ = unsafe function("timer_create", Make.self)(CLOCK_MONOTONIC, nil, &timer)
    _ = unsafe function("timer_settime", Set.self)(timer, 0, [0, 0, 0, 0], nil)
    _ = unsafe function("timer_delete", (@convention(c) (Pointer?) -> CInt).self)(timer)
  }
  private static func readElsewhere() {
    // A block that asks for nothing: the descriptor is none.
    let block = Pointer.allocate(byteCount: 256, alignment: 8)
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
    unsafe block.storeBytes(of: -1, as: CInt.self)
    _ = unsafe function("aio_read", (@convention(c) (Pointer) -> CInt).self)(block)
  }

  private static func suspendForRead() -> CInt {
    // A block of a request that is not done (`EINPROGRESS` in its `__error_code`); the library knows none, and returns.
    let block = Pointer.allocate(byteCount: 256, alignment: 8)
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
    unsafe block.storeBytes(of: EINPROGRESS, toByteOffset: 112, as: CInt.self)
    typealias Suspend = @convention(c) (UnsafePointer<Pointer?>, CInt, UnsafePointer<Int>) -> CInt
    return unsafe function("aio_suspend", Suspend.self)([block], 1, [0, 1_000_000])
  }
  private static func join(_ time: [Int]) -> CInt {
    typealias Join = @convention(c) (pthread_t, Pointer?, UnsafePointer<Int>) -> CInt
    return unsafe function("pthread_timedjoin_np", Join.self)(Waits.shared.thread, nil, time)
  }
  private static func join(ofClock time: [Int]) -> CInt {
    typealias Join = @convention(c) (pthread_t, Pointer?, clockid_t, UnsafePointer<Int>) -> CInt
    return unsafe function("pthread_clockjoin_np", Join.self)(Waits.shared.thread, nil, CLOCK_MONOTONIC, time)
  }

  private static func sleepByNumber() {
    #if arch(x86_64)
      let number = 35
    #else
      let number = 101
    #endif
    let time = [0, 1_000_000]
    let call = unsafe function("syscall", (@convention(c) (Int, UnsafePointer<Int>, Pointer?) -> Int).self)
    #expect(unsafe call(number, time, nil) == 0)
  }

  private static func yields(_ name: String) -> String {
    "called \(name) again and again, which gives no task of the simulation a turn,"
  }

  private static let leaving: [Leaving] = [
    Leaving("eventfd_read") {
      let descriptor = function("eventfd", (@convention(c) (CUnsignedInt, CInt) -> CInt).self)(0, 0)
      Waits.shared.interrupted {
        var value: UInt64 = 0
        let result = unsafe function("eventfd_read", (@convention(c) (CInt, UnsafeMutablePointer<UInt64>) -> CInt).self)(descriptor, &value)
        #expect(result == -1)
      }
      close(descriptor)
    },
    Leaving("epoll_pwait2") { #expect(waitForEvents(1) == 0) },
    Leaving("semtimedop") { #expect(waitForOperation(1) == -1) },
    Leaving("sem_timedwait") { #expect(waitForSemaphore(soon(CLOCK_REALTIME)) == -1) },
    Leaving("sem_clockwait") { #expect(waitForSemaphore(ofClock: soon(CLOCK_MONOTONIC)) == -1) },
    Leaving("mq_timedreceive") { #expect(withQueue { receive($0, soon(CLOCK_REALTIME)) } == -1) },
    Leaving("mq_timedsend") {
      let results = Mutex<[Int]>([])
      _ = withQueue { queue in
        for _ in 0..<3 { results.withLock { $0.append(send(queue, soon(CLOCK_REALTIME))) } }
        return 0
      }
      #expect(results.withLock { $0 } == [0, 0, -1])
    },
    Leaving("pthread_timedjoin_np") { #expect(join(soon(CLOCK_REALTIME)) == ETIMEDOUT) },
    Leaving("pthread_clockjoin_np") { #expect(join(ofClock: soon(CLOCK_MONOTONIC)) == ETIMEDOUT) },
    Leaving("aio_suspend") { _ = suspendForRead() },
    Leaving("timer_settime", "set an alarm of the system", setTimer),
    Leaving("gethostbyname") { _ = unsafe gethostbyname("localhost") },
    Leaving("nanosleep by its number", "called syscall for a sleep, which blocks the thread of the simulation,", sleepByNumber),
    Leaving("aio_read", "called aio_read, which goes on elsewhere,", readElsewhere),
    Leaving(
      "a notification that is posted later",
      "gave an observer to a run loop, which does not run in a simulation, as a `NotificationQueue` does,"
    ) {
      NotificationQueue(notificationCenter: NotificationCenter()).enqueue(Notification(name: .init("later")), postingStyle: .whenIdle)
    },
    Leaving("a loop of sched_yield", yields("sched_yield")) { for _ in 0..<20_000 { sched_yield() } },
    Leaving("a loop of thrd_yield", yields("thrd_yield")) {
      let yield = function("thrd_yield", (@convention(c) () -> Void).self)
      for _ in 0..<20_000 { yield() }
    },
    Leaving("a loop of sleeps of no time", yields("usleep")) { for _ in 0..<20_000 { usleep(0) } },
    Leaving("dispatch_semaphore_wait") { #expect(DispatchSemaphore(value: 0).wait(timeout: .now() + 0.001) == .timedOut) },
  ]

  /// What left a run of this body.
  private func actions(_ body: @escaping @Sendable () -> Void) async -> [String] {
    _ = Waits.shared
    return await escapes { _ in body() }.map(\.action)
  }

  @Test(arguments: leaving) private func `what waits or goes on elsewhere is reported`(_ kind: Leaving) async {
    #expect(await actions(kind.leave) == [kind.action])
  }

  private final class OwnQueue: OperationQueue, @unchecked Sendable {}

  private static let adding: [Kind<Void>] = [
    Kind("a block on the main queue") { OperationQueue.main.addOperation {} },
    Kind("an operation on the main queue") { OperationQueue.main.addOperation(BlockOperation {}) },
    Kind("operations on the main queue") { OperationQueue.main.addOperations([BlockOperation {}], waitUntilFinished: false) },
    Kind("a barrier on the main queue") { OperationQueue.main.addBarrierBlock {} },
    Kind("a block on a queue that is full") { Waits.shared.fullQueue.addOperation {} },
    Kind("a block on a queue of a class of the program") {
      let queue = OwnQueue()
      queue.isSuspended = true
      queue.addOperation {}
    },
  ]

  @Test(arguments: adding) private func `an operation is reported in each run, also where others are in front of it`(
    _ kind: Kind<Void>
  ) async {
    for _ in 0..<20 {
      let actions = await actions { try? kind.value() }
      #expect(actions == ["called OperationQueue.addOperation, which goes on elsewhere,"])
    }
  }

  private static let later: [Leaving] = [
    Leaving("a work item that notifies", "called dispatch_block_notify, which goes on elsewhere,") {
      let item = DispatchWorkItem {}
      item.notify(queue: .global()) {}
      item.perform()
    },
    Leaving("data for a source from before the run", "called dispatch_source_merge_data, which goes on elsewhere,") {
      Waits.shared.source.add(data: 1)
    },
  ]

  @Test(arguments: later) private func `what goes on later is reported in each run`(_ kind: Leaving) async {
    for _ in 0..<20 { #expect(await actions(kind.leave) == [kind.action]) }
  }

  private final class Yielder: Sendable {
    let isDone = Atomic(false)
  }

  @Test func `a loop of yields that waits for a task of its own run is given up after some seconds`() async {
    let stopwatch = ContinuousClock.now
    let actions = await actions {
      let worker = Yielder()
      Task { worker.isDone.store(true, ordering: .releasing) }
      while !worker.isDone.load(ordering: .acquiring) { sched_yield() }
    }
    #expect(actions == [Self.yields("sched_yield")])
    #expect(stopwatch.duration(to: .now) < .seconds(60))
  }

  /// What does not wait, though it could.
  private static let immediate: [Kind<Bool>] = [
    Kind("semaphore that is taken, now") { DispatchSemaphore(value: 0).wait(timeout: .now()) == .timedOut },
    Kind("semaphore that is taken, by the wall clock") { DispatchSemaphore(value: 0).wait(wallTimeout: .now()) == .timedOut },
    Kind("semaphore that is taken, in the past") { DispatchSemaphore(value: 0).wait(timeout: .now() - 1) == .timedOut },
    Kind("group that is not empty, now") {
      let group = DispatchGroup()
      group.enter()
      defer { group.leave() }
      return group.wait(timeout: .now()) == .timedOut
    },
    Kind("work item that is done") {
      let item = DispatchWorkItem {}
      item.perform()
      item.wait()
      return true
    },
    Kind("work item that is not done, now") { DispatchWorkItem {}.wait(timeout: .now()) == .timedOut },
    Kind("sem_timedwait in the past") { waitForSemaphore([0, 0]) == -1 && errno == ETIMEDOUT },
    Kind("sem_timedwait, now") { waitForSemaphore(past(CLOCK_REALTIME)) == -1 && errno == ETIMEDOUT },
    Kind("sem_clockwait, now") { waitForSemaphore(ofClock: past(CLOCK_MONOTONIC)) == -1 && errno == ETIMEDOUT },
    Kind("pthread_mutex_timedlock, now") { Waits.shared.lock.lock(before: Date()) == false },
    Kind("pthread_rwlock_timedrdlock, now") {
      var time = past(CLOCK_REALTIME)
      typealias Lock = @convention(c) (Pointer, UnsafePointer<Int>) -> CInt
      return unsafe function("pthread_rwlock_timedrdlock", Lock.self)(Waits.shared.writeLock, &time) == ETIMEDOUT
    },
    Kind("pthread_cond_timedwait, now") {
      let condition = NSCondition()
      condition.lock()
      defer { condition.unlock() }
      return !condition.wait(until: Date())
    },
    Kind("mq_timedreceive, now") { withQueue { receive($0, past(CLOCK_REALTIME)) } == -1 },
    Kind("pthread_timedjoin_np, now") { join(past(CLOCK_REALTIME)) == ETIMEDOUT },
    Kind("pthread_clockjoin_np, now") { join(ofClock: past(CLOCK_MONOTONIC)) == ETIMEDOUT },
    Kind("semtimedop for no time") { waitForOperation(0) == -1 },
    Kind("epoll_pwait2 for no time") { waitForEvents(0) == 0 },
    Kind("sched_yield") { sched_yield() == 0 },
    Kind("usleep for no time") { usleep(0) == 0 },
    Kind("a notification that is posted now") {
      let (center, worker) = (NotificationCenter(), Yielder())
      let observer = center.addObserver(forName: .init("now"), object: nil, queue: nil) { _ in
        worker.isDone.store(true, ordering: .relaxed)
      }
      defer { center.removeObserver(observer) }
      NotificationQueue(notificationCenter: center).enqueue(Notification(name: .init("now")), postingStyle: .now)
      return worker.isDone.load(ordering: .relaxed)
    },
    Kind("gethostbyname of a number") { unsafe gethostbyname("127.0.0.1") != nil },
  ]

  @Test(arguments: immediate) func `what does not wait is inside`(_ kind: Kind<Bool>) async throws {
    _ = Waits.shared
    let isRight = try await simulate(seed: 7) { _ in try kind.value() }
    #expect(isRight)
  }

  // MARK: Elsewhere

  /// A thread that was there before the runs, and works for them.
  private final class Worker: Sendable {
    static let shared = Worker()
    private let work = Mutex<[@Sendable () -> Void]>([])
    private let condition = NSCondition()

    private init() {
      Thread.detachNewThread { [self] in
        while true {
          condition.lock()
          while work.withLock({ $0.isEmpty }) { condition.wait() }
          let next = work.withLock { $0.removeFirst() }
          condition.unlock()
          next()
        }
      }
    }

    func give(_ next: @escaping @Sendable () -> Void) {
      condition.lock()
      work.withLock { $0.append(next) }
      condition.signal()
      condition.unlock()
    }
  }

  private struct Resuming: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var wait: @Sendable (Worker) async throws -> Void
  }

  private actor Waiter {
    func wait(_ worker: Worker) async { await withCheckedContinuation { next in worker.give { next.resume() } } }
  }

  /// A way to put something into a stream.
  private struct Giving: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Makes a stream and lets the other thread give into it; then what is there is taken.
    var take: @Sendable (_ give: (@escaping @Sendable () -> Void) -> Void) async throws -> Void
  }

  private static let giving: [Giving] = [
    Giving(testDescription: "a value") { give in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      give { continuation.yield(1) }
      for await _ in stream { break }
    },
    Giving(testDescription: "no value") { give in
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      give { continuation.yield() }
      for await _ in stream { break }
    },
    Giving(testDescription: "a value of a text, by the initializer") { give in
      var held: AsyncStream<String>.Continuation?
      let stream = AsyncStream<String> { held = $0 }
      let continuation = try #require(held)
      give { #expect(Self.isEnqueued(continuation.yield(with: .success("text")))) }
      for await text in stream {
        #expect(text == "text")
        break
      }
    },
    Giving(testDescription: "the end") { give in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      give { continuation.finish() }
      for await _ in stream { break }
    },
    Giving(testDescription: "a value, throwing") { give in
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: [Int].self)
      give { continuation.yield([1, 2, 3]) }
      for try await values in stream {
        #expect(values == [1, 2, 3])
        break
      }
    },
    Giving(testDescription: "an error, by the initializer") { give in
      var held: AsyncThrowingStream<Int, any Error>.Continuation?
      let stream = AsyncThrowingStream<Int, any Error> { held = $0 }
      let continuation = try #require(held)
      give { continuation.finish(throwing: CancellationError()) }
      await #expect(throws: CancellationError.self) { for try await _ in stream {} }
    },
    Giving(testDescription: "a result that is an error") { give in
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
      give { continuation.yield(with: .failure(CancellationError())) }
      await #expect(throws: CancellationError.self) { for try await _ in stream {} }
    },
  ]
  private static func isEnqueued(_ result: AsyncStream<String>.Continuation.YieldResult) -> Bool {
    if case .enqueued = result { true } else { false }
  }

  @Test(arguments: giving) private func `what another thread puts into a stream before a task looks is reported`(_ way: Giving) async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { _ in
        try await way.take { give in
          let isGiven = Yielder()
          Worker.shared.give {
            give()
            isGiven.isDone.store(true, ordering: .releasing)
          }
          while !isGiven.isDone.load(ordering: .acquiring) {}
        }
      }
    }
    let words = "another thread put something into a stream of the simulation, which may find it earlier or later,"
    #expect(failure?.description.contains(words + " in ") == true, "\(failure as Any)")
  }

  @Test(arguments: giving) private func `what a run puts into its own stream, or all outside, is inside`(_ way: Giving) async throws {
    try await simulate(seed: 7) { _ in try await way.take { $0() } }
    try await simulate(seed: 7) { _ in try await way.take { give in Task { give() } } }
    let isOver = Yielder()
    async let run: Void = simulate(seed: 7) { _ in
      // Streams outside are none of it.
      while !isOver.isDone.load(ordering: .acquiring) {}
    }
    for _ in 0..<100 { try await way.take { $0() } }
    isOver.isDone.store(true, ordering: .releasing)
    try await run
  }

  private static let resuming: [Resuming] = [
    Resuming(testDescription: "checked") { worker in await withCheckedContinuation { next in worker.give { next.resume() } } },
    Resuming(testDescription: "checked, with an error") { worker in
      try? await withCheckedThrowingContinuation { next in worker.give { next.resume(throwing: CancellationError()) } }
    },
    Resuming(testDescription: "unsafe") { worker in
      await unsafe withUnsafeContinuation { next in worker.give { unsafe next.resume() } }
    },
    Resuming(testDescription: "unsafe, throwing") { worker in
      try await unsafe withUnsafeThrowingContinuation { next in worker.give { unsafe next.resume() } }
    },
    Resuming(testDescription: "unsafe, with an error") { worker in
      try? await unsafe withUnsafeThrowingContinuation { next in worker.give { unsafe next.resume(throwing: CancellationError()) } }
    },
    Resuming(testDescription: "in an actor") { worker in await Waiter().wait(worker) },
    Resuming(testDescription: "on the main actor") { worker in await { @MainActor in await Waiter().wait(worker) }() },
  ]

  @Test(arguments: resuming) private func `a thread from before the run that resumes a task is reported each time`(
    _ way: Resuming
  ) async {
    let worker = Worker.shared
    var count = 0
    for _ in 0..<200 {
      do { try await simulate(seed: 7) { _ in try await way.wait(worker) } } catch {
        if "\(error)".contains(" came back from another thread at 0 s") { count += 1 }
      }
    }
    #expect(count == 200)
  }

  @Test func `a task outside is resumed at once while runs go on`() async throws {
    let isOver = Atomic(false)
    let hasBegun = Atomic(false)
    async let runs: Void = {
      while !isOver.load(ordering: .acquiring) {
        try await simulate(seed: 7) { _ in
          hasBegun.store(true, ordering: .releasing)
          let waiter = SleepingActor()
          for _ in 0..<100 { await waiter.sleep() }
        }
      }
    }()
    while !hasBegun.load(ordering: .acquiring) { await Task.yield() }
    let start = ContinuousClock.now
    for _ in 0..<100 {
      await withCheckedContinuation { next in Worker.shared.give { next.resume() } }
      await withCheckedContinuation { $0.resume() }
      await unsafe withUnsafeContinuation { next in unsafe next.resume() }
      await withCheckedContinuation { next in _ = Task.immediate { next.resume() } }
    }
    // A single one that was waited for takes a second.
    #expect(start.duration(to: .now) < .seconds(60))
    isOver.store(true, ordering: .releasing)
    try await runs
  }

  private actor SleepingActor {
    func sleep() async { try? await Task.sleep(for: .seconds(1)) }
  }

  /// An actor whose executor is a queue of Dispatch.
  private actor OnQueue {
    private final class Executor: SerialExecutor {
      private let queue = DispatchQueue(label: "of an actor")
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }
    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    func work() {}
  }

  @Test func `what leaves by the executor of an actor, or in the body by hand, is named`() async {
    let bodies: [(String, nonisolated(nonsending) @Sendable (Simulation) async -> Void)] = [
      ("the body of simulate", { _ in await OnQueue().work() }),
      ("works", { await $0.task("works") { await OnQueue().work() }.finished() }),
      ("by its name", { _ in await Task(name: "by its name") { await OnQueue().work() }.value }),
    ]
    for (name, body) in bodies {
      let failure = await #expect(throws: SimulationFailure.self) { try await simulate(seed: 7, body) }
      #expect(failure?.description.contains(": \(name) called dispatch_async, which goes on elsewhere,") == true, "\(failure as Any)")
    }
    let failure = #expect(throws: SimulationFailure.self) { try withSimulation(seed: 7) { _ in _ = usleep(1) } }
    #expect(failure?.description.contains(": the body of withSimulation called usleep,") == true, "\(failure as Any)")
  }

  @Test func `a program that does not exist is no escape, also where it is the first of the process`() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<2 {
        try await simulate(seed: 7) { _ in
          let process = Process()
          process.executableURL = URL(fileURLWithPath: "/nonexistent")
          #expect(throws: (any Error).self) { try process.run() }
        }
      }
    }
  }
}
