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
  /// The rate of sending in units of 100 kbit/s (`NL80211_RATE_INFO_BITRATE32`, u32).
  public var sendingRate100kbps: UInt32?

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
      case 8:
        let rate = AttributeWalk(bytes, in: attribute.payload).first { $0.type == 5 }
        sendingRate100kbps = rate?.uint32(of: bytes)
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
    if let signalDBm { fields.field("signalDBm", signalDBm) }
    if let averageSignalDBm { fields.field("averageSignalDBm", averageSignalDBm) }
    if let inactiveMs { fields.field("inactiveMs", inactiveMs) }
    if let connectedS { fields.field("connectedS", connectedS) }
    if let receivedBytes { fields.field("receivedBytes", receivedBytes) }
    if let sentBytes { fields.field("sentBytes", sentBytes) }
    if let sendingRate100kbps { fields.field("sendingRateKbps", UInt64(sendingRate100kbps) * 100) }
  }
}
