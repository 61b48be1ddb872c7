import Determinism
import Harness
import ScanTools
import WiFi

/// The merged journals of shards.
struct JournalMerge {
  private(set) var report = ExplorationReport()
  private var header: Header?
  private var seen: Set<UInt64> = []

  /// The first line of a journal, of which every member but the number of the shard says what exploration it is.
  private struct Header: Equatable {
    var members: [String: JSONValue]
    var seeds: Range<UInt64>
    var shards: Int

    init?(_ bytes: some Sequence<UInt8>) {
      guard case .object(var members)? = JSONValue(bytes), members["format"]?.text == "wifi-harness/exploration/1",
        let first = members["firstSeed"]?.text.flatMap({ UInt64($0) }), let end = members["endSeed"]?.text.flatMap({ UInt64($0) }),
        first <= end, end - first <= SeedRange.most, let shards = members["shards"]?.integer, shards > 0
      else { return nil }
      members["shard"] = nil
      self.members = members
      seeds = first..<end
      self.shards = shards
    }
  }

  /// The journals that paths mean, each those of a folder, or one journal.
  init(of paths: [String]) throws(Failure) {
    for path in paths {
      let files = Self.journals(in: path)
      if files.isEmpty { throw Failure(.noInput, "\(PrintableText.escape(path)) holds no journal of a shard.") }
      for file in files { try add(file) }
    }
  }

  /// The journals that a path means: those of a folder, or the file itself.
  static func journals(in path: String) -> [String] {
    guard let names = Files.names(in: path) else { return [path] }
    return names.filter { $0.hasPrefix("shard-") && $0.hasSuffix(".ndjson") }.map { "\(path)/\($0)" }
  }

  /// Adds a journal; a batch that was added before counts once.
  private mutating func add(_ path: String) throws(Failure) {
    let shown = PrintableText.escape(path)
    let bytes = try Failure.wrap(Files.read(path))
    guard let header = bytes.split(separator: 0x0A).first.flatMap({ Header($0) }) else {
      throw Failure(.dataError, "\(shown) is no journal of an exploration.")
    }
    if let known = self.header, known != header {
      throw Failure(.dataError, "\(shown) is of another exploration than the first: other seeds, options, shards or program.")
    }
    self.header = header
    for batch in ExplorationJournal.read(bytes) where seen.insert(batch.seeds.lowerBound).inserted { report.add(batch) }
  }

  /// What is missing, in words; `nil` where every seed was run.
  var missing: String? {
    guard let header else { return nil }
    let batches = SeedBatches(of: header.seeds)
    guard let index = batches.firstIndex(where: { !seen.contains($0.lowerBound) }) else { return nil }
    let one = batches[index]
    let count = header.seeds.count - report.seedCount
    let shard = "\(index % header.shards)/\(header.shards)"
    return "\(count) of \(header.seeds.count) seeds are missing, the first \(one.lowerBound), which shard \(shard) runs."
  }
}
