import ScanTools
import WiFi

/// A file of figures for Prometheus that is kept up to date.
struct MetricsFile {
  private let path: String
  private var metrics = AirMetrics()
  private var isWritten = false
  private var isSaid = false

  init(path: String) { self.path = path }

  /// Processes a scan and replaces the file.
  ///
  /// - Throws: ``Failure`` where the file cannot be written at all; where it could be before, that is said once, and a
  ///   later scan tries again.
  mutating func update(_ scan: Scan, changes: [NetworkChange], networks: some Sequence<Network>, utc: UTCTime?) throws(Failure) {
    metrics.update(scan, changes: changes, networks: networks, utc: utc)
    do throws(FileFailure) {
      try Files.replace(path, with: metrics.bytes)
      isWritten = true
      isSaid = false
    } catch {
      guard isWritten else { throw Failure(.inputOutput, "\(error).") }
      if !isSaid { StandardStreams.say("\(error); it is tried again after each scan.") }
      isSaid = true
    }
  }
}
