/// Why an association to a network was lost.
public enum AssociationLoss: Hashable, Sendable {
  /// The access point ended it, with a reason code (IEEE 802.11-2020 table 9-49).
  case dismissed(reason: UInt16)
  /// The access point was not heard any more.
  case beaconLoss
  /// A program of this machine left the network.
  case left
  /// The interface went down, or a switch silenced the radio.
  case interfaceDown
  /// The adapter is gone.
  case adapterGone
  /// The daemon ended, and the association with it.
  case daemonLost
  /// The reason is unknown.
  case unknown
}

/// Why a daemon moved to another access point of the same network, by a name for programs, the same in every version.
public enum RoamingReason: String, Hashable, Sendable {
  /// The signal of the one before had become weak.
  case weakSignal
  /// The access point asked for it (IEEE 802.11-2020 11.21.7, BSS transition management).
  case accessPointAsked
  /// The reason is unknown.
  case unknown
}

/// What happens to the association of an interface.
public enum AssociationEvent: Hashable, Sendable {
  /// A network is joined; the address of the BSS where the daemon reports it.
  case joined(SSID, bssid: MACAddress?)
  /// The daemon moved to another access point of the network that is joined.
  case roamed(SSID, from: MACAddress?, to: MACAddress?, RoamingReason)
  /// The network that was joined is no more.
  case lost(SSID, AssociationLoss)
}

/// Watches the association of an interface: a daemon, or a simulation of one.
public protocol AssociationObserver: AnyObject {
  /// Reports changes of the association, in the caller's isolation, until the task is cancelled; first the network that
  /// is already joined, if any.
  func follow(_ take: (AssociationEvent) -> Void) async
}

extension AssociationLoss {
  /// A name for programs, the same in every version.
  public var name: String {
    switch self {
    case .dismissed: "dismissed"
    case .beaconLoss: "beaconLoss"
    case .left: "left"
    case .interfaceDown: "interfaceDown"
    case .adapterGone: "adapterGone"
    case .daemonLost: "daemonLost"
    case .unknown: "unknown"
    }
  }
}

extension AssociationLoss: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .dismissed(let reason):
      "The access point ended the connection: reason \(reason)\(ReasonCode.name(reason).map { ", \($0)" } ?? "")."
    case .beaconLoss: "The access point was not heard any more."
    case .left: "A program of this machine left the network."
    case .interfaceDown: "The interface went down, or a switch silenced the radio."
    case .adapterGone: "The adapter is gone."
    case .daemonLost: "The daemon that held the connection ended."
    case .unknown: "The connection was lost."
    }
  }
}

extension AssociationEvent {
  /// The network that it is about.
  public var ssid: SSID {
    switch self {
    case .joined(let ssid, _), .roamed(let ssid, _, _, _), .lost(let ssid, _): ssid
    }
  }
}

extension AssociationEvent: CustomStringConvertible {
  /// Such as `lost Home: dismissed, reason code 4`, without addresses; the same in every version.
  public var description: String {
    switch self {
    case .joined(let ssid, _): "joined \(ssid)"
    case .roamed(let ssid, _, _, let reason): "roamed within \(ssid)\(reason == .unknown ? "" : ": \(reason.rawValue)")"
    case .lost(let ssid, .dismissed(let reason)): "lost \(ssid): dismissed, reason code \(reason)"
    case .lost(let ssid, let loss): "lost \(ssid): \(loss.name)"
    }
  }
}
