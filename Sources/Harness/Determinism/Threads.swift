#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The thread that runs now, to be told apart from others while it lives.
struct ThreadIdentity: Equatable, Sendable {
  let value: UInt

  static var current: ThreadIdentity {
    #if canImport(Darwin)
      ThreadIdentity(value: UInt(bitPattern: pthread_self()))
    #else
      ThreadIdentity(value: UInt(pthread_self()))
    #endif
  }
}

/// Waits in real time: only where a run waits for what has left it.
func sleepForReal(_ duration: Duration) async { try? await Task.sleep(for: duration) }

/// The real time since it was made.
struct Stopwatch {
  private let start = ContinuousClock.now

  var elapsed: Duration { start.duration(to: .now) }
}
