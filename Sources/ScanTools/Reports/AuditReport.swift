import WiFi

/// What an audit found, for a user and for programs.
public struct AuditReport: Sendable {
  /// The version of the JSON that ``json(pretty:)`` writes; its schema is `schemas/audit-1.json`.
  public static let schema = "wifi-harness/audit/1"

  /// The audit.
  public let audit: Audit

  /// Reports an audit.
  public init(_ audit: Audit) { self.audit = audit }

  /// A paragraph for each finding, grouped by network, and a sentence at the end.
  public var text: String {
    let counts = [audit.findings.count.counted("finding"), audit.bssCount.counted("access point")]
    return Self.text(of: audit.findings) + "\(counts.joined(separator: " in "))\(severities).\n"
  }

  /// How many findings there are of each severity, such as `: 2 high, 1 low`.
  private var severities: String {
    let counts = AuditRule.Severity.allCases.compactMap { severity in
      let count = audit.findings.count { $0.rule.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)"
    }
    return counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")
  }

  /// A paragraph for each finding.
  static func text(of findings: [AuditFinding]) -> String {
    findings.map { finding in
      let name = finding.ssid.map { DisplayName.of($0) } ?? "(hidden)"
      let addresses = finding.bssids.map(\.description).joined(separator: " ")
      let title = [finding.rule.severity.rawValue, finding.rule.rawValue, name, addresses].joined(separator: "  ")
      return "\(title)\n  \(finding.why)\n  \(finding.rule.clause)\n"
    }.joined()
  }

  /// One JSON object, with its line end.
  public func json(pretty: Bool = false) -> [UInt8] {
    FieldWriter.bytes(pretty ? .prettyJSON : .json) { fields in
      fields.field("schema", Self.schema)
      fields.field("accessPoints", audit.bssCount)
      fields.objects("findings", audit.findings) { Self.describe($1, into: &$0) }
    }
  }

  static func describe(_ finding: AuditFinding, into fields: inout FieldWriter) {
    fields.field("rule", finding.rule.rawValue)
    fields.field("severity", finding.rule.severity.rawValue)
    fields.name(finding.ssid)
    fields.field("bssids", finding.bssids.map(\.description))
    fields.field("why", finding.why)
    fields.field("clause", finding.rule.clause)
  }
}
