import ScanTools
import WiFi

/// Files that are replaced by what an option writes.
enum OutputFile {
  /// Refuses to replace a recording, saved scans or a capture: what was heard cannot be heard again.
  ///
  /// - Parameters:
  ///   - path: the file, where the option was given; it need not be there.
  ///   - option: the option that names it, such as `--junit`.
  ///   - mayBeCapture: whether the option writes captures, and so replaces them.
  static func refuseHeard(_ path: String?, option: String, mayBeCapture: Bool = false) throws(Failure) {
    guard let path else { return }
    let head = head(of: path)
    let isCapture = Capture.format(head) != nil
    let isRecording = Zstandard.isCompressed(head) || SavedScan.isSavedScan(head) || Recording.isRecording(head)
    guard isCapture ? !mayBeCapture : isRecording else { return }
    let name = PrintableText.escape(path)
    throw Failure(
      .usage, "\(option) names a \(isCapture ? "capture" : "recording"), \(name), which it would replace; give another name.")
  }

  /// Refuses a pipe with a name, which would block every scan until a program reads it.
  static func refusePipe(_ path: String?, option: String) throws(Failure) {
    // What a descriptor leads to, such as /dev/stdout, is open already.
    guard let path, !["/dev/std", "/dev/fd/", "/proc/"].contains(where: { path.hasPrefix($0) }) else { return }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    let name = PrintableText.escape(path)
    throw Failure(
      .usage,
      "\(option) names a pipe, \(name), which would hold up each scan until it is read; name a file, which is replaced after each scan.")
  }

  /// Refuses a file where an option takes a folder.
  static func refuseNoFolder(_ path: String?, option: String) throws(Failure) {
    guard let path else { return }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
    let name = PrintableText.escape(path)
    throw Failure(.usage, "\(option) takes a folder, and \(name) is a file; give another name.")
  }

  /// Refuses a file that could not be written at the end of a long command.
  ///
  /// - Parameter makesFolder: whether the command makes the folder of the file, and those above it.
  static func refuseUnwritable(_ path: String?, option: String, makesFolder: Bool = false) throws(Failure) {
    guard let path else { return }
    try refuseHeard(path, option: option)
    try Failure.wrap(Files.checkReplaceable(path, makesFolder: makesFolder))
  }

  /// The first bytes of a regular file; none where there is no such file.
  static func head(of path: String) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }
}
