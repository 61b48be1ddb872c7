#if os(Linux)
  import DaemonControl
  import WiFi

  /// The networks that the daemon of an interface knows; the daemon is detected with the first request where it is not
  /// named.
  final class LiveKnownNetworks: KnownNetworkStore {
    private let joiner: Joiner
    private let interface: String
    private var store: DaemonKnownNetworks?

    /// - Throws: ``Failure`` where the process has no descriptors left.
    init(over daemon: JoinDaemon?, interface: String) throws(Failure) {
      do throws(LinkError) { joiner = Joiner(link: try LiveControlLink(paths: DaemonOptions.paths)) } catch { throw Failure(error) }
      self.interface = interface
      store = daemon.map { DaemonKnownNetworks(joiner: joiner, daemon: $0, interface: interface) }
    }

    /// Before the daemon is known, what each of them can do.
    var knownNetworkFeatures: Set<KnownNetworkFeature> { store?.knownNetworkFeatures ?? JoinDaemon.iwd.knownNetworkFeatures }

    func perform(_ request: KnownNetworkRequest) async throws(KnownNetworkError) -> KnownNetworkAnswer {
      if let store { return try await store.perform(request) }
      switch await joiner.owner(of: interface) {
      case .success(let daemon):
        let found = DaemonKnownNetworks(joiner: joiner, daemon: daemon, interface: interface)
        store = found
        return try await found.perform(request)
      case .failure(let failure): throw KnownNetworkError(failure.reason)
      }
    }
  }
#endif
