import Determinism
public import WiFi

/// The churn of a Wi-Fi settings preview: a network comes, a network goes, most seconds nothing happens.
///
/// Every second of the clock: half of the time nothing; else half of the time one network is lost, never the selected
/// one, and half of the time one is found: one of 17 names, secured in 80 % of cases, of a strength from 0.01 to 1.00.
/// Each find is a BSS of its own, so two networks of one name are two; group them by BSS. The world states its losses
/// itself (``/WiFi/Scan/lost``).
///
/// What happens follows from the seed and from ``selected`` alone, and each BSS was really encoded and decoded again.
public final class PreviewWorld: NetworkSource {
  /// The network that is never lost, whichever it is now.
  public var selected: NetworkID?

  /// Whether networks come and go by themselves; what is done to the world by hand happens anyway.
  public var churns = true

  /// The results of joins, where ``joinRules`` says nothing else.
  public var joinRule = JoinRule()

  /// The results of joins, by name of the network.
  public var joinRules: [SSID: JoinRule] = [:]

  /// The networks that there are, in the order they were found.
  public var networks: [BSS] { present.map(\.bss) }

  private struct Entry {
    var ssid: SSID
    var isSecured: Bool
    var bss: BSS
  }

  let time: BootClock
  private let start: Duration
  private var present: [Entry] = []
  private var lost: [MACAddress] = []
  private var seconds: Int64 = 0
  private var churn: RandomStream
  private var losses: RandomStream
  private var finds: RandomStream
  private var addresses: RandomStream
  /// Every address so far.
  private var given: Set<MACAddress> = []

  /// A world that begins with `networks` and changes by `seed`, on the time of `clock`.
  ///
  /// - Parameter bootTime: the time since boot when the world begins.
  public init(
    seed: UInt64, clock: any Clock<Duration>, bootTime: Duration = .seconds(100), networks: [PreviewNetwork] = []
  ) {
    time = BootClock(clock, bootTime: bootTime)
    start = bootTime
    churn = RandomStream(seed: seed, name: "preview churn")
    losses = RandomStream(seed: seed, name: "preview losses")
    finds = RandomStream(seed: seed, name: "preview finds")
    addresses = RandomStream(seed: seed, name: "preview addresses")
    for network in networks { find(network) }
  }

  /// The next second of the world: what is there, and what was lost.
  ///
  /// - Returns: `nil` once the task is cancelled.
  public func nextScan() async throws -> Scan? {
    let begin = start + .seconds(seconds)
    guard await time.waits(until: begin + .seconds(1)) else { return nil }
    advance()
    let now = start + .seconds(seconds)
    var scan = Scan(interface: "preview", start: begin, end: now, completion: .complete, bss: heard(at: now))
    scan.lost = lost
    lost = []
    return scan
  }

  /// What is there now, as a scan that took no time.
  public var presentScan: Scan {
    let now = start + .seconds(seconds)
    return Scan(interface: "preview", start: now, end: now, completion: .complete, bss: heard(at: now))
  }

  /// Loses a network by hand; `false` where it is not there.
  @discardableResult
  public func lose(_ bssid: MACAddress) -> Bool {
    advance()
    guard let index = present.firstIndex(where: { $0.bss.bssid == bssid }) else { return false }
    lost.append(present.remove(at: index).bss.bssid)
    return true
  }

  /// Whether any BSS of a network is there now.
  func isPresent(_ network: Network) -> Bool {
    advance()
    return present.contains { entry in network.members.contains { $0.bssid == entry.bss.bssid } }
  }

  /// Lets every second happen that has passed on the clock.
  private func advance() {
    let now = time.now
    while start + .seconds(seconds + 1) <= now {
      seconds += 1
      if churns { tick() }
    }
  }

  private func tick() {
    if churn.bool(1, in: 2) { return }
    if churn.bool(1, in: 2) {
      let candidates = present.indices.filter { !isSelected(present[$0]) }
      guard !candidates.isEmpty else { return }
      let index = losses.pick(candidates)
      lost.append(present.remove(at: index).bss.bssid)
    } else {
      let name = finds.pick(PreviewNetwork.names)
      let isSecured = finds.bool(4, in: 5)
      find(PreviewNetwork(name: name, isSecured: isSecured, connectivityPercent: 1 + Int(finds.next(below: 100))))
    }
  }

  private func isSelected(_ entry: Entry) -> Bool {
    switch selected {
    case .bss(let bssid): bssid == entry.bss.bssid
    case .network(let ssid, let family):
      ssid == entry.ssid && entry.isSecured == (family != .open && family != .owe)
    case nil: false
    }
  }

  /// Lets a network appear by hand, under an address of its own.
  ///
  /// - Precondition: its name has at most 32 bytes.
  public func find(_ network: PreviewNetwork) {
    guard let ssid = SSID(Array(network.name.utf8)) else {
      preconditionFailure("PreviewWorld: the name \(network.name) is longer than 32 bytes")
    }
    let bssid = nextAddress()
    let place = Self.channels[Int(bssid.value % UInt64(Self.channels.count))]
    guard let channel = Channel(band: place.band, number: place.number, megahertz: place.megahertz) else {
      preconditionFailure("PreviewWorld: no channel \(place)")
    }
    let accessPoint = AccessPoint(
      bssid: bssid, ssid: ssid, channel: channel, generation: place.generation,
      security: network.isSecured ? .wpa2WPA3Personal : .open)
    var bss = BSS(
      bssid: bssid, frequencyMHz: UInt32(channel.primaryMHz), capability: accessPoint.capability,
      informationElements: accessPoint.encodedElements(of: .beacon(dtimCount: 0)))
    bss.beaconElements = bss.informationElements
    bss.beaconIntervalTU = accessPoint.beaconIntervalTU
    // The inverse of NetworkManager's mapping: −100 dBm is 0, −40 dBm is 1.
    bss.signalMBm = Int32(-10_000 + 60 * min(max(network.connectivityPercent, 1), 100))
    let message = ScanDumpEntry(generation: 1, interfaceIndex: 1, wdev: 1, bss: bss).message
    guard let decoded = try? ScanDumpEntry(message) else { preconditionFailure("PreviewWorld: a BSS that cannot be read back") }
    present.append(Entry(ssid: ssid, isSecured: network.isSecured, bss: decoded.bss))
  }

  /// Unique within the world: locally administered, from the seed.
  private func nextAddress() -> MACAddress {
    while true {
      let address = MACAddress(0x0200_0000_0000 | addresses.next() & 0xFF_FFFF_FFFF)
      if given.insert(address).inserted { return address }
    }
  }

  private static let channels: [(band: Band, number: Int, megahertz: Int, generation: Generation)] = [
    (.ghz2_4, 1, 20, .wifi4), (.ghz2_4, 6, 20, .wifi4), (.ghz2_4, 11, 20, .wifi6), (.ghz5, 36, 80, .wifi5),
    (.ghz5, 100, 80, .wifi6), (.ghz6, 37, 160, .wifi7),
  ]

  private func heard(at now: Duration) -> [BSS] {
    let nanoseconds = now.wholeNanoseconds
    return present.map { entry in
      var bss = entry.bss
      bss.lastSeenBootTimeNs = UInt64(clamping: nanoseconds)
      bss.seenMsAgo = 0
      bss.tsfUs = UInt64(clamping: nanoseconds / 1000)
      return bss
    }
  }
}
