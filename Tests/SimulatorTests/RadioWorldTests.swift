import LinkContract
import Scanner
import Simulator
import Testing
import WiFi

@Suite struct RadioWorldTests {
  /// What a scanner hears of a world in some scans, one behind the other.
  func scans(_ profile: RadioProfile, seed: UInt64 = 7, placed: [PlacedAccessPoint] = [], count: Int = 1) async throws -> [Scan] {
    let kernel = SimulatedKernel(air: RadioWorld(seed: seed, profile: profile, placed: placed), clock: JumpingClock())
    let scanner = Scanner(link: kernel.link())
    var scans: [Scan] = []
    for _ in 0..<count { scans.append(try await scanner.scan()) }
    return scans
  }

  @Test(arguments: RadioProfile.all.map(\.name))
  func `every profile can be scanned, and its access points say what they should`(name: String) async throws {
    let profile = try #require(RadioProfile.named(name))
    let scan = try await scans(profile)[0]
    #expect(scan.unreadable == 0)
    #expect(name == "survey" || scan.bss.count > 2)
    for bss in scan.bss {
      let facts = BSSFacts(bss)
      #expect(facts.elements.complaints.isEmpty, "\(facts.ssid)")
      #expect((-9200...0).contains(bss.signalMBm ?? 0))
      #expect(facts.generation != nil)
      #expect(facts.channel.primaryKHz == bss.frequencyKHz)
    }
  }

  @Test(arguments: RadioProfile.all)
  func `a profile can have any number of devices, of each population one at least`(profile: RadioProfile) {
    for count in [3, 4, 50, 1001] {
      let crowded = profile.with(devices: count)
      let counts = crowded.populations.map { population in
        if case .fixed(let count) = population.count { count } else { -1 }
      }
      #expect(counts.reduce(0, +) == count && counts.allSatisfy { $0 >= 1 }, "\(profile.name): \(counts)")
    }
    #expect(RadioProfile.home.with(devices: 50).populations.map(\.count) == [.fixed(6), .fixed(6), .fixed(38)])
  }

  @Test func `small populations behind a large one have a device each, too`() {
    var profile = RadioProfile.home
    let (placement, kinds) = (profile.populations[0].placement, profile.populations[0].kinds)
    profile.populations = [49, 51, 0, 0, 0, 0, 0, 0].map { Population(count: .fixed($0), placement: placement, kinds: kinds) }
    let ones = [Population.Count](repeating: .fixed(1), count: 6)
    #expect(profile.with(devices: 8).populations.map(\.count) == [.fixed(1), .fixed(1)] + ones)
    #expect(profile.with(devices: 20).populations.map(\.count) == [.fixed(9), .fixed(5)] + ones)
  }

  @Test func `the same seed gives the same bytes, another gives others`() async throws {
    let first = try await scans(.apartmentBlock, count: 3)
    #expect(try await scans(.apartmentBlock, count: 3) == first)
    #expect(try await scans(.apartmentBlock, seed: 8, count: 3) != first)
  }

  @Test func `one more access point does not disturb the others`() async throws {
    let before = try await scans(.apartmentBlock)[0]
    let more = PlacedAccessPoint(try .test(1), at: Position(x: 0, y: 0, floor: 3))
    let after = try await scans(.apartmentBlock, placed: [more])[0]
    #expect(after.bss.contains { $0.bssid == more.accessPoint.bssid })
    #expect(after.bss.filter { $0.bssid != more.accessPoint.bssid } == before.bss)
    var larger = RadioProfile.office
    larger.populations[0].count = .fixed(13)
    let office = RadioWorld(seed: 7, profile: .office)
    let largerOffice = RadioWorld(seed: 7, profile: larger)
    let dwell = Dwell(frequencyKHz: 2_437_000, start: .seconds(200), end: .seconds(201))
    var (first, second): ([HeardFrame], [HeardFrame]) = ([], [])
    office.hear(dwell, into: &first)
    largerOffice.hear(dwell, into: &second)
    #expect(first.allSatisfy(second.contains))
  }

  @Test func `what is heard does not depend on what was asked before`() {
    let world = RadioWorld(seed: 7, profile: .street)
    let dwells = (0..<50).map {
      Dwell(frequencyKHz: $0 % 2 == 0 ? 2_412_000 : 5_180_000, start: .seconds($0 * 977), end: .seconds($0 * 977) + .milliseconds(200))
    }
    let forwards = dwells.map { dwell in
      var frames: [HeardFrame] = []
      world.hear(dwell, into: &frames)
      return frames
    }
    let fresh = RadioWorld(seed: 7, profile: .street)
    let backwards = dwells.reversed().map { dwell in
      var frames: [HeardFrame] = []
      fresh.hear(dwell, into: &frames)
      return frames
    }
    #expect(forwards == backwards.reversed())
    #expect(forwards.contains { !$0.isEmpty })
  }

  /// Published here: the bytes of a seed are the same on every machine and in every build mode.
  @Test func `a seed gives these bytes for ever`() async throws {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for scan in try await scans(.home, seed: 7, count: 2) + scans(.office, seed: 7) {
      for bss in scan.bss {
        for byte in bss.encode() { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
    }
    #expect(hash == 16_482_196_986_550_729_059)
  }

  @Test func `beacons come every 102.4 ms with timers that count them`() throws {
    var profile = RadioProfile.home
    profile.populations = []
    profile.frameLossPermille = 0
    let access = PlacedAccessPoint(try .test(1), at: Position(x: 200, y: 0))
    let world = RadioWorld(seed: 7, profile: profile, placed: [access])
    var frames: [HeardFrame] = []
    world.hear(Dwell(frequencyKHz: 2_437_000, start: .seconds(100), end: .seconds(110)), into: &frames)
    #expect((97...98).contains(frames.count))
    for (earlier, later) in zip(frames, frames.dropFirst()) {
      #expect(later.tsfUs - earlier.tsfUs == 102_400)
      // Crystals are off by no more than 20 in a million.
      let period = (later.time - earlier.time) / .nanoseconds(1)
      #expect((102_397_900...102_402_100).contains(period))
    }
    let counts = frames.compactMap { ElementList(parsing: $0.elements).first(TIM.self)?.dtimCount }
    #expect(zip(counts, counts.dropFirst()).allSatisfy { ($0 + 1) % 2 == $1 })
  }

  @Test func `an access point leaves its channel for radar, and says so before`() throws {
    var profile = RadioProfile.home
    profile.radarPermilleDays = 1000
    profile.downtimes = .never
    var kind = DeviceKind(
      radios: [.init(.ghz5, channels: [.init(100, 1)], megahertz: 80, .wifi6, powerMBm: 2300)],
      security: [.init(.wpa2Personal, 1)],
      names: .fixed("Radar"), oui: 0x001122)
    kind.hiddenPermille = 0
    let place = Population.Placement.rectangle(center: Position(x: 100, y: 0), width: 1, depth: 1, floors: 0...0)
    profile.populations = [Population(count: .fixed(1), placement: place, kinds: [.init(kind, 1)])]
    profile.path = StationPath()
    let world = RadioWorld(seed: 7, profile: profile)
    func listen(_ frequency: UInt32, _ start: Duration, for length: Duration) -> [HeardFrame] {
      var frames: [HeardFrame] = []
      world.hear(Dwell(frequencyKHz: frequency, start: start, end: start + length), into: &frames)
      return frames
    }
    let minute = try #require((0..<1440).first { !listen(5_180_000, .seconds(60 * $0), for: .seconds(1)).isEmpty })
    #expect(listen(5_500_000, .seconds(60 * minute), for: .seconds(60)).isEmpty)
    let frames = [5_500_000, 5_180_000].flatMap { listen($0, .seconds(60 * minute - 60), for: .seconds(60)) }
    let switched = try #require(frames.firstIndex { $0.frequencyKHz == 5_180_000 })
    #expect(frames[..<switched].allSatisfy { $0.time < frames[switched].time })
    let announced = frames.filter { ElementList(parsing: $0.elements).first(ChannelSwitchAnnouncement.self) != nil }
    #expect((3...6).contains(announced.count))
    #expect(announced.allSatisfy { $0.frequencyKHz == 5_500_000 })
    let moved = BSSFacts(
      BSS(bssid: frames[switched].bssid, frequencyMHz: 5180, capability: 0, informationElements: frames[switched].elements))
    #expect(moved.channel.number == 36 && moved.channel.width == .mhz80)
  }

  @Test func `a network of several radios tells of its others`() async throws {
    let scan = try await scans(.office, count: 2).last
    let facts = try #require(scan).bss.map { BSSFacts($0) }
    let reports = facts.compactMap { $0.elements.first(ReducedNeighborReport.self) }
    #expect(!reports.isEmpty)
    for neighbor in reports.flatMap(\.neighbors) {
      #expect(Band(frequencyKHz: neighbor.frequencyKHz ?? 0) == .ghz6)
      #expect(neighbor.accessPoints.allSatisfy { $0.bssid != nil && $0.shortSSID != nil })
    }
    // Every strength that was heard belongs to an address that the world knows.
    #expect(Set(facts.map(\.security.family)).isSuperset(of: [.enterprise, .owe]))
  }
}
