/// Overlapping BSS Scan Parameters, element 74: how stations must look for neighbours of a 40 MHz network
/// (IEEE 802.11-2020 9.4.2.58).
///
/// 14 bytes.
public struct OverlappingBSSScanParameters: ElementBody {
  public static let elementID = ElementID(74)
  public static let name: StaticString = "Overlapping BSS Scan Parameters"

  /// The shortest passive stay on a channel, in TU.
  public var passiveDwellTU: UInt16
  /// The shortest active stay on a channel, in TU.
  public var activeDwellTU: UInt16
  /// How often to scan, in s.
  public var channelWidthTriggerScanIntervalS: UInt16
  /// The shortest passive stay on a channel in one scan interval, in TU.
  public var passiveTotalPerChannelTU: UInt16
  /// The shortest active stay on a channel in one scan interval, in TU.
  public var activeTotalPerChannelTU: UInt16
  /// How many scan intervals to wait before going from 20 to 40 MHz.
  public var widthChannelTransitionDelayFactor: UInt16
  /// Below what activity a station need not scan, in 1/100 of a percent.
  public var scanActivityThreshold: UInt16

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    passiveDwellTU = try cursor.readUInt16()
    activeDwellTU = try cursor.readUInt16()
    channelWidthTriggerScanIntervalS = try cursor.readUInt16()
    passiveTotalPerChannelTU = try cursor.readUInt16()
    activeTotalPerChannelTU = try cursor.readUInt16()
    widthChannelTransitionDelayFactor = try cursor.readUInt16()
    scanActivityThreshold = try cursor.readUInt16()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(passiveDwellTU)
    writer.write(activeDwellTU)
    writer.write(channelWidthTriggerScanIntervalS)
    writer.write(passiveTotalPerChannelTU)
    writer.write(activeTotalPerChannelTU)
    writer.write(widthChannelTransitionDelayFactor)
    writer.write(scanActivityThreshold)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("passiveDwellTU", passiveDwellTU)
    fields.field("activeDwellTU", activeDwellTU)
    fields.field("channelWidthTriggerScanIntervalS", channelWidthTriggerScanIntervalS)
    fields.field("passiveTotalPerChannelTU", passiveTotalPerChannelTU)
    fields.field("activeTotalPerChannelTU", activeTotalPerChannelTU)
    fields.field("widthChannelTransitionDelayFactor", widthChannelTransitionDelayFactor)
    fields.field("scanActivityThresholdPercent", hundredths: Int(scanActivityThreshold))
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
