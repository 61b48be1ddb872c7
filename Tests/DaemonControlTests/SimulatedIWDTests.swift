import Testing
import WiFi

@testable import Simulator

/// What the simulated iwd does where something becomes due while it acts.
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
}
