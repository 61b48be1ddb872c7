/// Two bits for each of one to eight spatial streams: up to which modulation and coding scheme a station goes.
///
/// The values mean different schemes for VHT (IEEE 802.11-2020 9.4.2.157.3) and HE (IEEE 802.11ax-2021 9.4.2.248.4),
/// but 3 is «not supported» in both.
public struct MCSMap: Hashable, Sendable {
  /// The map as it is sent: one stream in the two low bits.
  public var rawValue: UInt16

  /// A map of its number.
  @inlinable
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The two bits for `streams` spatial streams, 1 to 8; 3 for any other number.
  public func value(streams: Int) -> Int {
    (1...8).contains(streams) ? Int(rawValue >> (2 * (streams - 1)) & 3) : 3
  }

  /// The most spatial streams that are supported, 0 to 8.
  public var streams: Int { (1...8).last { value(streams: $0) != 3 } ?? 0 }

  /// The highest VHT-MCS for `streams` spatial streams: 7, 8 or 9, or `nil` where not supported.
  public func highestVHT(streams: Int) -> Int? {
    let value = value(streams: streams)
    return value == 3 ? nil : 7 + value
  }

  /// The highest HE-MCS for `streams` spatial streams: 7, 9 or 11, or `nil` where not supported.
  public func highestHE(streams: Int) -> Int? {
    let value = value(streams: streams)
    return value == 3 ? nil : 7 + 2 * value
  }
}

extension FieldWriter {
  /// Writes the highest MCS for one stream, two streams and so on; -1 where a number of streams is not supported.
  mutating func vhtMCS(_ name: StaticString, _ map: MCSMap) {
    field(name, (1...8).lazy.map { map.highestVHT(streams: $0) ?? -1 })
  }

  /// Writes the highest MCS for one stream, two streams and so on; -1 where a number of streams is not supported.
  mutating func heMCS(_ name: StaticString, _ map: MCSMap) {
    field(name, (1...8).lazy.map { map.highestHE(streams: $0) ?? -1 })
  }
}
