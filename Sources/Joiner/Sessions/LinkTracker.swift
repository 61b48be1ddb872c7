import WiFi

/// Turns what several sources say of one link into events, each once.
struct LinkTracker: Hashable, Sendable {
  private(set) var ssid: SSID?
  private(set) var bssid: MACAddress?
  /// Why the access point may be left next, where something says so.
  var roamingReason = RoamingReason.unknown

  /// A network is joined, or still is.
  ///
  /// - Parameter hasRoamed: whether the daemon said that it moves, whatever is known of addresses.
  mutating func joined(_ ssid: SSID, bssid: MACAddress?, hasRoamed: Bool = false) -> LinkEvent? {
    defer { roamingReason = .unknown }
    guard self.ssid == ssid else {
      (self.ssid, self.bssid) = (ssid, bssid)
      return .joined(ssid, bssid: bssid)
    }
    let from = self.bssid
    self.bssid = bssid ?? from
    // The address of a network that was joined without one is no other access point.
    let isOther = bssid != nil && from != nil && bssid != from
    return !isOther && !hasRoamed ? nil : .roamed(ssid, from: from, to: bssid, roamingReason)
  }

  /// The network that was joined is no more.
  mutating func lost(_ loss: LinkLoss) -> LinkEvent? {
    guard let ssid else { return nil }
    (self.ssid, bssid, roamingReason) = (nil, nil, .unknown)
    return .lost(ssid, loss)
  }
}

extension LinkEvent {
  /// The end of a link as wpa_supplicant and the kernel tell it.
  ///
  /// - Parameters:
  ///   - reason: the reason code (IEEE 802.11-2020 table 9-49).
  ///   - isLocal: whether the station itself ended it; 4 is what it says of an access point that it does not hear any more.
  static func loss(reason: UInt16, isLocal: Bool, afterBeaconLoss: Bool = false) -> LinkLoss {
    guard isLocal else { return .dismissed(reason: reason) }
    return afterBeaconLoss || reason == 4 ? .beaconLoss : .left
  }
}
