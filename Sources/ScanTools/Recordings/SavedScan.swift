import WiFi

/// Scans that were saved as `scan --format json` writes them (`wifi-harness/scan/1`), one or several behind each other.
///
/// Elements are taken from their bytes, not from what was decoded of them. What the JSON leaves out is lost: the order
/// in which the kernel reported.
package enum SavedScan {
  /// Deeper than the profiles of a multi-link element lie.
  private static let maximumDepth = 64

  /// Whether bytes begin as a saved scan does.
  package static func isSavedScan(_ bytes: [UInt8]) -> Bool {
    let head = bytes.prefix(256).drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard head.first == 0x7B else { return false }
    let text = String(decoding: head, as: UTF8.self)
    return text.dropFirst().drop(while: \.isWhitespace).hasPrefix("\"schema\"") && text.contains("\"wifi-harness/scan/")
  }

  /// Reads saved scans.
  ///
  /// - Throws: ``Recording/Failure`` with the line where one begins that cannot be read.
  static func read(_ bytes: [UInt8]) throws(Recording.Failure) -> Recording.Contents {
    var scans: [Scan] = []
    let error = try JSONValue.forEach(in: bytes, maximumDepth: maximumDepth) { (value, line) throws(Recording.Failure) in
      do throws(Defect) { scans.append(try scan(value)) } catch { throw Recording.Failure(line: line, reason: error.reason) }
    }
    if let error { throw Recording.Failure(line: error.line, reason: "the scan that begins here is not JSON, or was cut off") }
    return Recording.Contents(header: Recording.Header(source: "saved scan"), scans: scans)
  }

  private struct Defect: Error { var reason: String }

  private static func scan(_ value: JSONValue) throws(Defect) -> Scan {
    guard let schema = value["schema"]?.text else { throw Defect(reason: "not a scan: \"schema\" is missing") }
    guard schema == ScanReport.schema else {
      throw Defect(reason: "not a scan of version 1, but \(PrintableText.escape(schema))")
    }
    guard let name = value["completion"]?.text else { throw Defect(reason: "not a scan: \"completion\" is missing") }
    guard let completion = Recording.completion(named: name) else {
      throw Defect(reason: "no such completion: \(PrintableText.escape(name))")
    }
    var scan = Scan(
      interface: value["interface"]?.text ?? "", start: try time("startBootTimeMs", in: value), end: try time("endBootTimeMs", in: value),
      completion: completion,
      frequenciesKHz: value["frequencies"]?.items?.compactMap {
        $0["frequencyMHz"]?.number.flatMap { UInt32(exactly: ($0 * 1000).rounded()) }
      },
      bss: [])
    scan.unreadable = value["unreadableMessages"]?.integer ?? 0
    scan.position = value["position"].flatMap { Position($0) }
    guard let list = value["bss"]?.items else { throw Defect(reason: "not a scan: \"bss\" is missing") }
    for (index, item) in list.enumerated() {
      do throws(Defect) { scan.bss.append(try bss(item)) } catch { throw Defect(reason: "bss \(index): \(error.reason)") }
    }
    return scan
  }

  /// A time that has as many nanoseconds as 64 bits hold, as those of recordings.
  private static func time(_ name: String, in value: JSONValue) throws(Defect) -> Duration {
    let milliseconds = value[name]?.integer ?? 0
    guard milliseconds.magnitude <= UInt(Int64.max / 1_000_000) else { throw Defect(reason: "\"\(name)\" is no time since boot") }
    return .milliseconds(milliseconds)
  }

  private static func bss(_ value: JSONValue) throws(Defect) -> BSS {
    guard let bssid = value["bssid"]?.text.flatMap({ MACAddress($0) }) else { throw Defect(reason: "\"bssid\" is no address") }
    guard let frequency = value["frequencyMHz"]?.number, let frequencyKHz = UInt32(exactly: (frequency * 1000).rounded()) else {
      throw Defect(reason: "\"frequencyMHz\" is no frequency")
    }
    guard let capability = value["capabilityBits"]?.integer.flatMap({ UInt16(exactly: $0) }) else {
      throw Defect(reason: "\"capabilityBits\" is not a number of 16 bits")
    }
    var bss = BSS(bssid: bssid, frequencyMHz: frequencyKHz / 1000, capability: capability, informationElements: try elements(value))
    if frequencyKHz % 1000 > 0 { bss.frequencyOffsetKHz = frequencyKHz % 1000 }
    bss.tsfUs = unsigned(value["tsfUs"])
    bss.beaconIntervalTU = value["beaconIntervalTU"]?.integer.flatMap { UInt16(exactly: $0) }
    bss.isFromProbeResponse = value["fromProbeResponse"]?.truth ?? false
    bss.signalMBm = value["signalDBm"]?.number.flatMap { Int32(exactly: ($0 * 100).rounded()) }
    bss.signalUnspecified = value["signalPercent"]?.integer.flatMap { UInt8(exactly: $0) }
    bss.lastSeenBootTimeNs = unsigned(value["lastSeenBootTimeNs"])
    if bss.lastSeenBootTimeNs == nil { bss.seenMsAgo = value["lastSeenMs"]?.integer.flatMap { UInt32(exactly: $0) } }
    bss.parentBSSID = value["parentBSSID"]?.text.flatMap { MACAddress($0) }
    bss.parentTSFUs = unsigned(value["parentTSFUs"])
    bss.scanWidth = value["scanWidth"]?.integer.flatMap { UInt32(exactly: $0) }
    bss.mldAddress = value["mldAddress"]?.text.flatMap { MACAddress($0) }
    bss.mloLinkID = value["mloLinkID"]?.integer.flatMap { UInt8(exactly: $0) }
    bss.status = value["status"]?.text.flatMap { status(named: $0) }
    if let chains = value["chainSignals"]?.items { bss.otherAttributes = [chainSignals(chains)] }
    if let beacon = value["beacon"] {
      bss.beaconElements = beacon["elements"] == nil ? bss.informationElements : try elements(beacon)
      bss.beaconTSFUs = unsigned(beacon["tsfUs"])
    }
    return bss
  }

  /// What this station is to a BSS: a name, or the number of what has none.
  private static func status(named name: String) -> UInt32? {
    ["authenticated", "associated", "ibssJoined"].firstIndex(of: name).map { UInt32($0) } ?? UInt32(name)
  }

  /// The signals by antenna chain as the kernel reports them; one that cannot be read is left out.
  private static func chainSignals(_ chains: [JSONValue]) -> BSS.RawAttribute {
    var payload: [UInt8] = []
    for chain in chains {
      guard let number = chain["chain"]?.integer.flatMap({ UInt8(exactly: $0) }),
        let signal = chain["signalDBm"]?.integer.flatMap({ Int8(exactly: $0) })
      else { continue }
      // An attribute of one byte, by the number of the chain.
      payload += [5, 0, number, 0, UInt8(bitPattern: signal), 0, 0, 0]
    }
    return BSS.RawAttribute(type: NL80211.BSSAttribute.chainSignal, payload: payload)
  }

  /// A number without a sign; not by way of `Double`, which holds 53 of the 64 bits.
  private static func unsigned(_ value: JSONValue?) -> UInt64? {
    if case .integer(let number)? = value { return UInt64(exactly: number) }
    return value?.number.flatMap { UInt64(exactly: $0) }
  }

  /// The bytes of all elements; `hex` is what follows the first two.
  private static func elements(_ value: JSONValue) throws(Defect) -> [UInt8] {
    guard let list = value["elements"]?.items else { throw Defect(reason: "\"elements\" is missing") }
    var bytes: [UInt8] = []
    for item in list {
      guard let id = item["id"]?.integer.flatMap({ UInt8(exactly: $0) }),
        let length = item["length"]?.integer.flatMap({ UInt8(exactly: $0) }),
        let body = item["hex"]?.text.flatMap({ Hex.bytes($0) })
      else { throw Defect(reason: "an element lacks \"id\", \"length\" or \"hex\"") }
      bytes += [id, length] + body
    }
    if let trailing = value["trailingHex"]?.text { bytes += Hex.bytes(trailing) ?? [] }
    return bytes
  }
}
