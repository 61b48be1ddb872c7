public import WiFi

/// The networks that a daemon knows, over a control link.
///
/// It does one thing at a time, in the order it was asked.
public final class DaemonKnownNetworks: KnownNetworkStore {
  /// The daemon that is asked.
  public let daemon: JoinDaemon

  private let joiner: Joiner
  private let interface: String
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Asks a daemon with the joiner's link.
  public init(joiner: Joiner, daemon: JoinDaemon, interface: String) {
    self.joiner = joiner
    self.daemon = daemon
    self.interface = interface
  }

  public var knownNetworkFeatures: Set<KnownNetworkFeature> { daemon.knownNetworkFeatures }

  public func perform(_ request: KnownNetworkRequest) async throws(KnownNetworkError) -> KnownNetworkAnswer {
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    let outcome = await joiner.known(request, over: daemon, interface: interface)
    // The next in line is busy already: no other request comes between.
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    return try outcome.get()
  }
}
