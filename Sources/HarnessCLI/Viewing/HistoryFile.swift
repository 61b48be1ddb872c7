import Models
import ScanTools
import WiFi

/// The file that a panel's history is written to, again and again; nothing else is replaced by it.
struct HistoryFile {
  private let given: String?
  /// The name that was free when the history was written first, where none was given.
  private var chosen: String?

  /// Writes to a file that was named, or to `wifi-history.csv` of the folder, or `wifi-history-2.csv` and so on where
  /// that is there.
  init(_ given: String?) { self.given = given }

  /// Writes what the viewer has.
  ///
  /// - Parameter path: another file, for this time.
  /// - Returns: the file, safe to print.
  mutating func write(_ viewer: Viewer, to path: String? = nil) throws(Failure) -> String {
    let path = if let named = path ?? given { named } else { try free() }
    try Self.refuseOther(path)
    try Failure.wrap(Files.replace(path, with: HistoryCSV.bytes(of: viewer)))
    return PrintableText.escape(path)
  }

  /// Refuses to replace a file that is no history.
  static func refuseOther(_ path: String?) throws(Failure) {
    guard let path else { return }
    try OutputFile.refuseHeard(path, option: "--export")
    let head = OutputFile.head(of: path)
    if head.isEmpty || head.starts(with: HistoryCSV.header.utf8) { return }
    throw Failure(
      .usage, "\(PrintableText.escape(path)) is there already and no history, so it is left as it is; give another name.")
  }

  private mutating func free() throws(Failure) -> String {
    if let chosen { return chosen }
    for number in 1..<1000 {
      let name = number == 1 ? "wifi-history.csv" : "wifi-history-\(number).csv"
      if unsafe access(name, F_OK) != 0 {
        chosen = name
        return name
      }
    }
    throw Failure(.inputOutput, "wifi-history.csv and its next 998 names are taken here; give another with --export.")
  }
}
