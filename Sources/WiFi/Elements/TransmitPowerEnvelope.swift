/// Transmit Power Envelope, element 195: the most power a station may use, by width or by 20 MHz channel
/// (IEEE 802.11-2020 9.4.2.161, with the categories and interpretations of IEEE 802.11ax-2021 and 802.11be).
///
/// 2 to 18 bytes or more.
public struct TransmitPowerEnvelope: ElementBody {
  public static let elementID = ElementID(195)
  public static let name: StaticString = "Transmit Power Envelope"

  /// Transmit Power Information: count in bits 0 to 2, interpretation in 3 to 5, category in 6 and 7.
  public var information: UInt8

  /// The maximum powers and their extension, as they are sent.
  public var values: [UInt8]

  /// Makes the element from its fields.
  public init(information: UInt8, values: [UInt8]) {
    self.information = information
    self.values = values
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    information = try cursor.readUInt8()
    try cursor.require(Self.count(information))
    values = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(information)
    writer.write(values)
  }

  /// How the powers are meant: 0 and 2 (and 4 of 802.11be) EIRP by width, 1 and 3 (and 5) power spectral density.
  public var interpretation: Int { information.bits(3, 3) }

  /// Whether the values are power spectral densities, one for each 20 MHz channel, in dBm/MHz.
  public var isSpectralDensity: Bool { interpretation % 2 == 1 }

  /// The values that Maximum Transmit Power Count says there are: 1 to 8.
  private static func count(_ information: UInt8) -> Int {
    let count = information.bits(0, 3)
    if information.has(3) { return count == 0 ? 1 : 1 << (min(count, 4) - 1) }
    return count + 1
  }

  /// The powers that the count covers, in half dBm: for 20, 40, 80, 160 MHz, or a 20 MHz channel each.
  ///
  /// 127 is «no limit»; for densities −128 is «not to be used».
  public var powersHalfDBm: [Int8] { values.prefix(Self.count(information)).map { Int8(bitPattern: $0) } }

  /// What is behind the powers that the count covers: with EIRP the power for 320 MHz in half dBm, with densities a
  /// count in four bits and the densities of further 20 MHz channels (802.11be).
  public var extension_: ArraySlice<UInt8> { values.dropFirst(Self.count(information)) }

  public func describe(into fields: inout FieldWriter) {
    fields.field("maximumTransmitPowerCount", information.bits(0, 3))
    let names: NumberNames = [
      0: "localEIRP", 1: "localEIRPPSD", 2: "regulatoryClientEIRP", 3: "regulatoryClientEIRPPSD",
      4: "additionalRegulatoryClientEIRP", 5: "additionalRegulatoryClientEIRPPSD",
    ]
    fields.field("interpretation", interpretation, named: names)
    fields.field("category", information.bits(6, 2))
    fields.field("informationHex", hexNumber: information)
    let rest = extension_
    if isSpectralDensity {
      let count = rest.first.map { Int($0 & 15) } ?? 0
      let more = rest.dropFirst().prefix(count).map { Int8(bitPattern: $0) }
      Self.describe("maximumPSDDBmPerMHz", powersHalfDBm + more, &fields)
      fields.fieldIfPresent("trailingHex", hex: Array(rest.dropFirst(1 + count)))
    } else {
      Self.describe("maximumPowerDBm", powersHalfDBm + rest.prefix(1).map { Int8(bitPattern: $0) }, &fields)
      fields.fieldIfPresent("trailingHex", hex: Array(rest.dropFirst()))
    }
  }

  private static func describe(_ name: StaticString, _ halves: [Int8], _ fields: inout FieldWriter) {
    fields.array(name, halves) { fields, half in
      fields.item(hundredths: Int(half) * 50)
    }
  }
}
