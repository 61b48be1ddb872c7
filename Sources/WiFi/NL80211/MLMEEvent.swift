/// What nl80211 multicasts to the group `mlme` of one frame of an association, or of one that did not come.
package struct MLMEEvent: Hashable, Sendable {
  /// What the frame is, by the command of the event.
  package enum Kind: UInt8, Sendable {
    /// `NL80211_CMD_AUTHENTICATE`.
    case authentication = 37
    /// `NL80211_CMD_ASSOCIATE`.
    case association = 38
    /// `NL80211_CMD_DEAUTHENTICATE`.
    case deauthentication = 39
    /// `NL80211_CMD_DISASSOCIATE`.
    case disassociation = 40
  }

  /// What the frame is.
  package var kind: Kind
  /// The interface of the association (`NL80211_ATTR_IFINDEX`).
  package var interfaceIndex: UInt32?
  /// The frame from its header on (`NL80211_ATTR_FRAME`).
  package var frame: [UInt8] = []
  /// Whether the access point did not answer (`NL80211_ATTR_TIMED_OUT`).
  package var isTimeout = false

  /// Reads a message; `nil` for one of another command.
  package init?(_ message: GenericNetlinkMessage) {
    guard let kind = Kind(rawValue: message.command) else { return nil }
    self.kind = kind
    let bytes = message.attributes
    for attribute in AttributeWalk(bytes) {
      switch attribute.type {
      case NL80211.Attribute.interfaceIndex: interfaceIndex = attribute.uint32(of: bytes)
      case NL80211.Attribute.frame: frame = attribute.bytes(of: bytes)
      case NL80211.Attribute.timedOut: isTimeout = true
      default: break
      }
    }
  }

  /// The events of a datagram that are about one interface.
  ///
  /// - Parameter interface: its number; `nil` for every interface.
  package static func events(in datagram: [UInt8], of interface: UInt32?) -> [MLMEEvent] {
    NetlinkMessage.messages(in: datagram).messages.compactMap { message in
      (try? GenericNetlinkMessage(payload: message.payload)).flatMap(MLMEEvent.init)
    }.filter { interface == nil || $0.interfaceIndex == nil || $0.interfaceIndex == interface }
  }

  /// The field of two bytes at an index behind the header (IEEE 802.11-2020 9.3.3.1).
  package func field(_ index: Int) -> UInt16? {
    let offset = 24 + 2 * index
    return offset + 1 < frame.count ? UInt16(frame[offset]) | UInt16(frame[offset + 1]) << 8 : nil
  }

  /// The BSS of the association, the third address of the header.
  package var bssid: MACAddress? { frame.count < 22 ? nil : MACAddress(frame[16..<22]) }

  /// Whether the access point sent the frame: transmitter and BSSID are the same then.
  package var isFromAccessPoint: Bool { frame.count >= 22 && frame[10..<16] == frame[16..<22] }
}
