/// The other end of a connection (`NL80211_CMD_NEW_STATION`): for a client, its access point.
public struct Station: Hashable, Sendable {
  /// Its address.
  public var address: MACAddress
  /// Signal of the last frame in dBm (`NL80211_STA_INFO_SIGNAL`, s8).
  public var signalDBm: Int8?
  /// Mean signal in dBm (`NL80211_STA_INFO_SIGNAL_AVG`, s8).
  public var averageSignalDBm: Int8?
  /// Time since the last frame in ms (`NL80211_STA_INFO_INACTIVE_TIME`, u32).
  public var inactiveMs: UInt32?
  /// Time since the connection began in s (`NL80211_STA_INFO_CONNECTED_TIME`, u32).
  public var connectedS: UInt32?
  /// Bytes received (`NL80211_STA_INFO_RX_BYTES64`, u64).
  public var receivedBytes: UInt64?
  /// Bytes sent (`NL80211_STA_INFO_TX_BYTES64`, u64).
  public var sentBytes: UInt64?
  /// Packets received (`NL80211_STA_INFO_RX_PACKETS`, u32).
  public var receivedPackets: UInt32?
  /// Packets sent (`NL80211_STA_INFO_TX_PACKETS`, u32).
  public var sentPackets: UInt32?
  /// Packets sent again (`NL80211_STA_INFO_TX_RETRIES`, u32).
  public var retries: UInt32?
  /// Packets that were not acknowledged (`NL80211_STA_INFO_TX_FAILED`, u32).
  public var failures: UInt32?
  /// How the last frame was sent (`NL80211_STA_INFO_TX_BITRATE`).
  public var sendingRate: Rate?
  /// How the last frame was received (`NL80211_STA_INFO_RX_BITRATE`).
  public var receivingRate: Rate?

  /// A rate with its parameters (`enum nl80211_rate_info`).
  public struct Rate: Hashable, Sendable, CustomStringConvertible {
    /// In units of 100 kbit/s (`NL80211_RATE_INFO_BITRATE32`, u32).
    public var rate100kbps: UInt32?
    /// The modulation and coding scheme, and the generation that it is of, such as `VHT`.
    public var mcs: (generation: String, index: UInt8)? { mcsIndex.map { (Self.generations[Int(mcsGeneration)], $0) } }
    /// Spatial streams; an HT scheme implies them.
    public var streams: UInt8?
    /// In MHz.
    public var widthMHz: UInt16 = 20
    private var mcsIndex: UInt8?
    private var mcsGeneration: UInt8 = 0

    private static let generations = ["HT", "VHT", "HE", "EHT"]

    init(_ bytes: [UInt8], in range: Range<Int>) {
      for attribute in AttributeWalk(bytes, in: range) {
        switch attribute.type {
        case 5: rate100kbps = attribute.uint32(of: bytes)
        case 2, 6, 13, 19:
          mcsIndex = attribute.uint8(of: bytes)
          mcsGeneration = attribute.type == 2 ? 0 : attribute.type == 6 ? 1 : attribute.type == 13 ? 2 : 3
        case 7, 14, 20: streams = attribute.uint8(of: bytes)
        case 3: widthMHz = 40
        case 8: widthMHz = 80
        case 9, 10: widthMHz = 160
        case 11: widthMHz = 10
        case 12: widthMHz = 5
        case 18: widthMHz = 320
        default: break
        }
      }
    }

    /// Such as `866.7 Mb/s (VHT MCS 9, 80 MHz, 2 streams)`.
    public var description: String {
      var details = ["\(widthMHz) MHz"]
      if let mcs { details.insert("\(mcs.generation) MCS \(mcs.index)", at: 0) }
      if let streams { details.append(Int(streams).counted("stream")) }
      let rate = rate100kbps.map { FixedPlaces.text(units: Int64($0), places: 1, showsAll: true) + " Mb/s" }
      return "\(rate ?? "unknown rate") (\(details.joined(separator: ", ")))"
    }
  }

  /// What the link is like, a clause each, such as `-44 dBm`, `sends 866.7 Mb/s (VHT MCS 9, 80 MHz, 2 streams)`.
  public var clauses: [String] {
    (signalDBm.map { ["\($0) dBm"] } ?? []) + rates
      + [
        receivedPackets.map { "\($0) packets received" }, sentPackets.map { "\($0) sent" }, retries.map { "\($0) sent again" },
        failures.map { "\($0) lost" }, connectedS.map { "connected for \($0) s" },
      ].compactMap(\.self)
  }

  /// How fast it is, a clause for each direction, such as `sends 866.7 Mb/s (VHT MCS 9, 80 MHz, 2 streams)`.
  public var rates: [String] { [sendingRate.map { "sends \($0)" }, receivingRate.map { "receives \($0)" }].compactMap(\.self) }

  /// The access point and what the link to it is like, such as `02:00:00:00:05:00, -44 dBm, 10 packets received`.
  public var summary: String { ([address.description] + clauses).joined(separator: ", ") }

  /// Reads one part of the answer to `NL80211_CMD_GET_STATION`; `nil` where it names no station.
  public init?(_ message: GenericNetlinkMessage) {
    let bytes = message.attributes
    var found: MACAddress?
    address = MACAddress(0)
    for attribute in AttributeWalk(bytes) {
      switch attribute.type {
      case NL80211.Attribute.mac: found = attribute.macAddress(of: bytes)
      case NL80211.Attribute.stationInfo: readInfo(bytes, attribute.payload)
      default: break
      }
    }
    guard let found else { return nil }
    address = found
  }

  private mutating func readInfo(_ bytes: [UInt8], _ range: Range<Int>) {
    for attribute in AttributeWalk(bytes, in: range) {
      switch attribute.type {
      case 1: inactiveMs = attribute.uint32(of: bytes)
      case 7: signalDBm = attribute.uint8(of: bytes).map(Int8.init(bitPattern:))
      case 8: sendingRate = Rate(bytes, in: attribute.payload)
      case 9: receivedPackets = attribute.uint32(of: bytes)
      case 10: sentPackets = attribute.uint32(of: bytes)
      case 11: retries = attribute.uint32(of: bytes)
      case 12: failures = attribute.uint32(of: bytes)
      case 14: receivingRate = Rate(bytes, in: attribute.payload)
      case 13: averageSignalDBm = attribute.uint8(of: bytes).map(Int8.init(bitPattern:))
      case 16: connectedS = attribute.uint32(of: bytes)
      case 23: receivedBytes = attribute.uint64(of: bytes)
      case 24: sentBytes = attribute.uint64(of: bytes)
      default: break
      }
    }
  }
}

extension Station: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("address", address.description)
    fields.fieldIfPresent("signalDBm", signalDBm)
    fields.fieldIfPresent("averageSignalDBm", averageSignalDBm)
    fields.fieldIfPresent("inactiveMs", inactiveMs)
    fields.fieldIfPresent("connectedS", connectedS)
    fields.fieldIfPresent("receivedBytes", receivedBytes)
    fields.fieldIfPresent("sentBytes", sentBytes)
    fields.fieldIfPresent("receivedPackets", receivedPackets)
    fields.fieldIfPresent("sentPackets", sentPackets)
    fields.fieldIfPresent("retries", retries)
    fields.fieldIfPresent("failures", failures)
    if let rate = sendingRate?.rate100kbps { fields.field("sendingRateKbps", UInt64(rate) * 100) }
    if let sendingRate { fields.field("sendingRate", sendingRate.description) }
    if let rate = receivingRate?.rate100kbps { fields.field("receivingRateKbps", UInt64(rate) * 100) }
    if let receivingRate { fields.field("receivingRate", receivingRate.description) }
  }
}
