/// HT Operation, element 61: the channel of an HT BSS and how it protects itself (IEEE 802.11-2020 9.4.2.56).
///
/// 22 bytes.
public struct HTOperation: FixedElement {
  public static let elementID = ElementID(61)
  public static let name: StaticString = "HT Operation"

  /// The schemes that all HT stations of the BSS support.
  public var basicMCSSet = HTMCSSet(low: 0, high: 0)

  /// Bytes behind the fields below.
  public var trailing: [UInt8] = []

  /// Bytes 1 and 2 of HT Operation Information, all bits: protection and Channel Center Frequency Segment 2.
  public var protection: UInt16 = 0

  /// Bytes 3 and 4 of HT Operation Information, all bits: dual and STBC beacons.
  public var beacons: UInt16 = 0

  /// The number of the primary channel.
  public var primaryChannel: UInt8 = 0

  /// Byte 0 of HT Operation Information, all bits: secondary channel, width and RIFS.
  public var width: UInt8 = 0

  /// Makes the element from its fields.
  public init(
    primaryChannel: UInt8, width: UInt8, protection: UInt16 = 0, beacons: UInt16 = 0, basicMCSSet: HTMCSSet = .init(low: 0, high: 0)
  ) {
    self.primaryChannel = primaryChannel
    self.width = width
    self.protection = protection
    self.beacons = beacons
    self.basicMCSSet = basicMCSSet
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&primaryChannel)
    try codec.pass(&width)
    try codec.pass(&protection)
    try codec.pass(&beacons)
    try basicMCSSet.pass(to: &codec)
  }

  /// Where the secondary channel lies; the reserved value is `.none`.
  public var secondaryChannel: Channel.Secondary { SecondaryChannelOffset.direction(width & 3) }

  /// Whether any width that the station supports may be used, instead of only 20 MHz.
  public var allowsAnyWidth: Bool { width.has(2) }

  /// Channel Center Frequency Segment 2: a channel number, or 0.
  public var centerFrequencySegment2: UInt8 { UInt8(protection.bits(5, 8)) }

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("primaryChannel", primaryChannel)
    fields.field("secondaryChannelOffset", width & 3 == 2 ? "reserved" : secondaryChannel.rawValue)
    fields.field("staChannelWidth", allowsAnyWidth ? "any" : "20MHz")
    fields.field("rifs", width.has(3))
    fields.field("htProtection", ["none", "nonmember", "20MHz", "nonHTMixed"][protection.bits(0, 2)])
    fields.field("nongreenfieldPresent", protection.has(2))
    fields.field("obssNonHTPresent", protection.has(4))
    fields.field("centerFrequencySegment2", centerFrequencySegment2)
    fields.field("dualBeacon", beacons.has(6))
    fields.field("dualCTSProtection", beacons.has(7))
    fields.field("stbcBeacon", beacons.has(8))
    fields.field("lSIGTXOPProtection", beacons.has(9))
    fields.field("pcoActive", beacons.has(10))
    fields.field("pcoPhase", beacons.has(11))
    let information = ByteWriter.bytes(capacity: 5) {
      $0.write(width)
      $0.write(protection)
      $0.write(beacons)
    }
    fields.field("informationHex", hex: information)
    fields.object("basicMCSSet") { basicMCSSet.describe(into: &$0) }
  }
}
