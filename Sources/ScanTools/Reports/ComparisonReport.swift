import WiFi

/// A comparison of what two sources heard, for a user and for programs.
public struct ComparisonReport: Sendable {
  /// The version of the JSON that ``json(pretty:)`` writes; its schema is `schemas/diff-1.json`.
  public static let schema = "wifi-harness/diff/1"

  /// The comparison.
  public let comparison: ScanComparison
  /// Whether titles are in bold.
  public var isColoured = false

  /// What an audit finds on one side only, where it was asked for.
  public let audit: AuditComparison?

  /// Reports a comparison.
  public init(_ comparison: ScanComparison, audit: AuditComparison? = nil) {
    self.comparison = comparison
    self.audit = audit
  }

  // MARK: Text

  /// A line for each source, one for each difference, those that are not established last, and a sentence at the end.
  public var text: String {
    var text = Self.line(comparison.before, "-") + Self.line(comparison.after, "+")
    let established = comparison.differences.filter(\.isEstablished)
    let doubtful = comparison.differences.filter { !$0.isEstablished }
    if !comparison.differences.isEmpty {
      text += "\n" + table(established + doubtful)
    }
    if let audit {
      for (title, findings) in [("Found by the audit, and not before:", audit.new), ("Found before, and no more:", audit.gone)]
      where !findings.isEmpty {
        text += "\n\(title)\n\n" + AuditReport.text(of: findings)
      }
    }
    return text + "\n" + summary + "\n"
  }

  private static func line(_ summary: ScanSummary, _ mark: String) -> String {
    let times = [summary.start, summary.end].compactMap { $0?.description }
    let accessPoints = summary.accessPoints.filter(summary.isThere)
    return
      "\(mark) \(PrintableText.escape(summary.name)): \(summary.scanCount.counted("scan"))"
      + (summary.partialScanCount > 0 ? " (\(summary.partialScanCount) cut short)" : "")
      + (times.isEmpty ? "" : ", \(times.joined(separator: " to ")) UTC")
      + ", \(accessPoints.count.counted("access point")) of \(Set(accessPoints.map(\.networkID)).count.counted("network"))\n"
  }

  /// What differs, in a sentence.
  public var summary: String {
    let compared = comparison.accessPointCount.counted("access point")
    var counts: [String] = []
    for kind in ScanComparison.Kind.allCases {
      let number = comparison.differences.count { $0.kind == kind && $0.isEstablished }
      if number > 0 { counts.append("\(number) \(Self.words(kind))") }
    }
    let doubtful = comparison.differences.count { !$0.isEstablished }
    let rest = doubtful == 0 ? "" : " Not established: \(doubtful), marked “?”."
    if counts.isEmpty { return "No difference in \(compared).\(rest)" }
    return "Of \(compared): \(counts.joined(separator: ", ")).\(rest)"
  }

  private static func words(_ kind: ScanComparison.Kind) -> String {
    switch kind {
    case .added: "added"
    case .gone: "gone"
    case .replaced: "replaced"
    case .name: "renamed"
    case .moved: "moved"
    case .security: "changed in security"
    case .capabilities: "changed in capabilities"
    case .signal: "changed in signal"
    }
  }

  private func table(_ differences: [ScanComparison.Difference]) -> String {
    let rows = [["CHANGE", "NETWORK", "BSSID", "BEFORE", "AFTER"]] + differences.map(cells)
    return ReportText.aligned(rows, widest: [1: 40]).enumerated().map { index, line in
      (isColoured && index == 0 ? "\u{1B}[1m\(line)\u{1B}[0m" : line) + "\n"
    }.joined()
  }

  private func cells(_ difference: ScanComparison.Difference) -> [String] {
    let (old, new) = observed(difference)
    var (before, after): (String, String)
    switch difference.kind {
    case .added: (before, after) = (absence(comparison.before, as: new), presence(new, comparison.after))
    case .gone: (before, after) = (presence(old, comparison.before), absence(comparison.after, as: old))
    case .replaced:
      (before, after) = (presence(old, comparison.before), "\(difference.successor?.description ?? "")  \(presence(new, comparison.after))")
    case .signal:
      let (from, to) = (old?.medianSignalMBm ?? 0, new?.medianSignalMBm ?? 0)
      // An address that is heard on several channels at once has a row for each.
      let channel = difference.frequencyKHz == nil ? "" : old?.announcement.map { "\($0.channel), " } ?? ""
      before = "\(channel)\(from.wholeDBm) dBm"
      after = "\(to.wholeDBm) dBm (\(to > from ? "+" : "")\(to.wholeDBm - from.wholeDBm) dB)"
    default:
      func cell(_ value: (AccessPointFacts.Change) -> String) -> String {
        difference.changes.map { change in
          switch change.field {
          case .security, .channel, .ssid, .widthMHz: value(change)
          default: "\(change.field.words) \(value(change).isEmpty ? "none" : value(change))"
          }
        }.joined(separator: ", ")
      }
      (before, after) = (cell(\.before), cell(\.after))
    }
    if let doubt = difference.doubt { after += " (\(Self.words(doubt)))" }
    let change = difference.isWholeNetwork ? "network \(difference.kind.rawValue)" : difference.kind.rawValue
    return [
      change + (difference.isEstablished ? "" : "?"),
      difference.ssid.map { DisplayName.of($0) } ?? (isHidden(old, new) ? "(hidden)" : "(unknown)"),
      difference.bssid.description, before, after,
    ]
  }

  /// What was heard of the access point before and after.
  private func observed(_ difference: ScanComparison.Difference) -> (before: ObservedAccessPoint?, after: ObservedAccessPoint?) {
    (
      comparison.before.accessPoint(difference.bssid, frequencyKHz: difference.frequencyKHz),
      comparison.after.accessPoint(difference.successor ?? difference.bssid, frequencyKHz: difference.frequencyKHz)
    )
  }

  private func isHidden(_ old: ObservedAccessPoint?, _ new: ObservedAccessPoint?) -> Bool {
    (new?.announcement ?? old?.announcement)?.facts.isHidden ?? false
  }

  private static func words(_ doubt: ScanComparison.Doubt) -> String {
    switch doubt {
    case .notCovered: "no whole scan of its channel"
    case .tooFewScans: "too few scans to decide"
    case .seldomHeard: "heard too seldom to decide"
    }
  }

  private func presence(_ accessPoint: ObservedAccessPoint?, _ summary: ScanSummary) -> String {
    guard let accessPoint, let announcement = accessPoint.announcement else { return "-" }
    let (heard, scans) = summary.presence(of: accessPoint)
    return [
      "\(announcement.channel)", announcement.facts.security.summary,
      accessPoint.medianSignalMBm.map { "\($0.wholeDBm) dBm" } ?? "-", "in \(heard) of \(scans.counted("scan"))",
    ].joined(separator: ", ")
  }

  private func absence(_ summary: ScanSummary, as other: ObservedAccessPoint?) -> String {
    "in 0 of \(summary.coveringScanCount(of: other).counted("scan"))"
  }

  // MARK: JSON

  /// One JSON object, with its line end.
  public func json(pretty: Bool = false) -> [UInt8] {
    FieldWriter.bytes(pretty ? .prettyJSON : .json) { fields in
      fields.field("schema", Self.schema)
      fields.field("differs", comparison.differs)
      fields.object("before") { Self.describe(comparison.before, into: &$0) }
      fields.object("after") { Self.describe(comparison.after, into: &$0) }
      fields.field("comparedAccessPoints", comparison.accessPointCount)
      fields.objects("differences", comparison.differences) { describe($1, into: &$0) }
      if let audit {
        fields.object("audit") { fields in
          fields.objects("new", audit.new) { AuditReport.describe($1, into: &$0) }
          fields.objects("gone", audit.gone) { AuditReport.describe($1, into: &$0) }
        }
      }
    }
  }

  private static func describe(_ summary: ScanSummary, into fields: inout FieldWriter) {
    fields.field("source", summary.name)
    fields.field("scans", summary.scanCount)
    fields.field("partialScans", summary.partialScanCount)
    if let start = summary.start { fields.field("start", start.iso8601) }
    if let end = summary.end { fields.field("end", end.iso8601) }
    let accessPoints = summary.accessPoints.filter(summary.isThere)
    fields.field("accessPoints", accessPoints.count)
    fields.field("networks", Set(accessPoints.map(\.networkID)).count)
  }

  private func describe(_ difference: ScanComparison.Difference, into fields: inout FieldWriter) {
    fields.field("kind", difference.kind.rawValue)
    fields.field("established", difference.isEstablished)
    if let doubt = difference.doubt { fields.field("doubt", doubt.rawValue) }
    if let pValue = difference.pValue { fields.field("pValue", millionths: Int((pValue * 1_000_000).rounded(.up))) }
    fields.name(difference.ssid)
    fields.field("bssid", difference.bssid.description)
    if let successor = difference.successor { fields.field("successor", successor.description) }
    fields.field("wholeNetwork", difference.isWholeNetwork)
    fields.objects("changes", difference.changes) { fields, change in
      fields.field("field", change.field.rawValue)
      fields.field("before", change.before)
      fields.field("after", change.after)
    }
    let (old, new) = observed(difference)
    fields.object("before") { describe(old, comparison.before, as: new, into: &$0) }
    fields.object("after") { describe(new, comparison.after, as: old, into: &$0) }
  }

  private func describe(
    _ accessPoint: ObservedAccessPoint?, _ summary: ScanSummary, as other: ObservedAccessPoint?, into fields: inout FieldWriter
  ) {
    guard let accessPoint, summary.isThere(accessPoint), let announcement = accessPoint.announcement else {
      fields.field("heardInScans", 0)
      fields.field("ofScans", summary.coveringScanCount(of: other))
      return
    }
    let (heard, scans) = summary.presence(of: accessPoint)
    fields.field("heardInScans", heard)
    fields.field("ofScans", scans)
    if let median = accessPoint.medianSignalMBm { fields.field("medianSignalDBm", hundredths: median) }
    fields.field("signals", accessPoint.signals.count)
    fields.object("channel") { announcement.channel.describe(into: &$0) }
    fields.object("security") { announcement.facts.security.describe(into: &$0) }
    if let generation = announcement.facts.generation {
      fields.field("generation", generation.summary)
    } else {
      fields.fieldNull("generation")
    }
  }
}
