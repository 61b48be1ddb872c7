/// Keeps known networks: a daemon, or a simulation of one.
///
/// One method does all of it, so that an implementation is one function. The rest is written in its terms.
public protocol KnownNetworkStore: AnyObject {
  /// What can be done; a view offers nothing else.
  var knownNetworkFeatures: Set<KnownNetworkFeature> { get }

  /// Lists or changes the known networks, and returns once it is done.
  ///
  /// - Returns: all known networks after the change.
  /// - Throws: ``KnownNetworkError``; nothing has changed then. ``KnownNetworkError/cancelled`` where the task was
  ///   cancelled first.
  func perform(_ request: KnownNetworkRequest) async throws(KnownNetworkError) -> KnownNetworkAnswer
}

extension KnownNetworkStore {
  /// The known networks, in the daemon's order.
  public func knownNetworks() async throws(KnownNetworkError) -> [KnownNetwork] { try await perform(.list).networks }
}
