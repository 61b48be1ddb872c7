import ArgumentParser
import DaemonControl
import DaemonProtocols
import Harness
import Scanner
import WiFi

/// The command `wifi-harness radio`.
struct RadioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "radio", abstract: "Switch Wi-Fi on or off, or report its switches.",
    discussion: """
      Asks the daemon that owns the interface: WirelessEnabled of NetworkManager, Powered of iwd. wpa_supplicant has no \
      switch; there, and where no daemon runs, the kernel's own is moved (rfkill), for all wireless LANs.

      Exit status: 0 the radio is as requested; 1 a switch of the machine keeps it off, or the daemon agreed and did not switch; 69 there \
      is no daemon that switches Wi-Fi, and no switch of the kernel; 77 this user may not switch it.
      """)

  enum Request: String, ExpressibleByArgument, CaseIterable { case on, off, status }

  @Argument(help: "What to do; status reports the switches.")
  var request: Request = .status

  @OptionGroup(title: "Daemon") var daemonOptions: DaemonOptions

  func run() async throws {
    #if os(Linux)
      try await daemonOptions.run(perform)
    #else
      throw Failure(.unavailable, "this system has neither rfkill nor the daemons that switch Wi-Fi: NetworkManager, iwd.")
    #endif
  }

  #if os(Linux)
    private func perform(_ machine: DaemonMachine) async throws {
      let link = try daemonOptions.link(machine)
      let joiner = Joiner(link: link)
      var interface = daemonOptions.interface
      if interface == nil { interface = try? await machine.scanner().interfaces().first { $0.type == .station }?.name }
      var report = RadioReport()
      var isBlocked = false
      let unwritten: Failure?
      let owner: JoinDaemon? = try? await daemonOptions.owner(of: interface ?? "", joiner, machine).get()
      if let owner, owner != .supplicant {
        let asked: RadioRequest = request == .status ? .read : .set(request == .on)
        let outcome = await joiner.radio(asked, over: owner, interface: interface ?? "")
        unwritten = daemonOptions.keep(link.recording)
        switch outcome {
        case .success(let state):
          (report.daemon, report.isOn) = (owner, state.isOn)
          isBlocked = state.isBlockedByHardware == true
        case .failure(let failure): throw Failure(failure.reason == .noPermission ? .noPermission : .unavailable, "\(failure)")
        }
      } else if let world = machine.world {
        unwritten = daemonOptions.keep(link.recording)
        if request != .status { try await world.kernelRadio.setRadio(on: request == .on) }
        report.switches = [.init(name: "phy0", isSoftBlocked: request == .off, isHardBlocked: false)]
      } else {
        unwritten = daemonOptions.keep(link.recording)
        if request != .status { try RFKill.set(isBlocked: request == .off) }
        if RFKill.switches().isEmpty {
          throw Failure(
            .unavailable, "no daemon that switches Wi-Fi runs, and the kernel has no switch of a wireless LAN." + Failure.simulationAdvice)
        }
      }
      if machine.world == nil { report.switches = RFKill.switches() }
      try StandardStreams.write(
        daemonOptions.format == .json ? report.json() : Array(report.lines.map { $0 + "\n" }.joined().utf8))
      if request == .on, isBlocked || report.switches.contains(where: \.isHardBlocked) {
        throw Failure(.checkFailed, "a switch of the machine keeps the radio silent; no program can move it.")
      }
      if request != .status, let owner, let isOn = report.isOn, isOn != (request == .on) {
        throw Failure(
          .checkFailed,
          "\(owner.name) agreed to switch Wi-Fi \(request.rawValue), and did not; its own client, and `wifi-harness doctor`, may say why.")
      }
      if let unwritten { StandardStreams.exit(unwritten.status) }
    }
  #endif
}
