import Joiner
import Simulator
import Testing
import WiFi

/// What every simulated daemon must do, and what its session makes of it.
@Suite struct SimulatedDaemonsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var daemon: JoinDaemon
    var name: String
    var testDescription: String { "\(daemon) \(name)" }
  }

  static let rows = JoinDaemon.allCases.flatMap { daemon in DaemonLab.stations.map { Row(daemon: daemon, name: $0.name) } }

  @Test(arguments: rows)
  func `the right password joins, is remembered, and is told nowhere`(row: Row) async throws {
    let lab = try DaemonLab(row.daemon)
    let (outcome, recording) = try await lab.join(row.name)
    let joined = try #require(outcome.joined, "\(outcome)")
    #expect(lab.joined == row.name)
    #expect(lab.known == [row.name])
    #expect(joined.isKept)
    #expect(!recording.text.contains(Hex.string(RecordedJoin.right.utf8)))
    // What is known is there after a restart, and is joined again by itself.
    lab.restart()
    try await lab.pass(.seconds(10))
    #expect(lab.joined == row.name)
  }

  @Test(arguments: rows.filter { ["Lab WPA2", "Lab SAE", "Lab Transition"].contains($0.name) })
  func `a wrong password is a wrong password, and leaves nothing behind`(row: Row) async throws {
    let lab = try DaemonLab(row.daemon)
    try lab.know(row.name == "Lab SAE" ? "Lab WPA2" : "Lab SAE")
    try await lab.pass(.seconds(10))
    let before = lab.joined
    #expect(before != nil)
    let (outcome, recording) = try await lab.join(row.name, RecordedJoin.wrong)
    let failure = try #require(outcome.failure)
    #expect(failure.reason == .wrongPassword)
    // hostapd 2.10 refuses the Confirm with status 1, which may mean other things.
    #expect(failure.certainty == (row.name == "Lab WPA2" ? .certain : .likely))
    #expect(failure.aftermath == .returning)
    #expect(lab.known == [row.name == "Lab SAE" ? "Lab WPA2" : "Lab SAE"])
    #expect(!recording.text.contains(Hex.string(RecordedJoin.wrong.utf8)))
    #expect(!"\(outcome)".contains(RecordedJoin.wrong))
    try await lab.pass(.seconds(20))
    #expect(lab.joined == before)
  }

  @Test(
    arguments: JoinDaemon.allCases,
    [
      (AccessPointPolicy.Refusal.association(status: 17), JoinFailure.Reason.refused(.associating, status: 17), Certainty.certain),
      (.authentication(status: 1), .refused(.authenticating, status: 1), .certain),
      (.association(status: 43), .refused(.associating, status: 43), .certain),
    ])
  func `an access point that refuses is told by its status`(
    daemon: JoinDaemon, row: (refusal: AccessPointPolicy.Refusal, reason: JoinFailure.Reason, certainty: Certainty)
  ) async throws {
    let lab = try DaemonLab(daemon)
    lab.policy("Lab WPA2") { $0.refusal = row.refusal }
    let (outcome, _) = try await lab.join("Lab WPA2")
    #expect(outcome.failure?.reason == row.reason)
    #expect(outcome.failure?.certainty == row.certainty)
    #expect(lab.known.isEmpty)
  }

  @Test(arguments: JoinDaemon.allCases)
  func `a network that is not there is out of range, and one without addresses has none`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    let (nowhere, _) = try await lab.join("Lab Nowhere")
    let reason = try #require(nowhere.failure?.reason)
    #expect(reason == .outOfRange)
    #expect(nowhere.duration < .seconds(40))
    guard daemon != .iwd else { return }
    lab.policy("Lab WPA2") { $0.address = nil }
    let (silent, _) = try await lab.join("Lab WPA2") { $0.needsAddress = true }
    #expect(silent.failure?.reason == .noAddress)
    #expect(lab.known.isEmpty)
  }

  @Test(arguments: JoinDaemon.allCases)
  func `a network that is known is joined without a password, and an unknown one is not`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    let (unknown, _) = try await lab.join("Lab WPA2", nil)
    #expect(unknown.failure?.reason == .passwordMissing)
    #expect(unknown.failure?.certainty == .certain)
    try lab.know("Lab WPA2")
    try lab.know("Lab SAE")
    try await lab.pass(.seconds(10))
    let (known, _) = try await lab.join("Lab WPA2", nil)
    #expect(known.joined != nil)
    #expect(lab.known.sorted() == ["Lab SAE", "Lab WPA2"])
    #expect(lab.joined == "Lab WPA2")
  }

  @Test(arguments: JoinDaemon.allCases)
  func `what an open network of the name is known by is not used for a secured one`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    // Somebody's access point without a password under the same name.
    lab.air.stations.append(
      .init(
        AccessPoint(
          bssid: MACAddress(0x0200_0000_0666), ssid: try #require(SSID(Array("Lab WPA2".utf8))),
          channel: try #require(Channel(band: .ghz2_4, number: 11, megahertz: 20)), generation: .wifi4, security: .open), signalMBm: -3000))
    try lab.know("Lab SAE", priority: 1)
    try lab.knowOpen("Lab WPA2")
    try await lab.pass(.seconds(10))
    let (refused, _) = try await lab.join("Lab WPA2", nil)
    #expect(refused.failure?.reason == .passwordMissing)
    #expect(refused.failure?.certainty == .certain)
    try lab.know("Lab WPA2")
    let (known, _) = try await lab.join("Lab WPA2", nil)
    #expect(known.joined != nil)
    #expect(known.joined?.bssid != MACAddress(0x0200_0000_0666))
    #expect(lab.joined == "Lab WPA2")
    #expect(lab.known.sorted() == ["Lab SAE", "Lab WPA2", "Lab WPA2"])
  }

  @Test(arguments: JoinDaemon.allCases, [Duration.zero, .milliseconds(30), .milliseconds(100), .seconds(1), .seconds(3)])
  func `a daemon that is killed or restarted in the middle is told`(daemon: JoinDaemon, delay: Duration) async throws {
    for restarts in [false, true] {
      let lab = try DaemonLab(daemon)
      lab.policy("Lab WPA2") { $0.duration = .seconds(5) }
      lab.kernel.schedule(at: lab.kernel.bootTime + delay) { _ in if restarts { lab.restart() } else { lab.kill() } }
      let (outcome, _) = try await lab.join("Lab WPA2")
      if restarts, delay == .zero, outcome.joined != nil { continue }
      let reason = try #require(outcome.failure?.reason)
      #expect([.daemonLost, .daemonSilent, .noDaemon].contains(reason))
      #expect(outcome.duration < delay + .seconds(8))
      #expect(!lab.known.contains("Lab WPA2"), "what was made for the attempt went with the daemon")
    }
  }

  @Test(arguments: [Duration.zero, .milliseconds(30), .milliseconds(100), .seconds(1), .seconds(3)], [false, true])
  func `a wpa_supplicant that ends under NetworkManager is told, and the network before is joined again once it is back`(
    delay: Duration, restarts: Bool
  ) async throws {
    let lab = try DaemonLab(.networkManager)
    try lab.know("Lab SAE")
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab SAE")
    lab.policy("Lab WPA2") { $0.duration = .seconds(5) }
    lab.kernel.schedule(at: lab.kernel.bootTime + delay) { _ in lab.endSupplicant(restarts: restarts) }
    let (outcome, _) = try await lab.join("Lab WPA2")
    // One that is back before the attempt began is no end of it.
    if restarts, delay == .zero, outcome.joined != nil { return }
    let failure = try #require(outcome.failure)
    #expect(failure.reason == .supplicantLost)
    #expect(failure.certainty == .certain)
    #expect(failure.evidence.contains { $0.line == "device state 20, reason 10 (supplicant failed)" })
    #expect(outcome.duration < delay + .seconds(8))
    if delay > .zero { #expect(failure.aftermath == (restarts ? .returning : .notReturning)) }
    #expect(lab.known == ["Lab SAE"])
    try await lab.pass(.seconds(10))
    #expect(lab.joined == (restarts ? "Lab SAE" : nil))
    guard !restarts else { return }
    let (again, _) = try await lab.join("Lab WPA2")
    #expect(again.failure?.reason == .supplicantLost)
  }

  @Test(arguments: JoinDaemon.allCases)
  func `a new password takes the place of the one that was known, and what its user had set stays`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    try lab.know("Lab WPA2", password: "older boots?", priority: 7)
    try await lab.pass(.seconds(10))
    let (store, _) = lab.store()
    let before = try #require(try await store.knownNetworks().first)
    let (outcome, recording) = try await lab.join("Lab WPA2")
    let joined = try #require(outcome.joined, "\(outcome)")
    #expect(joined.isKept)
    #expect(lab.joined == "Lab WPA2")
    #expect(lab.known == ["Lab WPA2"])
    let after = try #require(try await store.knownNetworks().first)
    #expect(after.priority == before.priority)
    #expect(after.isJoined)
    // wpa_supplicant gives numbers anew at each start.
    if daemon != .supplicant { #expect(after.id == before.id) }
    #expect(!recording.text.contains(Hex.string(RecordedJoin.right.utf8)))
    lab.restart()
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab WPA2")
  }

  @Test(arguments: JoinDaemon.allCases)
  func `a new password that is wrong leaves the one that was known`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    try lab.know("Lab WPA2", password: "older boots?", priority: 7)
    try await lab.pass(.seconds(10))
    let (store, _) = lab.store()
    let before = try await store.knownNetworks()
    let (outcome, _) = try await lab.join("Lab WPA2", RecordedJoin.wrong)
    #expect(outcome.failure?.reason == .wrongPassword)
    #expect(try await store.knownNetworks() == before)
    // The password of before is right again.
    lab.policy("Lab WPA2") { $0.password = "older boots?" }
    lab.restart()
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab WPA2")
  }

  @Test func `NetworkManager's profiles of one network all get the password, and the preferred one is joined`() async throws {
    let lab = try DaemonLab(.networkManager)
    for priority: Int32 in [1, 9] { try lab.know("Lab WPA2", password: "older boots?", priority: priority) }
    try lab.knowOpen("Lab WPA2")
    try await lab.pass(.seconds(10))
    let (outcome, _) = try await lab.join("Lab WPA2")
    #expect(outcome.joined?.isKept == true)
    let (store, _) = lab.store()
    let known = try await store.knownNetworks()
    #expect(known.map(\.security) == [.psk, .psk, .open])
    #expect(known.first(where: \.isJoined)?.priority == 9)
    _ = try await store.perform(.forget(try #require(known.first(where: \.isJoined)).id))
    let (other, _) = try await lab.join("Lab WPA2", nil)
    #expect(other.joined != nil, "\(other)")
  }

  @Test func `an open network that NetworkManager knows is joined with what it knows`() async throws {
    let lab = try DaemonLab(.networkManager)
    try lab.knowOpen("Lab Open")
    let (outcome, _) = try await lab.join("Lab Open")
    #expect(outcome.joined?.isKept == true)
    #expect(lab.known == ["Lab Open"])
  }

  @Test(arguments: JoinDaemon.allCases)
  func `somebody else's join in the middle ends the attempt, and is left alone`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    lab.policy("Lab WPA2") { $0.duration = .seconds(5) }
    try lab.know("Lab SAE")
    let other = lab.machine.link()
    let joiner = Joiner(link: other)
    let request = try lab.request("Lab Transition", RecordedJoin.right)
    // The clock of the lab jumps, so both sessions are driven in one task, the other one to its end in the middle of the first.
    var theirs: JoinOutcome?
    let link = MeddlingLink(lab.machine.link(), after: .milliseconds(200)) { theirs = await joiner.join(request, over: daemon) }
    let ours = await Joiner(link: link).join(try lab.request("Lab WPA2", RecordedJoin.right), over: daemon)
    #expect(theirs?.joined != nil, "\(String(describing: theirs))")
    #expect(ours.failure?.reason == .superseded)
    #expect(!lab.known.contains("Lab WPA2"))
    try await lab.pass(.seconds(5))
    #expect(lab.joined == "Lab Transition")
  }

  @Test func `NetworkManager's words do not hide that an access point did not answer`() async throws {
    let lab = try DaemonLab(.networkManager)
    lab.policy("Lab WPA2") { $0.refusal = .silence }
    let silent = try #require(try await lab.join("Lab WPA2").0.failure)
    #expect([.timedOut(.authenticating), .lost(.authenticating)].contains(silent.reason), "\(silent)")
  }

  @Test(arguments: [
    ("1234567", Passphrase.Problem.tooShort(count: 7, minimum: 8)), (String(repeating: "x", count: 70), .tooLong(count: 70, maximum: 63)),
  ])
  func `a password that iwd finds impossible is impossible, though a network not heard might have taken it`(
    password: String, problem: Passphrase.Problem
  ) async throws {
    let lab = try DaemonLab(.iwd)
    let outcome = try await lab.join("Lab WPA2", password) { $0.security = .pskOrSAE }.0
    #expect(outcome.failure?.reason == .impossiblePassword(problem), "\(outcome)")
  }

  @Test(arguments: JoinDaemon.allCases)
  func `NetworkManager sets a link up that is down, and the others tell it`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    lab.kernel.setInterface(3, isUp: false)
    try await lab.pass(.seconds(1))
    let outcome = try await lab.join("Lab WPA2").0
    #expect(outcome.failure?.reason == (daemon == .networkManager ? nil : .interfaceDown))
    #expect(lab.joined == (daemon == .networkManager ? "Lab WPA2" : nil))
  }

  @Test(arguments: JoinDaemon.allCases)
  func `a machine without permission, without daemon, or with a radio that is switched off is told`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    lab.machine.isPermitted = false
    #expect(try await lab.join("Lab WPA2").0.failure?.reason == .noPermission)
    let (store, _) = lab.store()
    if daemon != .networkManager {
      await #expect(throws: KnownNetworkError.noPermission) { try await store.knownNetworks() }
    } else {
      #expect(try await store.knownNetworks().isEmpty)
    }
    lab.machine.isPermitted = true
    lab.kernel.setRFKill(wiphy: try #require(lab.kernel.adapters.first).wiphy, isBlocked: true)
    #expect(try await lab.join("Lab WPA2").0.failure?.reason == .interfaceDown)
    lab.kernel.setRFKill(wiphy: try #require(lab.kernel.adapters.first).wiphy, isBlocked: false)
    lab.kill()
    #expect(try await lab.join("Lab WPA2").0.failure?.reason == .noDaemon)
    await #expect(throws: KnownNetworkError.noDaemon) { try await store.knownNetworks() }
  }

  @Test(arguments: JoinDaemon.allCases)
  func `the known networks of a daemon keep the contract`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    try lab.know("Lab WPA2", priority: 3)
    try lab.know("Lab SAE")
    try await lab.pass(.seconds(10))
    let (store, link) = lab.store()
    try await KnownNetworksContract.check(store)
    let listed = try await store.knownNetworks()
    #expect(listed.map(\.ssid.description).sorted() == ["Lab SAE", "Lab WPA2"])
    #expect(listed.count(where: \.isJoined) == 1)
    for password in [KnownNetworksContract.password, KnownNetworksContract.other, RecordedJoin.right] {
      #expect(!link.recording.text.contains(Hex.string(password.utf8)))
    }
    let id = try #require(listed.first?.id)
    let edited = try await store.perform(.edit(id, KnownNetworkEdit(joinsAutomatically: false)))
    #expect(edited.networks.first { $0.id == id }?.joinsAutomatically == false)
    _ = try await store.perform(.forget(id))
    #expect(lab.known.count == 1)
  }

  @Test func `iwd asks for a password once the saved one failed in the handshake`() async throws {
    let lab = try DaemonLab(.iwd)
    try lab.know("Lab WPA2", password: "another password")
    let (wrong, _) = try await lab.join("Lab WPA2", RecordedJoin.wrong)
    #expect(wrong.failure?.reason == .wrongPassword)
    #expect(wrong.failure?.certainty == .certain)
    let (right, _) = try await lab.join("Lab WPA2", RecordedJoin.right)
    #expect(right.joined?.usedSavedPassword == false)
    #expect(lab.known == ["Lab WPA2"])
  }

  @Test(arguments: [true, false])
  func `iwd tries the password that it has saved, and the outcome says so`(savedIsRight: Bool) async throws {
    let lab = try DaemonLab(.iwd)
    try lab.know("Lab SAE", password: savedIsRight ? RecordedJoin.right : RecordedJoin.wrong)
    if let id = try await lab.store().0.knownNetworks().first?.id {
      // Not to be joined before the attempt.
      _ = try await lab.store().0.perform(.edit(id, KnownNetworkEdit(joinsAutomatically: false)))
    }
    try await lab.pass(.seconds(5))
    let (outcome, _) = try await lab.join("Lab SAE", savedIsRight ? RecordedJoin.wrong : RecordedJoin.right)
    if savedIsRight {
      #expect(outcome.joined?.usedSavedPassword == true)
    } else {
      #expect(outcome.failure?.reason == .savedPasswordWrong)
      #expect(outcome.failure?.certainty == .likely)
      #expect(lab.known == ["Lab SAE"], "what was known before the attempt is left as it was")
    }
    let (known, _) = try await lab.join("Lab SAE", nil)
    #expect(known.joined?.usedSavedPassword == (savedIsRight ? false : nil))
  }

  @Test(arguments: [JoinDaemon.networkManager, .iwd])
  func `the owner of the interface is found`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    #expect(await Joiner(link: lab.machine.link()).owner(of: "wlan0") == .success(daemon))
  }

  @Test func `without the supplicant's socket NetworkManager's words have to do`() async throws {
    let lab = try DaemonLab(.networkManager)
    let link = WithoutSupplicant(lab.machine.link())
    let (psk, sae) = (try lab.request("Lab WPA2", RecordedJoin.wrong), try lab.request("Lab SAE", RecordedJoin.wrong))
    for request in [psk, sae] {
      let outcome = await Joiner(link: link).join(request, over: .networkManager)
      #expect(outcome.failure?.reason == .wrongPassword)
      #expect(outcome.failure?.certainty == .likely)
    }
    #expect(lab.known.isEmpty)
  }
}

/// A link on which something else happens once, after some time.
final class MeddlingLink: ControlLink {
  private let link: any ControlLink
  private let time: Duration
  private var body: (() async -> Void)?

  init(_ link: any ControlLink, after delay: Duration, _ body: @escaping () async -> Void) {
    self.link = link
    time = link.bootTime + delay
    self.body = body
  }

  var bootTime: Duration { link.bootTime }
  func open(_ channel: ControlChannel) throws(LinkError) { try link.open(channel) }
  func close(_ channel: ControlChannel) { link.close(channel) }
  func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) { try link.send(payload, on: channel) }

  func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
    if let body {
      if let input = try await link.receive(until: min(deadline, time), isFinal: isFinal) { return input }
      if link.bootTime >= time {
        self.body = nil
        await body()
      }
    }
    return try await link.receive(until: deadline, isFinal: isFinal)
  }
}

/// A link of a user who may not talk to wpa_supplicant.
final class WithoutSupplicant: ControlLink {
  private let link: any ControlLink
  init(_ link: any ControlLink) { self.link = link }
  var bootTime: Duration { link.bootTime }
  func open(_ channel: ControlChannel) throws(LinkError) {
    if case .supplicant = channel { throw LinkError(operation: "open", number: KernelError.Number.accessDenied) }
    try link.open(channel)
  }
  func close(_ channel: ControlChannel) { link.close(channel) }
  func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) { try link.send(payload, on: channel) }
  func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
    try await link.receive(until: deadline, isFinal: isFinal)
  }
}
