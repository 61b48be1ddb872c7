/// Country, element 7: where the access point claims to be and what power it allows there (IEEE 802.11-2020 9.4.2.8).
///
/// 3 bytes of country string, then triplets, then a byte of padding where the length would be odd.
public struct Country: ElementBody {
  public static let elementID = ElementID(7)
  public static let name: StaticString = "Country"

  /// The three bytes of the country string, the first in the most significant place.
  public var countryString: UInt32

  /// The triplets and the padding.
  public var tripletBytes: ByteList

  /// A triplet of a Country element.
  public enum Triplet: Hashable, Sendable {
    /// A first channel, a number of channels and the maximum power in dBm.
    case subband(firstChannel: UInt8, channelCount: UInt8, maximumPowerDBm: Int8)
    /// An operating extension identifier of 201 or more, an operating class and a coverage class of 3 µs each.
    case operating(extensionID: UInt8, operatingClass: UInt8, coverageClass: UInt8)
  }

  /// Makes the element of its bytes.
  public init(countryString: UInt32, tripletBytes: ByteList) {
    self.countryString = countryString & 0xFF_FFFF
    self.tripletBytes = tripletBytes
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    countryString = try cursor.readUInt24BigEndian()
    tripletBytes = ByteList(remainingOf: &cursor)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeUInt24BigEndian(countryString)
    tripletBytes.encode(into: &writer)
  }

  /// The two letters of ISO 3166-1, escaped where they are something else.
  public var code: String {
    PrintableText.escape([UInt8(truncatingIfNeeded: countryString >> 16), UInt8(truncatingIfNeeded: countryString >> 8)])
  }

  /// The third byte: a letter for the surroundings, or the number of a table of operating classes.
  public var environment: UInt8 { UInt8(truncatingIfNeeded: countryString) }

  /// The names of the surroundings (IEEE 802.11-2020 annex C, dot11CountryString).
  private static let environmentNames: NumberNames = [
    0x20: "any", 0x4F: "outdoor", 0x49: "indoor", 0x58: "noncountry", 1: "operatingClassesUnitedStates",
    2: "operatingClassesEurope", 3: "operatingClassesJapan", 4: "operatingClassesGlobal", 5: "operatingClassesS1G",
    6: "operatingClassesChina",
  ]

  /// The triplets, in the order they were sent.
  public var triplets: [Triplet] {
    (0..<tripletBytes.count / 3).map { index in
      let (first, second, third) = (tripletBytes[3 * index], tripletBytes[3 * index + 1], tripletBytes[3 * index + 2])
      return first >= 201
        ? .operating(extensionID: first, operatingClass: second, coverageClass: third)
        : .subband(firstChannel: first, channelCount: second, maximumPowerDBm: Int8(bitPattern: third))
    }
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("country", code)
    fields.field("countryStringHex", hex: (0..<3).map { UInt8(truncatingIfNeeded: countryString >> (16 - 8 * UInt32($0))) })
    fields.field("environment", environment, named: Self.environmentNames)
    fields.objects("triplets", triplets) { fields, triplet in
      switch triplet {
      case .subband(let firstChannel, let channelCount, let maximumPowerDBm):
        fields.field("firstChannel", firstChannel)
        fields.field("channelCount", channelCount)
        fields.field("maximumPowerDBm", maximumPowerDBm)
      case .operating(let extensionID, let operatingClass, let coverageClass):
        fields.field("operatingExtensionID", extensionID)
        fields.field("operatingClass", operatingClass)
        fields.field("coverageClass", coverageClass)
      }
    }
    fields.fieldIfPresent("paddingHex", hex: Array(tripletBytes.dropFirst(tripletBytes.count / 3 * 3)))
  }
}
