import ScanTools

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The descriptors of this process.
enum Descriptors {
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
