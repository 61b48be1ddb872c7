/// VHT Operation Information: width and centres of a VHT or HE BSS (IEEE 802.11-2020 table 9-274).
///
/// 3 bytes.
public struct VHTOperationInformation: Hashable, Sendable {
  /// 0 for 20 or 40 MHz as HT Operation says, 1 for 80, 160 or 80+80 MHz, 2 and 3 (deprecated) for 160 and 80+80 MHz.
  public var width: UInt8

  /// The channel number of the centre of the segment with the primary channel.
  public var segment0: UInt8

  /// The channel number of the centre of 160 MHz or of the other segment, or 0.
  public var segment1: UInt8

  /// Makes the information from its fields.
  public init(width: UInt8, segment0: UInt8, segment1: UInt8 = 0) {
    self.width = width
    self.segment0 = segment0
    self.segment1 = segment1
  }

  init(parsing cursor: inout ByteCursor) throws(WireError) {
    width = try cursor.readUInt8()
    segment0 = try cursor.readUInt8()
    segment1 = try cursor.readUInt8()
  }

  func encode(into writer: inout ByteWriter) {
    writer.write(width)
    writer.write(segment0)
    writer.write(segment1)
  }

  func describe(into fields: inout FieldWriter) {
    fields.field("channelWidth", width)
    let names: [StaticString] = ["20 or 40 MHz", "80 MHz", "160 MHz", "80+80 MHz"]
    if width < names.count { fields.field("channelWidthName", plain: names[Int(width)]) } else { fields.fieldNull("channelWidthName") }
    fields.field("centerFrequencySegment0", segment0)
    fields.field("centerFrequencySegment1", segment1)
  }
}

/// VHT Operation, element 192: the channel of a VHT BSS (IEEE 802.11-2020 9.4.2.158).
///
/// 5 bytes.
public struct VHTOperation: ElementBody {
  public static let elementID = ElementID(192)
  public static let name: StaticString = "VHT Operation"

  /// Width and centres.
  public var information: VHTOperationInformation

  /// The schemes that all VHT stations of the BSS support.
  public var basicMCSMap: MCSMap

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(information: VHTOperationInformation, basicMCSMap: MCSMap) {
    self.information = information
    self.basicMCSMap = basicMCSMap
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    information = try VHTOperationInformation(parsing: &cursor)
    basicMCSMap = MCSMap(try cursor.readUInt16())
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    information.encode(into: &writer)
    writer.write(basicMCSMap.rawValue)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    information.describe(into: &fields)
    fields.vhtMCS("basicMaximumMCS", basicMCSMap)
    fields.field("basicMCSMapHex", hexNumber: basicMCSMap.rawValue)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
