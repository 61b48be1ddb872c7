import ScanTools

/// The descriptors of this process.
enum Descriptors {
  /// The files that a command opens at least beside its standard streams: those of the runtime's event loop and of its
  /// threads, one that is read, one that is written.
  private static let least = 8

  /// Refuses to start where fewer files may be opened than a command needs: Dispatch, below the Swift runtime, traps
  /// where it cannot open its own.
  ///
  /// Costs some twenty system calls.
  static func requireEnough() throws(Failure) {
    var found: [Int32] = []
    defer { for descriptor in found { close(descriptor) } }
    while found.count < least {
      let descriptor = fcntl(2, F_DUPFD_CLOEXEC, 3)
      if descriptor < 0 {
        // Standard error may be closed.
        guard errno == EMFILE || errno == EINVAL else { return }
        throw Failure(
          .systemError,
          "the limit of open files leaves \(found.count) to this process, and it needs \(least): raise it, such as with `ulimit -n 256`.")
      }
      found.append(descriptor)
    }
  }

  /// The number of those that are open, as far as it is known.
  static var open: Int {
    // The folder is read through a descriptor, too.
    Files.names(in: "/dev/fd").map { $0.count - 1 } ?? 16
  }

  /// Raises the limit of open descriptors (`RLIMIT_NOFILE`) to `most` where it is lower, as far as the process may.
  ///
  /// - Returns: the limit that holds.
  static func raiseLimit(to most: Int) -> Int {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return 256 }
    if limit.rlim_cur < rlim_t(most), limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = min(limit.rlim_max, rlim_t(most))
      if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
