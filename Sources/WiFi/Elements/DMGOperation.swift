/// DMG Operation, element 151 (IEEE 802.11-2020 9.4.2.128).
///
/// 10 bytes.
public struct DMGOperation: FixedElement {
  public static let elementID = ElementID(151)
  public static let name: StaticString = "DMG Operation"

  /// DMG Operation Information: TDDTI, pseudo-static allocations, PCP handover.
  public var information: UInt16 = 0

  /// PS Request Suspension Interval, in beacon intervals.
  public var psRequestSuspensionInterval: UInt8 = 0

  /// Min BHI Duration, in µs.
  public var minimumBHIDurationUs: UInt16 = 0

  /// Broadcast STA Info Duration, in beacon intervals.
  public var broadcastSTAInfoDuration: UInt8 = 0

  /// Assoc Resp Confirm Time, in units of 100 ms.
  public var associationResponseConfirmTime100ms: UInt8 = 0

  /// Min PP Duration, in µs.
  public var minimumPPDurationUs: UInt8 = 0

  /// SP Idle Timeout, in µs.
  public var spIdleTimeoutUs: UInt8 = 0

  /// Max Lost Beacons.
  public var maximumLostBeacons: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&information)
    try codec.pass("psRequestSuspensionInterval", &psRequestSuspensionInterval)
    try codec.pass("minimumBHIDurationUs", &minimumBHIDurationUs)
    try codec.pass("broadcastSTAInfoDuration", &broadcastSTAInfoDuration)
    try codec.pass("associationResponseConfirmTime100ms", &associationResponseConfirmTime100ms)
    try codec.pass("minimumPPDurationUs", &minimumPPDurationUs)
    try codec.pass("spIdleTimeoutUs", &spIdleTimeoutUs)
    try codec.pass("maximumLostBeacons", &maximumLostBeacons)
  }

  public func describeFields(into fields: inout FieldWriter) {
    fields.flags(
      "information", "informationHex", information, [0: "tddti", 1: "pseudoStaticAllocations", 2: "pcpHandover"])
    describeNamed(into: &fields)
  }
}
