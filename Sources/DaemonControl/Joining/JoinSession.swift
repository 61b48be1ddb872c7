public import WiFi

/// What a conversation that joins does next.
public typealias JoinAction = ControlAction<JoinOutcome>

/// The conversation of one attempt to join.
public protocol JoinSession: ControlSession where Output == JoinOutcome {}

extension JoinDaemon {
  /// A session that joins over this daemon.
  public func session(_ request: JoinRequest) -> any JoinSession {
    switch self {
    case .supplicant: SupplicantSession(request)
    case .networkManager: NetworkManagerSession(request)
    case .iwd: IWDSession(request)
    }
  }
}
