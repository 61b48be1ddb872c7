/// Supported Channels, element 36: on which channels a station can be (IEEE 802.11-2020 9.4.2.17).
///
/// Pairs of octets; an odd one at the end is kept.
public struct SupportedChannels: ElementBody {
  public static let elementID = ElementID(36)
  public static let name: StaticString = "Supported Channels"

  /// A first channel and a number of channels in each two octets.
  public var octets: OctetList

  /// A run of channels.
  public struct Subband: Hashable, Sendable {
    /// The lowest channel number.
    public var firstChannel: UInt8
    /// The number of channels.
    public var channelCount: UInt8
  }

  /// Makes the element of its octets.
  public init(octets: OctetList) { self.octets = octets }

  public init(parsing cursor: inout ByteCursor) throws(WireError) { octets = OctetList(remainingOf: &cursor) }

  public func encode(into writer: inout ByteWriter) { octets.encode(into: &writer) }

  /// The runs of channels, in the order they were sent.
  public var subbands: [Subband] {
    (0..<octets.count / 2).map { Subband(firstChannel: octets[2 * $0], channelCount: octets[2 * $0 + 1]) }
  }

  public func describe(into fields: inout FieldWriter) {
    fields.array("subbands", subbands) { fields, subband in
      fields.object {
        $0.field("firstChannel", subband.firstChannel)
        $0.field("channelCount", subband.channelCount)
      }
    }
    fields.fieldIfPresent("trailingHex", hex: Array(octets.dropFirst(octets.count / 2 * 2)))
  }
}
