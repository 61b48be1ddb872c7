import DaemonControl
import DaemonProtocols
import Simulator
import Testing
import WiFi

/// What happens to a link, as each daemon tells it.
@Suite struct AssociationSessionTests {
  static let lab = SSID(Array("Lab SAE".utf8)) ?? .wildcard
  static let bssid = MACAddress(0x0200_0000_0500)

  /// The events of a link from the beginning of a watch on: something is done at each time, and the watch ends with the last.
  private func events(
    _ daemon: JoinDaemon, for duration: Duration = .seconds(60),
    _ prepare: (DaemonLab) throws -> Void, _ happenings: [(Duration, (DaemonLab) -> Void)]
  ) async throws -> [AssociationEvent] {
    let lab = try DaemonLab(daemon)
    try prepare(lab)
    try await lab.pass(.seconds(2))
    let start = lab.kernel.bootTime
    for (time, body) in happenings { lab.kernel.schedule(at: start + time) { _ in body(lab) } }
    var events: [AssociationEvent] = []
    let joiner = Joiner(link: lab.machine.link())
    let session = EndingSession(session: daemon.associationSession(interface: "wlan0"), end: start + duration)
    _ = await joiner.run(session, onEvent: { events.append($0) })
    return events
  }

  /// A conversation that is cancelled at a time.
  private struct EndingSession: ControlSession {
    var session: any AssociationSession
    var end: Duration

    mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<JoinFailure>] {
      let input = now >= end && input != .start ? JoinInput.cancelled : input
      return session.handle(input, at: now).map { action in
        if case .wait(let until) = action { .wait(until: min(until, end)) } else { action }
      }
    }
  }

  @Test(arguments: JoinDaemon.allCases)
  func `a network that is joined already is told first`(daemon: JoinDaemon) async throws {
    let events = try await events(daemon, { try $0.know("Lab SAE") }, [])
    #expect(events.map(\.description) == ["joined Lab SAE"])
  }

  @Test(arguments: JoinDaemon.allCases, [UInt16(1), 4, 5, 8])
  func `an access point that ends the link is told with its reason code`(daemon: JoinDaemon, reason: UInt16) async throws {
    let events = try await events(daemon, { try $0.know("Lab SAE") }, [(.seconds(5), { $0.dismiss(reason: reason) })])
    #expect(events.map(\.description) == ["joined Lab SAE", "lost Lab SAE: dismissed, reason code \(reason)", "joined Lab SAE"])
  }

  @Test(arguments: JoinDaemon.allCases)
  func `an access point that goes is told as lost beacons`(daemon: JoinDaemon) async throws {
    let events = try await events(
      daemon, { try $0.know("Lab SAE") },
      [(.seconds(5), { lab in lab.air.stations.removeAll { $0.accessPoint.bssid == Self.bssid } })])
    #expect(events.last == .lost(Self.lab, .beaconLoss))
    #expect(events.count == 2)
  }

  @Test(arguments: JoinDaemon.allCases)
  func `an interface that goes down is told as that, and the join after it`(daemon: JoinDaemon) async throws {
    let events = try await events(
      daemon, for: .seconds(120), { try $0.know("Lab SAE") },
      [(.seconds(5), { $0.kernel.setInterface(3, isUp: false) }), (.seconds(15), { $0.kernel.setInterface(3, isUp: true) })])
    #expect(events.prefix(2).map(\.description) == ["joined Lab SAE", "lost Lab SAE: interfaceDown"])
    #expect(events.dropFirst(2).map(\.description) == ["joined Lab SAE"])
  }

  @Test func `over iwd, an adapter that comes back under another number is seen`() async throws {
    let events = try await events(
      .iwd, for: .seconds(120), { try $0.know("Lab SAE") },
      [
        (.seconds(5), { $0.kernel.unplug(wiphy: 0) }),
        (.seconds(15), { $0.kernel.plugIn(SimulatedAdapter(wiphy: 1, index: 7)) }),
      ])
    #expect(events.map(\.description) == ["joined Lab SAE", "lost Lab SAE: adapterGone", "joined Lab SAE"])
  }

  @Test(arguments: JoinDaemon.allCases)
  func `another access point of the network is told, and why where the daemon says so`(daemon: JoinDaemon) async throws {
    let other = MACAddress(0x0200_0000_0599)
    let events = try await events(
      daemon,
      { lab in
        try lab.know("Lab SAE")
        var second = try #require(lab.air.stations.first { $0.accessPoint.bssid == Self.bssid })
        second.accessPoint.bssid = other
        second.signalMBm -= 1000
        lab.air.stations.append(second)
        lab.air.policies[other] = lab.air.policies[Self.bssid]
      }, [(.seconds(5), { $0.roam() })])
    #expect(events.count == 2)
    guard case .roamed(let ssid, _, let to, let reason)? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(ssid == Self.lab)
    #expect(to == other)
    #expect(reason == (daemon == .iwd ? .unknown : .weakSignal))
  }

  /// What wpa_supplicant 2.10 said before it followed a request of the access point, with 20 s of scans and answers between.
  @Test(arguments: [
    (["WNM: Disassociation Imminent - Disassociation Timer 100", "WNM: Preferred List Available"], 20, RoamingReason.accessPointAsked),
    (["WNM: Preferred List Available"], 80, .unknown), (["CTRL-EVENT-SIGNAL-CHANGE above=0 signal=-82"], 20, .weakSignal),
    (["CTRL-EVENT-SIGNAL-CHANGE above=0 signal=-82", "CTRL-EVENT-SIGNAL-CHANGE above=1 signal=-60"], 20, .unknown),
  ])
  func `what was said before a move explains it for a minute, whatever is asked between`(
    lines: [String], seconds: Int, reason: RoamingReason
  ) {
    let channel = ControlChannel.supplicant(interface: "wlan0")
    var session = SupplicantAssociationSession(interface: "wlan0")
    var reported: [AssociationEvent] = []
    var now = Duration.zero
    func give(_ input: JoinInput) {
      for case .report(let event) in session.handle(input, at: now) { reported.append(event) }
    }
    func say(_ line: String) { give(.received(channel, Array(line.utf8))) }
    func status(_ bssid: MACAddress) { say("wpa_state=COMPLETED\nbssid=\(bssid)\nssid=Lab SAE\n") }
    let other = MACAddress(0x0200_0000_0599)
    give(.start)
    give(.opened(channel))
    say("OK\n")
    status(Self.bssid)
    for line in lines { say("<3>\(line)") }
    for _ in 0..<seconds / 2 {
      now += .seconds(2)
      give(.timedOut)
      status(Self.bssid)
    }
    say("<3>CTRL-EVENT-CONNECTED - Connection to \(other) completed [id=2 id_str=]")
    status(other)
    #expect(reported == [.joined(Self.lab, bssid: Self.bssid), .roamed(Self.lab, from: Self.bssid, to: other, reason)])
  }

  @Test(arguments: JoinDaemon.allCases)
  func `a daemon that dies takes the link with it`(daemon: JoinDaemon) async throws {
    let events = try await events(daemon, { try $0.know("Lab SAE") }, [(.seconds(5), { $0.kill() })])
    #expect(events.count == 2)
    guard case .lost(Self.lab, let loss)? = events.last else {
      Issue.record("\(events)")
      return
    }
    // Its supplicant outlives NetworkManager, and tells that the network was left.
    #expect(loss == (daemon == .networkManager ? .left : .daemonLost))
  }

  @Test func `NetworkManager tells what it can where the supplicant may not be asked`() async throws {
    let lab = try DaemonLab(.networkManager)
    try lab.know("Lab SAE")
    try await lab.pass(.seconds(2))
    let start = lab.kernel.bootTime
    lab.kernel.schedule(at: start + .seconds(5)) { _ in lab.air.stations.removeAll { $0.accessPoint.bssid == Self.bssid } }
    lab.machine.isPermitted = false
    var events: [AssociationEvent] = []
    let session = EndingSession(session: JoinDaemon.networkManager.associationSession(interface: "wlan0"), end: start + .seconds(60))
    _ = await Joiner(link: lab.machine.link()).run(session, onEvent: { events.append($0) })
    #expect(events == [.joined(Self.lab, bssid: Self.bssid), .lost(Self.lab, .beaconLoss)])
  }

  @Test(arguments: JoinDaemon.allCases)
  func `an interface that goes down in the middle of a join is told as that`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    lab.kernel.schedule(at: lab.kernel.bootTime + .seconds(2)) { $0.setInterface(3, isUp: false) }
    lab.policy("Lab WPA2") { $0.duration = .seconds(10) }
    let (outcome, _) = try await lab.join("Lab WPA2")
    #expect(outcome.failure?.reason == .interfaceDown)
    #expect(outcome.failure?.certainty == .certain)
  }

  @Test func `an adapter that is unplugged in the middle of a join over iwd is no other program's join`() async throws {
    let lab = try DaemonLab(.iwd)
    lab.kernel.schedule(at: lab.kernel.bootTime + .seconds(2)) { $0.unplug(wiphy: 0) }
    lab.policy("Lab WPA2") { $0.duration = .seconds(10) }
    let (outcome, _) = try await lab.join("Lab WPA2")
    let reason = try #require(outcome.failure?.reason)
    #expect([.noInterface, .interfaceDown].contains(reason))
    #expect(outcome.failure?.certainty == .certain)
  }

  @Test(arguments: [
    (AssociationLoss.dismissed(reason: 4), "The access point ended the connection: reason 4, nothing was heard for too long."),
    (.dismissed(reason: 999), "The access point ended the connection: reason 999."),
    (.beaconLoss, "The access point was not heard any more."), (.left, "A program of this machine left the network."),
  ])
  func `a loss is a sentence`(loss: AssociationLoss, sentence: String) { #expect("\(loss)" == sentence) }
}

extension DaemonLab {
  /// The access point that is joined ends the link.
  func dismiss(reason: UInt16) {
    // NetworkManager joins over a supplicant.
    machine.supplicant(of: "wlan0")?.endAssociation(reason: reason)
    machine.iwd?.endAssociation(reason: reason)
  }

  func roam() {
    machine.supplicant(of: "wlan0")?.roamToAnother()
    machine.iwd?.roamToAnother()
  }
}
