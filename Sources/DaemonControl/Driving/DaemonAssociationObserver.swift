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

  private let access: DaemonAccess
  private let sleep: (Duration) async throws -> Void
  private var problem: JoinFailure.Reason?

  /// Watches over the daemon of an interface.
  ///
  /// - Parameter sleep: waits, so that the time is that of the caller's clock.
  public init(_ access: DaemonAccess, sleep: @escaping (Duration) async throws -> Void) {
    self.access = access
    self.sleep = sleep
  }

  public func follow(_ take: (AssociationEvent) -> Void) async {
    while !Task.isCancelled {
      if access.interface() != nil {
        let failure = await watch(take)
        if !Task.isCancelled { report(failure) }
      }
      do { try await sleep(.seconds(2)) } catch { return }
    }
  }

  /// Watches until that ends, and says why it did.
  private func watch(_ take: (AssociationEvent) -> Void) async -> JoinFailure {
    switch await access.open() {
    case .success((let joiner, let daemon, let interface)):
      return await joiner.link(of: interface, over: daemon, onListening: { report(nil) }, onEvent: take)
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
