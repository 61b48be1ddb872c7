/// Operating Mode Notification, element 199: the width and the number of streams that a station receives from now on
/// (IEEE 802.11-2020 9.4.2.165 and 9.4.1.53).
///
/// 1 byte.
public struct OperatingModeNotification: FixedElement {
  public static let elementID = ElementID(199)
  public static let name: StaticString = "Operating Mode Notification"

  /// The Operating Mode field, all bits.
  public var operatingMode: UInt8 = 0

  /// Bytes behind the field above.
  public var trailing: [UInt8] = []

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&operatingMode)
  }

  /// The widest channel that the station receives on, in MHz, or `nil` for a value that is reserved or left to the
  /// announcing of streams for beamforming (``isBeamformingReport``).
  ///
  /// Two ways to say 160 MHz: Channel Width 2 with the 160/80+80 BW bit, and Channel Width 3, which is older.
  public var widthMHz: Int? {
    guard !isBeamformingReport else { return nil }
    switch (operatingMode & 3, operatingMode & 4 != 0) {
    case (0, false): return 20
    case (1, false): return 40
    case (2, false): return 80
    case (2, true), (3, false): return 160
    default: return nil
    }
  }

  /// Whether the station would rather not receive frames that are coded with LDPC.
  public var prefersNoLDPC: Bool { operatingMode & 8 != 0 }

  /// The number of spatial streams that the station receives, 1 to 8.
  public var spatialStreams: Int { Int(operatingMode >> 4 & 7) + 1 }

  /// Whether the streams are those of a beamformed transmission to one of several users (Rx NSS Type 1).
  public var isBeamformingReport: Bool { operatingMode & 0x80 != 0 }

  public func describeFields(into fields: inout FieldWriter) {
    fields.fieldIfPresent("widthMHz", widthMHz)
    fields.field("noLDPC", prefersNoLDPC)
    fields.field("spatialStreams", spatialStreams)
    fields.field("rxNSSType", operatingMode >> 7)
    fields.field("operatingModeHex", hexNumber: operatingMode)
  }
}
