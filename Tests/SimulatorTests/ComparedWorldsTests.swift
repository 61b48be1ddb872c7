import LinkContract
import ScanTools
import Scanner
import Simulator
import Testing
import WiFi

/// Worlds that are scanned twice and compared.
@Suite struct ComparedWorldsTests {
  /// A home in which nothing happens to access points: none goes down, none flees from radar.
  static let home: RadioProfile = {
    var profile = RadioProfile.home
    profile.downtimes = .never
    profile.radarPermilleDays = 0
    return profile
  }()

  /// What some scans hear, beginning at a time since boot.
  static func summary(
    seed: UInt64, placed: [PlacedAccessPoint] = [], from start: Duration, count: Int = 30, query: BSSQuery = BSSQuery()
  ) async throws -> ScanSummary {
    let world = RadioWorld(seed: seed, profile: home, placed: placed)
    let scanner = Scanner(link: SimulatedKernel(air: world, clock: JumpingClock(), bootTime: start).link())
    var summary = ScanSummary(name: "seed \(seed) from \(start)", query: query)
    for _ in 0..<count { summary.add(try await scanner.scan()) }
    return summary
  }

  static let hour = Duration.seconds(3700)

  /// Three access points of a building, where the station hears them well.
  static func placed() throws -> [PlacedAccessPoint] {
    try [6, 36, 40].enumerated().map { index, channel in
      let band = channel < 15 ? Band.ghz2_4 : .ghz5
      var accessPoint = AccessPoint(
        bssid: MACAddress(0x0011_2233_4400 + UInt64(index) * 0x100), ssid: try #require(SSID(Array("Placed \(index)".utf8))),
        channel: try #require(Channel(band: band, number: channel, megahertz: 20)), generation: .wifi6, security: .wpa3Personal)
      accessPoint.country = "DE"
      return PlacedAccessPoint(accessPoint, at: Position(x: 300 + Int32(index) * 150, y: 250), powerMBm: 2000)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `one moved, one replaced by a twin, one downgraded: these three and nothing else but signal`(seed: UInt64) async throws {
    let before = try Self.placed()
    var after = before
    after[0].accessPoint.channel = try #require(Channel(band: .ghz2_4, number: 11, megahertz: 20))
    after[1].accessPoint.bssid = MACAddress(0x0011_2233_4F00)
    after[2].accessPoint.security = .wpa2Personal
    let comparison = ScanComparison(
      try await Self.summary(seed: seed, placed: before, from: .seconds(100)),
      try await Self.summary(seed: seed, placed: after, from: Self.hour), ignoring: [.signal])
    let established = comparison.differences.filter(\.isEstablished)
    #expect(
      established.map { "\($0.kind) \($0.bssid)" } == [
        "moved 00:11:22:33:44:00", "replaced 00:11:22:33:45:00", "security 00:11:22:33:46:00",
      ])
    #expect(established.dropFirst().first?.successor == MACAddress(0x0011_2233_4F00))
    #expect(established.first?.changes.map(\.after) == ["11 (2.4GHz, 20 MHz)"])
    #expect(established.last?.changes.first?.after == "WPA2-Personal")
    #expect(comparison.differs)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a world and itself at another hour differ in nothing but signal`(seed: UInt64) async throws {
    let comparison = ScanComparison(
      try await Self.summary(seed: seed, from: .seconds(100)), try await Self.summary(seed: seed, from: Self.hour))
    #expect(comparison.differences.filter { $0.isEstablished && $0.kind != .signal }.map { "\($0.kind) \($0.bssid)" } == [])
    #expect(comparison.accessPointCount > 0)
  }

  @Test func `a filter chooses access points, not what is known of them`() async throws {
    // Some of them are above the limit in one half and below in the other.
    let query = BSSQuery(minimumSignalDBm: -70)
    let comparison = ScanComparison(
      try await Self.summary(seed: 7, from: .seconds(100), query: query),
      try await Self.summary(seed: 7, from: Self.hour, query: query))
    #expect(comparison.differences.allSatisfy { $0.kind == .signal })
    #expect((1..<20).contains(comparison.accessPointCount))
  }
}
