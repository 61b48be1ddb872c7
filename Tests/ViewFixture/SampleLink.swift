public import Models
public import WiFi

/// A source of facts that counts one link, and knows nothing else.
public final class SampleLink: SlowFactSource {
  private let link: Station?

  /// Counts the link to an access point.
  public init(_ address: MACAddress) { link = Self.station(of: address) }

  public func makers(of addresses: [MACAddress]) async throws(SlowFactProblem) -> [MACAddress: String] { [:] }
  public func survey() async throws(SlowFactProblem) -> [Survey] { [] }
  public func station() async throws(SlowFactProblem) -> Station? { link }

  /// The access point of a link, as a kernel counts it.
  public static func station(of address: MACAddress) -> Station? {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.mac, address.bytes)
    writer.nest(NL80211.Attribute.stationInfo) { writer in
      writer.write(7, UInt8(bitPattern: -48))
      writer.nest(8) { writer in
        writer.write(5, UInt32(12_009))
        writer.write(13, UInt8(11))
        writer.write(14, UInt8(2))
        writer.writeFlag(8)
      }
      writer.write(9, UInt32(10))
    }
    return Station(GenericNetlinkMessage(command: NL80211.Command.newStation, attributes: writer.bytes))
  }
}
