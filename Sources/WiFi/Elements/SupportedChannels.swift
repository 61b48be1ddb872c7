/// Supported Channels, element 36: on which channels a station can be (IEEE 802.11-2020 9.4.2.17).
///
/// Pairs of bytes; an odd one at the end is kept.
public struct SupportedChannels: ElementBody {
  public static let elementID = ElementID(36)
  public static let name: StaticString = "Supported Channels"

  /// A first channel and a number of channels in each two bytes.
  public var bytes: ByteList

  /// A run of channels.
  public struct Subband: Hashable, Sendable {
    /// The lowest channel number.
    public var firstChannel: UInt8
    /// The number of channels.
    public var channelCount: UInt8
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) { bytes = ByteList(remainingOf: &cursor) }

  public func encode(into writer: inout ByteWriter) { bytes.encode(into: &writer) }

  /// The runs of channels, in the order they were sent.
  public var subbands: [Subband] {
    (0..<bytes.count / 2).map { Subband(firstChannel: bytes[2 * $0], channelCount: bytes[2 * $0 + 1]) }
  }

  public func describe(into fields: inout FieldWriter) {
    fields.objects("subbands", subbands) { fields, subband in
      fields.field("firstChannel", subband.firstChannel)
      fields.field("channelCount", subband.channelCount)
    }
    fields.fieldIfPresent("trailingHex", hex: Array(bytes.dropFirst(bytes.count / 2 * 2)))
  }
}
