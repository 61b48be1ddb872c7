/// One byte of a rate element: a data rate or a BSS membership selector, and whether it is required
/// (IEEE 802.11-2020 9.4.2.3).
public struct SupportedRate: Hashable, Sendable {
  /// The byte as it is on the air: units of 500 kb/s or a selector in the low 7 bits, B7 where it is basic.
  public var byte: UInt8

  /// Makes a rate of its byte.
  public init(byte: UInt8) { self.byte = byte }

  /// Whether a station that joins must support it.
  public var isBasic: Bool { byte & 0x80 != 0 }

  /// The rate in kb/s, or `nil` for a selector.
  public var rateKbps: Int? { selector == nil ? Int(byte & 0x7F) * 500 : nil }

  /// What a station that joins must support instead of a rate, or `nil` for a rate (IEEE 802.11-2020 table 9-93;
  /// HE PHY: IEEE 802.11ax-2021; EHT PHY: IEEE 802.11be).
  public var selector: StaticString? {
    switch byte {
    case 0xFF: "HT PHY"
    case 0xFE: "VHT PHY"
    case 0xFD: "GLK"
    case 0xFC: "EPD"
    case 0xFB: "SAE hash-to-element only"
    case 0xFA: "HE PHY"
    case 0xF9: "EHT PHY"
    default: nil
    }
  }
}

/// An element that lists rates: Supported Rates, and Extended Supported Rates where those are more than eight.
public protocol RateElement: ElementBody {
  /// A rate or a BSS membership selector in each byte.
  var bytes: ByteList { get set }

  /// Makes the element of its bytes.
  init(bytes: ByteList)
}

extension RateElement {
  /// The rates and the selectors, in the order they were sent.
  public var rates: some RandomAccessCollection<SupportedRate> { bytes.lazy.map { SupportedRate(byte: $0) } }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    self.init(bytes: ByteList(remainingOf: &cursor))
  }

  public func encode(into writer: inout ByteWriter) { bytes.encode(into: &writer) }

  public func describe(into fields: inout FieldWriter) {
    fields.field("ratesKbps", rates.compactMap(\.rateKbps))
    fields.field("basicRatesKbps", rates.filter(\.isBasic).compactMap(\.rateKbps))
    fields.field("membershipSelectors", plain: rates.compactMap(\.selector))
    fields.field("octetsHex", hex: bytes)
  }
}

/// Supported Rates and BSS Membership Selectors, element 1 (IEEE 802.11-2020 9.4.2.3).
///
/// 1 to 8 bytes; access points that send more are understood.
public struct SupportedRates: RateElement {
  public static let elementID = ElementID(1)
  public static let name: StaticString = "Supported Rates and BSS Membership Selectors"

  public var bytes: ByteList

  public init(bytes: ByteList) { self.bytes = bytes }
}

/// Extended Supported Rates and BSS Membership Selectors, element 50 (IEEE 802.11-2020 9.4.2.12).
///
/// 1 to 255 bytes.
public struct ExtendedSupportedRates: RateElement {
  public static let elementID = ElementID(50)
  public static let name: StaticString = "Extended Supported Rates and BSS Membership Selectors"

  public var bytes: ByteList

  public init(bytes: ByteList) { self.bytes = bytes }
}
