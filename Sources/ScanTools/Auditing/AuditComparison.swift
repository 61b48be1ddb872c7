public import WiFi

/// What an audit finds in one source and not in another.
public struct AuditComparison: Sendable {
  /// What the second source has and the first has not; of a finding about several access points, those that are new.
  public let new: [AuditFinding]
  /// What the first source has and the second has not.
  public let gone: [AuditFinding]

  /// Compares two sources; the first is what is known when the second is looked through.
  ///
  /// - Parameter maker: as for ``Audit/init(_:baseline:rules:maker:)``.
  public init(_ before: ScanSummary, _ after: ScanSummary, maker: ((MACAddress) -> String?)? = nil) {
    let known = before.audited
    let old = Audit(known, maker: maker).findings
    let new = Audit(after.audited, baseline: AuditBaseline(known), maker: maker).findings
    self.new = Self.subtract(old, from: new)
    gone = Self.subtract(new, from: old)
  }

  private struct Key: Hashable {
    var rule: AuditRule
    var ssid: SSID?
    var bssid: MACAddress
  }

  private static func subtract(_ others: [AuditFinding], from findings: [AuditFinding]) -> [AuditFinding] {
    let keys = Set(others.flatMap { finding in finding.bssids.map { Key(rule: finding.rule, ssid: finding.ssid, bssid: $0) } })
    return findings.compactMap { finding in
      var rest = finding
      rest.bssids = finding.bssids.filter { !keys.contains(Key(rule: finding.rule, ssid: finding.ssid, bssid: $0)) }
      return rest.bssids.isEmpty ? nil : rest
    }
  }
}
