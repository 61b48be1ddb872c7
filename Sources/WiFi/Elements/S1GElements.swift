/// S1G Beacon Compatibility, element 213 (IEEE 802.11-2020 9.4.2.196).
///
/// 8 bytes.
public struct S1GBeaconCompatibility: FixedElement {
  public static let elementID = ElementID(213)
  public static let name: StaticString = "S1G Beacon Compatibility"

  /// Compatibility Information: bits of Capability Information that an S1G beacon lacks.
  public var information: UInt16 = 0

  /// The beacon interval, in TU.
  public var beaconIntervalTU: UInt16 = 0

  /// The upper half of the timestamp.
  public var tsfCompletion: UInt32 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&information)
    try codec.pass("beaconIntervalTU", &beaconIntervalTU)
    try codec.pass("tsfCompletion", &tsfCompletion)
  }

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("informationHex", hexNumber: information)
    describeNamed(into: &fields)
  }
}

/// Short Beacon Interval, element 214 (IEEE 802.11-2020 9.4.2.197).
///
/// 2 bytes.
public struct S1GShortBeaconInterval: FixedElement {
  public static let elementID = ElementID(214)
  public static let name: StaticString = "Short Beacon Interval"

  /// The time between two short beacons, in TU.
  public var intervalTU: UInt16 = 0

  /// Bytes behind the field above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("intervalTU", &intervalTU)
  }
}
