import DaemonControl
import Simulator
import Testing
import WiFi

/// The switch of the radio, over the simulated daemons.
@Suite struct RadioTests {
  @Test(arguments: [JoinDaemon.networkManager, .iwd])
  func `off leaves what is joined, and on joins it again`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    try lab.know("Lab WPA2")
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab WPA2")
    func radio(_ request: RadioRequest) async throws -> Bool {
      try await Joiner(link: lab.machine.link()).radio(request, over: daemon, interface: "wlan0").get().isOn
    }
    #expect(try await radio(.read))
    #expect(try await !radio(.set(false)))
    try await lab.pass(.seconds(1))
    #expect(lab.joined == nil)
    #expect(try await lab.join("Lab SAE").0.failure?.reason == .interfaceDown)
    #expect(try await radio(.set(true)))
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab WPA2")
    #expect(lab.known == ["Lab WPA2"])
  }

  @Test(arguments: JoinDaemon.allCases)
  func `the switch of a view is that of the daemon, or of the kernel where it has none`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    try lab.know("Lab WPA2")
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab WPA2")
    let kernel = SimulatedRadioSwitch(kernel: lab.kernel) { lab.machine.isPermitted }
    let radio = DaemonRadioSwitch(DaemonAccess(over: nil, interface: { "wlan0" }) { lab.machine.link() }, kernel: kernel)
    lab.machine.isPermitted = false
    await #expect(throws: RadioError.notPermitted) { try await radio.setRadio(on: false) }
    lab.machine.isPermitted = true
    try await radio.setRadio(on: false)
    try await lab.pass(.seconds(5))
    #expect(lab.joined == nil)
    // Nothing can be scanned while it is off.
    #expect(lab.kernel.adapters.flatMap(\.interfaces).first { $0.name == "wlan0" }?.isUp == false)
    nonisolated(unsafe) let followed = radio
    let reported = await Task {
      var reported: [Bool] = []
      await unsafe followed.followRadio {
        reported.append($0)
        if reported.count == 2 { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
      }
      return reported
    }.value
    #expect(reported == [false, false])
    try await radio.setRadio(on: true)
    try await lab.pass(.seconds(30))
    #expect(lab.joined == "Lab WPA2")
  }

  @Test(arguments: [JoinDaemon.networkManager, .iwd])
  func `where the kernel has no switch, that of the daemon is reported`(daemon: JoinDaemon) async throws {
    final class NoSwitch: RadioSwitch {
      func setRadio(on isOn: Bool) async throws(RadioError) { throw .noSwitch }
    }
    let lab = try DaemonLab(daemon)
    let radio = DaemonRadioSwitch(DaemonAccess(over: nil, interface: { "wlan0" }) { lab.machine.link() }, kernel: NoSwitch())
    try await radio.setRadio(on: false)
    var reported: [Bool] = []
    await radio.followRadio { reported.append($0) }
    #expect(reported == [false])
  }

  @Test func `a daemon that refuses to say where its radio stands is asked again, and the switch is the kernel's meanwhile`() async throws {
    let lab = try DaemonLab(.iwd)
    let radio = DaemonRadioSwitch(
      DaemonAccess(over: nil, interface: { "wlan0" }) { lab.machine.link() }, kernel: SimulatedRadioSwitch(kernel: lab.kernel))
    #expect(try await !Joiner(link: lab.machine.link()).radio(.set(false), over: .iwd, interface: "wlan0").get().isOn)
    lab.machine.isPermitted = false
    nonisolated(unsafe) let followed = radio
    let reported = await Task {
      var reported: [Bool] = []
      await unsafe followed.followRadio {
        reported.append($0)
        if reported.count == 2 { lab.machine.isPermitted = true }
        if reported.count == 4 { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
      }
      return reported
    }.value
    #expect(reported == [true, true, false, false])
  }

  @Test func `a user who may not, a daemon that does not run and one without a switch are told`() async throws {
    for daemon in [JoinDaemon.networkManager, .iwd] {
      let lab = try DaemonLab(daemon)
      let joiner = Joiner(link: lab.machine.link())
      lab.machine.isPermitted = false
      let refused = await joiner.radio(.set(false), over: daemon, interface: "wlan0")
      #expect(throws: JoinFailure(.noPermission)) { try refused.get() }
      lab.machine.isPermitted = true
      lab.kill()
      let gone = await joiner.radio(.read, over: daemon, interface: "wlan0")
      #expect(throws: JoinFailure(.noDaemon)) { try gone.get() }
    }
    let lab = try DaemonLab(.supplicant)
    let none = await Joiner(link: lab.machine.link()).radio(.set(false), over: .supplicant, interface: "wlan0")
    guard case .failure(let failure) = none else {
      Issue.record("\(none)")
      return
    }
    #expect(failure.description.contains("rfkill"))
  }
}
