public import WiFi

/// Replaces identifying data in scans, the same way over a whole recording.
///
/// What is replaced by something made up, equal by equal, numbered by first appearance: addresses, names of networks
/// and meshes, names of access points, devices, makers and models, serial numbers, UUIDs, mobility domains and roaming
/// consortiums. What is zeroed: vendor elements and elements that are not known, but for OUI and type; proofs, hashes
/// and key material; malformed elements, as far as they stay malformed. What is left out: where the machine was. What
/// stays: how long everything is, and so every offset; the order of elements; channels, capabilities, security, rates,
/// country, signal and time.
///
/// - A made-up name has as many bytes as the true one and is as hostile: not UTF-8, with control characters, beyond
///   ASCII, or plain. A hidden name stays hidden.
/// - A made-up address is a locally administered one, `0a:…`. Addresses that share their first five bytes do so
///   afterwards, in the same distance, so that sets of up to 16 BSSIDs (IEEE 802.11-2020 11.1.3.8.1) stay sets.
///   Addresses of groups, and the one of zeros, stay.
/// - The same instance gives the same for the same, scan after scan; another instance numbers from the start.
public struct Anonymiser: Sendable {
  var addresses = MadeUpAddresses()
  var names = MadeUpNames()
  var numbers = MadeUpNumbers()
  private var interfaces: [String: String] = [:]

  /// Starts with nothing seen.
  public init() {}

  /// The scan without what says whose it is.
  public mutating func anonymised(_ scan: Scan) -> Scan {
    // Reports of neighbours carry checksums of names that may come later in the scan.
    for bss in scan.bss { learnNames(of: bss) }
    var result = scan
    result.interface = interface(scan.interface)
    result.position = nil
    for index in result.bss.indices { result.bss[index] = anonymised(result.bss[index]) }
    for index in result.lost.indices { result.lost[index] = addresses.address(result.lost[index]) }
    return result
  }

  private mutating func learnNames(of bss: BSS) {
    for header in ElementWalk(bss.informationElements) where header.id == SSIDElement.elementID.id {
      if let ssid = SSID(Array(bss.informationElements[header.body])) { _ = name(ssid) }
    }
  }

  private mutating func anonymised(_ bss: BSS) -> BSS {
    var result = bss
    result.bssid = addresses.address(bss.bssid)
    if let address = bss.parentBSSID { result.parentBSSID = addresses.address(address) }
    if let address = bss.mldAddress { result.mldAddress = addresses.address(address) }
    result.informationElements = anonymised(elements: bss.informationElements)
    if let beacon = bss.beaconElements {
      result.beaconElements = beacon == bss.informationElements ? result.informationElements : anonymised(elements: beacon)
    }
    for index in result.otherAttributes.indices where !Self.isHarmless(result.otherAttributes[index].type) {
      result.otherAttributes[index].payload.zero(from: 0)
    }
    return result
  }

  /// Attributes that are numbers: padding, strength of each chain, what the BSS can be used for and why not (23, 24).
  private static func isHarmless(_ type: UInt16) -> Bool {
    [NL80211.BSSAttribute.padding, NL80211.BSSAttribute.chainSignal, 23, 24].contains(type & 0x3FFF)
  }

  /// The interface; a name that is more than a place in the machine, such as `wlx` with its address, is replaced.
  private mutating func interface(_ name: String) -> String {
    let isPlace = ["wlan", "wlp", "wls", "wlo", "phy"].contains { name.hasPrefix($0) }
    if isPlace, name.utf8.count <= 15, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return name }
    if let known = interfaces[name] { return known }
    let new = "wlan\(900 + interfaces.count)"
    interfaces[name] = new
    return new
  }

  /// The made-up name of a network; its checksum is learned with it.
  mutating func name(_ ssid: SSID) -> SSID {
    let new = SSID(names.name(for: ssid.bytes, word: "Network")) ?? .wildcard
    numbers.learn(shortSSID: FrameCheckSequence.of(ssid.bytes), as: FrameCheckSequence.of(new.bytes))
    return new
  }
}

extension [UInt8] {
  /// Sets every byte from `start` on to zero, if there are any.
  mutating func zero(from start: Int) { zero(Swift.min(start, count)..<count) }

  /// Sets the bytes of `range` that there are to zero.
  mutating func zero(_ range: Range<Int>) {
    for index in range.clamped(to: 0..<count) { self[index] = 0 }
  }

  /// Writes `bytes` over those at `start`.
  mutating func overwrite(at start: Int, with bytes: some Sequence<UInt8>) {
    for (index, byte) in bytes.enumerated() where start + index < count { self[start + index] = byte }
  }

  /// Gives the bytes of `range` to `change`, which keeps their number.
  mutating func change(_ range: Range<Int>, _ change: (inout [UInt8]) -> Void) {
    var part = Array(self[range])
    change(&part)
    overwrite(at: range.lowerBound, with: part)
  }
}
