public import WiFi

/// A scan with everything in it decoded, ready to be shown in any format.
public struct ScanReport: Sendable {
  /// The version of the JSON that ``json(pretty:)`` writes; its schema is `schemas/scan-1.json`.
  public static let schema = "wifi-harness/scan/1"

  /// The scan.
  public let scan: Scan
  /// Its BSSs, decoded, strongest first, equally strong by address.
  public let facts: [BSSFacts]
  /// The networks they form, in the order of a settings panel.
  public let networks: [Network]

  /// Decodes every BSS of `scan`.
  public init(_ scan: Scan, grouping: Grouping = .network) {
    self.scan = scan
    facts = scan.bss.map { BSSFacts($0) }.sorted {
      let (left, right) = (Self.strength($0.bss), Self.strength($1.bss))
      return left == right ? $0.bss.bssid < $1.bss.bssid : left > right
    }
    networks = Network.networks(of: facts, grouping: grouping).sorted { left, right in
      if left.isSecured != right.isSecured { return left.isSecured }
      if left.bars != right.bars { return left.bars > right.bars }
      return (left.ssid, left.id) < (right.ssid, right.id)
    }
  }

  /// Strength to order by: dBm, else the driver's own unit, below all dBm.
  private static func strength(_ bss: BSS) -> (Int32, UInt8) { (bss.signalMBm ?? .min, bss.signalUnspecified ?? 0) }

  /// How long ago a BSS was heard, in ms.
  public func lastSeenMs(_ bss: BSS) -> Int {
    if let milliseconds = bss.seenMsAgo { return Int(milliseconds) }
    return (scan.end - scan.lastHeard(bss)).wholeMilliseconds
  }

  /// One JSON object with the scan, its networks and its BSSs.
  public func json(pretty: Bool = false) -> [UInt8] {
    var whole: [UInt8] = []
    writeJSON(pretty: pretty) { whole += $0 }
    return whole
  }

  /// Gives the bytes of ``json(pretty:)`` to `output` piece by piece: of a long list they are megabytes.
  ///
  /// - Throws: what `output` throws; nothing is given to it afterwards.
  public func writeJSON<Failure: Error>(
    pretty: Bool = false, to output: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = FieldWriter(style: pretty ? .prettyJSON : .json)
    var failure: Failure?
    writer.object { fields in
      fields.field("schema", Self.schema)
      describeScan(into: &fields)
      fields.array("networks", networks) { fields, network in fields.object { network.describe(into: &$0) } }
      fields.array("bss") { fields in
        for fact in facts where failure == nil {
          fields.object { fact.describe(into: &$0, lastSeenMs: lastSeenMs(fact.bss)) }
          if fields.count < 1 << 16 { continue }
          do throws(Failure) { try output(fields.takeBytes()) } catch { failure = error }
        }
      }
    }
    if let failure { throw failure }
    writer.newline()
    try output(writer.takeBytes())
  }

  private func describeScan(into fields: inout FieldWriter) {
    fields.field("interface", scan.interface)
    fields.field("complete", scan.isComplete)
    switch scan.completion {
    case .complete: fields.field("completion", "complete")
    case .cached: fields.field("completion", "cached")
    case .partial(let interruption): fields.field("completion", interruption.rawValue)
    }
    if let frequencies = scan.frequenciesKHz {
      fields.array("frequencies", frequencies) { fields, frequency in
        fields.object { $0.field("frequencyMHz", hundredths: Int(frequency) / 10) }
      }
    }
    fields.field("startBootTimeMs", scan.start.wholeMilliseconds)
    fields.field("endBootTimeMs", scan.end.wholeMilliseconds)
    if scan.unreadable > 0 { fields.field("unreadableMessages", scan.unreadable) }
  }

  /// One JSON object a line: each a BSS as in ``json(pretty:)``.
  public func ndjson() -> [UInt8] {
    var writer = FieldWriter(style: .json)
    for fact in facts {
      writer.object { fact.describe(into: &$0, lastSeenMs: lastSeenMs(fact.bss)) }
      writer.newline()
    }
    return writer.bytes
  }
}
