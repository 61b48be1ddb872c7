public import WiFi

/// What a scan of a watch brought, as a line for a program.
public struct ScanCount: Sendable {
  /// The version of the JSON that ``json`` writes; its schema is `schemas/scan-count-1.json`.
  public static let schema = "wifi-harness/scan-count/1"

  /// The number of the scan, counted from 1.
  public var number: Int
  /// The scan, with those of its BSSs that were asked for.
  public var scan: Scan
  /// When it ended, counted from the start of the first scan.
  public var time: Duration
  /// When it ended, where that is known.
  public var utc: UTCTime?
  /// The networks that are there after it.
  public var networkCount: Int
  /// What it changed.
  public var changes: [NetworkChange]

  /// Counts what a scan brought.
  public init(number: Int, scan: Scan, time: Duration, utc: UTCTime?, networkCount: Int, changes: [NetworkChange]) {
    self.number = number
    self.scan = scan
    self.time = time
    self.utc = utc
    self.networkCount = networkCount
    self.changes = changes
  }

  /// One JSON object without a line end.
  public var json: [UInt8] {
    FieldWriter.bytes(isLine: false) { fields in
      fields.field("schema", Self.schema)
      fields.field("timeMs", time.wholeMilliseconds)
      if let utc { fields.field("time", utc.iso8601) }
      fields.field("event", "scan")
      fields.field("scan", number)
      fields.field("interface", scan.interface)
      fields.field("complete", scan.isComplete)
      fields.field("durationMs", max((scan.end - scan.start).wholeMilliseconds, 0))
      if let frequencies = scan.frequenciesKHz { fields.field("channels", frequencies.count) }
      fields.field("bss", scan.bss.count)
      fields.field("networks", networkCount)
      fields.field("found", changes.count { $0.kind == .found })
      fields.field("changed", changes.count { $0.kind == .changed })
      fields.field("lost", changes.count { $0.kind == .lost })
      if let position = scan.position { fields.object("position") { position.describe(into: &$0) } }
    }
  }
}
