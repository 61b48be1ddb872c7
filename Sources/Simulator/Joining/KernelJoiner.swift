public import WiFi

/// Joins the networks of an air with an adapter of a simulated kernel, without a daemon.
public final class KernelJoiner: NetworkJoiner {
  private let air: any JoinableAir
  private let kernel: SimulatedKernel
  private let interface: UInt32

  /// Joins with the interface of a number.
  public init(air: any JoinableAir, kernel: SimulatedKernel, interface: UInt32 = 3) {
    self.air = air
    self.kernel = kernel
    self.interface = interface
  }

  /// Joins a network that can be joined at the end of the time that a join takes.
  ///
  /// The adapter is then associated with a BSS of it, which the kernel reports in its list and among its stations.
  public func join(_ network: Network, password: String?) async throws(JoinError) {
    kernel.run()
    let rule = kernel.joinRule(network, air.joinRule(of: network.ssid))
    guard await kernel.clock.waits(until: kernel.bootTime + rule.duration) else { throw .cancelled }
    let bssid = air.joined(network, at: kernel.bootTime)
    try rule.outcome(isThere: bssid != nil, isSecured: network.isSecured, password: password)
    kernel.setAssociation(bssid, interface: interface)
  }
}
