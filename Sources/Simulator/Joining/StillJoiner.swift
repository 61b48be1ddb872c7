public import WiFi

/// Joins the networks of a ``StillAir`` with an adapter of a simulated kernel.
public final class StillJoiner: NetworkJoiner {
  /// The results of joins, where ``joinRules`` says nothing else.
  public var joinRule = JoinRule()
  /// The results of joins, by name of the network.
  public var joinRules: [SSID: JoinRule] = [:]

  private let air: StillAir
  private let kernel: SimulatedKernel
  private let interface: UInt32

  /// Joins with the interface of a number.
  public init(air: StillAir, kernel: SimulatedKernel, interface: UInt32 = 3) {
    self.air = air
    self.kernel = kernel
    self.interface = interface
  }

  /// Joins a network that is on the air at the end of the time that a join takes.
  ///
  /// The adapter is then associated with it, which the kernel reports in its list and among its stations.
  public func join(_ network: Network, password: String?) async throws(JoinError) {
    kernel.run()
    let rule = kernel.joinRule(network, joinRules[network.ssid] ?? joinRule)
    do {
      try await kernel.clock.sleep(until: kernel.bootTime + rule.duration)
    } catch {
      throw .cancelled
    }
    if Task.isCancelled { throw .cancelled }
    let there = network.members.first { member in air.stations.contains { $0.accessPoint.bssid == member.bssid } }
    try rule.outcome(isThere: there != nil, isSecured: network.isSecured, password: password)
    kernel.setAssociation(there?.bssid, interface: interface)
  }
}
