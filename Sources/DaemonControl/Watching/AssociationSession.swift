public import WiFi

/// What a conversation that watches an association does next.
public typealias AssociationAction = ControlAction<JoinFailure>

/// A conversation that reports what happens to the association of an interface (``ControlAction/report(_:)``); it ends
/// where no event can be reported any more.
public protocol AssociationSession: ControlSession where Output == JoinFailure {
  /// Whether the daemon has agreed to report what happens.
  var isListening: Bool { get }
}

extension AssociationSession {
  func report(_ event: AssociationEvent?) -> [AssociationAction] { event.map { [.report($0)] } ?? [] }
}

extension JoinDaemon {
  /// A session that watches the association of an interface over this daemon.
  public func associationSession(interface: String) -> any AssociationSession {
    switch self {
    case .supplicant: SupplicantAssociationSession(interface: interface)
    case .networkManager: NetworkManagerAssociationSession(interface: interface)
    case .iwd: IWDAssociationSession(interface: interface)
    }
  }
}
