/// S1G Operation, element 232: the channel of an S1G BSS (IEEE 802.11-2020 9.4.2.212).
///
/// 6 bytes.
public struct S1GOperation: FixedElement {
  public static let elementID = ElementID(232)
  public static let name: StaticString = "S1G Operation"

  /// Channel Width: primary width in bit 0 (1 for 1 MHz), operating width less one in 1 to 4, 1 MHz location in 5, MCS
  /// 10 in 7.
  public var width: UInt8 = 0

  /// The operating class (annex E).
  public var operatingClass: UInt8 = 0

  /// The number of the primary channel.
  public var primaryChannel: UInt8 = 0

  /// The channel number of the centre.
  public var centerChannel: UInt8 = 0

  /// Basic S1G-MCS and NSS Set.
  public var basicMCSAndNSS: UInt16 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(width: UInt8, operatingClass: UInt8, primaryChannel: UInt8, centerChannel: UInt8, basicMCSAndNSS: UInt16) {
    self.width = width
    self.operatingClass = operatingClass
    self.primaryChannel = primaryChannel
    self.centerChannel = centerChannel
    self.basicMCSAndNSS = basicMCSAndNSS
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&width)
    try codec.pass("operatingClass", &operatingClass)
    try codec.pass("primaryChannel", &primaryChannel)
    try codec.pass("centerChannel", &centerChannel)
    try codec.pass(&basicMCSAndNSS)
  }

  /// The width of the BSS in MHz.
  public var operatingWidthMHz: Int { width.bits(1, 4) + 1 }

  /// The width of the primary channel in MHz: 1 or 2.
  public var primaryWidthMHz: Int { width.has(0) ? 1 : 2 }

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("primaryWidthMHz", primaryWidthMHz)
    fields.field("operatingWidthMHz", operatingWidthMHz)
    fields.field("primary1MHzLocation", width.has(5) ? "upper" : "lower")
    fields.field("mcs10Disallowed", width.has(7))
    fields.field("channelWidthHex", hexNumber: width)
    describeNamed(into: &fields)
    fields.field("basicMCSAndNSSHex", hexNumber: basicMCSAndNSS)
  }
}
