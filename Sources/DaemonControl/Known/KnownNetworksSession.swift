public import WiFi

/// What a conversation about known networks ends with.
public typealias KnownNetworksOutcome = Result<KnownNetworkAnswer, KnownNetworkError>

/// What a conversation about known networks does next.
typealias KnownNetworksAction = ControlAction<KnownNetworksOutcome>

/// The conversation of one request about the networks that a daemon knows.
///
/// It lists before it changes, so that a profile which became another meanwhile is left alone, and lists again
/// afterwards, so that the answer is what the daemon has. A change that fails half-way is undone; a password is never
/// asked for.
public protocol KnownNetworksSession: ControlSession where Output == KnownNetworksOutcome {}

extension JoinDaemon {
  /// A session about the networks that this daemon knows.
  ///
  /// - Parameter interface: the interface that wpa_supplicant has a socket for; of NetworkManager's profiles those are
  ///   left out that are bound to another.
  public func session(_ request: KnownNetworkRequest, interface: String) -> any KnownNetworksSession {
    switch self {
    case .supplicant: SupplicantKnownNetworksSession(request, interface: interface)
    case .networkManager: NetworkManagerKnownNetworksSession(request, interface: interface)
    case .iwd: IWDKnownNetworksSession(request)
    }
  }
}

extension KnownNetworkRequest {
  /// The network that it is about.
  var subject: KnownNetwork.ID? {
    switch self {
    case .list, .add: nil
    case .edit(let id, _), .duplicate(let id, _), .forget(let id): id
    }
  }
}
