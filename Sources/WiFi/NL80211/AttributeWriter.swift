/// Writes attributes: the other direction of ``AttributeWalk``.
public struct AttributeWriter: Sendable {
  private var writer = ByteWriter()

  /// Starts with nothing written.
  public init() {}

  /// The attributes written so far, the last one padded.
  public var bytes: [UInt8] { writer.bytes }

  /// Writes an attribute of bytes.
  public mutating func write(_ type: UInt16, _ payload: [UInt8]) {
    writer.write(UInt16(truncatingIfNeeded: payload.count + 4))
    writer.write(type)
    writer.write(payload)
    for _ in 0..<paddingToFour(payload.count) { writer.write(0 as UInt8) }
  }

  /// Writes what a walk left over: bytes that are no whole attribute, without padding.
  mutating func writeTrailing(_ bytes: [UInt8]) { writer.write(bytes) }

  /// Writes a flag: an attribute with no payload.
  public mutating func writeFlag(_ type: UInt16) { write(type, []) }

  /// Writes a number with as many bytes as its type has.
  public mutating func write<Integer: FixedWidthInteger>(_ type: UInt16, _ value: Integer) {
    write(type, (0..<Integer.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  /// Writes a MAC address.
  public mutating func write(_ type: UInt16, _ value: MACAddress) { write(type, value.bytes) }

  /// Writes text with its final NUL.
  public mutating func write(_ type: UInt16, _ value: String) { write(type, Array(value.utf8) + [0]) }

  /// Writes an attribute whose payload is the attributes that `body` writes.
  ///
  /// - Parameter flagged: whether to set `NLA_F_NESTED`.
  public mutating func nest(_ type: UInt16, flagged: Bool = true, _ body: (inout AttributeWriter) -> Void) {
    var inner = AttributeWriter()
    body(&inner)
    write(flagged ? type | 0x8000 : type, inner.bytes)
  }

  /// Writes an attribute whose payload is an attribute for each of `values`, where there are any; they are numbered
  /// from `first` on.
  mutating func list<Value>(
    _ type: UInt16, _ values: [Value], from first: Int = 1, flagged: Bool = true,
    _ body: (inout AttributeWriter, UInt16, Value) -> Void
  ) {
    guard !values.isEmpty else { return }
    nest(type, flagged: flagged) { inner in
      for (index, value) in values.enumerated() { body(&inner, UInt16(truncatingIfNeeded: first + index), value) }
    }
  }

  /// Writes the names and the frequencies, in kHz, of a scan, each where there are any.
  mutating func writeScan(_ ssids: [SSID], _ frequenciesKHz: [UInt32], from first: Int = 1, flagged: Bool = true) {
    list(NL80211.Attribute.scanSSIDs, ssids, from: first, flagged: flagged) { $0.write($1, $2.bytes) }
    // Those of IEEE 802.11ah are no whole MHz, and the other attribute is newer than most kernels.
    let isWhole = frequenciesKHz.allSatisfy { $0.isMultiple(of: 1000) }
    let type = isWhole ? NL80211.Attribute.scanFrequencies : NL80211.Attribute.scanFrequenciesKHz
    list(type, frequenciesKHz, from: first, flagged: flagged) { $0.write($1, isWhole ? $2 / 1000 : $2) }
  }
}
