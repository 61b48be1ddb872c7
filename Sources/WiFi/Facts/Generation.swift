/// Which amendment of IEEE 802.11 a BSS speaks, by the newest capabilities that it announces.
public enum Generation: String, CaseIterable, Hashable, Sendable {
  /// Only DSSS and CCK rates, in the 2.4 GHz band.
  case dot11b = "802.11b"
  /// OFDM rates in the 5 GHz band and above.
  case dot11a = "802.11a"
  /// OFDM rates in the 2.4 GHz band.
  case dot11g = "802.11g"
  /// HT (IEEE 802.11n).
  case wifi4 = "Wi-Fi 4"
  /// VHT (IEEE 802.11ac).
  case wifi5 = "Wi-Fi 5"
  /// HE (IEEE 802.11ax) in the 2.4 and 5 GHz bands.
  case wifi6 = "Wi-Fi 6"
  /// HE in the 6 GHz band.
  case wifi6E = "Wi-Fi 6E"
  /// EHT (IEEE 802.11be).
  case wifi7 = "Wi-Fi 7"
  /// Directional multi-gigabit in the 60 GHz band.
  case dot11ad = "802.11ad"
  /// S1G, below 1 GHz.
  case dot11ah = "802.11ah"

  /// The number of the Wi-Fi Alliance, 4 to 7, or `nil` for a generation that has none.
  public var number: Int? {
    switch self {
    case .wifi4: 4
    case .wifi5: 5
    case .wifi6, .wifi6E: 6
    case .wifi7: 7
    case .dot11b, .dot11a, .dot11g, .dot11ad, .dot11ah: nil
    }
  }

  /// Orders the oldest first, by number, and 6 before 6E; those without a number are equally old.
  static func isOlder(_ left: Generation, _ right: Generation) -> Bool {
    (left.number ?? 0, left == .wifi6E ? 1 : 0) < (right.number ?? 0, right == .wifi6E ? 1 : 0)
  }

  /// A few words for people, such as `Wi-Fi 6E`.
  public var summary: String { rawValue }

  /// Derives the generation of a BSS from its elements.
  ///
  /// Capability elements decide, the newest first; operation elements count as well, because an access point that
  /// leaves out its capabilities is heard. Without any of them the band and the rates do. `nil` for a band that is not
  /// known.
  public init?(elements: ElementList, band: Band?) {
    var newest = 0
    var rank = 0
    var hasOFDM = false
    for index in elements.elements.indices {
      switch elements.elements[index].id {
      case EHTCapabilities.elementID, EHTOperation.elementID: rank = 7
      case HECapabilities.elementID, HEOperation.elementID: rank = 6
      case VHTCapabilities.elementID, VHTOperation.elementID: rank = 5
      case HTCapabilities.elementID, HTOperation.elementID: rank = 4
      default: continue
      }
      // An element that cannot be read announces nothing.
      if rank <= newest { continue }
      if case .malformed = elements.elements[index].value { continue }
      newest = rank
    }
    switch (newest, band) {
    case (_, .ghz60): self = .dot11ad
    case (_, .s1g): self = .dot11ah
    case (7, _): self = .wifi7
    case (6, .ghz6): self = .wifi6E
    case (6, _): self = .wifi6
    case (5, _): self = .wifi5
    case (4, _): self = .wifi4
    case (_, .ghz5), (_, .ghz6): self = .dot11a
    case (_, .ghz2_4):
      for id in [1, 50] as [UInt8] {
        for rate in elements.body(of: ElementID(id)) ?? [] where Self.ofdmRates.contains(rate & 0x7F) { hasOFDM = true }
      }
      self = hasOFDM ? .dot11g : .dot11b
    case (_, nil): return nil
    }
  }

  /// The OFDM rates in units of 500 kb/s (IEEE 802.11-2020 17.2.2.3).
  private static let ofdmRates: [UInt8] = [12, 18, 24, 36, 48, 72, 96, 108]
}

extension Generation: CustomStringConvertible {
  /// The same as ``summary``.
  public var description: String { summary }
}
