public import DaemonProtocols
public import WiFi

/// Watches the association of an interface over a daemon; where that ends, or cannot begin, tries again every two
/// seconds.
///
/// Each attempt has a link of its own, and where no daemon is named asks anew who owns the interface, as another daemon
/// may have taken over.
public final class DaemonAssociationObserver: AssociationObserver {
  /// Called with why nothing can be heard of the association now, and `nil` once it is watched; each reason once, until
  /// it is another.
  public var onProblem: (JoinFailure?) -> Void = { _ in }

  private let daemon: JoinDaemon?
  private let interface: () -> String?
  private let link: () throws(LinkError) -> any ControlLink
  private let sleep: (Duration) async throws -> Void
  private var problem: JoinFailure.Reason?

  /// Watches with an interface.
  ///
  /// - Parameters:
  ///   - daemon: the daemon that is asked; `nil` is the one that owns the interface then.
  ///   - interface: its name, as soon as it is known.
  ///   - link: opens a link to the daemons of the machine, which no other code uses.
  ///   - sleep: waits, so that the time is that of the caller's clock.
  public init(
    over daemon: JoinDaemon?, interface: @escaping () -> String?, link: @escaping () throws(LinkError) -> any ControlLink,
    sleep: @escaping (Duration) async throws -> Void
  ) {
    self.daemon = daemon
    self.interface = interface
    self.link = link
    self.sleep = sleep
  }

  public func follow(_ take: (AssociationEvent) -> Void) async {
    while !Task.isCancelled {
      if let interface = interface() {
        let failure = await watch(interface, take)
        if !Task.isCancelled { report(failure) }
      }
      do { try await sleep(.seconds(2)) } catch { return }
    }
  }

  /// Watches until that ends, and says why it did.
  private func watch(_ interface: String, _ take: (AssociationEvent) -> Void) async -> JoinFailure {
    let joiner: Joiner
    do throws(LinkError) { joiner = Joiner(link: try link()) } catch { return JoinFailure(error.joinReason) }
    switch await joiner.owner(of: interface, named: daemon) {
    case .success(let owner): return await joiner.link(of: interface, over: owner, onListening: { report(nil) }, onEvent: take)
    case .failure(let failure): return failure
    }
  }

  private func report(_ failure: JoinFailure?) {
    // That the daemon ended is an event already; the next attempt finds out whether it is back.
    guard failure?.reason != problem, failure?.reason != .daemonLost, failure?.reason != .cancelled else { return }
    problem = failure?.reason
    onProblem(failure)
  }
}
