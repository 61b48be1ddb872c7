/// The modulation and coding schemes of HT that a station or a BSS supports (IEEE 802.11-2020 9.4.2.55.4).
///
/// 16 bytes.
public struct HTMCSSet: Hashable, Sendable {
  /// Bytes 0 to 7, the first least significant.
  public var low: UInt64

  /// Bytes 8 to 15, the first least significant.
  public var high: UInt64

  /// A set of its bytes.
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&low)
    try codec.pass(&high)
  }

  /// Whether MCS `index`, 0 to 76, can be received.
  public func supports(_ index: Int) -> Bool {
    switch index {
    case 0..<64: low.has(index)
    case 64..<77: high.has(index - 64)
    default: false
    }
  }

  /// The MCS indices that can be received.
  public var indices: [Int] { (0..<77).filter(supports) }

  /// The most spatial streams of equal modulation that can be received, 0 to 4.
  public var streams: Int { (1...4).last { low.bits(8 * ($0 - 1), 8) != 0 } ?? 0 }

  /// The highest data rate that can be received, in Mb/s; 0 where the station does not say.
  public var highestRateMbps: Int { high.bits(16, 10) }

  /// Whether what can be sent is said at all.
  public var isTransmitSetDefined: Bool { high.has(32) }

  /// Whether what can be sent differs from what can be received.
  public var isTransmitSetDifferent: Bool { high.has(33) }

  /// The most spatial streams that can be sent, 1 to 4, where the sets differ.
  public var transmitStreams: Int { high.bits(34, 2) + 1 }

  /// Whether streams of unequal modulation can be sent, where the sets differ.
  public var canTransmitUnequalModulation: Bool { high.has(36) }

  func describe(into fields: inout FieldWriter) {
    fields.field("rxMCS", (0..<77).lazy.filter(supports))
    fields.field("rxHighestRateMbps", highestRateMbps)
    fields.field("txMCSSetDefined", isTransmitSetDefined)
    if isTransmitSetDefined {
      fields.field("txRxMCSSetNotEqual", isTransmitSetDifferent)
      if isTransmitSetDifferent {
        fields.field("txMaximumSpatialStreams", transmitStreams)
        fields.field("txUnequalModulation", canTransmitUnequalModulation)
      }
    }
  }
}
