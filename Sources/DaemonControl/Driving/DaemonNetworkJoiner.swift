public import WiFi

/// Joins networks over a daemon, simulated or real.
///
/// Each attempt has a link of its own, so that a cancelled one does not disturb the next.
public final class DaemonNetworkJoiner: NetworkJoiner {
  /// Why the attempt that ended last failed, with its certainty and its evidence; `nil` where it did not.
  public private(set) var lastFailure: JoinFailure?
  /// Called with a sentence on how far an attempt has come, and why it failed; with `nil` when one begins.
  public var onNote: (String?) -> Void = { _ in }

  private let access: DaemonAccess

  /// Joins over the daemon of an interface.
  public init(_ access: DaemonAccess) { self.access = access }

  /// Joins a network; what the daemon says in detail is in ``lastFailure`` then.
  public func join(_ network: Network, password: String?) async throws(JoinError) {
    lastFailure = nil
    onNote(nil)
    let failure = await failure(network, password.map { Secret($0) })
    onNote(failure.map { "\($0)" })
    guard let failure else { return }
    lastFailure = failure
    throw JoinError(failure)
  }

  private func failure(_ network: Network, _ password: Secret?) async -> JoinFailure? {
    if access.daemon == nil, let interface = access.interface() { onNote("asking who owns \(interface)") }
    switch await access.open() {
    case .success((let joiner, let daemon, let interface)):
      let request = JoinRequest(interface: interface, network: network, password: password)
      return await joiner.join(request, over: daemon) { [onNote] progress in onNote(progress.step.rawValue) }.failure
    case .failure(let failure): return failure
    }
  }
}
