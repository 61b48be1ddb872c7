import Scanner
public import Simulator
public import WiFi

/// A simulated kernel in a scenario: the scanner that reads real adapters reads it, message by message.
public final class KernelScenarioWorld: ScenarioWorld {
  /// The kernel.
  public let kernel: SimulatedKernel
  /// What the adapter hears.
  public let air: any Air
  public let source: any NetworkSource
  public let joiner: any NetworkJoiner
  public let linkProbe: LinkProbe?
  public let knownNetworks: (any KnownNetworkStore)?
  private let station: DaemonStation?
  private var stationNumbers = StationNumbers()

  /// A kernel whose adapter hears `air` and scans every `interval`, on the time of `clock`.
  ///
  /// - Parameters:
  ///   - faults: what goes wrong, in order.
  ///   - faultsUntil: when that ends, from now; `nil` is never.
  ///   - knownNetworks: keeps what is known where there is no daemon.
  ///   - daemon: the simulated daemon that joins and keeps what is known; `nil` joins without one.
  ///   - known: the networks that this daemon has saved.
  ///   - networks: those of the air whose passwords a scenario says.
  ///   - radioIsOn: whether the daemon lets the radio send when everything begins.
  public init(
    air: any Air, seed: UInt64, clock: any Clock<Duration>, interval: Duration = .seconds(2), faults: [FaultSpecification] = [],
    faultsUntil: Duration? = nil, knownNetworks: SimulatedKnownNetworks? = nil, daemon: JoinDaemon? = nil,
    known: [ScenarioKnownNetwork] = [], networks: [ScenarioNetwork] = [], radioIsOn: Bool = true
  ) {
    self.air = air
    kernel = SimulatedKernel(air: air, clock: clock)
    let start = kernel.bootTime
    if !faults.isEmpty {
      kernel.setFaults(
        FaultCatalog.rules(faults, start: start), seed: seed, until: faultsUntil.map { start + $0 })
    }
    let probe = LinkProbe()
    linkProbe = probe
    source = AdapterSource(
      scanner: Scanner(link: ProbedLink(kernel.link(), probe)), configuration: ScanSession.Configuration(), interval: interval
    ) { try await clock.sleep(for: $0) }
    if let still = air as? StillAir {
      stationNumbers.next = still.stations.count
      // A daemon may join by itself as soon as it runs.
      for network in networks { still.setPassword(of: network, ofDaemon: daemon != nil) }
    }
    if let daemon, let air = air as? any JoinableAir {
      let station = DaemonStation(daemon, kernel: kernel, air: air, known: known, radioIsOn: radioIsOn) { try await clock.sleep(for: $0) }
      (joiner, self.knownNetworks, self.station) = (station.joiner, station.knownNetworks, station)
      return
    }
    (self.knownNetworks, station) = (knownNetworks, nil)
    if let air = air as? any JoinableAir { joiner = KernelJoiner(air: air, kernel: kernel) } else { joiner = NoJoiner() }
  }

  /// The daemon; `nil` where there is none.
  var daemon: SimulatedDaemon? { station?.daemon }
  /// Whether the link is not watched, as no daemon is said to run.
  var daemonIsSaidToBeMissing: Bool { station?.isSaidToBeMissing == true }
  /// The machine that the daemon runs on; `nil` where there is no daemon.
  public var machine: SimulatedMachine? { station?.daemon.machine }
  public var associationObserver: (any AssociationObserver)? { station?.associationObserver }
  /// That of the daemon.
  public var radio: (any RadioSwitch)? { station?.radio }
  /// The switch of the kernel, for views of a world without a daemon.
  public var kernelRadio: any RadioSwitch { SimulatedRadioSwitch(kernel: kernel) }
  public var canChangeNetworks: Bool { air is StillAir }
  public var presentBSSIDs: Set<MACAddress>? {
    (air as? StillAir).map { still in Set(still.stations.map(\.accessPoint.bssid)) }
  }

  public func perform(_ event: ScenarioAction.WorldEvent, on network: Network?) throws(WorldCannot) {
    switch event {
    case .known(let event): try perform(event)
    case .link(let change):
      guard let station else { throw .withoutDaemon }
      try station.perform(change)
    case .radio(let isOn):
      guard let adapter = kernel.adapter(named: "wlan0") else { throw WorldCannot(sentence: "there is no adapter.") }
      kernel.setRadio(isOn, wiphy: adapter.wiphy)
    case .join(let reference, let answer):
      guard let network else { throw WorldCannot(sentence: "\(reference) is not known.") }
      if station != nil {
        for member in network.members { try changePolicy(of: member.bssid) { policy throws(WorldCannot) in try policy.apply(answer) } }
      } else if let still = air as? StillAir {
        still.joinRules[network.ssid] = JoinRule(answer)
      } else if let radio = air as? RadioWorld {
        radio.joinRules[network.ssid] = JoinRule(answer)
      }
    case .find(let network):
      guard let still = air as? StillAir else { throw Self.radio }
      still.stations.append(StillAir.Station(network, number: stationNumbers.number(of: network, among: still.stations)))
      still.setPassword(of: network, ofDaemon: station != nil)
    case .lose(let reference):
      guard let still = air as? StillAir else { throw Self.radio }
      let lost = still.stations.filter { station in network?.members.contains { $0.bssid == station.accessPoint.bssid } == true }
      still.stations.removeAll { lost.contains($0) }
      for station in lost { stationNumbers.lose(station.accessPoint) }
      if lost.isEmpty { throw WorldCannot(sentence: "\(reference) is not there, so it cannot be lost.") }
    }
  }

  public func perform(_ event: KnownNetworkEvent) throws(WorldCannot) {
    if let station { try station.perform(event) } else { try performOnStore(event) }
  }

  private func changePolicy(
    of bssid: MACAddress, _ change: (inout AccessPointPolicy) throws(WorldCannot) -> Void
  ) throws(WorldCannot) {
    if let still = air as? StillAir {
      try change(&still.policies[bssid, default: AccessPointPolicy()])
    } else if let radio = air as? RadioWorld {
      var policy = radio.policy(of: bssid)
      try change(&policy)
      radio.policies[bssid] = policy
    }
  }

  private static let radio = WorldCannot(
    sentence: "in a radio world networks come and go by themselves; use world: still or preview.")
}

extension StillAir {
  /// A network takes the password that the scenario gives it: with a daemon its access points do.
  fileprivate func setPassword(of network: ScenarioNetwork, ofDaemon: Bool) {
    let name = Array(network.name.utf8)
    guard ofDaemon else {
      if let password = network.password, let ssid = SSID(name) { joinRules[ssid] = JoinRule(password: password) }
      return
    }
    for station in stations where station.accessPoint.ssid.bytes == name {
      policies[station.accessPoint.bssid] = AccessPointPolicy(password: network.password ?? ScenarioKnownNetwork.defaultPassword)
    }
  }
}

/// Which number, and so which address and channel, an access point that is found gets: its former one where one of its
/// name and security was lost before, otherwise one that no other has or had.
private struct StationNumbers {
  /// The first number that none has.
  var next = 0
  /// The access points that were lost, the latest last.
  private var lost: [(ssid: SSID, security: AccessPointSecurity, number: Int)] = []

  mutating func lose(_ accessPoint: AccessPoint) {
    guard let number = StillAir.Station.number(of: accessPoint.bssid) else { return }
    lost.append((accessPoint.ssid, accessPoint.security, number))
  }

  mutating func number(of network: ScenarioNetwork, among stations: [StillAir.Station]) -> Int {
    let security = network.joinSecurity.accessPoint
    if let index = lost.lastIndex(where: { $0.ssid.bytes.elementsEqual(network.name.utf8) && $0.security == security }) {
      return lost.remove(at: index).number
    }
    // An air that was made elsewhere may have any addresses.
    while stations.contains(where: { StillAir.Station.number(of: $0.accessPoint.bssid) == next }) { next += 1 }
    next += 1
    return next - 1
  }
}

extension StillAir.Station {
  private static let firstBSSID: UInt64 = 0x0200_0000_1000

  /// The number of the access point that a scenario describes and that has this address.
  fileprivate static func number(of bssid: MACAddress) -> Int? {
    bssid.value >= firstBSSID ? Int(bssid.value - firstBSSID) : nil
  }

  /// The access point of a network that a scenario describes, on a channel of its own kind.
  init(_ network: ScenarioNetwork, number: Int) {
    let (band, channel, megahertz, generation) = Self.channels[number % Self.channels.count]
    guard let ssid = SSID(Array(network.name.utf8)),
      let place = Channel(band: band, number: channel, megahertz: megahertz)
    else { preconditionFailure("StillAir: no network \(network.name) on channel \(channel)") }
    var accessPoint = AccessPoint(
      bssid: MACAddress(Self.firstBSSID + UInt64(number)), ssid: ssid, channel: place, generation: generation,
      security: network.joinSecurity.accessPoint)
    accessPoint.isHidden = network.isHidden
    // Some are managed, and say how busy they are.
    if number % 4 == 2 { accessPoint.load = BSSLoad(stationCount: 7, channelUtilization: 96, availableAdmissionCapacity: 0) }
    self.init(accessPoint, signalMBm: Int32(-10_000 + 60 * network.connectivityPercent))
  }

  private static let channels: [(Band, Int, Int, Generation)] = [
    (.ghz2_4, 1, 20, .wifi4), (.ghz5, 36, 80, .wifi5), (.ghz2_4, 6, 20, .wifi6), (.ghz5, 100, 80, .wifi6),
    (.ghz6, 37, 160, .wifi7), (.ghz2_4, 11, 20, .wifi4),
  ]
}
