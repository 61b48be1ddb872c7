/// Overlapping BSS Scan Parameters, element 74: how stations must look for neighbours of a 40 MHz network
/// (IEEE 802.11-2020 9.4.2.58).
///
/// 14 bytes.
public struct OverlappingBSSScanParameters: FixedElement {
  public static let elementID = ElementID(74)
  public static let name: StaticString = "Overlapping BSS Scan Parameters"

  /// The shortest passive stay on a channel, in TU.
  public var passiveDwellTU: UInt16 = 0
  /// The shortest active stay on a channel, in TU.
  public var activeDwellTU: UInt16 = 0
  /// How often to scan, in s.
  public var channelWidthTriggerScanIntervalS: UInt16 = 0
  /// The shortest passive stay on a channel in one scan interval, in TU.
  public var passiveTotalPerChannelTU: UInt16 = 0
  /// The shortest active stay on a channel in one scan interval, in TU.
  public var activeTotalPerChannelTU: UInt16 = 0
  /// How many scan intervals to wait before going from 20 to 40 MHz.
  public var widthChannelTransitionDelayFactor: UInt16 = 0
  /// Below what activity a station need not scan, in 1/100 of a percent.
  public var scanActivityThreshold: UInt16 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("passiveDwellTU", &passiveDwellTU)
    try codec.pass("activeDwellTU", &activeDwellTU)
    try codec.pass("channelWidthTriggerScanIntervalS", &channelWidthTriggerScanIntervalS)
    try codec.pass("passiveTotalPerChannelTU", &passiveTotalPerChannelTU)
    try codec.pass("activeTotalPerChannelTU", &activeTotalPerChannelTU)
    try codec.pass("widthChannelTransitionDelayFactor", &widthChannelTransitionDelayFactor)
    try codec.pass(&scanActivityThreshold)
  }

  public func describeFields(into fields: inout FieldWriter) {
    describeNamed(into: &fields)
    fields.field("scanActivityThresholdPercent", hundredths: Int(scanActivityThreshold))
  }
}
