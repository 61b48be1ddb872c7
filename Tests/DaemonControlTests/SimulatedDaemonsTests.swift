import DaemonControl
import DaemonProtocols
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

  /// What happens while the password is on its way to a profile of NetworkManager.
  enum Mishap: CaseIterable, Sendable { case supplicantEnds, isSwitchedOff, isSuperseded }

  @Test(arguments: Mishap.allCases, [true, false])
  func `a device of NetworkManager that fails while a profile is written is not told as joined`(
    mishap: Mishap, hasOlder: Bool
  ) async throws {
    let lab = try DaemonLab(.networkManager)
    if hasOlder {
      try lab.know("Lab WPA2", password: "older boots?")
      try await lab.pass(.seconds(20))
    }
    let other = Joiner(link: lab.machine.link())
    let request = try lab.request("Lab SAE", RecordedJoin.right)
    let link = HeldLink(lab.machine.link(), holding: "Update2") {
      switch mishap {
      case .supplicantEnds: lab.endSupplicant(restarts: false)
      case .isSwitchedOff: _ = await other.radio(.set(false), over: .networkManager, interface: "wlan0")
      case .isSuperseded: _ = await other.join(request, over: .networkManager)
      }
    }
    let outcome = await Joiner(link: link).join(try lab.request("Lab WPA2", RecordedJoin.right), over: .networkManager)
    let reason = try #require(outcome.failure, "\(outcome)").reason
    switch mishap {
    case .supplicantEnds: #expect(reason == .supplicantLost)
    case .isSwitchedOff: #expect([.interfaceDown, .linkLost].contains(reason))
    case .isSuperseded: #expect(reason == .superseded)
    }
    #expect(lab.known == (hasOlder ? ["Lab WPA2"] : []) + (mishap == .isSuperseded ? ["Lab SAE"] : []))
    try await lab.pass(.seconds(5))
    #expect(lab.joined == (mishap == .isSuperseded ? "Lab SAE" : nil))
  }

  @Test func `NetworkManager's profiles of one network all get the password, and the preferred one is joined`() async throws {
    let lab = try DaemonLab(.networkManager)
    for priority in [1, 9] { try lab.know("Lab WPA2", password: "older boots?", priority: priority) }
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

  @Test func `a network that NetworkManager knows as long as it is joined is joined again, and not remembered`() async throws {
    let lab = try DaemonLab(.networkManager)
    let (once, _) = try await lab.join("Lab WPA2") { $0.isKept = false }
    #expect(once.joined?.isKept == false)
    let (again, _) = try await lab.join("Lab WPA2", nil)
    #expect(again.joined?.isKept == false)
    #expect(lab.saved.isEmpty)
    // A saved profile comes first.
    try lab.know("Lab WPA2")
    let (known, _) = try await lab.join("Lab WPA2", nil)
    #expect(known.joined?.isKept == true)
    #expect(lab.saved == ["Lab WPA2"])
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

  /// A second access point of a network, which is heard better than the first.
  private func addSecond(_ name: String, to lab: DaemonLab) throws -> (first: MACAddress, second: MACAddress) {
    var station = try #require(lab.air.stations.first { $0.accessPoint.ssid.description == name })
    let first = station.accessPoint.bssid
    station.accessPoint.bssid = MACAddress(0x0200_0000_0399)
    station.signalMBm = -3000
    lab.air.stations.insert(station, at: 0)
    lab.air.policies[station.accessPoint.bssid] = lab.air.policies[first]
    return (first, station.accessPoint.bssid)
  }

  @Test(arguments: [true, false])
  func `wpa_supplicant joins the one BSS of a known network that is wanted, and knows it as before`(isJoinedBefore: Bool) async throws {
    let lab = try DaemonLab(.supplicant)
    let (first, second) = try addSecond("Lab WPA2", to: lab)
    try lab.know(isJoinedBefore ? "Lab WPA2" : "Lab SAE")
    try await lab.pass(.seconds(10))
    if !isJoinedBefore { try lab.know("Lab WPA2") }
    for bssid in [first, second, second] {
      let (outcome, _) = try await lab.join("Lab WPA2", nil) { $0.bssid = bssid }
      #expect(outcome.joined?.bssid == bssid, "\(outcome)")
      #expect(lab.machine.supplicant(of: "wlan0")?.joined?.bssid == bssid)
      #expect(try await bindings(lab) == [nil])
    }
    // One that cannot be joined, and one that is not there.
    lab.air.policies[first]?.refusal = .association(status: 17)
    let (refused, _) = try await lab.join("Lab WPA2", nil) { $0.bssid = first }
    #expect(refused.failure?.reason == .refused(.associating, status: 17))
    #expect(refused.failure?.aftermath == .returning)
    try await lab.pass(.seconds(10))
    let (nowhere, _) = try await lab.join("Lab WPA2", nil) { $0.bssid = MACAddress(0x0200_0000_0377) }
    #expect(nowhere.failure?.reason == .outOfRange)
    #expect(try await bindings(lab) == [nil])
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab WPA2")
  }

  @Test func `wpa_supplicant leaves another BSS of a known network that it is joining by itself`() async throws {
    let lab = try DaemonLab(.supplicant)
    lab.policy("Lab WPA2") { $0.duration = .seconds(2) }
    let (first, _) = try addSecond("Lab WPA2", to: lab)
    try lab.know("Lab WPA2")
    let (outcome, _) = try await lab.join("Lab WPA2", nil) { $0.bssid = first }
    #expect(outcome.joined?.bssid == first, "\(outcome)")
    #expect(try await bindings(lab) == [nil])
  }

  @Test(arguments: cancellations)
  func `wpa_supplicant's known network is bound to no BSS after a join that was cancelled`(delay: Duration) async throws {
    let lab = try DaemonLab(.supplicant)
    let (first, _) = try addSecond("Lab WPA2", to: lab)
    try lab.know("Lab WPA2")
    try await lab.pass(.seconds(10))
    lab.policy("Lab WPA2") { $0.duration = .seconds(5) }
    let (outcome, _) = try await lab.joinCancelled("Lab WPA2", nil, after: delay) { $0.bssid = first }
    #expect(outcome.failure?.reason == .cancelled)
    #expect(try await bindings(lab) == [nil])
    try await lab.pass(.seconds(10))
    #expect(lab.joined == "Lab WPA2")
  }

  /// The BSS that each of wpa_supplicant's networks is bound to.
  private func bindings(_ lab: DaemonLab) async throws -> [MACAddress?] {
    let link = lab.machine.link()
    try link.open(.supplicant(interface: "wlan0"))
    try link.send(ControlPayload(ControlCommand.listNetworks(after: nil).encoded), on: .supplicant(interface: "wlan0"))
    guard case .received(_, let bytes) = try await link.receive(until: lab.kernel.bootTime, isFinal: false) else { return [] }
    return try ControlNetwork.list(bytes).filter { $0.ssid.description == "Lab WPA2" }.map(\.bssid)
  }

  @Test func `a network of wpa_supplicant that is bound to another BSS is another one`() async throws {
    let lab = try DaemonLab(.supplicant)
    let (first, second) = try addSecond("Lab WPA2", to: lab)
    let (bound, _) = try await lab.join("Lab WPA2") { $0.bssid = first }
    #expect(bound.joined?.bssid == first)
    let (other, _) = try await lab.join("Lab WPA2", nil) { $0.bssid = second }
    #expect(other.failure?.reason == .passwordMissing)
    #expect(try await bindings(lab) == [first])
  }

  @Test func `NetworkManager joins one BSS with a saved password over a profile that is bound to it, or says what to do`() async throws {
    let lab = try DaemonLab(.networkManager)
    let (first, second) = try addSecond("Lab WPA2", to: lab)
    let (unknown, _) = try await lab.join("Lab WPA2", nil) { $0.bssid = first }
    #expect(unknown.failure?.reason == .passwordMissing)
    try lab.know("Lab WPA2")
    try await lab.pass(.seconds(10))
    let (unbound, recording) = try await lab.join("Lab WPA2", nil) { $0.bssid = first }
    let failure = try #require(unbound.failure)
    #expect(failure.description.hasSuffix("is not supported; give the password, or leave the choice of the BSS to NetworkManager."))
    #expect(failure.certainty == .certain)
    #expect(failure.aftermath == .stayed)
    #expect(!recording.hasAsked)
    // As the sentence says.
    let (given, _) = try await lab.join("Lab WPA2") { $0.bssid = first }
    #expect(given.joined?.bssid == first)
    #expect(lab.saved == ["Lab WPA2", "Lab WPA2"])
    // From then on it is known.
    let (free, _) = try await lab.join("Lab WPA2", nil)
    #expect(free.joined?.bssid == second)
    let (known, _) = try await lab.join("Lab WPA2", nil) { $0.bssid = first }
    #expect(known.joined?.bssid == first)
    #expect(lab.saved == ["Lab WPA2", "Lab WPA2"])
  }

  @Test(arguments: [JoinDaemon.networkManager, .supplicant])
  func `one BSS of a known network without a password is joined`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    let (first, second) = try addSecond("Lab Open", to: lab)
    try lab.knowOpen("Lab Open")
    try await lab.pass(.seconds(10))
    for bssid in [first, second] {
      let (outcome, _) = try await lab.join("Lab Open") { ($0.bssid, $0.isKept) = (bssid, false) }
      #expect(outcome.joined?.bssid == bssid)
      #expect(lab.saved == ["Lab Open"] || daemon == .supplicant)
    }
  }

  @Test func `iwd binds no network to a BSS, and says what to do`() async throws {
    let lab = try DaemonLab(.iwd)
    try lab.know("Lab WPA2")
    let (outcome, _) = try await lab.join("Lab WPA2", nil) { $0.bssid = MACAddress(0x0200_0000_0300) }
    let sentence = "Joining one BSS of a network over iwd is not supported; leave the choice of the BSS to iwd."
    #expect(outcome.failure?.description == sentence)
  }

  /// How far a join has come when it is cancelled: an access point takes two seconds, and an address as long.
  static let cancellations: [Duration] = [.zero, .milliseconds(1), .milliseconds(30), .seconds(1), .seconds(3)]

  @Test(arguments: JoinDaemon.allCases, cancellations)
  func `a known network whose join is cancelled is not joined, where none was joined before`(
    daemon: JoinDaemon, delay: Duration
  ) async throws {
    for joinsAutomatically in [true, false] {
      let lab = try DaemonLab(daemon)
      lab.policy("Lab WPA2") { $0.duration = .seconds(2) }
      lab.machine.networkManager?.addressDuration = .seconds(2)
      if daemon == .supplicant { lab.policy("Lab WPA2") { $0.address = nil } }
      try lab.know("Lab WPA2")
      let (store, _) = lab.store()
      let id = try #require(try await store.knownNetworks().first).id
      if !joinsAutomatically { _ = try await store.perform(.edit(id, KnownNetworkEdit(joinsAutomatically: false))) }
      let (outcome, recording) = try await lab.joinCancelled("Lab WPA2", nil, after: delay) { $0.needsAddress = true }
      // iwd has joined before there is an address.
      if outcome.joined != nil {
        #expect(daemon == .iwd && delay > .seconds(2))
        continue
      }
      #expect(outcome.failure?.reason == .cancelled)
      #expect(outcome.failure?.aftermath == .nothingBefore)
      try await lab.pass(.seconds(60))
      // A daemon that was not asked for the network goes on with it by itself.
      #expect(lab.joined == (joinsAutomatically && !recording.hasAsked ? "Lab WPA2" : nil), "\(joinsAutomatically)")
      #expect(try await store.knownNetworks().first?.joinsAutomatically == joinsAutomatically)
      // It can be joined again.
      lab.policy("Lab WPA2") { $0.address = "10.0.0.100" }
      let (again, _) = try await lab.join("Lab WPA2", nil)
      #expect(again.joined != nil, "\(again)")
    }
  }

  @Test(arguments: JoinDaemon.allCases, cancellations)
  func `a join that is cancelled returns to the network before, though that is the same`(
    daemon: JoinDaemon, delay: Duration
  ) async throws {
    for before in ["Lab WPA2", "Lab SAE"] {
      let lab = try DaemonLab(daemon)
      try lab.know(before)
      try await lab.pass(.seconds(10))
      #expect(lab.joined == before)
      if before != "Lab WPA2" { try lab.know("Lab WPA2") }
      lab.policy("Lab WPA2") { $0.duration = .seconds(2) }
      let (outcome, _) = try await lab.joinCancelled("Lab WPA2", nil, after: delay)
      if outcome.joined != nil { continue }
      #expect(outcome.failure?.reason == .cancelled)
      try await lab.pass(.seconds(20))
      #expect(lab.joined == before)
    }
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

  @Test(arguments: [JoinDaemon.supplicant, .networkManager])
  func `a password that is too short for WPA2 is tried with SAE where the network takes either`(daemon: JoinDaemon) async throws {
    let (outcome, _) = try await DaemonLab(daemon).join("Lab Transition", "nope")
    #expect(outcome.failure?.reason == .wrongPassword)
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
final class MeddlingLink: RelayLink {
  private let time: Duration
  private var body: (() async -> Void)?

  init(_ link: any ControlLink, after delay: Duration, _ body: @escaping () async -> Void) {
    time = link.bootTime + delay
    self.body = body
    super.init(link)
  }

  override func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
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

/// A link on which something else happens once, before a call reaches its daemon.
final class HeldLink: RelayLink {
  private let member: [UInt8]
  private var body: (() async -> Void)?
  private var held: (payload: ControlPayload, channel: ControlChannel)?

  init(_ link: any ControlLink, holding member: String, _ body: @escaping () async -> Void) {
    self.member = Array(member.utf8)
    self.body = body
    super.init(link)
  }

  override func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) {
    if body != nil, payload.bytes.holds(member) { held = (payload, channel) } else { try link.send(payload, on: channel) }
  }

  override func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
    if let held, let body {
      (self.held, self.body) = (nil, nil)
      await body()
      try link.send(held.payload, on: held.channel)
    }
    return try await link.receive(until: deadline, isFinal: isFinal)
  }
}

/// A link of a user who may not talk to wpa_supplicant.
final class WithoutSupplicant: RelayLink {
  override func open(_ channel: ControlChannel) throws(LinkError) {
    if case .supplicant = channel { throw LinkError(operation: "open", number: KernelError.Number.accessDenied) }
    try link.open(channel)
  }
}
