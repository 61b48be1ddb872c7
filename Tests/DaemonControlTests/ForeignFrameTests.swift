import DaemonControl
import DaemonProtocols
import Simulator
import Testing
import WiFi

/// Frames that the kernel reports of another adapter while this one joins or is joined over iwd.
@Suite struct ForeignFrameTests {
  /// Gives a conversation a report of the kernel after everything that it hears.
  private struct Wire<Session: ControlSession>: ControlSession {
    var session: Session
    var end: Duration?
    let reports: [[UInt8]]

    mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<Session.Output>] {
      let input = end.map { now >= $0 && input != .start } == true ? JoinInput.cancelled : input
      var actions = session.handle(input, at: now)
      for report in reports where isHeard(input) && !actions.contains(where: Self.isFinish) {
        actions += session.handle(.received(.kernel, report), at: now)
      }
      guard let end else { return actions }
      return actions.map { if case .wait(let until) = $0 { .wait(until: min(until, end)) } else { $0 } }
    }

    private func isHeard(_ input: JoinInput) -> Bool { if case .received = input { true } else { false } }

    private static func isFinish(_ action: ControlAction<Session.Output>) -> Bool { if case .finish = action { true } else { false } }
  }

  /// An access point ends an association with a reason, as the kernel reports it of an interface.
  private static func end(_ reason: UInt16, interface: UInt32) -> [UInt8] {
    let accessPoint = MACAddress(0x0200_0000_0777)
    var attributes = AttributeWriter()
    attributes.write(NL80211.Attribute.interfaceIndex, interface)
    let header: [UInt8] = [0xC0, 0, 0, 0] + MACAddress(0x0200_0000_0900).bytes + accessPoint.bytes + accessPoint.bytes + [0, 0]
    attributes.write(NL80211.Attribute.frame, header + [UInt8(truncatingIfNeeded: reason), 0])
    let generic = GenericNetlinkMessage(command: 39, version: 1, attributes: attributes.bytes)
    return NetlinkMessage(type: 20, payload: generic.payload).encoded
  }

  private func failure(_ name: String, _ reports: [[UInt8]], _ prepare: (DaemonLab) -> Void) async throws -> JoinFailure? {
    let lab = try DaemonLab(.iwd)
    prepare(lab)
    let request = try lab.request(name, RecordedJoin.right)
    func run(_ session: some JoinSession) async -> JoinOutcome {
      await Joiner(link: lab.machine.link()).run(Wire(session: session, reports: reports))
    }
    return await run(JoinDaemon.iwd.session(request)).failure
  }

  @Test(arguments: ["Lab WPA2", "Lab SAE"])
  func `a join fails for what its own access point said`(name: String) async throws {
    func refuse(_ lab: DaemonLab) { lab.policy(name) { $0.refusal = .association(status: 17) } }
    let alone = try #require(await failure(name, [], refuse))
    #expect(alone.reason == .refused(.associating, status: 17))
    #expect(try await failure(name, [Self.end(15, interface: 9)], refuse)?.reason == alone.reason)
    // The same report of this adapter is believed.
    #expect(try await failure(name, [Self.end(15, interface: 3)], refuse)?.reason != alone.reason)
  }

  @Test(arguments: [(UInt32(9), UInt16(8)), (3, 5)])
  func `a link is lost for what its own access point said`(interface: UInt32, reason: UInt16) async throws {
    let lab = try DaemonLab(.iwd)
    try lab.know("Lab SAE")
    try await lab.pass(.seconds(2))
    let end = lab.kernel.bootTime + .seconds(10)
    lab.kernel.schedule(at: end - .seconds(5)) { _ in lab.dismiss(reason: 8) }
    var events: [AssociationEvent] = []
    func run(_ session: some AssociationSession) async {
      let wire = Wire(session: session, end: end, reports: [Self.end(5, interface: interface)])
      _ = await Joiner(link: lab.machine.link()).run(wire, onEvent: { events.append($0) })
    }
    await run(JoinDaemon.iwd.associationSession(interface: "wlan0"))
    #expect(events.contains(.lost(AssociationSessionTests.lab, .dismissed(reason: reason))), "\(events)")
  }
}
