public import WiFi

/// The networks that a daemon knows.
///
/// It does one thing at a time, in the order it was asked, over one link. Where no daemon is named, each list asks anew
/// who owns the interface, as another daemon may have taken over.
public final class DaemonKnownNetworks: KnownNetworkStore {
  private let access: DaemonAccess
  private var opened: DaemonAccess.Opened?
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Asks the daemon of an interface.
  public init(_ access: DaemonAccess) { self.access = access }

  /// What the daemon can do; nothing before it was asked which one it is.
  public var knownNetworkFeatures: Set<KnownNetworkFeature> { (access.daemon ?? opened?.daemon)?.knownNetworkFeatures ?? [] }

  public func perform(_ request: KnownNetworkRequest) async throws(KnownNetworkError) -> KnownNetworkAnswer {
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    let outcome = await outcome(of: request)
    // The next in line is busy already: no other request comes between.
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    return try outcome.get()
  }

  private func outcome(of request: KnownNetworkRequest) async -> KnownNetworksOutcome {
    if opened == nil || request == .list && access.daemon == nil {
      switch await access.open() {
      case .success(let found): opened = found
      case .failure(let failure): return .failure(KnownNetworkError(failure.reason))
      }
    }
    guard let (joiner, daemon, interface) = opened else { return .failure(.noDaemon) }
    return await joiner.known(request, over: daemon, interface: interface)
  }
}
