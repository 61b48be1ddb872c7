import WiFi

/// What nl80211 reports to the group `mlme` of one frame of an access point, or of one that did not come.
struct FrameNotification {
  enum Content {
    /// An answer to an authentication (IEEE 802.11-2020 9.3.3.11).
    case authentication(algorithm: UInt16, transaction: UInt16, status: UInt16)
    /// No answer to an authentication.
    case authenticationTimedOut
    /// An answer to an association (9.3.3.6).
    case association(status: UInt16)
    /// The end of an association (9.3.3.12), by the access point or by the station itself.
    case deauthentication(reason: UInt16, fromStation: Bool)
  }

  /// The family's number, as the kernel gave it to nl80211; it is not read in a multicast.
  private static let family: UInt16 = 20

  var content: Content
  var bssid: MACAddress
  var station: MACAddress
  var interface: UInt32

  private var kind: MLMEEvent.Kind {
    switch content {
    case .authentication, .authenticationTimedOut: .authentication
    case .association: .association
    case .deauthentication: .deauthentication
    }
  }

  /// The frame: header (9.3.3.1) and fixed fields; `nil` where none came.
  private var frame: [UInt8]? {
    func words(_ values: UInt16...) -> [UInt8] { values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] } }
    func header(_ subtype: UInt8, fromStation: Bool = false) -> [UInt8] {
      let (to, from) = fromStation ? (bssid, station) : (station, bssid)
      return [subtype << 4, 0, 0, 0] + to.bytes + from.bytes + bssid.bytes + [0, 0]
    }
    switch content {
    case .authentication(let algorithm, let transaction, let status): return header(11) + words(algorithm, transaction, status)
    case .authenticationTimedOut: return nil
    case .association(let status): return header(1) + words(0x0011, status, 0xC001)
    case .deauthentication(let reason, let fromStation): return header(12, fromStation: fromStation) + words(reason)
    }
  }

  var encoded: [UInt8] {
    var attributes = AttributeWriter()
    attributes.write(NL80211.Attribute.wiphy, 0 as UInt32)
    attributes.write(NL80211.Attribute.interfaceIndex, interface)
    if let frame {
      attributes.write(NL80211.Attribute.frame, frame)
    } else {
      attributes.writeFlag(NL80211.Attribute.timedOut)
      attributes.write(NL80211.Attribute.mac, bssid)
    }
    let generic = GenericNetlinkMessage(command: kind.rawValue, version: 1, attributes: attributes.bytes)
    return NetlinkMessage(type: Self.family, payload: generic.payload).encoded
  }
}
