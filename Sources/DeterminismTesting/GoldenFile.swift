import Determinism
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file of lines that a test expects.
struct GoldenFile {
  var folder: String
  var name: String

  var path: String { "\(folder)/\(name).txt" }

  init(name: String, beside file: String) {
    self.name = name
    folder = (file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ".") + "/Golden"
  }

  /// Whether files are written.
  static var updates: Bool { !["", "0", nil].contains(environment("UPDATE_GOLDEN")) }

  /// Compares, and writes where that is wanted; a sentence where the two differ, `nil` where they are equal.
  func compare(_ lines: [String], updates: Bool) -> String? {
    let allowed = name.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || " -_.".unicodeScalars.contains(scalar)
    }
    guard allowed, !name.isEmpty, !name.hasPrefix(".") else {
      return "“\(name)” is no name of a golden file: it has letters, digits, spaces, -, _ and ., and does not begin with a point."
    }
    if let index = lines.firstIndex(where: { $0.utf8.contains(0x0A) }) {
      return "Line \(index + 1) has a line feed in it, so it cannot stand in a golden file: \(lines[index].debugDescription)"
    }
    let expected: [String]?
    switch content() {
    case .text(let text):
      expected = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { "\(Substring($0))" }
    case .missing: expected = nil
    case .failed(let error): return "\(path) cannot be read: \(error)."
    }
    if let expected, expected == lines { return nil }
    if updates {
      if let error = replace(with: lines) { return "\(path) cannot be written: \(error)." }
      return "\(path) was \(expected == nil ? "written" : "changed"). Look at it, and run the test again without UPDATE_GOLDEN."
    }
    guard let expected else { return "There is no \(path). Run the test with UPDATE_GOLDEN=1 to write it." }
    let difference = LineDifference.text(expected: expected, actual: lines)
    return "This is not what \(path) has (- expected, + now). If it is right, run the test with UPDATE_GOLDEN=1.\n"
      + difference.joined(separator: "\n")
  }

  // MARK: The file

  private enum Content {
    case text(String)
    case missing
    case failed(String)
  }

  private func content() -> Content {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT ? .missing : .failed(Self.lastError) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return .failed(Self.lastError) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return .text(String(decoding: bytes, as: UTF8.self))
  }

  /// Writes a file beside it and gives it the name, so that a test that is killed leaves the old or the new one; the
  /// error, or `nil`.
  private func replace(with lines: [String]) -> String? {
    guard unsafe mkdir(folder, 0o777) == 0 || errno == EEXIST else { return Self.lastError }
    let temporary = "\(path).\(getpid())"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return Self.lastError }
    var rest = Array(lines.map { $0 + "\n" }.joined().utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = Self.lastError
        close(descriptor)
        unsafe unlink(temporary)
        return error
      }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
    return unsafe rename(temporary, path) == 0 ? nil : Self.lastError
  }

  private static var lastError: String { unsafe String(cString: strerror(errno)) }
}
