public import WiFi

/// What an access point does with a station that wants to join.
public struct AccessPointPolicy: Hashable, Sendable {
  /// How an access point can fail a station that has the right password.
  public enum Refusal: Hashable, Sendable {
    /// It accepts.
    case none
    /// It refuses to authenticate, with a status code: the address is not welcome (hostapd sends 1).
    case authentication(status: UInt16)
    /// It refuses to associate, with a status code: 17 where it is full, 41 to 46 for a cipher.
    case association(status: UInt16)
    /// It is still heard and answers nothing.
    case silence
    /// It falls silent in the handshake.
    case handshakeSilence
  }

  /// The password that it accepts.
  public var password: String
  /// How it fails a station.
  public var refusal: Refusal
  /// The status of the SAE Confirm for another password: 15 by the standard, 1 of hostapd 2.10; `nil` where the station
  /// finds the difference first and nothing is reported.
  package var confirmStatus: UInt16?
  /// How long it takes from the authentication until the keys are agreed on.
  public var duration: Duration
  /// The IPv4 address that its network gives; `nil` where there is no DHCP server.
  public var address: String?

  /// An access point that accepts a password.
  public init(
    password: String = JoinRule.shortPassword, refusal: Refusal = .none, confirmStatus: UInt16? = 15,
    duration: Duration = .milliseconds(10),
    address: String? = "10.0.0.100"
  ) {
    self.password = password
    self.refusal = refusal
    self.confirmStatus = confirmStatus
    self.duration = duration
    self.address = address
  }
}

/// The access points that simulated daemons can join, and what these do.
public protocol JoinableAir: AnyObject {
  /// The access points that answer a station at a time, the strongest first.
  func accessPoints(at time: Duration) -> [AccessPoint]

  /// Whether a BSS is strong enough to be joined, and to stay joined, at a time.
  func isInReach(_ bssid: MACAddress, at time: Duration) -> Bool

  /// What an access point does with a station.
  func policy(of bssid: MACAddress) -> AccessPointPolicy

  /// The result of joining a network without a daemon.
  func joinRule(of ssid: SSID) -> JoinRule

  /// The BSS of a network that is joined without a daemon; `nil` where none can be.
  func joined(_ network: Network, at time: Duration) -> MACAddress?
}

extension JoinableAir {
  /// The access points of a name that answer a station at a time, the strongest first.
  func accessPoints(named ssid: SSID, at time: Duration) -> [AccessPoint] { accessPoints(at: time).filter { $0.ssid == ssid } }
}

extension StillAir: JoinableAir {
  public func accessPoints(at time: Duration) -> [AccessPoint] {
    stations.sorted { ($1.signalMBm, $0.accessPoint.bssid) < ($0.signalMBm, $1.accessPoint.bssid) }.map(\.accessPoint)
  }

  public func isInReach(_ bssid: MACAddress, at time: Duration) -> Bool { stations.contains { $0.accessPoint.bssid == bssid } }

  public func policy(of bssid: MACAddress) -> AccessPointPolicy { policies[bssid] ?? AccessPointPolicy() }

  public func joinRule(of ssid: SSID) -> JoinRule { joinRules[ssid] ?? JoinRule() }

  public func joined(_ network: Network, at time: Duration) -> MACAddress? {
    network.members.first { isInReach($0.bssid, at: time) }?.bssid
  }
}
