import Harness
import ScanTools

/// What is written of an exploration beside its journal.
enum ExplorationFiles {
  static func write(_ files: FindingFiles, to folder: String) throws(Failure) {
    for (ending, text) in [("yaml", files.yaml), ("txt", files.text), ("html", files.html)] where ending != "html" || !text.isEmpty {
      try Failure.wrap(Files.replace("\(folder)/\(files.stem).\(ending)", with: Array(text.utf8), makesFolder: true))
    }
  }

  static func write(_ summary: ExplorationSummary, to folder: String, _ shard: Shard) throws(Failure) {
    let report = report(in: folder, shard)
    try Failure.wrap(Files.replace(report.json, with: summary.json, makesFolder: true))
    try Failure.wrap(Files.replace(report.markdown, with: Array(summary.markdown.utf8), makesFolder: true))
  }

  /// The files that the report of a share is written to.
  static func report(in folder: String, _ shard: Shard) -> (json: String, markdown: String) {
    let name = shard.count == 1 ? "report" : "report-\(shard.index)-of-\(shard.count)"
    return ("\(folder)/\(name).json", "\(folder)/\(name).md")
  }
}
