import ScanTools

/// Small files that the kernel shows.
enum SystemFiles {
  /// The first line of a file, or `nil` where it cannot be read.
  static func line(_ path: String) -> String? {
    guard let bytes = try? Files.read(path) else { return nil }
    return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  /// The whole of a file as text, or `nil` where it cannot be read.
  static func text(_ path: String) -> String? {
    (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in a folder, sorted; none where it cannot be read.
  static func list(_ path: String) -> [String] {
    Files.names(in: path) ?? []
  }

  /// When a file was written, as time since 1970, or `nil` where it is not there.
  static func modificationTime(_ path: String) -> Duration? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The number of cores that are online, at least 1.
  static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// What a symbolic link points to, or `nil` where it is none.
  static func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether this process may start scans: bit 12 (`CAP_NET_ADMIN`) of its effective capabilities.
  static var hasNetAdmin: Bool {
    guard let line = text("/proc/self/status")?.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }),
      let bits = UInt64(line.dropFirst(7).filter { !$0.isWhitespace }, radix: 16)
    else { return false }
    return bits & 1 << 12 != 0
  }
}
