/// How busy one channel was, as far as the driver counts (`NL80211_CMD_NEW_SURVEY_RESULTS`).
public struct Survey: Hashable, Sendable {
  /// The centre of the channel in kHz.
  public var frequencyKHz: UInt32
  /// Noise in dBm (`NL80211_SURVEY_INFO_NOISE`, s8).
  public var noiseDBm: Int8?
  /// Whether the adapter is on this channel now.
  public var isInUse = false
  /// Time spent on the channel in ms (`NL80211_SURVEY_INFO_TIME`, u64).
  public var timeMs: UInt64?
  /// Time the channel was busy in ms (`NL80211_SURVEY_INFO_TIME_BUSY`, u64).
  public var busyMs: UInt64?
  /// Time spent receiving in ms (`NL80211_SURVEY_INFO_TIME_RX`, u64).
  public var receivingMs: UInt64?
  /// Time spent sending in ms (`NL80211_SURVEY_INFO_TIME_TX`, u64).
  public var sendingMs: UInt64?

  /// Reads one part of the answer to `NL80211_CMD_GET_SURVEY`; `nil` where it names no channel.
  public init?(_ message: GenericNetlinkMessage) {
    let bytes = message.attributes
    guard let info = AttributeWalk(bytes).first(where: { $0.type == NL80211.Attribute.surveyInfo }) else { return nil }
    var megahertz: UInt32?
    var offset: UInt32 = 0
    frequencyKHz = 0
    for attribute in AttributeWalk(bytes, in: info.payload) {
      switch attribute.type {
      case 1: megahertz = attribute.uint32(of: bytes)
      case 2: noiseDBm = attribute.uint8(of: bytes).map(Int8.init(bitPattern:))
      case 3: isInUse = true
      case 4: timeMs = attribute.uint64(of: bytes)
      case 5: busyMs = attribute.uint64(of: bytes)
      case 7: receivingMs = attribute.uint64(of: bytes)
      case 8: sendingMs = attribute.uint64(of: bytes)
      case 12: offset = attribute.uint32(of: bytes) ?? 0
      default: break
      }
    }
    guard let megahertz else { return nil }
    frequencyKHz = megahertz &* 1000 &+ offset
  }
}

extension Survey: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("frequencyKHz", frequencyKHz)
    fields.fieldIfPresent("noiseDBm", noiseDBm)
    fields.field("inUse", isInUse)
    fields.fieldIfPresent("timeMs", timeMs)
    fields.fieldIfPresent("busyMs", busyMs)
    fields.fieldIfPresent("receivingMs", receivingMs)
    fields.fieldIfPresent("sendingMs", sendingMs)
  }
}
