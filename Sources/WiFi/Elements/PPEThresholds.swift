/// PPE Thresholds: from which constellation on a receiver needs 8 or 16 µs of packet extension, for each number of
/// streams and each size of resource unit (IEEE 802.11ax-2021 9.4.2.248.5 for HE, IEEE 802.11be 9.4.2.323.6 for EHT).
public struct PPEThresholds: Hashable, Sendable {
  /// The bytes of the field.
  public var bytes: [UInt8]

  /// The bits of NSS: 3 for HE, 4 for EHT; the sizes of resource units: 4 for HE, 5 for EHT.
  private var header: (streams: Int, sizes: Int) { isEHT ? (4, 5) : (3, 4) }

  /// Whether the field is laid out for EHT.
  public var isEHT: Bool

  /// The thresholds for one number of streams and one size of resource unit.
  public struct Threshold: Hashable, Sendable {
    /// The number of spatial streams, from 1.
    public var streams: Int
    /// The RU index: 0 for 242 tones, 1 for 484, 2 for 996, 3 for 2×996, 4 for 4×996.
    public var ruIndex: Int
    /// The constellation index from which on 16 µs are needed; 7 for none.
    public var ppet16: Int
    /// The constellation index from which on 8 µs are needed; 7 for none.
    public var ppet8: Int
  }

  /// The number of bytes that the field takes, as its first bytes say; two are enough to know.
  static func size(first: UInt8, second: UInt8, isEHT: Bool) -> Int {
    let bits = UInt16(first) | UInt16(second) << 8
    let streams = bits.bits(0, isEHT ? 4 : 3) + 1
    let sizes = bits.bits(isEHT ? 4 : 3, isEHT ? 5 : 4).nonzeroBitCount
    return ((isEHT ? 9 : 7) + streams * sizes * 6 + 7) / 8
  }

  /// The number of spatial streams that there are thresholds for.
  public var streams: Int { bits(0, header.streams) + 1 }

  /// The sizes of resource unit that there are thresholds for: bit n for RU index n.
  public var ruIndexBitmask: Int { bits(header.streams, header.sizes) }

  /// The thresholds, streams first; what the bytes do not hold is left out.
  public var thresholds: [Threshold] {
    var result: [Threshold] = []
    var position = header.streams + header.sizes
    for stream in 1...streams {
      for index in 0..<header.sizes where ruIndexBitmask >> index & 1 == 1 {
        guard position + 6 <= bytes.count * 8 else { return result }
        result.append(Threshold(streams: stream, ruIndex: index, ppet16: bits(position, 3), ppet8: bits(position + 3, 3)))
        position += 6
      }
    }
    return result
  }

  private func bits(_ start: Int, _ count: Int) -> Int {
    var value = 0
    for index in 0..<count where bytes.bit(start + index) { value |= 1 << index }
    return value
  }

  func describe(into fields: inout FieldWriter) {
    fields.field("streams", streams)
    fields.field("ruIndexBitmask", ruIndexBitmask)
    fields.objects("thresholds", thresholds) { fields, threshold in
      fields.field("streams", threshold.streams)
      fields.field("ruIndex", threshold.ruIndex)
      fields.field("ppet16", threshold.ppet16)
      fields.field("ppet8", threshold.ppet8)
    }
    fields.field("octetsHex", hex: bytes)
  }
}
