import LinkContract
import Scanner
import Simulator
import Testing
import WiFi

@Suite struct SimulatedLinkTests {
  @Test(arguments: [1, 2, Int.max])
  func `a simulated link keeps the contract however its replies are split`(messages: Int) async throws {
    var configuration = SimulatedKernel.Configuration()
    configuration.split.maximumMessages = messages
    let kernel = SimulatedKernel(air: StillAir(), clock: JumpingClock(), configuration: configuration)
    try await LinkContract.check { kernel.link() }
    try await LinkContract.check(familyName: NL80211.familyName) { kernel.link() }
  }

  @Test func `it keeps the contract on the time of the machine`() async throws {
    let kernel = SimulatedKernel(air: StillAir(), clock: ContinuousClock())
    try await LinkContract.check { kernel.link() }
  }

  @Test func `the production scanner scans over it`() async throws {
    let air = StillAir([
      .init(try .test(1), signalMBm: -4000), .init(try .test(2, channel: 13), signalMBm: -7000),
      .init(try .test(3, band: .ghz5, channel: 100, megahertz: 80, .wifi6, .wpa3Personal), signalMBm: -6000),
    ])
    let kernel = SimulatedKernel(air: air, clock: JumpingClock())
    let scanner = Scanner(link: kernel.link())
    let scan = try await scanner.scan()
    #expect(scan.isComplete)
    #expect(scan.interface == "wlan0")
    #expect(scan.bss.map(\.bssid) == air.stations.map(\.accessPoint.bssid))
    #expect(scan.bss.map(\.signalMBm) == [-4000, -7000, -6000])
    #expect(scan.bss.map(\.isFromProbeResponse) == [true, true, false])
    #expect(scan.frequenciesKHz?.count == SimulatedChannel.germany.count)
    #expect(scan.unreadable == 0)
  }

  @Test func `an event that another link causes wakes a link that waits`() async throws {
    let kernel = SimulatedKernel(air: StillAir(), clock: ContinuousClock())
    let listener = kernel.link()
    try listener.join(group: 6)
    nonisolated(unsafe) let unsafeListener = listener
    nonisolated(unsafe) let other = kernel.link()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { @MainActor in
        let input = try? await unsafe unsafeListener.receive(until: unsafe unsafeListener.bootTime + .seconds(3600))
        guard case .event = input else {
          Issue.record("no event: \(String(describing: input))")
          return
        }
      }
      group.addTask { @MainActor in
        await Task.yield()
        var writer = AttributeWriter()
        writer.write(NL80211.Attribute.interfaceIndex, 3 as UInt32)
        let message = GenericNetlinkMessage(command: NL80211.Command.triggerScan, attributes: writer.bytes)
        try? unsafe other.send(NetlinkMessage(type: 20, flags: 5, sequence: 1, payload: message.payload).encoded)
      }
    }
  }
}
