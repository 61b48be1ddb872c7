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

  @Test func `the same seed gives the same octets, another gives others`() async throws {
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
}
