#if os(Linux)
  import DaemonControl
  import WiFi

  /// The known networks of whichever daemon owns an interface: NetworkManager, iwd or wpa_supplicant.
  ///
  /// Who owns it is asked with every list, as another daemon may have taken over.
  final class OwnerKnownNetworks: KnownNetworkStore {
    /// The interface, as soon as it is known.
    var interface: String?
    private var store: DaemonKnownNetworks?

    init(interface: String?) { self.interface = interface }

    /// What the daemon can do; nothing before it was asked.
    var knownNetworkFeatures: Set<KnownNetworkFeature> { store?.knownNetworkFeatures ?? [] }

    func perform(_ request: KnownNetworkRequest) async throws(KnownNetworkError) -> KnownNetworkAnswer {
      if request == .list || store == nil { store = try await owner() }
      guard let store else { throw .noDaemon }
      return try await store.perform(request)
    }

    private func owner() async throws(KnownNetworkError) -> DaemonKnownNetworks {
      guard let interface else { throw .noInterface }
      let link: LiveControlLink
      do throws(LinkError) { link = try LiveControlLink(paths: DaemonOptions.paths) } catch { throw .noDaemon }
      let joiner = Joiner(link: link)
      switch await joiner.owner(of: interface) {
      case .success(let daemon):
        if let store, store.daemon == daemon { return store }
        return DaemonKnownNetworks(joiner: joiner, daemon: daemon, interface: interface)
      case .failure(let failure): throw KnownNetworkError(failure.reason)
      }
    }
  }
#endif
