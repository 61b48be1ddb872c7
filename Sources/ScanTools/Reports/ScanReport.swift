public import WiFi

/// A scan with everything in it decoded, ready to be shown in any format.
public struct ScanReport: Sendable {
  /// The version of the JSON that ``json(pretty:)`` writes; its schema is `schemas/scan-1.json`.
  public static let schema = "wifi-harness/scan/1"

  /// The scan, with those of its BSSs that were asked for.
  public let scan: Scan
  /// How its BSSs form networks.
  public let grouping: Grouping
  /// Its BSSs, decoded, in order.
  public let facts: [BSSFacts]
  /// The networks they form, in order.
  public let networks: [Network]
  /// Who registered which addresses, where makers are wanted.
  public let registry: AddressRegistry?
  /// What the driver counts of the link to the access point that is joined, where one is.
  public var station: Station?
  /// Whether names in a file for WiGLE begin with an apostrophe where a spreadsheet would take them for formulas.
  public var defusesNames = false

  /// Decodes every BSS of `scan`.
  ///
  /// - Parameters:
  ///   - query: which BSSs are wanted; a network is formed of those only.
  ///   - order: what BSSs and networks are sorted by.
  ///   - isReversed: whether they stand the other way round.
  ///   - registry: who registered which addresses, where makers are wanted.
  public init(
    _ scan: Scan, grouping: Grouping = .network, query: BSSQuery = BSSQuery(), order: ReportOrder = .signal, isReversed: Bool = false,
    registry: AddressRegistry? = nil
  ) {
    self.registry = registry
    var facts = scan.bss.map { BSSFacts($0) }
    var selected = scan
    if !query.isEmpty {
      facts = facts.filter(query.accepts)
      selected.bss = facts.map(\.bss)
    }
    self.scan = selected
    self.grouping = grouping
    // What nothing is sorted by need not be computed.
    let age: (BSS) -> Int = order == .age ? { Self.lastSeenMs($0, of: scan) } : { _ in 0 }
    self.facts = facts.sorted(isReversed: isReversed) { ReportKey($0, ageMs: age($0.bss), order) }
    let ages = order == .age ? Dictionary(facts.map { (ListedBSS($0, grouping), age($0.bss)) }) { min($0, $1) } : [:]
    self.networks = Self.networks(of: self.facts, grouping: grouping).sorted(isReversed: isReversed) { network in
      ReportKey(network, ageMs: network.members.compactMap { ages[ListedBSS($0, of: network)] }.min() ?? 0, order)
    }
  }

  /// The networks that BSSs form; where each BSS is one, an address on two channels is two.
  private static func networks(of facts: [BSSFacts], grouping: Grouping) -> [Network] {
    guard grouping == .bss else { return Network.networks(of: facts, grouping: grouping) }
    let groups = Dictionary(grouping: facts, by: \.key)
    var seen: Set<BSSKey> = []
    return facts.filter { seen.insert($0.key).inserted }.map { Network(id: $0.networkID(.bss), of: groups[$0.key] ?? [$0]) }
  }

  /// How long ago a BSS was heard, in ms.
  public func lastSeenMs(_ bss: BSS) -> Int { Self.lastSeenMs(bss, of: scan) }

  private static func lastSeenMs(_ bss: BSS, of scan: Scan) -> Int {
    if let milliseconds = bss.seenMsAgo { return Int(milliseconds) }
    return max((scan.end - scan.lastHeard(bss)).wholeMilliseconds, 0)
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
    pretty: Bool = false, to output: (ArraySlice<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = FieldWriter(style: pretty ? .prettyJSON : .json)
    writer.rememberElements()
    var failure: Failure?
    writer.object { fields in
      fields.field("schema", Self.schema)
      describeScan(into: &fields)
      fields.objects("networks", networks) { $1.describe(into: &$0) }
      fields.array("bss") { fields in
        for fact in facts where failure == nil {
          fields.object { describe(fact, into: &$0) }
          if fields.count < 1 << 16 { continue }
          do throws(Failure) { try fields.passBytes(to: output) } catch { failure = error }
        }
      }
    }
    if let failure { throw failure }
    writer.newline()
    try writer.passBytes(to: output)
  }

  /// Who registered the address of a BSS, where makers are wanted.
  func maker(of fact: BSSFacts) -> String? { registry?.maker(of: fact.bss.bssid) }

  private func describe(_ fact: BSSFacts, into fields: inout FieldWriter) {
    fact.describe(into: &fields, lastSeenMs: lastSeenMs(fact.bss), maker: maker(of: fact))
  }

  /// The word for how a scan ended.
  static func name(_ completion: Scan.Completion) -> String {
    switch completion {
    case .complete: "complete"
    case .cached: "cached"
    case .partial(let interruption): interruption.rawValue
    }
  }

  private func describeScan(into fields: inout FieldWriter) {
    fields.field("interface", scan.interface)
    fields.field("complete", scan.isComplete)
    fields.field("completion", Self.name(scan.completion))
    if let frequencies = scan.frequenciesKHz {
      fields.objects("frequencies", frequencies) { $0.field("frequencyMHz", hundredths: Int($1) / 10) }
    }
    fields.field("startBootTimeMs", scan.start.wholeMilliseconds)
    fields.field("endBootTimeMs", scan.end.wholeMilliseconds)
    if scan.unreadable > 0 { fields.field("unreadableMessages", scan.unreadable) }
    if let position = scan.position { fields.object("position") { position.describe(into: &$0) } }
    if let station { fields.object("station") { station.describe(into: &$0) } }
  }

  /// One JSON object a line: each a BSS as in ``json(pretty:)``.
  public func ndjson() -> [UInt8] {
    var writer = FieldWriter(style: .json)
    writer.rememberElements()
    for fact in facts {
      writer.object { describe(fact, into: &$0) }
      writer.newline()
    }
    return writer.bytes
  }
}
