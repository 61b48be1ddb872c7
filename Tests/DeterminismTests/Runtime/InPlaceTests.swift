import Determinism
import Dispatch
import Foundation
import Synchronization
import Testing

/// What does not wait, though it could, stays inside; where it does wait, it is reported.
@Suite(.serialized) struct InPlaceTests {
  /// A value behind a queue, as many classes have it.
  private final class Cache: @unchecked Sendable {
    let queue = DispatchQueue(label: "cache", attributes: .concurrent)
    private var value = 0
    func set(_ new: Int) { queue.sync(flags: .barrier) { value = new } }
    func get() -> Int { queue.sync { value } }
  }

  private static func readWhatIsThere() throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(unsafe "abc".withCString { unsafe write(ends[1], $0, 3) } == 3)
    var descriptor = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    #expect(unsafe poll(&descriptor, 1, -1) == 1)
    var readable = fd_set()
    unsafe withUnsafeMutableBytes(of: &readable) { unsafe $0[Int(ends[0]) / 8] |= UInt8(1) << UInt8(ends[0] % 8) }
    #expect(unsafe select(ends[0] + 1, &readable, nil, nil, nil) == 1)
    #expect(unsafe pselect(ends[0] + 1, &readable, nil, nil, nil, nil) == 1)
    var bytes: [UInt8] = [0, 0, 0]
    #expect(unsafe read(ends[0], &bytes, 3) == 3)
    #expect(unsafe poll(&descriptor, 1, 0) == 0)
    // One that does not block says that there is nothing.
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    #expect(unsafe read(ends[0], &bytes, 3) == -1)
    let file = try #require(FileHandle(forReadingAtPath: "/proc/self/status"))
    #expect(try file.readToEnd()?.isEmpty == false)
    let stream = unsafe fopen("/proc/self/status", "r")
    #expect(unsafe fgetc(stream) != EOF)
    unsafe fclose(stream)
  }

  private static func lockWhatIsFree() {
    let path = NSTemporaryDirectory() + "determinism-tests-free-\(getpid())"
    let file = unsafe open(path, O_CREAT | O_RDWR, 0o600)
    unsafe unlink(path)
    #expect(flock(file, LOCK_EX) == 0)
    close(file)
    let lock = NSLock()
    lock.lock()
    lock.unlock()
    let semaphore = DispatchSemaphore(value: 1)
    semaphore.wait()
    semaphore.signal()
    #expect(DispatchGroup().wait(timeout: .distantFuture) == .success)
  }

  @Test func `a thread is another again behind a simulation`() throws {
    let before = Thread.current
    #expect(!before.isMainThread)
    try withSimulation(seed: 7) { _ in #expect(Thread.current.isMainThread) }
    #expect(Thread.current === before)
  }

  private final class Kept: Sendable {
    static let ended = Atomic(0)
    deinit { Self.ended.add(1, ordering: .relaxed) }
  }
  private static var dictionary: NSMutableDictionary { Thread.current.threadDictionary }

  @Test func `the dictionary of the main thread is another in each run, which has it to its end`() async throws {
    try await withThrowingTaskGroup { group in
      for run in 0..<8 as Range<UInt64> {
        group.addTask {
          try await simulate(seed: run) { @MainActor _ in
            let dictionary = Self.dictionary
            #expect(dictionary === Thread.mainThread.threadDictionary && dictionary.count == 0)
            for count in 0..<1000 { dictionary["\(run) \(count)"] = count }
            await Task.yield()
            #expect(Self.dictionary.count == 1000)
          }
        }
      }
      try await group.waitForAll()
    }
    try await simulate(seed: 7) { @MainActor _ in Self.dictionary["kept"] = Kept() }
    #expect(Kept.ended.load(ordering: .relaxed) == 1)
    // Not that of a thread which the run made, or the one outside.
    let thread = Thread {}
    thread.threadDictionary["of the thread"] = 1
    try withSimulation(seed: 7) { _ in #expect(thread.threadDictionary["of the thread"] as? Int == 1) }
    #expect(Thread.mainThread.threadDictionary["0 0"] == nil)
  }

  private static func isOnMain() -> Bool {
    dispatchPrecondition(condition: .onQueue(.main))
    return Thread.isMainThread && Thread.current.isMainThread && MainActor.assumeIsolated { true }
  }

  @Test func `what is there or free already is no wait`() async throws {
    for seed in 0..<100 as Range<UInt64> {
      try await simulate(seed: seed) { @MainActor _ in
        try Self.readWhatIsThere()
        Self.lockWhatIsFree()
        let cache = Cache()
        cache.set(3)
        #expect(cache.get() == 3)
        // In place is inside: the time is virtual there.
        #expect(cache.queue.sync { Date().timeIntervalSince1970 } == 1_767_225_600)
      }
    }
  }

  @Test func `the main actor of a simulation is on the main thread and its queue, as code asks for them`() async throws {
    let isMain = try await simulate(seed: 7) { @MainActor _ in Self.isOnMain() }
    #expect(isMain)
    let inTask = try await simulate(seed: 7) { @MainActor _ in await Task { Self.isOnMain() }.value }
    #expect(inTask)
    try withSimulation(seed: 7) { _ in #expect(Self.isOnMain()) }
    #expect(!Thread.isMainThread)
  }

  /// How bytes go into a pipe.
  enum Writing: String, CaseIterable, Sendable {
    case write, writev

    /// A megabyte is more than fits into a pipe.
    func writeMuch(to descriptor: Int32) -> Int {
      var bytes = [UInt8](repeating: 7, count: 1 << 20)
      switch self {
      case .write: return unsafe Foundation.write(descriptor, bytes, bytes.count)
      case .writev:
        return unsafe bytes.withUnsafeMutableBytes { bytes in
          // An empty part between two that are not equal.
          let parts = unsafe [bytes[..<999], bytes[999..<999], bytes[999...]].map { part in
            unsafe iovec(iov_base: UnsafeMutableRawBufferPointer(rebasing: part).baseAddress, iov_len: part.count)
          }
          return unsafe Foundation.writev(descriptor, parts, Int32(parts.count))
        }
      }
    }
  }

  @Test(arguments: Writing.allCases)
  func `a pipe that somebody reads is written as a whole, and stays inside`(by way: Writing) async throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while unsafe read(reading, &bytes, bytes.count) > 0 {}
      close(reading)
    }
    let count = try await simulate(seed: 7) { _ in way.writeMuch(to: writing) }
    close(writing)
    #expect(count == 1 << 20)
  }

  // MARK: Where it waits

  @Test(arguments: Writing.allCases)
  func `a pipe that nobody reads is reported when the run is to end`(by way: Writing) async {
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    let writing = ends[1]
    var limits = SimulationLimits()
    limits.realTime = .milliseconds(100)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        await simulation.task("writes") { _ = way.writeMuch(to: writing) }.finished()
      }
    }
    guard case .escaped(let escapes)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(escapes.map(\.task) == ["writes"], "\(escapes)")
    #expect(escapes.map(\.action) == ["called \(way.rawValue), which blocks the thread of the simulation,"], "\(escapes)")
    #expect(escapes.first?.place?.hasPrefix("InPlaceTests.swift:") == true, "\(escapes)")
  }

  enum Held: String, CaseIterable, Sendable {
    case queue, barrier, lock, mutex, readLock, writeLock

    var call: String {
      switch self {
      case .queue: "dispatch_sync"
      case .barrier: "dispatch_barrier_sync"
      case .lock: "pthread_mutex_lock"
      case .mutex: "Mutex.lock"
      case .readLock: "pthread_rwlock_rdlock"
      case .writeLock: "pthread_rwlock_wrlock"
      }
    }
  }

  /// A lock for readers and writers.
  @safe private final class SharedLock: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    init() { unsafe precondition(pthread_rwlock_init(lock, nil) == 0) }
    func read(_ body: () -> Void) {
      unsafe pthread_rwlock_rdlock(lock)
      body()
      unsafe pthread_rwlock_unlock(lock)
    }
    func write(_ body: () -> Void) {
      unsafe pthread_rwlock_wrlock(lock)
      body()
      unsafe pthread_rwlock_unlock(lock)
    }
  }

  /// Something that another thread has, until the wait for it was reported.
  private final class Holder: Sendable {
    let queue = DispatchQueue(label: "held")
    let lock = NSLock()
    let mutex = Mutex(0)
    let shared: SharedLock = SharedLock()
    /// The path of the thread that takes it, such as `1/task/2`.
    private let thread = Mutex("")

    /// Returns when it is held.
    func hold(_ held: Held) {
      let isHeld = DispatchSemaphore(value: 0)
      let work: @Sendable () -> Void = { [self] in
        isHeld.signal()
        waitForWaiter()
      }
      switch held {
      case .queue, .barrier: queue.async(execute: work)
      case .lock: Thread.detachNewThread { [self] in lock.withLock(work) }
      case .mutex: Thread.detachNewThread { [self] in mutex.withLock { _ in work() } }
      case .readLock, .writeLock: Thread.detachNewThread { [self] in shared.write(work) }
      }
      isHeld.wait()
    }

    func take(_ held: Held) {
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      thread.withLock { $0 = path ?? "" }
      switch held {
      case .queue: queue.sync {}
      case .barrier: queue.sync(flags: .barrier) {}
      case .lock: lock.withLock {}
      case .mutex: mutex.withLock { _ in }
      case .readLock: shared.read {}
      case .writeLock: shared.write {}
      }
    }

    /// Until the system says that the thread waits without a deadline, as it does when it has reported that.
    ///
    /// It has to say the same a hundred times: a wait for the lock of the allocator has no deadline either, and ends soon.
    private func waitForWaiter() {
      var waited = ""
      var count = 0
      for _ in 0..<30_000 where count < 100 {
        usleep(1000)
        let path = "/proc/\(thread.withLock { $0 })/syscall"
        let call = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let words = call.split(separator: " ")
        // The number of the call, then its arguments, of which the fourth is the deadline; a lock of C has one before.
        let isWithoutDeadline = words.count > 4 && words[0] == "202" && words[4] == "0x0"
        count = isWithoutDeadline && call == waited ? count + 1 : 0
        waited = call
      }
    }
  }

  @Test(arguments: Held.allCases) func `what another thread has when the run is to end is reported`(held: Held) async {
    let holder = Holder()
    holder.hold(held)
    var limits = SimulationLimits()
    limits.realTime = .milliseconds(100)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7, limits: limits) { simulation in
        await simulation.task("takes") { holder.take(held) }.finished()
      }
    }
    guard case .escaped(let escapes)? = failure?.reason else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(escapes.map(\.action) == ["called \(held.call), which blocks the thread of the simulation,"], "\(escapes)")
    #expect(escapes.first?.task == "takes" && escapes.first?.place?.hasPrefix("InPlaceTests.swift:") == true, "\(escapes)")
  }

  @Test func `the main queue of the process is reported`() async {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { _ in DispatchQueue.main.sync {} }
    }
    #expect(failure?.description.contains("called dispatch_sync on the main queue") == true, "\(failure as Any)")
  }
}
