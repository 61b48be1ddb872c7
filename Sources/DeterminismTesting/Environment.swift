#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A variable of the environment; `nil` where it is not set.
func environment(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
