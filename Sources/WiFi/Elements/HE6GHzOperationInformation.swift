/// 6 GHz Operation Information: the channel of a 6 GHz BSS (IEEE 802.11ax-2021 9.4.2.249).
///
/// 5 bytes.
public struct HE6GHzOperationInformation: Hashable, Sendable {
  /// The number of the primary channel.
  public var primaryChannel: UInt8

  /// Control: width in bits 0 and 1, duplicate beacon in 2, regulatory information in 3 to 5 (3 to 6 in IEEE 802.11be).
  public var control: UInt8

  /// The channel number of the centre of the segment with the primary channel.
  public var segment0: UInt8

  /// The channel number of the centre of 160 MHz or of the other segment, or 0.
  public var segment1: UInt8

  /// The least rate that stations may use in this BSS, in Mb/s.
  public var minimumRateMbps: UInt8

  /// Makes the information from its fields.
  public init(primaryChannel: UInt8, control: UInt8, segment0: UInt8, segment1: UInt8 = 0, minimumRateMbps: UInt8 = 6) {
    self.primaryChannel = primaryChannel
    self.control = control
    self.segment0 = segment0
    self.segment1 = segment1
    self.minimumRateMbps = minimumRateMbps
  }

  init(parsing cursor: inout ByteCursor) throws(WireError) {
    primaryChannel = try cursor.readUInt8()
    control = try cursor.readUInt8()
    segment0 = try cursor.readUInt8()
    segment1 = try cursor.readUInt8()
    minimumRateMbps = try cursor.readUInt8()
  }

  func encode(into writer: inout ByteWriter) {
    writer.write(primaryChannel)
    writer.write(control)
    writer.write(segment0)
    writer.write(segment1)
    writer.write(minimumRateMbps)
  }

  /// Channel Width: 0 for 20, 1 for 40, 2 for 80 MHz, 3 for 160 or 80+80 MHz.
  public var width: Int { control.bits(0, 2) }

  /// Regulatory Info: 0 indoor, 1 standard power, 2 very low power, 3 indoor enabled, 8 indoor standard power, which
  /// was 4 in drafts.
  public var regulatoryInformation: Int { control.bits(3, 4) }

  func describe(into fields: inout FieldWriter) {
    fields.field("primaryChannel", primaryChannel)
    fields.field("channelWidth", width)
    fields.field("channelWidthName", ["20 MHz", "40 MHz", "80 MHz", "80+80 or 160 MHz"][width])
    fields.field("duplicateBeacon", control.has(2))
    fields.field("regulatoryInformation", regulatoryInformation)
    let names: NumberNames = [
      0: "indoor", 1: "standardPower", 2: "veryLowPower", 3: "indoorEnabled", 4: "indoorStandardPower", 8: "indoorStandardPower",
    ]
    if let name = names[regulatoryInformation] { fields.field("regulatoryInformationName", plain: name) }
    fields.field("controlHex", hexNumber: control)
    fields.field("centerFrequencySegment0", segment0)
    fields.field("centerFrequencySegment1", segment1)
    fields.field("minimumRateMbps", minimumRateMbps)
  }
}
