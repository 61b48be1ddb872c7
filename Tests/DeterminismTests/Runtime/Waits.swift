import Dispatch
import Foundation
import Synchronization

/// What a test can wait for in vain: nothing is ever written, unlocked or over.
///
/// Made outside of simulations.
@safe final class Waits: @unchecked Sendable {
  static let shared = Waits()

  /// A pipe that is empty and open, and the same as a stream.
  let pipe: Int32
  let stream: UnsafeMutablePointer<FILE>?
  /// A file that another descriptor has locked, by either kind of lock.
  let unlocked: Int32
  /// A program that does nothing for a long time.
  let child: pid_t
  /// A thread that never ends.
  let thread: pthread_t

  /// A named pipe that nothing else opens.
  let namedPipe: String
  /// A lock that is never given back, and one for readers and writers that is locked for writing.
  let lock = NSLock()
  let writeLock: UnsafeMutablePointer<pthread_rwlock_t>
  /// One that a single thread passes.
  let barrier: UnsafeMutablePointer<pthread_barrier_t>

  /// A queue with an operation that never ends, as that of Dispatch never runs it: a thread that it had would be missed.
  let fullQueue = OperationQueue()
  private let neverActive = DispatchQueue(label: "never active", attributes: .initiallyInactive)
  /// A source that adds numbers up.
  let source = DispatchSource.makeUserDataAddSource(queue: .global())

  /// `F_OFD_SETLK` and `F_OFD_SETLKW`, which the C library declares for GNU programs alone.
  static let (setLock, setLockAndWait): (Int32, Int32) = (37, 38)

  /// The threads that wait now.
  private let waiting = Mutex<Set<pthread_t>>([])

  private init() {
    var ends: [Int32] = [0, 0]
    unsafe precondition(Foundation.pipe(&ends) == 0)
    pipe = ends[0]
    unsafe stream = unsafe fdopen(dup(ends[0]), "r")
    let path = NSTemporaryDirectory() + "determinism-tests-\(getpid())"
    let locked = unsafe open(path, O_CREAT | O_RDWR, 0o600)
    unlocked = unsafe open(path, O_RDWR)
    unsafe unlink(path)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    unsafe precondition(flock(locked, LOCK_EX) == 0 && fcntl(locked, Self.setLock, &lock) == 0)
    namedPipe = path + "-pipe"
    unsafe precondition(mkfifo(namedPipe, 0o600) == 0)
    unsafe writeLock = .allocate(capacity: 1)
    unsafe barrier = .allocate(capacity: 1)
    unsafe precondition(pthread_rwlock_init(writeLock, nil) == 0 && pthread_barrier_init(barrier, nil, 1) == 0)
    let words: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("sleep"), strdup("100000"), nil]
    var child: pid_t = 0
    unsafe precondition(posix_spawnp(&child, "sleep", nil, nil, words, environ) == 0)
    self.child = child
    var thread = pthread_t()
    unsafe precondition(pthread_create(&thread, nil, { _ in while true { pause() } }, nil) == 0)
    self.thread = thread
    unsafe words.forEach { unsafe free($0) }
    fullQueue.maxConcurrentOperationCount = 1
    unsafe fullQueue.underlyingQueue = neverActive
    fullQueue.addOperation {}
    source.activate()
    atexit {
      kill(Waits.shared.child, SIGKILL)
      unsafe unlink(Waits.shared.namedPipe)
    }
    // A signal that is handled ends a call that waits.
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    unsafe sigaction(SIGUSR2, &action, nil)
    let isLocked = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      self.lock.lock()
      unsafe precondition(pthread_rwlock_wrlock(writeLock) == 0)
      isLocked.signal()
      while true {
        waiting.withLock { threads in for thread in threads { pthread_kill(thread, SIGUSR2) } }
        usleep(1000)
      }
    }
    isLocked.wait()
  }

  /// Runs `body`, whose calls end with an error instead of waiting for ever.
  func interrupted(_ body: () -> Void) {
    // A thread that Dispatch started, or that was started on one, gets no signals.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGUSR2)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    waiting.withLock { _ = $0.insert(pthread_self()) }
    body()
    waiting.withLock { _ = $0.remove(pthread_self()) }
  }
}
