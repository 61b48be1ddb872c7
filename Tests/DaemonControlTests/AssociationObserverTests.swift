import DaemonControl
import DaemonProtocols
import Simulator
import Testing
import WiFi

/// A watch that goes on whatever becomes of the daemon.
@Suite struct AssociationObserverTests {
  /// What is told, in order, as words: events, and what keeps the observer from watching.
  private final class Log {
    var lines: [String] = []
  }

  /// Watches for a while over the daemon that owns the interface; between two attempts the lab's time passes.
  private func watch(
    _ daemon: JoinDaemon, for duration: Duration, isPermitted: Bool = true, _ happenings: [(Duration, (DaemonLab) -> Void)]
  ) async throws -> [String] {
    let lab = try DaemonLab(daemon)
    try lab.know("Lab SAE")
    try await lab.pass(.seconds(2))
    lab.machine.isPermitted = isPermitted
    let start = lab.kernel.bootTime
    for (time, body) in happenings { lab.kernel.schedule(at: start + time) { _ in body(lab) } }
    let log = Log()
    let access = DaemonAccess(over: nil, interface: { "wlan0" }) { EndingLink(lab.machine.link(), end: start + duration) }
    let observer = DaemonAssociationObserver(access) {
      if lab.kernel.bootTime >= start + duration { throw CancellationError() }
      try await lab.pass($0)
    }
    observer.onProblem = { log.lines.append($0.map { "problem: \($0)" } ?? "watches") }
    await observer.follow { log.lines.append("\($0)") }
    return log.lines
  }

  /// A link that breaks at a time, so that a watch without an end has one.
  private final class EndingLink: RelayLink {
    private let end: Duration

    init(_ link: any ControlLink, end: Duration) {
      self.end = end
      super.init(link)
    }

    override func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
      if bootTime >= end { throw LinkError(operation: "wait", number: 4) }
      return try await link.receive(until: min(deadline, end), isFinal: isFinal)
    }
  }

  @Test(arguments: JoinDaemon.allCases)
  func `the daemon that owns the interface is found and watched`(daemon: JoinDaemon) async throws {
    let lines = try await watch(daemon, for: .seconds(20), [(.seconds(5), { $0.dismiss(reason: 4) })])
    #expect(lines.prefix(3) == ["joined Lab SAE", "lost Lab SAE: dismissed, reason code 4", "joined Lab SAE"])
  }

  @Test(arguments: [JoinDaemon.supplicant, .iwd])
  func `a daemon that dies is a sentence, told once, and one that comes back is watched again`(daemon: JoinDaemon) async throws {
    let lines = try await watch(
      daemon, for: .seconds(60),
      [
        (.seconds(5), { $0.kill() }),
        (
          .seconds(30),
          { lab in
            switch daemon {
            case .iwd: lab.machine.startIWD(interface: "wlan0", air: lab.air)
            default: lab.machine.startSupplicant(interface: "wlan0", air: lab.air)
            }
            try? lab.know("Lab SAE")
          }
        ),
      ])
    #expect(lines.prefix(2) == ["joined Lab SAE", "lost Lab SAE: daemonLost"])
    #expect(lines.count { $0 == "problem: The daemon does not run." } == 1)
    #expect(lines.dropFirst(2).filter { $0.hasPrefix("watches") || $0.hasPrefix("joined") } == ["watches", "joined Lab SAE"])
  }

  @Test func `a user who may not ask the daemon is told so, and the watch goes on`() async throws {
    let lines = try await watch(.supplicant, for: .seconds(20), isPermitted: false, [(.seconds(9), { $0.machine.isPermitted = true })])
    #expect(lines.first?.hasPrefix("problem: This user may not") == true)
    #expect(lines.dropFirst() == ["watches", "joined Lab SAE"])
  }
}
