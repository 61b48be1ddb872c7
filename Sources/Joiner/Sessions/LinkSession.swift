public import WiFi

/// What a conversation that watches a link does next.
public typealias LinkAction = ControlAction<JoinFailure>

/// A conversation that reports what happens to the link of an interface (``ControlAction/report(_:)``); it ends where nobody can tell any more.
public protocol LinkSession: ControlSession where Output == JoinFailure {}

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

/// Watches the link of an interface over a daemon; where that ends, asks for it again every two seconds.
public final class DaemonLinkObserver: LinkObserver {
  private let joiner: Joiner
  private let daemon: JoinDaemon
  private let interface: String
  private let sleep: (Duration) async throws -> Void

  /// Watches over the joiner's link, which nobody else may use.
  ///
  /// - Parameter sleep: waits, so that the time is that of the caller's clock.
  public init(joiner: Joiner, daemon: JoinDaemon, interface: String, sleep: @escaping (Duration) async throws -> Void) {
    self.joiner = joiner
    self.daemon = daemon
    self.interface = interface
    self.sleep = sleep
  }

  public func follow(_ take: (LinkEvent) -> Void) async {
    while !Task.isCancelled {
      _ = await joiner.link(of: interface, over: daemon, onEvent: take)
      do { try await sleep(.seconds(2)) } catch { return }
    }
  }
}
