import DaemonControl
import Testing
import WiFi

@testable import Simulator

/// What the simulated iwd does where its adapter is unplugged, or something becomes due while it acts.
@Suite struct SimulatedIWDTests {
  @Test func `an attempt that ends while the network before is left is not begun again`() async throws {
    let lab = try DaemonLab(.iwd)
    try lab.know("Lab WPA2")
    try lab.know("Lab SAE")
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab SAE")
    let now = lab.kernel.bootTime
    lab.kernel.schedule(at: now + .milliseconds(10)) { $0.unplug(wiphy: 0) }
    lab.kernel.schedule(at: now + .milliseconds(300)) { $0.plugIn(SimulatedAdapter(wiphy: 1, index: 7)) }
    // The clock goes on, and the kernel is first looked at as the network is left.
    #expect(await lab.kernel.clock.waits(until: now + .seconds(1)))
    lab.machine.iwd?.join(SSID(Array("Lab WPA2".utf8)))
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab SAE")
  }

  @Test func `an adapter that is unplugged has no objects until it is back`() async throws {
    let lab = try DaemonLab(.iwd)
    lab.kernel.unplug(wiphy: 0)
    try await lab.pass(.seconds(1))
    let failure = try await lab.join("Lab WPA2").0.failure
    #expect(failure?.reason == .noInterface)
    #expect(failure?.certainty == .certain)
    let radio = await Joiner(link: lab.machine.link()).radio(.read, over: .iwd, interface: "wlan0")
    #expect(throws: JoinFailure.self) { try radio.get() }
    lab.kernel.plugIn(SimulatedAdapter(wiphy: 1, index: 7))
    try await lab.pass(.seconds(1))
    #expect(try await lab.join("Lab WPA2").0.joined != nil)
  }
}
