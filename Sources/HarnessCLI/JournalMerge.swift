import Harness
import WiFi

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Journals of shards, added up.
struct JournalMerge {
  private(set) var report = ExplorationReport()
  private var header: Header?
  private var seen: Set<UInt64> = []

  private struct Header: Decodable, Equatable {
    var format: String
    var version: String
    var firstSeed: String
    var endSeed: String
    var worlds: [String]
    var lengthNs: Int64
    var accessPoints: Int?
    var daemon: String?
    var known: Bool?
    var twice: Bool
    var shards: Int
  }

  /// Adds a journal; a batch that was added before counts once.
  mutating func add(_ path: String) throws(Failure) {
    let shown = PrintableText.escape(Array(path.utf8))
    let bytes: [UInt8]
    do { bytes = try Files.read(path) } catch { throw Failure(error) }
    guard let line = bytes.split(separator: 0x0A).first, let header = try? JSONDecoder().decode(Header.self, from: Data(line)),
      header.format == "wifi-harness/exploration/1"
    else { throw Failure(.dataError, "\(shown) is no journal of an exploration.") }
    if let known = self.header, known != header {
      throw Failure(.dataError, "\(shown) is of another exploration than the first: other seeds, options, shards or program.")
    }
    self.header = header
    for batch in ExplorationJournal.read(bytes) where seen.insert(batch.seeds.lowerBound).inserted { report.add(batch) }
  }

  /// What is missing, in words; `nil` where every seed was told.
  var missing: String? {
    guard let header, let first = UInt64(header.firstSeed), let end = UInt64(header.endSeed) else { return nil }
    let lacking = Batch.all(of: first..<end).filter { !seen.contains($0.lowerBound) }
    guard let one = lacking.first else { return nil }
    let count = lacking.reduce(0) { $0 + $1.count }
    let index = Batch.all(of: first..<end).firstIndex(of: one) ?? 0
    let shard = "\(index % header.shards)/\(header.shards)"
    return "\(count) of \(end - first) seeds are missing, the first \(one.lowerBound), which shard \(shard) runs."
  }
}
