/// BSS Load, element 11: how busy the access point says it is (IEEE 802.11-2020 9.4.2.27).
///
/// 5 bytes.
public struct BSSLoad: FixedElement {
  public static let elementID = ElementID(11)
  public static let name: StaticString = "BSS Load"

  /// Stations associated with this BSS.
  public var stationCount: UInt16 = 0

  /// The share of time that the medium was sensed busy, in 1/255.
  public var channelUtilization: UInt8 = 0

  /// Medium time left for explicit admission control, in units of 32 µs each second.
  public var availableAdmissionCapacity: UInt16 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(stationCount: UInt16, channelUtilization: UInt8, availableAdmissionCapacity: UInt16) {
    self.stationCount = stationCount
    self.channelUtilization = channelUtilization
    self.availableAdmissionCapacity = availableAdmissionCapacity
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("stationCount", &stationCount)
    try codec.pass("channelUtilization255ths", &channelUtilization)
    try codec.pass("availableAdmissionCapacity32us", &availableAdmissionCapacity)
  }
}
