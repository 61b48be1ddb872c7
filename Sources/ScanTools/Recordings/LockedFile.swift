#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file of lines that one process at a time appends to.
///
/// The lock goes with the process, however that ends. Who only reads the file asks for none.
public final class LockedFile {
  /// Why a file cannot be appended to.
  public enum Failure: Error, Hashable, Sendable {
    /// Another process appends to it.
    case inUse
    /// It cannot be opened.
    case file(FileFailure)
  }

  private let path: String
  private let descriptor: Int32

  /// Opens a file, or makes it, its folder and those above it where they are missing.
  public init(_ path: String) throws(Failure) {
    self.path = path
    Files.makeFolder(of: path)
    do throws(FileFailure) { descriptor = try Files.open(path, O_RDWR | O_CREAT | O_APPEND, 0o644) } catch { throw .file(error) }
    // A file system without locks is used without them.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .inUse }
  }

  deinit { close(descriptor) }

  /// Appends `bytes` in one call, at the disk before it returns.
  public func append(_ bytes: [UInt8]) throws(FileFailure) {
    if let error = Files.write(bytes, to: descriptor).error { throw FileFailure(operation: "write to", path: path, number: error) }
    fdatasync(descriptor)
  }

  /// Drops what follows the first bytes.
  public func cut(to length: Int) throws(FileFailure) {
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw FileFailure(operation: "write to", path: path, number: errno) }
  }
}
