import DaemonProtocols
public import WiFi

/// One of the three daemons on a simulated machine, and what happens to it without the program that is tested.
///
/// A scenario says the same of each: which networks it knows, what another program does, that it dies.
public final class SimulatedDaemon {
  /// Which daemon it is.
  public let daemon: JoinDaemon
  /// The machine that it runs on.
  public let machine: SimulatedMachine
  /// The interface that it owns.
  public let interface: String

  private let air: any JoinableAir

  /// Starts a daemon on a machine of its own, for an interface of the kernel.
  public init(_ daemon: JoinDaemon, kernel: SimulatedKernel, air: any JoinableAir, interface: String = "wlan0") {
    self.daemon = daemon
    self.air = air
    self.interface = interface
    machine = SimulatedMachine(kernel: kernel)
    start()
  }

  private func start() {
    switch daemon {
    case .supplicant: machine.startSupplicant(interface: interface, air: air)
    case .networkManager: machine.startNetworkManager(interface: interface, air: air)
    case .iwd: machine.startIWD(interface: interface, air: air)
    }
  }

  /// The daemon, while it runs.
  private var running: (any RunningDaemon)? {
    switch daemon {
    case .supplicant: machine.supplicant(of: interface)
    case .networkManager: machine.networkManager
    case .iwd: machine.iwd
    }
  }

  /// Whether the daemon runs.
  public var isRunning: Bool { running != nil }

  /// The names of the networks that it knows, in its order.
  public var networks: [SSID] { running?.networkNames ?? [] }

  /// The names of those that it does not forget with their connection.
  package var lastingNetworks: [SSID] {
    machine.networkManager?.networks.compactMap { $0.isVolatile ? nil : $0.ssid } ?? networks
  }

  /// The network that is joined, where it is one of those.
  package var lastingJoined: SSID? { machine.networkManager?.joinsPassingly == true ? nil : joined }

  /// A hash of what it knows and of what can be changed of that: the same where nothing was changed.
  package var knownHash: Int {
    var hasher = Hasher()
    running?.hashKnown(into: &hasher)
    return hasher.finalize()
  }

  /// The names of the networks that it knows and does not join by itself.
  package var disabledNetworks: [SSID] {
    // NetworkManager has its own say of that.
    daemon == .supplicant ? machine.supplicant(of: interface)?.networks.compactMap { $0.isEnabled ? nil : $0.ssid } ?? [] : []
  }

  /// The priorities of the networks of a name that it knows; none where it is not wpa_supplicant.
  package func priorities(of ssid: SSID) -> [Int] {
    // NetworkManager has one beside it, with priorities of its own.
    guard daemon == .supplicant else { return [] }
    return machine.supplicant(of: interface)?.networks.compactMap { $0.ssid == ssid ? $0.priority : nil } ?? []
  }

  /// The network that is joined.
  public var joined: SSID? { running?.joinedNetwork }

  /// The access point that is joined.
  package var joinedAccessPoint: MACAddress? { machine.iwd?.linked ?? machine.supplicant(of: interface)?.joined?.bssid }

  /// Adds a network that it had saved before; it joins it by itself where it may and can.
  public func add(_ draft: KnownNetworkDraft) {
    machine.kernel.run()
    running?.addNetwork(draft)
  }

  /// Another program forgets the networks of a name.
  public func forget(_ ssid: SSID) {
    machine.kernel.run()
    running?.forget(ssid)
  }

  /// A known network is joined before anything else happens, and the others are as they were.
  package func begin(joined ssid: SSID) {
    let supplicant = machine.supplicant(of: interface)
    let enabled = supplicant?.networks.filter(\.isEnabled) ?? []
    join(ssid)
    if daemon == .supplicant { for network in enabled { _ = supplicant?.perform(.enableNetwork(network.id, connects: false)) } }
  }

  /// Another program joins a known network, or leaves the one that is joined.
  public func join(_ ssid: SSID?) {
    machine.kernel.run()
    running?.join(ssid)
  }

  /// Whether the radio may send; `nil` where there is no adapter, or the daemon does not run.
  package var radioIsOn: Bool? {
    guard isRunning, let adapter = machine.kernel.adapter(named: interface) else { return nil }
    return !adapter.isRFKilled && machine.networkManager?.isWirelessEnabled ?? true && machine.iwd?.isPowered ?? true
  }

  /// A user switches the radio over the daemon; over wpa_supplicant, which has no switch, it is the kernel's.
  package func setRadio(on isOn: Bool) {
    machine.kernel.run()
    switch daemon {
    case .supplicant: if let adapter = machine.kernel.adapter(named: interface) { machine.kernel.setRadio(isOn, wiphy: adapter.wiphy) }
    case .networkManager: machine.networkManager?.setWireless(isEnabled: isOn)
    case .iwd: machine.iwd?.setPowered(isOn)
    }
  }

  /// The access point that is joined ends the association, with a reason code (IEEE 802.11-2020 table 9-49).
  public func dismiss(reason: UInt16) {
    machine.kernel.run()
    // NetworkManager joins over a supplicant.
    if let iwd = machine.iwd {
      iwd.endAssociation(reason: reason)
    } else {
      machine.supplicant(of: interface)?.endAssociation(reason: reason)
    }
  }

  /// The daemon moves to another access point of the network that is joined, because the signal became weak.
  public func roam() {
    machine.kernel.run()
    if let iwd = machine.iwd { iwd.roamToAnother() } else { machine.supplicant(of: interface)?.roamToAnother() }
  }

  /// Kills it: what it held in memory alone is gone.
  public func kill() {
    switch daemon {
    case .supplicant: machine.killSupplicant(interface: interface)
    case .networkManager: machine.killNetworkManager()
    case .iwd: machine.killIWD()
    }
  }

  /// Ends it and starts it again, with what it had saved; one that was killed starts with nothing.
  public func restart() {
    guard isRunning else { return start() }
    switch daemon {
    case .supplicant: machine.restartSupplicant(interface: interface, air: air)
    case .networkManager: machine.restartNetworkManager(air: air)
    case .iwd: machine.restartIWD(air: air)
    }
  }
}
