import ScanTools
import WiFi

/// The files that the options of a command name.
struct NamedFiles {
  private var written: [(option: String, path: String)]

  /// - Parameter written: the options that name files to write, each with its file where it was given; an option that
  ///   names a folder may be there with several.
  init(written: [(option: String, path: String?)]) {
    self.written = written.compactMap { one in one.path.map { (option: one.option, path: $0) } }
  }

  /// Refuses two outputs in one file, in which the second would take the place of the first.
  func refuseSame() throws(Failure) {
    for (index, file) in written.enumerated() {
      for earlier in written[..<index] where earlier.option != file.option && Files.excludeEachOther(earlier.path, file.path) {
        let name = PrintableText.escape(file.path)
        throw Failure(
          .usage, "\(earlier.option) and \(file.option) name one file, \(name), in which one would replace the other; give another name.")
      }
    }
  }
}

/// A command with options that name files to write.
protocol WritesFiles {
  func namedFiles() throws -> NamedFiles
}
