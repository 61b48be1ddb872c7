import ArgumentParser
import ScanTools
import WiFi

/// The files that the options of a command name.
struct NamedFiles {
  private var written: [(option: String, path: String)]
  private var read: [(words: String, path: String)]

  /// - Parameters:
  ///   - written: the options that name files to write, each with its file where it was given; an option that names a
  ///     folder may be there with several.
  ///   - read: the files that are read, where they were given, each with what it is in a sentence.
  init(written: [(option: String, path: String?)], read: [(words: String, path: String?)] = []) {
    self.written = written.compactMap { one in one.path.map { (option: one.option, path: $0) } }
    self.read = read.compactMap { one in one.path.map { (words: one.words, path: $0) } }
  }

  /// Refuses what the options of a command would write over each other, or over what it reads.
  static func refuseSame(of command: any ParsableCommand) throws { try (command as? any WritesFiles)?.namedFiles().refuseSame() }

  /// Refuses two outputs in one file, in which the second would take the place of the first, and an output in the place
  /// of what is read.
  func refuseSame() throws(Failure) {
    for (index, file) in written.enumerated() {
      let name = PrintableText.escape(file.path)
      // Standard input is no file.
      for input in read where input.path != "-" && Files.excludeEachOther(input.path, file.path) {
        throw Failure(.usage, "\(file.option) names \(input.words), \(name), which it would replace; give another name.")
      }
      for earlier in written[..<index] where earlier.option != file.option && Files.excludeEachOther(earlier.path, file.path) {
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
