public import WiFi

/// Writes scans one after another as one file, in which everything that was heard stands once.
///
/// A scan lists what was heard before, too: an access point that a scan missed stands in it as in the one before. A
/// line, or a frame, is written only where it was heard again, so that lines of one address are a time series of its
/// signal.
///
/// Keeps a time for each address and channel: memory grows with the number of access points, not with that of scans.
public struct ScanSeries: Sendable {
  /// What is written.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// ``ScanReport/csv()`` with three columns before it: `scan`, its number, `time` in UTC, and `bootNs`, the time
    /// since boot.
    case csv
    /// ``ScanReport/wigleCSV(end:release:)``.
    case wigle
    /// ``ScanReport/pcapng(release:end:)``.
    case pcapng
  }

  /// Two times of one frame differ by no more than the kernel rounds: it reports ages in ms.
  private static let rounding = Duration.milliseconds(5)

  private let format: Format
  private let query: BSSQuery
  private let release: String
  private let registry: AddressRegistry?
  /// Whether names in a file for WiGLE are written as ``ScanReport/defusesNames`` says.
  public var defusesNames = false
  private var heard: [BSSKey: Duration] = [:]
  /// The TSF of the frames that were written last, of the elements and of the beacon beside them: a frame has one of
  /// its own.
  private var mains: [BSSKey: UInt64] = [:]
  private var beacons: [BSSKey: UInt64] = [:]
  /// Frames that are not written yet.
  private var frames = PCAPNGWriter()
  private var isStarted = false

  /// Starts with nothing written.
  ///
  /// - Parameters:
  ///   - query: which BSSs are wanted.
  ///   - release: the version of this program.
  ///   - registry: who registered which addresses, where makers are wanted.
  public init(_ format: Format, query: BSSQuery = BSSQuery(), release: String, registry: AddressRegistry? = nil) {
    self.format = format
    self.query = query
    self.release = release
    self.registry = registry
    _ = frames.takeBytes()
  }

  /// What stands before the first scan, for a file of no scans; empty where the first scan brought it.
  public mutating func end() -> [UInt8] { isStarted ? [] : start(interface: nil) }

  /// What a scan adds to the file.
  ///
  /// - Parameters:
  ///   - number: which scan of its source it is, counted from 1.
  ///   - end: when the scan ended; what is not known is left out.
  ///   - isRestart: whether the machine was started again before, so that times since boot start again.
  public mutating func bytes(of scan: Scan, number: Int, end: UTCTime?, isRestart: Bool = false) -> [UInt8] {
    let start = isStarted ? [] : start(interface: scan.interface)
    if isRestart {
      heard = [:]
      (mains, beacons) = ([:], [:])
    }
    var report = ScanReport(scan, grouping: .bss, query: query, registry: registry)
    report.defusesNames = defusesNames
    var text = ""
    var timed: [TimedFrame] = []
    let inOrder = report.facts.map { (time: scan.lastHeard($0.bss), fact: $0) }.sorted { $0.time < $1.time }
    for (time, fact) in inOrder {
      if let before = heard[fact.key], time - before <= Self.rounding { continue }
      heard[fact.key] = time
      switch format {
      case .csv:
        let utc = report.heard(fact.bss, end: end)
        text += CSV.line(["\(number)", utc?.iso8601 ?? "", "\(time.wholeNanoseconds)"] + report.csvFields(of: fact))
      case .wigle: text += report.wigleLine(of: fact, end: end)
      case .pcapng:
        var wanted = ReportedFrames(fact.bss)
        wanted.hasMain = Self.isNew(fact.bss.tsfUs, of: fact.key, in: &mains)
        wanted.hasBeacon = Self.isNew(fact.bss.beaconTSFUs, of: fact.key, in: &beacons)
        report.append(fact, end: end, wanted, to: &timed)
      }
    }
    timed.write(to: &frames)
    return start + Array(text.utf8) + frames.takeBytes()
  }

  /// Whether a frame with this TSF was not written yet; one without any always is new.
  private static func isNew(_ tsf: UInt64?, of key: BSSKey, in written: inout [BSSKey: UInt64]) -> Bool {
    guard let tsf else { return true }
    defer { written[key] = tsf }
    return written[key] != tsf
  }

  private mutating func start(interface: String?) -> [UInt8] {
    isStarted = true
    switch format {
    case .csv: return Array(CSV.line(["scan", "time", "bootNs"] + ScanReport.csvHeader).utf8)
    case .wigle: return Array(ScanReport.wigleHeader(release: release).utf8)
    case .pcapng:
      frames = PCAPNGWriter(interfaceName: interface, application: "wifi-harness \(release)")
      return frames.takeBytes()
    }
  }
}
