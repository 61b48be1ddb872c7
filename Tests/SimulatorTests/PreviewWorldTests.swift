import LinkContract
import Simulator
import Testing
import WiFi

@Suite struct PreviewWorldTests {
  func scans(_ count: Int, seed: UInt64, networks: [PreviewNetwork] = []) async throws -> [Scan] {
    let world = PreviewWorld(seed: seed, clock: JumpingClock(), networks: networks)
    var scans: [Scan] = []
    for _ in 0..<count { scans.append(try #require(try await world.nextScan())) }
    return scans
  }

  @Test func `one seed gives the same scans, another gives others`() async throws {
    let first = try await scans(120, seed: 7)
    #expect(try await scans(120, seed: 7) == first)
    #expect(try await scans(120, seed: 8) != first)
  }

  @Test func `a second finds one, loses one or changes nothing, each as often as it should`() async throws {
    let scans = try await scans(4_000, seed: 7, networks: PreviewNetwork.mocks)
    var known = 4
    var counts = (nothing: 0, found: 0, lost: 0)
    var secured = 0
    var names: Set<SSID> = []
    for scan in scans {
      #expect(scan.isComplete && scan.end - scan.start == .seconds(1))
      let found = scan.bss.count - known + scan.lost.count
      #expect(found + scan.lost.count <= 1)
      counts.nothing += found + scan.lost.count == 0 ? 1 : 0
      counts.found += found
      counts.lost += scan.lost.count
      known = scan.bss.count
      guard found == 1, let bss = scan.bss.last else { continue }
      let facts = BSSFacts(bss)
      secured += facts.security.isSecured ? 1 : 0
      names.insert(facts.ssid)
      #expect((0.01...1).contains(facts.connectivity))
      #expect(facts.elements.complaints.isEmpty)
    }
    // Standard deviations of 27 to 32 and of 13: four of each.
    #expect((1_870...2_130).contains(counts.nothing))
    #expect((880...1_120).contains(counts.found))
    #expect((880...1_120).contains(counts.lost))
    #expect((counts.found * 4 / 5 - 52...counts.found * 4 / 5 + 52).contains(secured))
    #expect(names.count == 17)
    #expect(names.contains { $0.description == "Blob Jr's LAN PARTY" })
  }

  @Test func `the selected network is never lost`() async throws {
    let world = PreviewWorld(seed: 3, clock: JumpingClock(), networks: [PreviewNetwork.mocks[0]])
    let selected = try #require(world.networks.first?.bssid)
    world.selected = .bss(selected)
    for _ in 0..<2_000 { #expect(try await world.nextScan()?.bss.first?.bssid == selected) }
    world.selected = nil
    var isLost = false
    for _ in 0..<2_000 where !isLost { isLost = try await world.nextScan()?.lost == [selected] }
    #expect(isLost)
  }

  @Test func `two networks of one name are two, each with its own address`() async throws {
    let scan = try #require(try await scans(5_000, seed: 1).last)
    #expect(Set(scan.bss.map(\.bssid)).count == scan.bss.count)
    let networks = Network.networks(of: scan.bss.map { BSSFacts($0) }, grouping: .bss)
    #expect(networks.count == scan.bss.count)
    #expect(Set(networks.map(\.ssid)).count < networks.count)
  }

  @Test func `the scans end when the task is cancelled`() async throws {
    let world = PreviewWorld(seed: 1, clock: ContinuousClock())
    nonisolated(unsafe) let unsafeWorld = world
    let task = Task { unsafe try await unsafeWorld.nextScan() }
    task.cancel()
    #expect(try await task.value == nil)
  }
}

@Suite struct PreviewJoinTests {
  let clock = JumpingClock()
  let world: PreviewWorld
  let network: Network

  init() throws {
    world = PreviewWorld(seed: 3, clock: clock, networks: PreviewNetwork.mocks)
    network = try #require(Network.networks(of: world.networks.map { BSSFacts($0) }, grouping: .bss).first)
    world.selected = network.id
  }

  func failure(_ password: String?) async -> JoinError? {
    do throws(JoinError) {
      try await world.join(network, password: password)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the right password joins after a second, a wrong one is refused after a second`() async {
    #expect(await failure("blob") == nil)
    #expect(clock.now.time == .seconds(1))
    #expect(await failure("nope") == .wrongPassword)
    #expect(await failure(nil) == .wrongPassword)
    #expect(clock.now.time == .seconds(3))
    // What a daemon takes, too, where the password has no other value.
    #expect(await failure("blob blob") == nil)
    world.joinRules[network.ssid] = JoinRule(password: "another")
    #expect(await failure("blob blob") == .wrongPassword)
  }

  @Test func `a network that was lost is out of range`() async throws {
    world.selected = nil
    while world.networks.contains(where: { $0.bssid == network.members[0].bssid }) { _ = try await world.nextScan() }
    #expect(await failure("blob") == .outOfRange)
  }

  @Test(arguments: [JoinError.timedOut, .rejected(status: 17), .outOfRange])
  func `a scenario can ask for each failure`(error: JoinError) async {
    world.joinRules[network.ssid] = JoinRule(duration: .seconds(4), failure: error)
    #expect(await failure("blob") == error)
    #expect(clock.now.time == .seconds(4))
  }

  @Test func `a cancelled join says so`() async {
    nonisolated(unsafe) let unsafeSelf = self
    let task = Task { await unsafe unsafeSelf.failure("blob") }
    task.cancel()
    #expect(await task.value == .cancelled)
  }
}
