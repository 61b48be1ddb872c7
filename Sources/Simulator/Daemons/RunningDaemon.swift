import WiFi

/// A daemon that runs on a simulated machine, as all three are alike.
protocol RunningDaemon: AnyObject {
  /// The interface that it owns.
  var interface: String { get }
  var kernel: SimulatedKernel { get }
  var isAlive: Bool { get }
  /// Counts what was begun, so that a timer of something that was given up does nothing.
  var generation: Int { get }
  /// The names of the networks that it knows, in its order.
  var networkNames: [SSID] { get }
  /// The network that is joined.
  var joinedNetwork: SSID? { get }
  /// Combines what it knows, and what can be changed of that.
  func hashKnown(into hasher: inout Hasher)
  /// Adds a network that it had saved, and joins it where it may and can.
  func addNetwork(_ draft: KnownNetworkDraft)
  /// Another program forgets the networks of a name.
  func forget(_ ssid: SSID)
  /// Another program joins the known network of a name, or leaves the one that is joined.
  func join(_ ssid: SSID?)
}

extension RunningDaemon {
  /// The number of the interface; `nil` while its adapter is not there.
  var index: UInt32? { kernel.interface(named: interface)?.index }

  /// Reports to the kernel which access point is joined, while its adapter is there.
  func setAssociation(_ bssid: MACAddress?) { if let index { kernel.setAssociation(bssid, interface: index) } }

  /// Lets something happen later, unless what it belongs to was given up by then.
  func after(_ delay: Duration, _ body: @escaping (Self) -> Void) {
    let expected = generation
    kernel.schedule(at: kernel.now + delay) { [weak self] _ in
      guard let self, isAlive, generation == expected else { return }
      body(self)
    }
  }
}
