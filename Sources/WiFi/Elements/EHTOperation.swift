/// EHT Operation, element 255/106 (IEEE 802.11be 9.4.2.321).
///
/// 5 bytes or more behind the Element ID Extension.
public struct EHTOperation: ElementBody {
  public static let elementID = ElementID(extension: 106)
  public static let name: StaticString = "EHT Operation"

  /// EHT Operation Information: the channel of an EHT BSS where it differs from what HE says.
  public struct Information: Hashable, Sendable {
    /// Control: the width in bits 0 to 2.
    public var control: UInt8
    /// The channel number of the centre: of the channel up to 80 MHz, of the primary 80 MHz of 160, of the primary 160
    /// of 320 MHz.
    public var segment0: UInt8
    /// The channel number of the centre of 160 or 320 MHz, or 0.
    public var segment1: UInt8
    /// One bit for each 20 MHz channel that is not used, the lowest frequency first.
    public var disabledSubchannels: UInt16?

    /// Makes the information from its fields.
    public init(control: UInt8, segment0: UInt8, segment1: UInt8 = 0, disabledSubchannels: UInt16? = nil) {
      self.control = control
      self.segment0 = segment0
      self.segment1 = segment1
      self.disabledSubchannels = disabledSubchannels
    }

    /// Channel Width: 0 for 20, 1 for 40, 2 for 80, 3 for 160, 4 for 320 MHz.
    public var width: Int { control.bits(0, 3) }
  }

  /// EHT Operation Parameters, all bits; what they say of optional fields is set from those when written.
  public var parameters: UInt8

  /// Basic EHT-MCS And Nss Set: for MCS 0–7, 8–9, 10–11 and 12–13 one byte each, streams to receive in the low half, to
  /// send in the high half.
  public var basicMCSAndNSS: UInt32

  /// The channel.
  public var information: Information?

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(parameters: UInt8, basicMCSAndNSS: UInt32, information: Information? = nil) {
    self.parameters = parameters
    self.basicMCSAndNSS = basicMCSAndNSS
    self.information = information
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    parameters = try cursor.readUInt8()
    basicMCSAndNSS = try cursor.readUInt32()
    if parameters.has(0) {
      var information = Information(
        control: try cursor.readUInt8(), segment0: try cursor.readUInt8(), segment1: try cursor.readUInt8())
      if parameters.has(1) { information.disabledSubchannels = try cursor.readUInt16() }
      self.information = information
    }
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    // Without the information its bitmap has no place, so that the second bit then says nothing and is kept.
    if let information {
      writer.write(parameters & ~3 | 1 | (information.disabledSubchannels == nil ? 0 : 2))
      writer.write(basicMCSAndNSS)
      writer.write(information.control)
      writer.write(information.segment0)
      writer.write(information.segment1)
      if let bitmap = information.disabledSubchannels { writer.write(bitmap) }
    } else {
      writer.write(parameters & ~1)
      writer.write(basicMCSAndNSS)
    }
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.flags(
      "parameters", "parametersHex", parameters,
      [
        0: "informationPresent", 1: "disabledSubchannelBitmapPresent", 2: "defaultPEDuration",
        3: "groupAddressedBUIndicationLimit", 6: "mcs15Disable",
      ])
    fields.field("groupAddressedBUIndicationExponent", parameters.bits(4, 2))
    fields.objects("basicMCSAndNSS", 0..<4) { fields, index in
      fields.field("mcs", ["0-7", "8-9", "10-11", "12-13"][index])
      fields.field("rxMaximumNSS", basicMCSAndNSS.bits(8 * index, 4))
      fields.field("txMaximumNSS", basicMCSAndNSS.bits(8 * index + 4, 4))
    }
    if let information {
      fields.field("channelWidth", information.width)
      if information.width < 5 { fields.field("channelWidthMHz", 20 << information.width) }
      fields.field("centerFrequencySegment0", information.segment0)
      fields.field("centerFrequencySegment1", information.segment1)
      if let bitmap = information.disabledSubchannels {
        fields.field("disabledSubchannels", (0..<16).lazy.filter { bitmap.has($0) })
        fields.field("disabledSubchannelBitmapHex", hexNumber: bitmap)
      }
    }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
