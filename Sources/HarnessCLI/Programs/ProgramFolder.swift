import ScanTools

#if os(Linux)
  import Harness
  import Simulator
  import WiFi

  /// The folder in which a program finds the simulated kernel: its socket, its time, and files that stand in for the
  /// kernel's.
  ///
  /// It is the user's alone, and gone when the program has ended.
  struct ProgramFolder {
    /// Its path, short enough for the address of a socket.
    let path: String

    /// Makes a new folder.
    init() throws(Failure) {
      let places = [StandardStreams.environment("XDG_RUNTIME_DIR"), StandardStreams.environment("TMPDIR"), "/tmp"].compactMap(\.self)
      var reason: Int32 = ENAMETOOLONG
      for place in places where place.utf8.count <= 64 && place.hasPrefix("/") {
        Self.removeAbandoned(in: place)
        var template = Array("\(place)/wifi-harness.XXXXXX".utf8CString)
        if unsafe mkdtemp(&template) != nil {
          path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
          return
        }
        reason = errno
      }
      throw Failure(
        .inputOutput,
        "cannot make a folder in \(places.joined(separator: ", ")): \(unsafe String(cString: strerror(reason))). "
          + "Set TMPDIR to one that you can write to.")
    }

    /// Opens the socket that programs connect to.
    func openSocket() throws(Failure) -> Int32 {
      // It gets its name when it listens: where nothing listens at one of that name, the kernel was ended.
      let first = "\(path)/starting"
      let (descriptor, isBound) = unsafe Self.withSocket(first) { unsafe bind($0, $1, $2) }
      guard descriptor >= 0, isBound == 0, listen(descriptor, 4096) == 0, unsafe rename(first, "\(path)/socket") == 0 else {
        throw Failure(.inputOutput, "cannot listen at \(path)/socket: \(unsafe String(cString: strerror(errno))).")
      }
      return descriptor
    }

    /// Makes a socket and does something with the address of that of a kernel, by its path.
    private static func withSocket(
      _ path: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> (descriptor: Int32, result: Int32) {
      let descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(path.utf8)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body(descriptor, $0, size) }
      }
      return (descriptor, result)
    }

    /// Removes folders of this user whose kernel was ended without its own end: nothing listens at their socket.
    private static func removeAbandoned(in place: String) {
      for name in Files.names(in: place) ?? [] where name.hasPrefix("wifi-harness.") && name.utf8.count == 19 {
        let path = "\(place)/\(name)"
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
          unsafe access("\(path)/socket", F_OK) == 0
        else { continue }
        let (descriptor, result) = unsafe withSocket("\(path)/socket") { unsafe connect($0, $1, $2) }
        if result != 0, errno == ECONNREFUSED { remove(path) }
        close(descriptor)
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
