public import WiFi

extension PreviewWorld: NetworkJoiner {
  /// Joins a network of the world as ``joinRules`` or ``joinRule`` say.
  ///
  /// Whether the network is there is asked at the end, so one that is lost meanwhile is out of range.
  public func join(_ network: Network, password: String?) async throws(JoinError) {
    let rule = joinRules[network.ssid] ?? joinRule
    guard await time.waits(until: time.now + rule.duration) else { throw .cancelled }
    try rule.outcome(isThere: isPresent(network), isSecured: network.isSecured, password: password)
  }
}
