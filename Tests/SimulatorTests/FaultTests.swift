import Determinism
import Harness
import LinkContract
import Scanner
import Simulator
import Testing
import WiFi

@Suite struct FaultTests {
  let clock = JumpingClock()
  let kernel: SimulatedKernel
  let scanner: Scanner

  init() throws {
    let air = StillAir(try (1...20).map { .init(try .test($0, channel: 1 + Int($0) % 13), signalMBm: -5000) })
    kernel = SimulatedKernel(air: air, clock: clock)
    scanner = Scanner(link: kernel.link())
  }

  func faults(_ rules: FaultRule..., until: Duration? = nil) { kernel.setFaults(rules, seed: 7, until: until) }

  func failure() async -> ScanError.Kind? {
    do throws(ScanError) {
      _ = try await scanner.scan()
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `busy because somebody scans: it waits for the end and scans`() async throws {
    faults(.busy(permille: 1000), until: kernel.bootTime + .seconds(1))
    let start = kernel.bootTime
    let scan = try await scanner.scan()
    #expect(scan.isComplete)
    #expect(scan.start - start > .seconds(4))
  }

  @Test func `busy for good: it says so`() async {
    faults(.busy(permille: 1000, scansForeign: false))
    #expect(await failure() == .channelBusy)
  }

  @Test func `aborted: a partial scan with what was heard until then`() async throws {
    faults(.aborted(permille: 1000))
    var counts: Set<Int> = []
    for _ in 0..<6 {
      var request = ScanRequest()
      request.flushes = true
      let scan = try await scanner.scan(.init(mode: .trigger(request)))
      #expect(scan.completion == .partial(.aborted))
      counts.insert(scan.bss.count)
    }
    kernel.setFaults([], seed: 7)
    #expect(try await scanner.scan().completion == .complete)
  }

  @Test func `an interrupted list is read again, and given up in the end`() async throws {
    faults(.interruptedDump(permille: 500))
    let scan = try await scanner.scan()
    #expect(scan.isComplete && scan.bss.count == 20)
    faults(.interruptedDump(permille: 1000))
    #expect(try await scanner.scan().completion == .partial(.dumpInterrupted))
  }

  @Test func `a list of which an answer is lost is read again, and given up in the end`() async throws {
    faults(.lostReplies(permille: 500))
    let scan = try await scanner.scan()
    #expect(scan.isComplete && scan.bss.count == 20)
    faults(.lostReplies(permille: 1000))
    #expect(try await scanner.scan().completion == .partial(.dumpInterrupted))
  }

  @Test func `lost events: the scan is partial unless its end was heard`() async throws {
    faults(.lostEvents(permille: 1000))
    let scan = try await scanner.scan()
    #expect(scan.completion == .partial(.eventsLost))
    #expect(!scan.bss.isEmpty)
  }

  @Test func `truncated and corrupt elements are complained of and lose no BSS`() async throws {
    let whole = try await scanner.scan().bss.count
    faults(.truncatedElements(permille: 300), .corruptElements(permille: 300))
    var complaints = 0
    for _ in 0..<4 {
      let scan = try await scanner.scan()
      #expect(scan.unreadable == 0)
      #expect(scan.bss.count >= whole)
      complaints += scan.bss.reduce(0) { $0 + BSSFacts($1).elements.complaints.count }
    }
    #expect(complaints > 0)
  }

  @Test func `a duplicate BSSID is two entries`() async throws {
    faults(.duplicateBSSID(permille: 300))
    let scan = try await scanner.scan()
    let twins = scan.bss.filter { BSSFacts($0).ssid.description == "Twin" }
    #expect(!twins.isEmpty && twins.count < 20)
    #expect(twins.allSatisfy { twin in scan.bss.filter { $0.bssid == twin.bssid }.count == 2 })
  }

  @Test func `an access point gets another name at its time`() async throws {
    let name = try #require(SSID(Array("Renamed".utf8)))
    faults(.ssidChange(at: kernel.bootTime + .seconds(20), permille: 500, to: name))
    #expect(try await !scanner.scan().bss.contains { BSSFacts($0).ssid == name })
    try await clock.sleep(until: clock.now.advanced(by: .seconds(20)), tolerance: nil)
    let scan = try await scanner.scan()
    #expect(scan.bss.contains { BSSFacts($0).ssid == name })
  }

  @Test func `an access point that reboots is lost, comes back and counts from zero`() async throws {
    let start = kernel.bootTime
    faults(.reboot(at: start + .seconds(10), for: .seconds(60), permille: 500))
    #expect(try await scanner.scan().bss.count == 20)
    try await clock.sleep(until: clock.now.advanced(by: .seconds(40)), tolerance: nil)
    let during = try await scanner.scan().bss.count
    #expect(during < 20 && during > 0)
    try await clock.sleep(until: clock.now.advanced(by: .seconds(40)), tolerance: nil)
    let after = try await scanner.scan()
    #expect(after.bss.count == 20)
    #expect(after.bss.filter { ($0.tsfUs ?? .max) < 30_000_000 }.count == 20 - during)
  }

  @Test func `an adapter that is pulled out is gone, and back when the faults stop`() async throws {
    faults(.adapterRemoved(at: kernel.bootTime + .seconds(1)), until: kernel.bootTime + .seconds(60))
    #expect(await failure() == .adapterRemoved)
    #expect(await failure() == .noAdapter)
    try await clock.sleep(until: clock.now.advanced(by: .seconds(60)), tolerance: nil)
    #expect(await failure() == nil)
  }

  @Test func `a radio that is switched off in a scan aborts it, and further ones are refused until it ends`() async throws {
    faults(.rfkill(at: kernel.bootTime + .seconds(1)), until: kernel.bootTime + .seconds(60))
    #expect(try await scanner.scan().completion == .partial(.aborted))
    #expect(await failure() == .interfaceDown)
    try await clock.sleep(until: clock.now.advanced(by: .seconds(60)), tolerance: nil)
    #expect(await failure() == nil)
  }

  @Test func `an interface is down for a while`() async throws {
    faults(.interfaceDown(at: kernel.bootTime, for: .seconds(5)))
    #expect(await failure() == .interfaceDown)
    try await clock.sleep(until: clock.now.advanced(by: .seconds(5)), tolerance: nil)
    #expect(await failure() == nil)
  }

  @Test func `a late answer is waited for, a very late one is not`() async throws {
    faults(.lateAnswer(permille: 1000, maximumMs: 3000))
    #expect(try await scanner.scan().isComplete)
    faults(.lateAnswer(permille: 1000, maximumMs: 1_000_000))
    guard case .noAnswer? = await failure() else {
      Issue.record("an answer")
      return
    }
  }

  @Test func `one more rule does not disturb the others`() async throws {
    func scan(_ rules: [FaultRule]) async throws -> Scan {
      let air = StillAir(try (1...20).map { .init(try .test($0), signalMBm: -5000) })
      let kernel = SimulatedKernel(air: air, clock: JumpingClock())
      kernel.setFaults(rules, seed: 7)
      return try await Scanner(link: kernel.link()).scan()
    }
    let alone = try await scan([.truncatedElements(permille: 300)])
    #expect(try await scan([.lateAnswer(permille: 0), .busy(permille: 0), .truncatedElements(permille: 300)]) == alone)
    #expect(try await scan([.truncatedElements(permille: 300)]) == alone)
  }
}

@Suite struct FaultyRunTests {
  /// Everything goes wrong for five minutes: nothing hangs or breaks; then nothing goes wrong, and scans are whole again.
  @Test(arguments: [1, 2, 3])
  func `while faults last every scan ends, and when they stop scans are complete`(seed: UInt64) async throws {
    func run() async throws -> [String] {
      try await simulate(seed: seed) { simulation in
        let kernel = SimulatedKernel(air: RadioWorld(seed: simulation.seed, profile: .home), clock: simulation.clock)
        let start = kernel.bootTime
        let rules: [FaultRule] = [
          .busy(), .aborted(), .interruptedDump(permille: 300), .lostEvents(), .lostReplies(), .truncatedElements(),
          .corruptElements(), .duplicateBSSID(), .reboot(at: start + .seconds(30)), .lateAnswer(maximumMs: 8000),
          .ssidChange(at: start + .seconds(60), to: .wildcard),
          .adapterRemoved(at: start + .seconds(100), for: .seconds(20)), .rfkill(at: start + .seconds(150), for: .seconds(20)),
          .interfaceDown(at: start + .seconds(250)),
        ]
        kernel.setFaults(rules, seed: simulation.seed, until: start + .seconds(300))
        let scanner = Scanner(link: kernel.link())
        var outcomes: [String] = []
        while kernel.bootTime < start + .seconds(300) {
          do throws(ScanError) {
            let scan = try await scanner.scan()
            outcomes.append("\(scan.completion) \(scan.bss.count)")
          } catch {
            outcomes.append("\(error.kind)")
          }
          try await simulation.clock.sleep(for: .seconds(1))
        }
        #expect(Set(outcomes).count > 4)
        #expect(try await scanner.scan().isComplete)
        return outcomes
      }
    }
    #expect(try await run() == run())
  }
}

@Suite struct RadioJoinTests {
  let clock = JumpingClock()
  let world: RadioWorld
  let kernel: SimulatedKernel

  init() throws {
    let near = try AccessPoint.test(1, .wifi6, .wpa2WPA3Personal)
    let far = try AccessPoint.test(2)
    var profile = RadioProfile.home
    profile.populations = []
    world = RadioWorld(
      seed: 7, profile: profile,
      placed: [
        PlacedAccessPoint(near, at: Position(x: 200, y: 0)), PlacedAccessPoint(far, at: Position(x: 9_000, y: 9_000, floor: 2)),
      ])
    kernel = SimulatedKernel(air: world, clock: clock)
  }

  func join(_ number: UInt64, _ password: String?) async throws -> JoinError? {
    let access = try AccessPoint.test(number)
    let bss = BSS(
      bssid: access.bssid, frequencyMHz: 2437, capability: access.capability,
      informationElements: access.encodedElements(of: .probeResponse))
    let network = try #require(Network.networks(of: [BSSFacts(bss)]).first)
    do throws(JoinError) {
      try await KernelJoiner(air: world, kernel: kernel).join(network, password: password)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the password of the profile joins, another does not, and the kernel knows`() async throws {
    #expect(try await join(1, "nope") == .wrongPassword)
    #expect(try await join(1, "blob") == nil)
    #expect(clock.now.time == .seconds(3))
    let scan = try await Scanner(link: kernel.link()).scan()
    #expect(scan.bss.first { $0.bssid == MACAddress(0x0200_0000_1001) }?.status == 1)
    #expect(try await Scanner(link: kernel.link()).stations(interfaceIndex: 3).map(\.address) == [MACAddress(0x0200_0000_1001)])
  }

  @Test func `a network that is too far is out of range`() async throws {
    #expect(try await join(2, "blob") == .outOfRange)
  }

  @Test func `faults of joins are those that were asked for`() async throws {
    kernel.setFaults([.wrongPassword(permille: 1000)], seed: 1)
    #expect(try await join(1, "blob") == .wrongPassword)
    kernel.setFaults([.connectTimeout(permille: 1000, after: .seconds(10))], seed: 1)
    let start = clock.now.time
    #expect(try await join(1, "blob") == .timedOut)
    #expect(clock.now.time - start == .seconds(10))
  }
}
