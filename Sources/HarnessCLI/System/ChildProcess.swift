import Synchronization

/// A program that this one started, with a pipe to its standard input and one from its output, and nothing else of this
/// one's open.
struct ChildProcess: Sendable {
  /// Why there is none.
  struct StartFailure: Error {
    /// Such as `cannot make a pipe: Too many open files`.
    var sentence: String

    fileprivate init(_ what: String, _ number: Int32) { sentence = "\(what): \(Failure.words(of: number))" }
  }

  /// An end of a pipe, closed with its last use.
  final class PipeEnd: Sendable {
    private let number: Mutex<Int32>
    fileprivate init(_ descriptor: Int32) { number = Mutex(descriptor) }
    deinit { close() }

    /// The number of the open file; -1 once it is closed.
    var descriptor: Int32 { number.withLock { $0 } }

    /// Closes it now.
    func close() {
      number.withLock { number in
        if number >= 0 { _ = closeDescriptor(number) }
        number = -1
      }
    }

    /// Both ends of a pipe that no other program inherits, to read from and to write to.
    fileprivate static func pair() throws(StartFailure) -> (PipeEnd, PipeEnd) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw StartFailure("cannot make a pipe", errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (PipeEnd(ends[0]), PipeEnd(ends[1]))
    }
  }

  /// A program that is started between `pipe` and `fcntl` would inherit what it must not.
  private static let starting = Mutex(())

  /// The number of the process.
  let id: pid_t
  /// To the standard input of the program.
  let input: PipeEnd
  /// From its output.
  let output: PipeEnd

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: its file, or a name that is looked for in `PATH`.
  ///   - words: its arguments, the first of which is its own name.
  ///   - changes: variables of the environment that have other values, or none; all others are passed on byte for byte.
  ///   - isJob: whether it is a process group of its own, whose errors are part of its output.
  ///   - errors: the open file that its errors go to; `nil` for where those of this program go.
  init(
    _ path: String, _ words: [String], changes: [(name: String, value: String?)], isJob: Bool, errors: Int32? = nil
  ) throws(StartFailure) {
    (id, input, output) = try Self.starting.withLock { _ throws(StartFailure) in
      let (inputRead, inputWrite) = try PipeEnd.pair()
      let (outputRead, outputWrite) = try PipeEnd.pair()
      var process: pid_t = 0
      let error = Self.spawn(&process, path, words, changes, isJob, input: inputRead, output: outputWrite, errors: errors)
      // The program has these now.
      inputRead.close()
      outputWrite.close()
      if error != 0 { throw StartFailure("cannot be started", error) }
      return (process, inputWrite, outputRead)
    }
  }

  private static func spawn(
    _ process: inout pid_t, _ path: String, _ words: [String], _ changes: [(name: String, value: String?)], _ isJob: Bool, input: PipeEnd,
    output: PipeEnd, errors: Int32?
  ) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.descriptor, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1)
    if let errors = isJob ? output.descriptor : errors { unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&all)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&all, signal) }
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isJob ? POSIX_SPAWN_SETPGROUP : 0)))
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe changes.compactMap { name, value in
      unsafe value.map { unsafe strdup("\(name)=\($0)") }
    }
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      if !changes.contains(where: { unsafe strncmp(entry, "\($0.name)=", $0.name.utf8.count + 1) == 0 }) {
        unsafe variables.append(strdup(entry))
      }
      unsafe next += 1
    }
    unsafe variables.append(nil)
    defer {
      unsafe arguments.forEach { unsafe free($0) }
      unsafe variables.forEach { unsafe free($0) }
    }
    return unsafe posix_spawnp(&process, path, &actions, &attributes, arguments, variables)
  }

  /// Waits until the program has ended, and gives what `waitpid` says.
  func waitForStatus() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0 { if errno != EINTR { return 0 } }
    return status
  }

  /// How a process ended, of what `waitpid` says.
  static func words(of status: Int32) -> String {
    status & 0x7F != 0 ? "was ended by signal \(status & 0x7F)" : "ended with status \(status >> 8 & 0xFF)"
  }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
