import Determinism
import Harness
import Models
import Provisioning
import Scanner
import Simulator
import Testing
import WiFi

// MARK: A place

extension RadioProfile {
  /// A shop: one managed access point of its own, phones of customers, and no device that moves.
  static let shop: RadioProfile = {
    var profile = RadioProfile(
      name: "shop", propagation: .indoorOpen,
      populations: [
        Population(
          count: .fixed(1), placement: .rectangle(center: Position(x: 500, y: 0), width: 0, depth: 0, floors: 0...0),
          kinds: [Weighted(till, 1)]),
        Population(
          count: .between(2...6), placement: .heardAtOrigin(signalMBm: -8000 ... -5000), kinds: [Weighted(.phone, 1)]),
      ])
    profile.password = "nachos"
    profile.downtimes = .never
    return profile
  }()

  /// What the shop has under the till.
  private static let till: DeviceKind = {
    var kind = DeviceKind(
      radios: [DeviceKind.Radio(.ghz5, channels: [Weighted(36, 1), Weighted(44, 1)], megahertz: 40, .wifi6, powerMBm: 2000)],
      security: [Weighted(.wpa2WPA3Personal, 1)], names: .fixed("Blob's Shop"), oui: 0x70DB98)
    kind.extraNetworks = [DeviceKind.ExtraNetwork(names: .fixed("Blob's Guests"), security: .open)]
    return kind
  }()
}

// MARK: The air

/// A platform that a train with an access point stops at: twenty seconds of every minute.
final class Platform: Air {
  private let train: AccessPoint

  init(_ train: AccessPoint) { self.train = train }

  func hear(_ dwell: Dwell, into frames: inout [HeardFrame]) {
    guard train.channel.primaryKHz == Int(dwell.frequencyKHz), dwell.end.components.seconds % 60 < 20 else { return }
    frames.append(
      HeardFrame(
        time: dwell.end, bssid: train.bssid, isProbeResponse: true, frequencyKHz: dwell.frequencyKHz,
        tsfUs: UInt64(dwell.end / .microseconds(1)), beaconIntervalTU: train.beaconIntervalTU,
        capability: train.capability, elements: train.encodedElements(of: .probeResponse), signalMBm: -6000))
  }
}

// MARK: The world

/// The platform behind the Wi-Fi settings.
final class PlatformWorld: ScenarioWorld {
  let kernel: SimulatedKernel
  let source: any NetworkSource
  let joiner: any NetworkJoiner

  init(_ train: AccessPoint, clock: any Clock<Duration>) {
    kernel = SimulatedKernel(air: Platform(train), clock: clock)
    source = AdapterSource(
      scanner: Scanner(link: kernel.link()), configuration: ScanSession.Configuration(), interval: .seconds(2)
    ) { try await clock.sleep(for: $0) }
    joiner = SlowToAnswer(failures: 0, clock: clock)
  }
}

// MARK: What goes wrong

/// Requests for a scan are refused now and then, as by a driver without memory.
func outOfMemory(permille: Int) -> FaultRule {
  FaultRule("out of memory") {
    $0.onRequest = { request, random in
      guard request.command == NL80211.Command.triggerScan, random.bool(UInt64(permille), in: 1000) else { return nil }
      return .refuse(12)  // ENOMEM
    }
  }
}

@Suite struct OwnWorldTests {
  @Test func `a place of one's own`() async throws {
    try await simulate(seed: 7) { simulation in
      let clock = simulation.clock
      let world = KernelScenarioWorld(
        air: RadioWorld(seed: simulation.seed, profile: .shop), seed: simulation.seed, clock: clock)
      let model = ProvisioningModel(
        name: "Blob's Shop", password: "nachos", source: world.source, joiner: world.joiner, clock: clock)
      await simulation.task("provision") { await model.provision() }.finished()
      #expect(model.status == .online)
    }
  }

  private func train() throws -> AccessPoint {
    AccessPoint(
      bssid: MACAddress(0x0200_0000_0001), ssid: try #require(SSID(Array("Train".utf8))),
      channel: try #require(Channel(band: .ghz2_4, number: 6, megahertz: 20)), generation: .wifi5, security: .open)
  }

  @Test func `air of one's own, behind the Wi-Fi settings`() async throws {
    try await simulate(seed: 7) { simulation in
      let world = PlatformWorld(try train(), clock: simulation.clock)
      let fixture = SettingsFixture(simulation, world: world) { found, onIssue in
        WiFiSettingsModel(foundNetworks: found, source: world.source, joiner: world.joiner, onIssue: onIssue)
      }
      fixture.open()
      await simulation.advance(by: .seconds(90))
      // The time since boot begins at 100 s, so the train is there from 20 s to 40 s, and again from 80 s on. It is lost
      // 30 s after it was heard last.
      let rows = simulation.trace.lines.filter { $0.contains("panel") && $0.contains("Train") }
      #expect(rows.map { $0.prefix(1) + $0.split(separator: " ")[2] } == ["2insert", "6remove", "8insert"])
      #expect(fixture.model.foundNetworks.count == 1)
      fixture.close()
    }
  }

  @Test func `a fault of one's own`() async throws {
    try await simulate(seed: 7) { simulation in
      let world = PlatformWorld(try train(), clock: simulation.clock)
      world.kernel.setFaults([outOfMemory(permille: 1000)], seed: simulation.seed)
      await #expect(throws: ScanError.self) { try await world.source.nextScan() }
    }
  }
}
