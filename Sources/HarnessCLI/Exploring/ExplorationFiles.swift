import Determinism
import Harness
import ScanTools
import WiFi

/// The journal of a share of an exploration: a header line, then a batch a line, only ever appended to.
///
/// A kill costs at most the line that was being written; started again, the exploration runs what is missing. It is
/// locked: two explorations at once would run everything twice.
final class ExplorationJournal {
  private let file: LockedFile
  private(set) var batches: [Batch] = []

  /// Opens or begins the journal of a shard in a folder.
  init(folder: String, seeds: Range<UInt64>, shard: Shard, explorer: Explorer) throws(Failure) {
    try OutputFile.refuseNoFolder(folder, option: "--output")
    let path = "\(folder)/shard-\(shard.index)-of-\(shard.count).ndjson"
    let shown = PrintableText.escape(Array(path.utf8))
    do throws(LockedFile.Failure) { file = try LockedFile(path) } catch {
      switch error {
      case .inUse:
        throw Failure(
          .temporaryFailure, "another exploration writes to \(shown) now: wait until it has ended, or give another --output.")
      case .file(let failure): throw Failure(failure)
      }
    }
    let header = Self.header(seeds, shard, explorer)
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try Files.read(path)
      // New, or cut off in its first line.
      if header.starts(with: bytes), bytes != header {
        try file.cut(to: 0)
        try file.append(header)
        return
      }
    } catch {
      throw Failure(error)
    }
    guard bytes.starts(with: header) else {
      throw Failure(
        .dataError,
        "\(shown) is the journal of another exploration: other seeds, options or program. "
          + "Give another --output.")
    }
    batches = Self.read(bytes)
    // A line that was cut off would spoil the next.
    let end = (bytes.lastIndex(of: 0x0A) ?? 0) + 1
    if end < bytes.count { do { try file.cut(to: end) } catch { throw Failure(error) } }
  }

  /// The first line: what the batches are of.
  ///
  /// Shards of one exploration differ in their number only.
  private static func header(_ seeds: Range<UInt64>, _ shard: Shard, _ explorer: Explorer) -> [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("format", "wifi-harness/exploration/1")
      fields.field("version", Release.version)
      fields.field("firstSeed", "\(seeds.lowerBound)")
      fields.field("endSeed", "\(seeds.upperBound)")
      fields.field("worlds", explorer.worlds)
      fields.field("lengthNs", explorer.length.wholeNanoseconds)
      if let count = explorer.accessPoints { fields.field("accessPoints", count) }
      if let daemon = explorer.daemon { fields.field("daemon", daemon.rawValue) }
      if let view = explorer.view { fields.field("via", view.rawValue) }
      fields.field("twice", explorer.runsTwice)
      fields.field("shards", shard.count)
      fields.field("shard", shard.index)
    }
  }

  /// The batches of a journal, each once; a line that was cut off is skipped.
  static func read(_ bytes: [UInt8]) -> [Batch] {
    var seen: Set<UInt64> = []
    return bytes.split(separator: 0x0A).dropFirst().compactMap { Batch(line: $0) }.filter { seen.insert($0.seeds.lowerBound).inserted }
  }

  func append(_ batch: Batch) throws(Failure) {
    do { try file.append(batch.line) } catch { throw Failure(error) }
  }
}

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

/// The findings in the folder of an exploration, of this one and of earlier ones.
struct KeptFindings {
  let folder: String

  /// The names of the scenarios that an exploration wrote, in order.
  private var stems: [String] {
    let scenarios = (Files.names(in: folder) ?? []).filter { $0.hasSuffix(".yaml") && $0.contains("-seed-") }
    return scenarios.map { String($0.dropLast(5)) }.filter(isOurs)
  }

  /// Whether an exploration wrote a scenario; files of others stay.
  private func isOurs(_ stem: String) -> Bool {
    guard let text = try? Files.read("\(folder)/\(stem).yaml") else { return false }
    return String(decoding: text, as: UTF8.self).contains("\nabout: \"Found with seed ")
  }

  /// Removes the findings that do not fail any more, and gives their names.
  ///
  /// - Parameter workers: run those that may end their process.
  func dropPassing(but written: [String], _ workers: WorkerPool) async -> [String] {
    var dropped: [String] = []
    for stem in stems where !written.contains(stem) {
      let path = "\(folder)/\(stem).yaml"
      guard let text = try? Files.read(path) else { continue }
      let scenario = try? ScenarioReader(file: path).read(String(decoding: text, as: UTF8.self))
      if let scenario, Violation.endangering.contains(scenario.name) {
        let violation = Violation(property: scenario.name, sentence: "", time: .zero)
        guard let run = SettingsRun(scenario), await passes({ await workers.judge(run.through($0), violation).violations.isEmpty }) else {
          continue
        }
      } else {
        guard await passes({ await ScenarioCheck(path: path, text: text).run(via: $0).verdict == .passed }) else { continue }
      }
      drop(stem)
      dropped.append(stem)
    }
    return dropped
  }

  /// Whether something holds through every view: a scenario does not say through which it was found.
  private func passes(_ holds: (ViewKind) async -> Bool) async -> Bool {
    for view in ViewKind.allCases where await !holds(view) { return false }
    return true
  }

  /// Removes all but the newest.
  func drop(allBut count: Int) {
    var byAge: [(time: Duration, stem: String)] = []
    for stem in stems { byAge.append((SystemFiles.modificationTime("\(folder)/\(stem).yaml") ?? .zero, stem)) }
    byAge.sort { $0 < $1 }
    for old in byAge.dropLast(count) { drop(old.stem) }
  }

  private func drop(_ stem: String) {
    // The scenario last: as long as it is there, the finding is.
    for ending in ["html", "txt", "yaml"] { SystemFiles.remove("\(folder)/\(stem).\(ending)") }
  }
}
