public import WiFi

/// Joins the networks of a ``RadioWorld`` with an adapter of a simulated kernel.
public final class RadioJoiner: NetworkJoiner {
  private let world: RadioWorld
  private let kernel: SimulatedKernel
  private let interface: UInt32

  /// Joins with the interface of a number.
  public init(world: RadioWorld, kernel: SimulatedKernel, interface: UInt32 = 3) {
    self.world = world
    self.kernel = kernel
    self.interface = interface
  }

  /// Joins the strongest BSS of a network that is up and strong enough, after the time that the profile gives.
  ///
  /// The adapter is then associated with it, which the kernel reports in its list and among its stations.
  public func join(_ network: Network, password: String?) async throws(JoinError) {
    let profile = world.profile
    kernel.run()
    let rule = kernel.joinRule(
      network, world.joinRules[network.ssid] ?? JoinRule(password: profile.password, duration: profile.joinDuration))
    do {
      try await kernel.clock.sleep(until: kernel.bootTime + rule.duration)
    } catch {
      throw .cancelled
    }
    if Task.isCancelled { throw .cancelled }
    let strongest = network.members.map { ($0.bssid, world.strengthMBm(of: $0.bssid, at: kernel.bootTime) ?? .min) }
      .max { ($0.1, $1.0) < ($1.1, $0.0) }
    let isThere = strongest.map { $0.1 >= profile.joinSensitivityMBm } ?? false
    try rule.outcome(isThere: isThere, isSecured: network.isSecured, password: password)
    kernel.setAssociation(strongest?.0, interface: interface)
  }
}
