#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An error number as `errno` has it, and what was attempted where that is more than writing.
struct SystemError: Error {
  var number = errno
  var operation: String?
}

/// Where a file is or will be: its folder, which stays open, and its name there.
///
/// Links that the caller or root made are followed. One of another user could lead the caller's file anywhere, and is
/// refused: what `fs.protected_symlinks` of proc_sys_fs(5) does in some folders holds in all.
final class FilePlace {
  private let caller: uid_t
  private(set) var folder: Int32 = -1
  private(set) var name = ""
  /// The path of a descriptor of the process, such as `/dev/stdout`, where it is that and no file.
  private(set) var descriptor: String?

  #if canImport(Darwin)
    private static let path: Int32 = 0
  #else
    // A folder that may be written to and not listed will do: O_PATH of <asm-generic/fcntl.h>.
    private static let path: Int32 = 0o10000000
  #endif

  /// - Parameter caller: whose links are followed, but for those of root.
  init(_ path: String, caller: uid_t = geteuid()) throws(SystemError) {
    self.caller = caller
    if Self.isDescriptor(path) {
      descriptor = path
      return
    }
    try enter(path.hasPrefix("/") ? "/" : ".")
    var rest = Self.parts(path)
    guard !path.hasSuffix("/"), !rest.isEmpty else { throw SystemError(number: EISDIR) }
    var links = 0
    while let part = rest.popLast() {
      if let target = try target(of: part) {
        links += 1
        guard links <= 40 else { throw SystemError(number: ELOOP) }
        let whole = ([target] + rest.reversed()).joined(separator: "/")
        if Self.isDescriptor(whole) {
          descriptor = whole
          return
        }
        if target.hasPrefix("/") { try enter("/") }
        rest += Self.parts(target)
      } else if rest.isEmpty {
        name = part
      } else {
        try enter(part)
      }
    }
    guard !name.isEmpty else { throw SystemError(number: EISDIR) }
  }

  deinit { if folder >= 0 { close(folder) } }

  /// The names of a path, the last one first.
  private static func parts(_ path: String) -> [String] { path.split(separator: "/").reversed().map(String.init) }

  /// Whether a path is that of a descriptor of the process, such as `/dev/stdout`.
  static func isDescriptor(_ path: String) -> Bool { ["/dev/std", "/dev/fd/", "/proc/"].contains { path.hasPrefix($0) } }

  private func enter(_ name: String) throws(SystemError) {
    let start = folder < 0 ? AT_FDCWD : folder
    let next = unsafe openat(start, name, O_RDONLY | Self.path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard next >= 0 else { throw SystemError() }
    if folder >= 0 { close(folder) }
    folder = next
  }

  /// What a link leads to; `nil` where there is no link.
  private func target(of name: String) throws(SystemError) -> String? {
    var status = stat()
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    #if canImport(Darwin)
      guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
      let count = unsafe readlinkat(folder, name, &buffer, buffer.count)
    #else
      // The link that is looked at is the one that is read, whatever others put in its place meanwhile.
      let link = unsafe openat(folder, name, Self.path | O_NOFOLLOW | O_CLOEXEC)
      guard link >= 0 else { return nil }
      defer { close(link) }
      guard unsafe fstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
      let count = unsafe readlinkat(link, "", &buffer, buffer.count)
    #endif
    guard status.st_uid == caller || status.st_uid == 0 else {
      throw SystemError(number: EPERM, operation: "follow another user's link to write to")
    }
    guard count > 0 else { throw SystemError() }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The state of what is there; `nil` where nothing is.
  var status: stat? {
    var status = stat()
    return unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Opens the file.
  ///
  /// As `fs.protected_regular` and `fs.protected_fifos` do, it refuses another user's file or pipe in a folder like
  /// `/tmp`, which that user may have put there for the caller's words. It waits for the reader of a pipe, but of none
  /// that it refuses.
  func open(_ flags: Int32, _ mode: mode_t) throws(SystemError) -> Int32 {
    if let descriptor {
      let descriptor = unsafe openat(AT_FDCWD, descriptor, flags | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw SystemError() }
      return descriptor
    }
    let flags = flags | O_NOFOLLOW | O_CLOEXEC
    var descriptor = unsafe openat(folder, name, flags | O_NONBLOCK, mode)
    if descriptor < 0, errno == ENXIO {
      try checkOwner(status)
      descriptor = unsafe openat(folder, name, flags, mode)
    }
    guard descriptor >= 0 else { throw SystemError() }
    var file = stat()
    do throws(SystemError) {
      if unsafe fstat(descriptor, &file) == 0 { try checkOwner(file) }
      guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) == 0 else { throw SystemError() }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Refuses another user's file in a folder where every user may put one, but for the owner of the folder; and another
  /// user's pipe, which that user reads, in any folder, but for root's.
  func checkOwner(_ file: stat?) throws(SystemError) {
    var place = stat()
    if let file, file.st_mode & S_IFMT == S_IFIFO, file.st_uid != caller, file.st_uid != 0 {
      throw SystemError(number: EPERM, operation: "write to another user's pipe")
    }
    if let file, unsafe fstat(folder, &place) == 0, file.st_mode & S_IFMT == S_IFREG,
      place.st_mode & (S_ISVTX | S_IWOTH) == S_ISVTX | S_IWOTH, file.st_uid != caller, file.st_uid != place.st_uid
    {
      throw SystemError(number: EPERM, operation: "write to another user's file")
    }
  }
}
