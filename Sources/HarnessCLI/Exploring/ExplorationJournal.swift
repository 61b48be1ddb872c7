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
    let path = Self.path(in: folder, shard)
    let shown = PrintableText.escape(path)
    do throws(LockedFile.Failure) { file = try LockedFile(path) } catch {
      switch error {
      case .inUse:
        throw Failure(
          .temporaryFailure, "another exploration writes to \(shown) now: wait until it has ended, or give another --output.")
      case .file(let failure): throw Failure(failure)
      }
    }
    let header = Self.header(seeds, shard, explorer)
    let bytes = try Failure.wrap(Files.read(path))
    // New, or cut off in its first line.
    if header.starts(with: bytes), bytes != header {
      try Failure.wrap(file.cut(to: 0))
      try Failure.wrap(file.append(header))
      return
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
    if end < bytes.count { try Failure.wrap(file.cut(to: end)) }
  }

  /// The journal of a share in a folder.
  static func path(in folder: String, _ shard: Shard) -> String { "\(folder)/shard-\(shard.index)-of-\(shard.count).ndjson" }

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

  func append(_ batch: Batch) throws(Failure) { try Failure.wrap(file.append(batch.line)) }
}
