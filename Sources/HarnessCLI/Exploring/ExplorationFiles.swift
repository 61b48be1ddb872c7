import Determinism
import Harness
import ScanTools
import WiFi

/// What is written of an exploration beside its journal.
enum ExplorationFiles {
  static func write(_ files: FindingFiles, to folder: String) throws(Failure) {
    do throws(FileFailure) {
      try Files.replace("\(folder)/\(files.stem).yaml", with: Array(files.yaml.utf8), makesFolder: true)
      try Files.replace("\(folder)/\(files.stem).txt", with: Array(files.text.utf8), makesFolder: true)
      if !files.html.isEmpty { try Files.replace("\(folder)/\(files.stem).html", with: Array(files.html.utf8), makesFolder: true) }
    } catch {
      throw Failure(error)
    }
  }

  static func write(_ summary: ExplorationSummary, to folder: String, _ shard: Shard) throws(Failure) {
    let name = shard.count == 1 ? "report" : "report-\(shard.index)-of-\(shard.count)"
    do throws(FileFailure) {
      try Files.replace("\(folder)/\(name).json", with: summary.json, makesFolder: true)
      try Files.replace("\(folder)/\(name).md", with: Array(summary.markdown.utf8), makesFolder: true)
    } catch {
      throw Failure(error)
    }
  }
}
