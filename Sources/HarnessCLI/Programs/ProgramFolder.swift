import ScanTools

#if os(Linux)
  import Simulator

  /// The folder in which a program finds the simulated kernel: its socket, its time, and files that stand in for the
  /// kernel's.
  ///
  /// It is the user's alone, and gone when the program has ended.
  struct ProgramFolder {
    /// Its path, short enough for the address of a socket.
    let path: String
    /// Holds the lock on it as long as this process lives.
    private let lock: Int32

    /// Makes a new folder.
    init() throws(Failure) {
      let places = [StandardStreams.environment("XDG_RUNTIME_DIR"), StandardStreams.environment("TMPDIR"), "/tmp"].compactMap(\.self)
      var reason: Int32 = ENAMETOOLONG
      for place in places where place.utf8.count <= 64 && place.hasPrefix("/") {
        Self.removeAbandoned(in: place)
        for _ in 0..<100 {
          let name = String((0..<6).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "0" })
          let path = "\(place)/wifi-harness.\(name)"
          if unsafe mkdir(path, S_ISVTX | S_IRWXU) != 0 {
            reason = errno
            if reason == EEXIST { continue } else { break }
          }
          // Another that starts may have taken it for abandoned, until it is locked.
          if let lock = Self.lock(path) {
            (self.path, self.lock) = (path, lock)
            return
          }
        }
      }
      throw Failure(
        .inputOutput,
        "cannot make a folder in \(places.joined(separator: ", ")): \(Failure.words(of: reason)). "
          + "Set TMPDIR to one that you can write to.")
    }

    /// Locks such a folder; `nil` where it is none, is gone, or its process still lives.
    ///
    /// The sticky bit, which has no meaning there, sets it apart from a folder of another program.
    private static func lock(_ path: String) -> Int32? {
      let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      var (status, named) = (stat(), stat())
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & (S_IFMT | S_ISVTX) == S_IFDIR | S_ISVTX,
        status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
        unsafe lstat(path, &named) == 0, named.st_ino == status.st_ino
      else {
        close(descriptor)
        return nil
      }
      return descriptor
    }

    /// Opens the socket that programs connect to.
    func openSocket() throws(Failure) -> Int32 {
      let descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array("\(path)/socket".utf8)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
      }
      guard descriptor >= 0, result == 0, listen(descriptor, 4096) == 0 else {
        throw Failure(.inputOutput, "cannot listen at \(path)/socket: \(Failure.words(of: errno)).")
      }
      return descriptor
    }

    /// Removes folders of this user whose process was ended without its own end.
    private static func removeAbandoned(in place: String) {
      for name in Files.names(in: place) ?? [] where name.hasPrefix("wifi-harness.") && name.utf8.count == 19 {
        guard let lock = lock("\(place)/\(name)") else { continue }
        remove("\(place)/\(name)")
        close(lock)
      }
    }

    /// Writes files that stand in for the kernel's, in place of those before.
    func replace(_ before: [KernelFile], with files: [KernelFile]) throws(Failure) {
      for file in before.reversed() where !files.contains(where: { $0.path == file.path }) {
        let place = place(file.path)
        unsafe unlink(place)
        unsafe rmdir(place)
        removeEmptyFolders(above: place)
      }
      for file in files where !before.contains(file) {
        let place = place(file.path)
        makeFolders(above: place)
        do throws(FileFailure) {
          switch file.content {
          case .text(let text): try Files.replace(place, with: Array(text.utf8), lasts: false)
          case .link(let target):
            unsafe unlink(place)
            unsafe symlink(target, place)
          case .folder: unsafe mkdir(place, 0o755)
          }
        } catch {
          throw Failure(error)
        }
      }
    }

    /// The root of the files that stand in for the kernel's.
    var files: String { "\(path)/files" }

    private func place(_ kernelPath: String) -> String { files + kernelPath }

    private func makeFolders(above place: String) {
      var folder = path
      for part in place.dropFirst(path.count).split(separator: "/").dropLast() {
        folder += "/\(part)"
        unsafe mkdir(folder, 0o755)
      }
    }

    private func removeEmptyFolders(above place: String) {
      var parts = place.split(separator: "/").dropLast()
      while parts.count > 4, unsafe rmdir("/" + parts.joined(separator: "/")) == 0 { parts.removeLast() }
    }

    /// Takes the folder away, with all that is in it.
    func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
      for name in Files.names(in: path) ?? [] {
        let inner = "\(path)/\(name)"
        if unsafe unlink(inner) != 0 { remove(inner) }
      }
      unsafe rmdir(path)
    }
  }

  /// Where the preload library is.
  enum PreloadLibrary {
    static let name = "libwifi-harness-preload.so"

    /// Its path: beside the command, or in `../lib/wifi-harness`.
    static func path() throws(Failure) -> String {
      let folder = Files.folder(of: SystemFiles.link("/proc/self/exe") ?? "")
      let places = ["\(folder)/\(name)", "\(folder)/../lib/wifi-harness/\(name)"]
      for place in places where unsafe access(place, R_OK) == 0 { return place }
      throw Failure(
        .unavailable,
        "the preload library is neither at \(places.joined(separator: " nor at ")). `make build` or `make install` puts it there.")
    }
  }
#endif
