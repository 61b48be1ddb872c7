import Determinism
import Harness
import LinkContract
import Scanner
import Simulator
import Testing
import WiFi

@Suite struct KernelTests {
  let clock = JumpingClock()

  func kernel(_ stations: [StillAir.Station], _ adapters: [SimulatedAdapter] = [SimulatedAdapter()]) -> (SimulatedKernel, StillAir) {
    let air = StillAir(stations)
    return (SimulatedKernel(air: air, adapters: adapters, clock: clock), air)
  }

  @Test func `an access point that falls silent is forgotten after thirty seconds`() async throws {
    let (kernel, air) = kernel([.init(try .test(1), signalMBm: -5000)])
    let scanner = Scanner(link: kernel.link())
    _ = try await scanner.scan()
    air.stations = []
    try await clock.sleep(until: clock.now.advanced(by: .seconds(24)), tolerance: nil)
    let kept = try await scanner.scan(.init(mode: .cached))
    #expect(kept.bss.count == 1)
    #expect((24_000...30_000).contains(kept.bss[0].seenMsAgo ?? 0))
    try await clock.sleep(until: clock.now.advanced(by: .seconds(6)), tolerance: nil)
    #expect(try await scanner.scan(.init(mode: .cached)).bss.isEmpty)
  }

  @Test func `a flushing scan forgets what it does not hear`() async throws {
    let (kernel, air) = kernel([.init(try .test(1), signalMBm: -5000), .init(try .test(2), signalMBm: -5000)])
    let scanner = Scanner(link: kernel.link())
    _ = try await scanner.scan()
    air.stations.removeFirst()
    #expect(try await scanner.scan().bss.count == 2)
    var request = ScanRequest()
    request.flushes = true
    #expect(try await scanner.scan(.init(mode: .trigger(request))).bss.count == 1)
  }

  @Test func `a hidden network is named by a probe response, beside its beacons`() async throws {
    var hidden = try AccessPoint.test(1)
    hidden.isHidden = true
    let (kernel, _) = kernel([.init(hidden, signalMBm: -5000)])
    let scanner = Scanner(link: kernel.link())
    #expect(try await scanner.scan().bss.map { BSSFacts($0).isHidden } == [true])
    var request = ScanRequest()
    request.ssids = [hidden.ssid]
    let scan = try await scanner.scan(.init(mode: .trigger(request)))
    #expect(scan.bss.map { BSSFacts($0).isHidden } == [true, false])
    #expect(scan.bss.map(\.isFromProbeResponse) == [false, true])
    let beacon = try #require(scan.bss[1].beaconElements)
    #expect(ElementList(parsing: beacon).ssid == .wildcard)
  }

  @Test func `networks that share a beacon become entries of their own`() async throws {
    var access = try AccessPoint.test(8, band: .ghz6, channel: 37, megahertz: 80, .wifi6E, .wpa3Personal)
    access.nontransmitted = [
      .init(ssid: try #require(SSID(Array("Guests".utf8))), security: .owe),
      .init(ssid: try #require(SSID(Array("Open".utf8))), security: .open),
    ]
    let (kernel, _) = kernel([.init(access, signalMBm: -5000)])
    let scan = try await Scanner(link: kernel.link()).scan()
    let facts = scan.bss.map { BSSFacts($0) }
    #expect(facts.map(\.ssid.description) == ["Test 8", "Guests", "Open"])
    #expect(facts.map(\.security.family) == [.personal, .owe, .open])
    // What the kernel calls a parent is the BSS that a scanning station is associated with.
    #expect(scan.bss.map(\.parentBSSID) == [nil, nil, nil])
    #expect(facts.allSatisfy { $0.generation == .wifi6E && $0.elements.complaints.isEmpty })
  }

  @Test func `two adapters of one kernel scan, each for itself`() async throws {
    let other = SimulatedAdapter(wiphy: 1, interface: "wlan1", index: 4)
    let (kernel, _) = kernel([.init(try .test(1), signalMBm: -5000)], [SimulatedAdapter(), other])
    #expect(try await Scanner(link: kernel.link()).interfaces().map(\.name) == ["wlan0", "wlan1"])
    let (first, second) = (Scanner(link: kernel.link()), Scanner(link: kernel.link()))
    let scans = [try await first.scan(.init(interface: "wlan0")), try await second.scan(.init(interface: "wlan1"))]
    #expect(scans.map(\.interface) == ["wlan0", "wlan1"])
    #expect(scans.allSatisfy { $0.bss.count == 1 })
  }

  @Test func `a scheduled scan reports what matches`() async throws {
    let access = try AccessPoint.test(1)
    let (kernel, _) = kernel([.init(access, signalMBm: -5000)])
    let scanner = Scanner(link: kernel.link())
    _ = try await scanner.scan(.init(mode: .cached))
    var request = ScheduledScanRequest(intervalS: 10)
    request.matches = [.init(ssid: access.ssid)]
    try await scanner.startScheduledScan(request, interfaceIndex: 3)
    let scan = try await scanner.scan(.init(mode: .others))
    #expect(scan.bss.map(\.bssid) == [access.bssid])
    #expect(scan.completion == .cached)
    try await scanner.stopScheduledScan(interfaceIndex: 3)
    await #expect(throws: ScanError.self) { try await scanner.stopScheduledScan(interfaceIndex: 3) }
  }

  @Test(arguments: [false, true])
  func `a scheduled scan whose interface goes down or away says that it is stopped`(isUnplugged: Bool) async throws {
    let (kernel, _) = kernel([])
    let listener = kernel.link()
    try listener.join(group: 6)
    try await Scanner(link: kernel.link()).startScheduledScan(ScheduledScanRequest(intervalS: 10), interfaceIndex: 3)
    if isUnplugged { kernel.unplug(wiphy: 0) } else { kernel.setInterface(3, isUp: false) }
    var commands: [UInt8] = []
    while case .event(let bytes)? = try await listener.receive(until: listener.bootTime + .seconds(60)) {
      commands += NetlinkMessage.messages(in: bytes).messages.compactMap(\.payload.first)
    }
    #expect(commands == [NL80211.Command.startScheduledScan, NL80211.Command.scheduledScanStopped])
  }

  @Test(arguments: [(Int32.min, 1), (Int32.max, 0)])
  func `a scheduled scan takes the least and the greatest strength that there is`(least: Int32, reports: Int) async throws {
    let (kernel, _) = kernel([.init(try .test(1), signalMBm: -5000)])
    let listener = kernel.link()
    try listener.join(group: 6)
    var request = ScheduledScanRequest(intervalS: 10)
    request.frequenciesKHz = [2_437_000]
    request.matches = [.init(minimumSignalDBm: least)]
    try await Scanner(link: kernel.link()).startScheduledScan(request, interfaceIndex: 3)
    var commands: [UInt8] = []
    while case .event(let bytes)? = try await listener.receive(until: listener.bootTime + .seconds(5)) {
      commands += NetlinkMessage.messages(in: bytes).messages.compactMap(\.payload.first)
    }
    #expect(commands.first == NL80211.Command.startScheduledScan)
    #expect(commands.dropFirst().count { $0 == NL80211.Command.scheduledScanResults } == reports)
  }

  @Test func `co-located channels of the 6 GHz band are visited where somebody tells of them`() async throws {
    let six = try AccessPoint.test(2, band: .ghz6, channel: 37, megahertz: 80, .wifi6E, .wpa3Personal)
    let other = try AccessPoint.test(3, band: .ghz6, channel: 5, megahertz: 80, .wifi6E, .wpa3Personal)
    var two = try AccessPoint.test(1, .wifi6)
    two.neighbors = [.init(bssid: six.bssid, channel: six.channel, ssid: six.ssid)]
    let (kernel, _) = kernel([two, six, other].map { .init($0, signalMBm: -5000) })
    var request = ScanRequest()
    request.includesColocated6GHz = true
    let scan = try await Scanner(link: kernel.link()).scan(.init(mode: .trigger(request)))
    #expect(scan.bss.map(\.bssid) == [two.bssid, six.bssid])
    #expect(scan.bss[1].isFromProbeResponse)
    #expect(scan.frequenciesKHz?.count == SimulatedChannel.germany.count)
  }

  @Test func `a scan lasts as long as its dwells`() async throws {
    let (kernel, _) = kernel([])
    var request = ScanRequest()
    request.frequenciesKHz = [2_412_000, 2_437_000, 5_500_000]
    let scan = try await Scanner(link: kernel.link()).scan(.init(mode: .trigger(request)))
    #expect(scan.end - scan.start == .milliseconds(60) + .microseconds(111_100))
    request.dwellTU = 50
    let measured = try await Scanner(link: kernel.link()).scan(.init(mode: .trigger(request)))
    #expect(measured.end - measured.start == .microseconds(3 * 50 * 1024))
  }

  @Test func `requests that make no sense are refused or passed over`() async throws {
    let (kernel, _) = kernel([.init(try .test(1), signalMBm: -5000)])
    let link = kernel.link()
    var stream = RandomStream(seed: 7)
    var sensible = ScanRequest().message(interfaceIndex: 3).payload
    for _ in 0..<2_000 {
      var payload = sensible
      for _ in 0...stream.next(below: 6) { payload[stream.next(in: 0..<payload.count)] = UInt8(truncatingIfNeeded: stream.next()) }
      payload = Array(payload.prefix(stream.next(in: 0...payload.count)))
      if stream.bool(1, in: 3) { payload += (0..<stream.next(in: 0...40)).map { _ in UInt8(truncatingIfNeeded: stream.next()) } }
      let flags = stream.bool(1, in: 2) ? NetlinkMessage.Flag.dump : NetlinkMessage.Flag.acknowledge
      let type: UInt16 = stream.pick([16, 20, 20, 20, 33])
      try link.send(NetlinkMessage(type: type, flags: 1 | flags, sequence: 1, payload: payload).encoded)
      while try await link.receive(until: link.bootTime) != nil {}
    }
    sensible = []
    #expect(throws: LinkError.self) { try link.send(sensible) }
    #expect(try await Scanner(link: kernel.link()).scan(.init(mode: .cached)).completion == .cached)
  }

  @Test func `it runs in a simulation, the same each time`() async throws {
    func run(_ order: JobOrder) async throws -> [Scan] {
      try await simulate(seed: 7, order: order) { simulation in
        let world = RadioWorld(seed: simulation.seed, profile: .home)
        let kernel = SimulatedKernel(air: world, clock: simulation.clock)
        let clock = simulation.clock
        let source = AdapterSource(scanner: Scanner(link: kernel.link()), configuration: .init(), interval: .seconds(10)) {
          try await clock.sleep(for: $0)
        }
        var scans: [Scan] = []
        for _ in 0..<4 {
          if let scan = try await source.nextScan() { scans.append(scan) }
        }
        return scans
      }
    }
    let first = try await run(.inOrder)
    #expect(first.count == 4 && first.allSatisfy(\.isComplete) && !first[0].bss.isEmpty)
    #expect(try await run(.inOrder) == first)
    #expect(try await run(.shuffled) == first)
  }
}
