#if os(Linux)
  import DaemonControl
  import WiFi

  /// Joins networks through the daemon that owns an interface: NetworkManager, iwd or wpa_supplicant.
  final class DaemonJoiner: NetworkJoiner {
    /// The interface, as soon as it is known.
    var interface: String?
    /// Called with a sentence on how far an attempt has come, and why it failed; with `nil` when one begins.
    var onNote: (String?) -> Void = { _ in }

    init(interface: String?) { self.interface = interface }

    func join(_ network: Network, password: String?) async throws(JoinError) {
      onNote(nil)
      guard let interface else { throw failed(JoinFailure(.noInterface)) }
      let link: LiveControlLink
      do throws(LinkError) { link = try LiveControlLink(paths: DaemonOptions.paths) } catch {
        onNote("\(error).")
        throw .timedOut
      }
      let joiner = Joiner(link: link)
      onNote("asking who owns \(interface)")
      let daemon: JoinDaemon
      switch await joiner.owner(of: interface) {
      case .success(let owner): daemon = owner
      case .failure(let failure): throw failed(failure)
      }
      let request = JoinRequest(interface: interface, network: network, password: password.map { Secret($0) })
      let outcome = await joiner.join(request, over: daemon) { [onNote] progress in onNote(progress.step.rawValue) }
      if let failure = outcome.failure { throw failed(failure) }
      onNote(nil)
    }

    /// What a panel shows of a failure; the sentence says more.
    private func failed(_ failure: JoinFailure) -> JoinError {
      onNote("\(failure)")
      return JoinError(failure)
    }
  }
#endif
