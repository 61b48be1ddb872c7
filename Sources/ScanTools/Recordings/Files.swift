import WiFi

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Something that went wrong with a file.
public struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was attempted, such as `write to`.
  public var operation: String
  /// The file.
  public var path: String
  /// The error number as `errno` has it.
  public var number: Int32
  /// The most bytes that are read, where the file has more.
  public var limit: Int?

  /// Such as `cannot write to air.ndjson: No space left on device`.
  public var description: String {
    let most = limit.map { ", more than \($0) bytes" } ?? ""
    let advice = number == EMFILE ? "; raise the limit of this process, such as with `ulimit -n 256`" : ""
    return "cannot \(operation) \(Files.shownName(path)): \(unsafe String(cString: strerror(number)))\(most)\(advice)"
  }

  /// Whether the process, or the machine, has as many files open as it may.
  public var isOfLimit: Bool { number == EMFILE || number == ENFILE }

  /// Whether there is nothing to read there: no such file, a folder, or one that may not be read.
  public var isNoInput: Bool {
    !operation.contains("write to") && [ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, ENXIO].contains(number)
  }
}

extension FileFailure {
  fileprivate init(_ error: SystemError, path: String) {
    self.init(operation: error.operation ?? "write to", path: path, number: error.number)
  }
}

/// A new file beside the one whose place it takes; removed with its last use where it does not.
final class Replacement {
  private let place: FilePlace
  private let temporary: String
  private var descriptor: Int32
  private var isInPlace = false

  /// Makes the file, with the mode of the old one where that is the caller's.
  init(of place: FilePlace, isPrivate: Bool) throws(SystemError) {
    self.place = place
    // All have a value before anything is thrown, so that `deinit` closes what is open.
    temporary = ".wifi-harness-\(String(UInt64.random(in: .min ... .max), radix: 16)).new"
    descriptor = -1
    descriptor = unsafe openat(place.folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
    guard descriptor >= 0 else { throw SystemError() }
    guard let old = place.status, old.st_mode & S_IFMT == S_IFREG else { return }
    guard old.st_uid == geteuid() else {
      // The caller's file and group are others than those that this mode was meant for: it may only take permissions
      // away.
      _ = fchmod(descriptor, old.st_mode & 0o600 | (isPrivate ? 0 : old.st_mode & 0o044))
      return
    }
    _ = fchown(descriptor, uid_t.max, old.st_gid)
    _ = fchmod(descriptor, old.st_mode & 0o7777)
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      if !isInPlace { unsafe unlinkat(place.folder, temporary, 0) }
    }
  }

  /// Writes all of `bytes`; where it is to last, to the disk.
  func write(_ bytes: [UInt8], lasts: Bool) throws(SystemError) {
    if let number = Files.write(bytes, to: descriptor).error { throw SystemError(number: number) }
    // Some file systems have no disk to wait for.
    if lasts, fsync(descriptor) != 0, errno != EINVAL, errno != ENOSYS { throw SystemError() }
  }

  /// Puts the file in the place of the old one.
  func takePlace() throws(SystemError) {
    guard unsafe renameat(place.folder, temporary, place.folder, place.name) == 0 else { throw SystemError() }
    isInPlace = true
  }
}

/// Whole files and file descriptors, by the calls of POSIX.
public enum Files {
  /// What a file that is read is called: its path, or standard input for `-`.
  package static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// ``name(_:)`` for a sentence.
  package static func shownName(_ path: String) -> String { PrintableText.escape(name(path)) }

  /// The folder that a path names a file in; empty for the working folder.
  package static func folder(of path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  /// Makes the folder of a file, and those above it, where they are missing.
  static func makeFolder(of path: String) {
    let folder = folder(of: path)
    guard !folder.isEmpty, unsafe mkdir(folder, 0o755) != 0, errno == ENOENT else { return }
    makeFolder(of: folder)
    _ = unsafe mkdir(folder, 0o755)
  }

  /// Reads a whole file, or standard input for `-`.
  ///
  /// A file that is too large is refused before any of it is read. Costs the memory of the file, or at most three times
  /// that where its size is not known beforehand, as of a pipe.
  ///
  /// - Parameter limit: the most bytes that it may have; `/dev/zero` has no end.
  public static func read(_ path: String, limit: Int = 4 << 30) throws(FileFailure) -> [UInt8] {
    let descriptor = path == "-" ? 0 : system_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw FileFailure(operation: "open", path: path, number: errno) }
    defer { if descriptor != 0 { close(descriptor) } }
    let tooLarge = FileFailure(operation: "read", path: path, number: EFBIG, limit: limit)
    var result: [UInt8] = []
    if let size = size(of: descriptor) {
      guard size <= limit else { throw tooLarge }
      result.reserveCapacity(size)
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let capacity = buffer.count
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe system_read(descriptor, $0.baseAddress, capacity) }
      if count > 0 { result.append(contentsOf: buffer[..<count]) }
      if result.count > limit { throw tooLarge }
      if count == 0 { return result }
      if count < 0, errno != EINTR { throw FileFailure(operation: "read", path: path, number: errno) }
    }
  }

  /// Reads the first line of a file, or of standard input for `-`, without its end.
  ///
  /// It waits for no more than that line: a pipe may stay open. What follows the line is not taken out of standard
  /// input.
  ///
  /// - Parameter limit: the most bytes that the line may have.
  public static func readLine(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    let descriptor = path == "-" ? 0 : system_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw FileFailure(operation: "open", path: path, number: errno) }
    defer { if descriptor != 0 { close(descriptor) } }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = unsafe system_read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw FileFailure(operation: "read", path: path, number: errno) }
      if count == 0 || byte == 0x0A { return line }
      line.append(byte)
      if line.count > limit { throw FileFailure(operation: "read", path: path, number: EFBIG, limit: limit) }
    }
  }

  /// Whether a regular file can be read by others than the caller and root, as a secret must not; `false` where there
  /// is none.
  public static func isReadableByOthers(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return status.st_mode & 0o044 != 0 || ![0, geteuid()].contains(status.st_uid)
  }

  /// The size of an open file, or `nil` where it is no regular file or does not say, as those of the kernel.
  private static func size(of descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
    return Int(status.st_size)
  }

  /// Puts `bytes` in the place of a file, whole or not at all; a file of the caller's keeps its mode and group, and a
  /// link what it leads to.
  ///
  /// What is no regular file, such as a device or a pipe, is written to.
  ///
  /// A folder where others may write is no danger: the new file has a random name of its own until it is whole, is
  /// never one that is there or a link, and belongs to the caller, whichever user owned the old one.
  ///
  /// - Parameters:
  ///   - makesFolder: whether to make the folder, and those above it, where they are missing.
  ///   - isPrivate: whether only the caller may read a file that was not there.
  ///   - lasts: whether the bytes are at the disk before they take the place; not needed for what a restart removes.
  public static func replace(_ path: String, with bytes: [UInt8], makesFolder: Bool = false, isPrivate: Bool = false, lasts: Bool = true)
    throws(FileFailure)
  {
    if makesFolder { makeFolder(of: path) }
    do throws(SystemError) {
      let place = try FilePlace(path)
      // What a descriptor leads to is written behind what is there.
      if place.descriptor != nil || place.status.map({ $0.st_mode & S_IFMT != S_IFREG }) == true {
        return try writeThrough(bytes, to: place.open(O_WRONLY | O_APPEND, 0))
      }
      let file = try Replacement(of: place, isPrivate: isPrivate)
      try file.write(bytes, lasts: lasts)
      try file.takePlace()
    } catch {
      throw FileFailure(error, path: path)
    }
  }

  /// Finds out whether ``replace(_:with:makesFolder:isPrivate:lasts:)`` could put something in the place of a file,
  /// which stays as it is.
  ///
  /// A disk that is full is seen only by writing.
  ///
  /// - Parameter makesFolder: whether folders that are missing will be made, and none of them is now.
  public static func checkReplaceable(_ path: String, makesFolder: Bool = false) throws(FileFailure) {
    // What is missing has to find room in the lowest folder that is there.
    var first = path
    while makesFolder, case let folder = Self.folder(of: first), !folder.isEmpty, unsafe access(folder, F_OK) != 0, errno == ENOENT {
      first = folder
    }
    do throws(SystemError) {
      let place = try FilePlace(first)
      if let descriptor = place.descriptor {
        guard unsafe access(descriptor, W_OK) == 0 else { throw SystemError() }
        return
      }
      let kind = place.status.map { $0.st_mode & S_IFMT }
      if kind == S_IFDIR { throw SystemError(number: EISDIR) }
      if let kind, kind != S_IFREG {
        try place.checkOwner(place.status)
        guard unsafe faccessat(place.folder, place.name, W_OK, 0) == 0 else { throw SystemError() }
        return
      }
      _ = try Replacement(of: place, isPrivate: true)
    } catch {
      throw FileFailure(error, path: path)
    }
  }

  private static func writeThrough(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    defer { close(descriptor) }
    if let error = write(bytes, to: descriptor).error { throw SystemError(number: error) }
  }

  /// Whether two paths lead to one file that is there.
  public static func isSame(_ left: String, _ right: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard unsafe stat(left, &first) == 0, unsafe stat(right, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Whether two paths name one file, or will name one as soon as it is there.
  static func willBeSame(_ left: String, _ right: String) -> Bool {
    if isSame(left, right) { return true }
    func place(_ path: String) -> String {
      let folder = folder(of: path)
      return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    }
    // The folder may be made, too.
    func parts(_ path: String) -> [Substring] { (path.hasPrefix("/") ? [""] : []) + path.split(separator: "/").filter { $0 != "." } }
    return parts(left) == parts(right)
      || left.split(separator: "/").last == right.split(separator: "/").last && isSame(place(left), place(right))
  }

  /// Whether two paths name one file, and what is written to the one is lost where the other is written to.
  ///
  /// A device, a pipe or a descriptor of the process loses nothing: it gets one after the other.
  package static func excludeEachOther(_ left: String, _ right: String) -> Bool {
    guard willBeSame(left, right), ![left, right].allSatisfy(FilePlace.isDescriptor) else { return false }
    var status = stat()
    return unsafe stat(left, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// Opens a file for writing; a link of another user is not followed.
  static func open(_ path: String, _ flags: Int32, _ mode: mode_t, operation: String = "write to") throws(FileFailure) -> Int32 {
    do throws(SystemError) {
      return try FilePlace(path).open(flags, mode)
    } catch {
      throw FileFailure(operation: error.operation ?? operation, path: path, number: error.number)
    }
  }

  /// Appends `bytes` to a file in one call, at the disk before it returns.
  public static func append(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    let descriptor = try open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    defer { close(descriptor) }
    let (_, error) = write(bytes, to: descriptor)
    if let error { throw FileFailure(operation: "write to", path: path, number: error) }
    fdatasync(descriptor)
  }

  /// The names in a folder, in order, or `nil` where `path` is no folder.
  public static func names(in path: String) -> [String]? {
    guard let directory = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Writes all of `bytes`.
  ///
  /// - Returns: the number of bytes that were written before something went wrong, and its error number.
  public static func write(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, error: Int32?) { write(bytes[...], to: descriptor) }

  /// As ``write(_:to:)`` of an array does.
  public static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> (written: Int, error: Int32?) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { unsafe system_write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done) }
      if count > 0 { done += count }
      if count < 0, errno != EINTR { return (done, errno) }
    }
    return (done, nil)
  }
}

private func system_open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { unsafe open(path, flags, mode) }

private func system_read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, buffer, count)
}

private func system_write(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, buffer, count)
}
