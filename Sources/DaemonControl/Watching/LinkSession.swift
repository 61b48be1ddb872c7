import DaemonProtocols
public import WiFi

/// What a conversation that watches a link does next.
public typealias LinkAction = ControlAction<JoinFailure>

/// A conversation that reports what happens to the link of an interface (``ControlAction/report(_:)``); it ends where
/// no event can be reported any more.
public protocol LinkSession: ControlSession where Output == JoinFailure {
  /// Whether the daemon has agreed to report what happens.
  var isListening: Bool { get }
}

extension JoinDaemon {
  /// A session that watches the link of an interface over this daemon.
  public func linkSession(interface: String) -> any LinkSession {
    switch self {
    case .supplicant: SupplicantLinkSession(interface: interface)
    case .networkManager: NetworkManagerLinkSession(interface: interface)
    case .iwd: IWDLinkSession(interface: interface)
    }
  }
}
