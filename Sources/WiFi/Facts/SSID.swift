/// The name of a network: 0 to 32 octets, which need not be text (IEEE 802.11-2020 9.4.2.2).
///
/// ``description`` is a rendering that is safe on a terminal and can be typed back in with ``init(typed:)``.
public struct SSID: Hashable, Sendable {
  /// The most octets that an SSID may have.
  public static let maximumLength = 32

  /// The octets as they are on the air.
  public let octets: [UInt8]

  /// Makes an SSID from its octets, or `nil` when there are more than 32.
  public init?(_ octets: [UInt8]) {
    guard octets.count <= Self.maximumLength else { return nil }
    self.octets = octets
  }

  /// Makes an SSID from text as ``description`` renders it, or `nil` when that is longer than 32 octets or has a
  /// backslash that starts no escape.
  public init?(typed text: some StringProtocol) {
    guard let octets = PrintableText.bytes(unescaping: text) else { return nil }
    self.init(octets)
  }

  /// The SSID of no octets, which a probe request uses for any network and a beacon for a hidden one.
  public static let wildcard = SSID(unchecked: [])

  private init(unchecked octets: [UInt8]) { self.octets = octets }

  /// Whether the network keeps its name to itself: no octets, or only zero octets as some access points send instead.
  public var isHidden: Bool { !octets.contains { $0 != 0 } }
}

extension SSID: Comparable {
  /// Orders by octets, as unsigned numbers.
  public static func < (left: Self, right: Self) -> Bool { left.octets.lexicographicallyPrecedes(right.octets) }
}

extension SSID: CustomStringConvertible {
  /// Valid UTF-8 as it is; a backslash as `\\`; every other octet, and every control, bidirectional or otherwise
  /// invisible character, as `\xHH` an octet.
  public var description: String { PrintableText.escape(octets) }
}
