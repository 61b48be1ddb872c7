import ScanTools
import WiFi

extension ScanSummary {
  /// What a file holds; reads it piece by piece.
  static func of(file path: String, _ query: BSSQuery) async throws(Failure) -> ScanSummary {
    var summary = ScanSummary(name: Files.name(path), query: query)
    var options = SourceOptions()
    options.replay = path
    if let replayed = try options.replayed(pause: { _ in }) {
      do {
        while let scan = try await replayed.source.nextScan() {
          summary.add(scan, start: replayed.utc(scan.start), end: replayed.utc(scan.end))
        }
      } catch {
        throw Failure(error, path: path)
      }
    }
    if summary.scanCount == 0 {
      let name = PrintableText.escape(summary.name)
      throw Failure(.dataError, "\(name): no scan in it, and no whole beacon or probe response whose channel is known.")
    }
    return summary
  }
}
