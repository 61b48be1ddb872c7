/// The name of a network: 0 to 32 bytes, which need not be text (IEEE 802.11-2020 9.4.2.2).
///
/// ``description`` is a rendering that is safe on a terminal and can be typed back in with ``init(typed:)``.
public struct SSID: Hashable, Sendable {
  /// The most bytes that an SSID may have.
  public static let maximumLength = 32

  /// The bytes as they are on the air.
  public let bytes: [UInt8]

  /// Makes an SSID from its bytes, or `nil` when there are more than 32.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maximumLength else { return nil }
    self.bytes = bytes
  }

  /// Makes an SSID from text as ``description`` renders it, or `nil` when that is longer than 32 bytes or has a
  /// backslash that starts no escape.
  public init?(typed text: some StringProtocol) {
    guard let bytes = PrintableText.bytes(unescaping: text) else { return nil }
    self.init(bytes)
  }

  /// The SSID of no bytes, which a probe request uses for any network and a beacon for a hidden one.
  public static let wildcard = SSID(unchecked: [])

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the network hides its name: no bytes, or only zero bytes as some access points send instead.
  public var isHidden: Bool { !bytes.contains { $0 != 0 } }
}

extension SSID: Comparable {
  /// Orders by bytes, as unsigned numbers.
  public static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

extension SSID: CustomStringConvertible {
  /// Valid UTF-8 as it is; a backslash as `\\`; every other byte, and every control, bidirectional or otherwise
  /// invisible character, as `\xHH` per byte.
  public var description: String { PrintableText.escape(bytes) }
}

extension SSID {
  /// Writes `ssid`, `ssidHex` and `hidden`, each of them `null` where the name is not known.
  func describe(isKnown: Bool, into fields: inout FieldWriter) {
    guard isKnown else {
      fields.fieldUnknown("ssid")
      fields.fieldUnknown("ssidHex")
      fields.fieldUnknown("hidden")
      return
    }
    fields.field("ssid", description)
    fields.field("ssidHex", hex: bytes)
    fields.field("hidden", isHidden)
  }
}
