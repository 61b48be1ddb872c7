import WiFi

/// Turns what several sources say of one association into events, each once.
struct AssociationTracker: Sendable {
  private(set) var ssid: SSID?
  private(set) var bssid: MACAddress?
  /// Why the access point may be left next, and when that was said, where something said so.
  private var expected: (reason: RoamingReason, at: Duration)?

  /// How long what was said of an access point explains that it is left: a station scans first, and an access point
  /// that wants to be rid of a station gives it up to 65,535 beacon intervals, of which a minute is what is usual (IEEE
  /// 802.11-2020 9.6.13.9).
  static let explanationTime: Duration = .seconds(60)

  /// The access point may be left next, for a reason; ``/WiFi/RoamingReason/unknown`` takes back what was said before.
  mutating func expectRoaming(_ reason: RoamingReason, at now: Duration) {
    expected = reason == .unknown ? nil : (reason, now)
  }

  /// A network is joined, or still is.
  ///
  /// - Parameter hasRoamed: whether the daemon said that it moves, whatever is known of addresses.
  mutating func joined(_ ssid: SSID, bssid: MACAddress?, hasRoamed: Bool = false, at now: Duration) -> AssociationEvent? {
    guard self.ssid == ssid else {
      (self.ssid, self.bssid, expected) = (ssid, bssid, nil)
      return .joined(ssid, bssid: bssid)
    }
    let from = self.bssid
    self.bssid = bssid ?? from
    // The address of a network that was joined without one is no other access point.
    let isOther = bssid != nil && from != nil && bssid != from
    guard isOther || hasRoamed else { return nil }
    defer { expected = nil }
    let reason = expected.flatMap { now - $0.at <= Self.explanationTime ? $0.reason : nil } ?? .unknown
    return .roamed(ssid, from: from, to: bssid, reason)
  }

  /// The network that was joined is no more.
  mutating func lost(_ loss: AssociationLoss) -> AssociationEvent? {
    guard let ssid else { return nil }
    (self.ssid, bssid, expected) = (nil, nil, nil)
    return .lost(ssid, loss)
  }
}

extension AssociationEvent {
  /// The end of an association as wpa_supplicant and the kernel report it.
  ///
  /// - Parameters:
  ///   - reason: the reason code (IEEE 802.11-2020 table 9-49).
  ///   - isLocal: whether the station itself ended it; 4 is what it says of an access point that it does not hear any
  ///     more.
  static func loss(reason: UInt16, isLocal: Bool, afterBeaconLoss: Bool = false) -> AssociationLoss {
    guard isLocal else { return .dismissed(reason: reason) }
    return afterBeaconLoss || reason == ReasonCode.inactivity ? .beaconLoss : .left
  }
}
