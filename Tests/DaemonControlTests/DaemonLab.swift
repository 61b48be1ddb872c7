import DaemonControl
import DaemonProtocols
import LinkContract
import Simulator
import Testing
import WiFi

/// A machine with one of the three simulated daemons, among the access points of the kernel lane.
final class DaemonLab {
  let daemon: JoinDaemon
  let air = StillAir()
  let kernel: SimulatedKernel
  let machine: SimulatedMachine

  static let stations: [(bssid: UInt64, name: String, band: Band, channel: Int, security: AccessPointSecurity)] = [
    (0x0200_0000_0300, "Lab WPA2", .ghz2_4, 6, .wpa2Personal), (0x0200_0000_0500, "Lab SAE", .ghz5, 36, .wpa3Personal),
    (0x0200_0000_0501, "Lab Transition", .ghz5, 36, .wpa2WPA3Personal), (0x0200_0000_0502, "Lab OWE", .ghz5, 36, .owe),
    (0x0200_0000_0503, "Lab Open", .ghz5, 36, .open),
  ]

  init(_ daemon: JoinDaemon) throws {
    self.daemon = daemon
    air.stations = try Self.stations.map { station in
      .init(
        AccessPoint(
          bssid: MACAddress(station.bssid), ssid: try #require(SSID(Array(station.name.utf8))),
          channel: try #require(Channel(band: station.band, number: station.channel, megahertz: 20)), generation: .wifi4,
          security: station.security), signalMBm: -5000)
    }
    // As hostapd 2.10 does.
    for station in air.stations {
      air.policies[station.accessPoint.bssid] = AccessPointPolicy(password: RecordedJoin.right, confirmStatus: 1)
    }
    kernel = SimulatedKernel(air: air, clock: JumpingClock())
    machine = SimulatedMachine(kernel: kernel)
    switch daemon {
    case .supplicant: machine.startSupplicant(interface: "wlan0", air: air)
    case .networkManager: machine.startNetworkManager(interface: "wlan0", air: air)
    case .iwd: machine.startIWD(interface: "wlan0", air: air)
    }
  }

  func policy(_ name: String, _ change: (inout AccessPointPolicy) -> Void) {
    guard let station = Self.stations.first(where: { $0.name == name }) else { return }
    change(&air.policies[MACAddress(station.bssid), default: AccessPointPolicy()])
  }

  /// The daemon knows a network with its right password, and joins it where it can.
  func know(_ name: String, password: String = RecordedJoin.right, priority: Int = 0) throws {
    try know(name, name == "Lab SAE" && daemon == .networkManager ? .sae : .pskOrSAE, Secret(password), priority)
  }

  /// The daemon knows an open network of a name.
  func knowOpen(_ name: String) throws { try know(name, .open, nil, 0) }

  private func know(_ name: String, _ security: JoinSecurity, _ password: Secret?, _ priority: Int) throws {
    let ssid = try #require(SSID(Array(name.utf8)))
    let draft = KnownNetworkDraft(ssid: ssid, security: security, password: password, priority: priority)
    switch daemon {
    case .supplicant: machine.supplicant(of: "wlan0")?.addNetwork(draft)
    case .networkManager: machine.networkManager?.addNetwork(draft)
    case .iwd: machine.iwd?.addNetwork(draft)
    }
  }

  /// The names of the networks that the daemon knows.
  var known: [String] {
    switch daemon {
    case .supplicant: machine.supplicant(of: "wlan0")?.networks.compactMap { $0.ssid?.description } ?? []
    case .networkManager: machine.networkManager?.networks.compactMap { $0.ssid?.description } ?? []
    case .iwd: machine.iwd?.networks ?? []
    }
  }

  /// Those of them that outlive their connection.
  var saved: [String] {
    guard daemon == .networkManager else { return known }
    return machine.networkManager?.networks.filter(\.isSaved).compactMap { $0.ssid?.description } ?? []
  }

  /// The network that is joined.
  var joined: String? {
    switch daemon {
    case .supplicant: machine.supplicant(of: "wlan0")?.joined?.ssid.description
    case .networkManager: machine.networkManager?.joined?.description
    case .iwd: machine.iwd?.joined
    }
  }

  func kill() {
    switch daemon {
    case .supplicant: machine.killSupplicant(interface: "wlan0")
    case .networkManager: machine.killNetworkManager()
    case .iwd: machine.killIWD()
    }
  }

  /// wpa_supplicant ends under NetworkManager, and is started again where that is wanted.
  func endSupplicant(restarts: Bool) {
    if restarts { machine.restartSupplicant(interface: "wlan0", air: air) } else { machine.killSupplicant(interface: "wlan0") }
  }

  func restart() {
    switch daemon {
    case .supplicant: machine.restartSupplicant(interface: "wlan0", air: air)
    case .networkManager: machine.restartNetworkManager(air: air)
    case .iwd: machine.restartIWD(air: air)
    }
  }

  /// Lets time pass.
  func pass(_ duration: Duration) async throws {
    let link = machine.link()
    let end = kernel.bootTime + duration
    while kernel.bootTime < end { _ = try await link.receive(until: end, isFinal: false) }
  }

  func request(_ name: String, _ password: String?) throws -> JoinRequest {
    let security: JoinRequest.Security =
      switch name {
      case "Lab SAE": .sae
      case "Lab Transition": .pskOrSAE
      case "Lab OWE": .owe
      case "Lab Open": .open
      default: .psk
      }
    return JoinRequest(
      interface: "wlan0", ssid: try #require(SSID(Array(name.utf8))), security: security,
      password: security.needsPassword ? password.map { Secret($0) } : nil)
  }

  func join(
    _ name: String, _ password: String? = RecordedJoin.right, _ change: (inout JoinRequest) -> Void = { _ in }
  ) async throws -> (JoinOutcome, ControlRecording) {
    var request = try request(name, password)
    change(&request)
    let link = RecordingControlLink(machine.link())
    return (await Joiner(link: link).join(request, over: daemon), link.recording)
  }

  /// Joins, and cancels that after some time.
  func joinCancelled(
    _ name: String, _ password: String?, after delay: Duration, _ change: (inout JoinRequest) -> Void = { _ in }
  ) async throws -> (JoinOutcome, ControlRecording) {
    var request = try request(name, password)
    change(&request)
    let link = RecordingControlLink(machine.link())
    nonisolated(unsafe) let joiner = Joiner(link: cancelling(link, after: delay))
    let outcome = await Task { [daemon, request] in unsafe await joiner.join(request, over: daemon) }.value
    return (outcome, link.recording)
  }

  /// Asks for known networks, or changes them, in a task that is cancelled after a while.
  func knownCancelled(_ request: KnownNetworkRequest, after delay: Duration) async -> KnownNetworksOutcome {
    nonisolated(unsafe) let joiner = Joiner(link: cancelling(machine.link(), after: delay))
    return await Task { [daemon] in unsafe await joiner.known(request, over: daemon, interface: "wlan0") }.value
  }

  /// A link that cancels the task that waits on it.
  private func cancelling(_ link: any ControlLink, after delay: Duration) -> MeddlingLink {
    MeddlingLink(link, after: delay) { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
  }

  func store() -> (DaemonKnownNetworks, RecordingControlLink) {
    let link = RecordingControlLink(machine.link())
    return (DaemonKnownNetworks(DaemonAccess(over: daemon, interface: { "wlan0" }) { link }), link)
  }
}

extension ControlRecording {
  /// Whether a daemon was asked to join a known network.
  var hasAsked: Bool {
    entries.contains { entry in
      guard case .sent(let bytes) = entry.content else { return false }
      return ["SELECT_NETWORK", "ActivateConnection", "Connect\0"].contains { bytes.holds(Array($0.utf8)) }
    }
  }
}
