import DaemonControl
import DaemonProtocols
import Testing
import WiFi

/// What the events of wpa_supplicant come to, played to the session by hand.
@Suite struct SupplicantSessionTests {
  static let bssid = "02:00:00:00:03:00"
  static let channel = ControlChannel.supplicant(interface: "wlan0")
  static let began = [
    "SME: Trying to authenticate with \(bssid) (SSID='x' freq=2437 MHz)", "Trying to associate with \(bssid) (SSID='x' freq=2437 MHz)",
  ]

  /// A session that has selected its network with number 0, and the time.
  static func joining(
    _ security: JoinRequest.Security = .psk, password: String? = "12345678", networks: String = "",
    _ change: (inout JoinRequest) -> Void = { _ in }
  ) -> (SupplicantSession, Duration) {
    var request = JoinRequest(
      interface: "wlan0", ssid: SSID(Array("x".utf8)) ?? .wildcard, security: security, password: password.map { Secret($0) })
    request.isKept = false
    change(&request)
    var session = SupplicantSession(request)
    let now = Duration.seconds(1)
    var actions = session.handle(.start, at: now)
    #expect(actions.first == .open(channel))
    actions = session.handle(.opened(channel), at: now)
    while let command = command(actions), command != .selectNetwork(0) {
      let reply: String =
        switch command {
        case .status: networks.contains("[CURRENT]") ? "id=7\nwpa_state=COMPLETED\n" : "wpa_state=INACTIVE\n"
        case .listNetworks: "network id / ssid / bssid / flags\n" + networks
        case .addNetwork: "0\n"
        case .getNetwork: "WPA-PSK"
        default: "OK\n"
        }
      actions = session.handle(.received(channel, Array(reply.utf8)), at: now)
    }
    #expect(command(actions) == .selectNetwork(0))
    _ = session.handle(.received(channel, Array("OK\n".utf8)), at: now)
    return (session, now)
  }

  static func command(_ actions: [JoinAction]) -> ControlCommand? {
    for case .send(let payload, _) in actions { return ControlCommand(payload.bytes) }
    return nil
  }

  /// Plays events, answers what is asked with OK, and gives the outcome with the commands that were sent.
  static func play(_ events: [String], _ start: (SupplicantSession, Duration)) -> (JoinOutcome?, [ControlCommand]) {
    var (session, now) = start
    var commands: [ControlCommand] = []
    var outcome: JoinOutcome?
    var waiting: [JoinAction] = []
    func perform(_ actions: [JoinAction]) {
      for action in actions {
        if case .send(let payload, _) = action {
          commands.append(ControlCommand(payload.bytes))
          waiting.append(action)
        }
        if case .finish(let end) = action { outcome = end }
      }
    }
    for event in events where outcome == nil {
      now += .milliseconds(10)
      perform(session.handle(.received(channel, Array("<3>\(event)".utf8)), at: now))
      while outcome == nil, !waiting.isEmpty {
        waiting.removeFirst()
        perform(session.handle(.received(channel, Array("OK\n".utf8)), at: now))
      }
    }
    return (outcome, commands)
  }

  static let otherBegan = "SME: Trying to authenticate with 02:00:00:00:09:00 (SSID='y' freq=2412 MHz)"
  static func confirmRejected(_ status: Int) -> String {
    "CTRL-EVENT-AUTH-REJECT \(bssid) auth_type=3 auth_transaction=2 status_code=\(status)"
  }
  static let rejected = "CTRL-EVENT-ASSOC-REJECT bssid=\(bssid) status_code=17"
  static let associated = "Associated with \(bssid)"
  static let wrongKey = "CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"x\" auth_failures=1 duration=10 reason=WRONG_KEY"
  static let connectionFailed = "CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"x\" auth_failures=1 duration=10 reason=CONN_FAILED"

  @Test(arguments: [
    ("0\tx\tany\t\n1\ty\tany\t\n", nil, [.disconnect, .enableNetwork(0, connects: false), .enableNetwork(1, connects: false)]),
    // A network that is not joined by itself is disabled again.
    ("0\tx\tany\t[DISABLED]\n1\ty\tany\t\n", nil, [.enableNetwork(1, connects: true), .disableNetwork(0)]),
    ("0\tx\tany\t\n7\ty\tany\t[CURRENT]\n", nil, [.selectNetwork(7), .enableNetwork(0, connects: false)]),
    // The BSS that was wanted is no part of the network.
    (
      "0\tx\tany\t\n", bssid,
      [.setNetwork(0, "bssid", Array("any".utf8)), .disconnect, .enableNetwork(0, connects: false)] as [ControlCommand]
    ),
  ])
  func `a known network whose join is cancelled is left`(networks: String, bssid: String?, expected: [ControlCommand]) {
    var (session, now) = Self.joining(password: nil, networks: networks) { $0.bssid = bssid.flatMap { MACAddress($0) } }
    now += .milliseconds(10)
    var commands: [ControlCommand] = []
    var actions = session.handle(.cancelled, at: now)
    while let command = Self.command(actions), command != .detach {
      commands.append(command)
      actions = session.handle(.received(Self.channel, Array("OK\n".utf8)), at: now)
    }
    #expect(commands == expected)
    guard case .finish(let outcome)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(outcome.failure?.reason == .cancelled)
  }

  @Test(arguments: [
    (
      [began[0], confirmRejected(15)], JoinFailure.Reason.wrongPassword, Certainty.certain
    ),
    ([began[0], confirmRejected(1)], .wrongPassword, .likely),
    // A Confirm is refused for other reasons, too.
    ([began[0], confirmRejected(17), confirmRejected(17)], .refused(.authenticating, status: 17), .certain),
    ([began[0], confirmRejected(53), connectionFailed], .refused(.authenticating, status: 53), .certain),
    // Another network is tried first, with this one still enabled.
    ([otherBegan, began[0], confirmRejected(15)], .wrongPassword, .certain),
    // The station gives up a handshake whose end it did not hear, in the lane while another program scanned.
    (
      [
        "Trying to associate with \(bssid) (SSID='x' freq=2437 MHz)", associated, "Authentication with \(bssid) timed out.",
        "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=3 locally_generated=1", wrongKey,
      ], .wrongPassword, .likely
    ),
    // The Commit message proves nothing about the password: here the address is refused.
    (
      [began[0]] + Array(repeating: "CTRL-EVENT-AUTH-REJECT \(bssid) auth_type=3 auth_transaction=1 status_code=1", count: 2),
      .refused(.authenticating, status: 1), .certain
    ),
    (
      [began[0]] + Array(repeating: "CTRL-EVENT-AUTH-REJECT \(bssid) auth_type=0 auth_transaction=2 status_code=1", count: 2),
      .refused(.authenticating, status: 1), .certain
    ),
    (began + [rejected, rejected], .refused(.associating, status: 17), .certain),
    (began + [rejected, connectionFailed], .refused(.associating, status: 17), .certain),
    (began + [associated, "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=15", wrongKey], .wrongPassword, .certain),
    (began + [associated, "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=2", wrongKey], .wrongPassword, .certain),
    // The supplicant calls it a wrong key, but it was the access point that fell silent.
    (
      began + [associated, "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=4 locally_generated=1", wrongKey], .lost(.handshake), .likely
    ),
    (
      began + [associated, "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=8", wrongKey], .dismissed(.handshake, reason: 8), .likely
    ),
    (
      began + Array(repeating: "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=5", count: 2), .dismissed(.associating, reason: 5), .certain
    ),
    // What an access point may say of a wrong key, and what it does not.
    (
      began + [associated, "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=1", connectionFailed], .wrongPassword, .likely
    ),
    (
      began + [associated, "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=5", connectionFailed], .dismissed(.handshake, reason: 5), .certain
    ),
    // It was gone in the handshake; the attempts after that came less far.
    (
      began + [associated, "CTRL-EVENT-DISCONNECTED bssid=\(bssid) reason=4 locally_generated=1", began[0]]
        + ["CTRL-EVENT-NETWORK-NOT-FOUND ", "CTRL-EVENT-NETWORK-NOT-FOUND "], .lost(.handshake), .likely
    ),
    (["CTRL-EVENT-NETWORK-NOT-FOUND ", "CTRL-EVENT-NETWORK-NOT-FOUND "], .outOfRange, .certain),
    (
      began + ["CTRL-EVENT-NETWORK-NOT-FOUND ", "CTRL-EVENT-NETWORK-NOT-FOUND "], .lost(.associating), .likely
    ),
    (["CTRL-EVENT-SCAN-FAILED ret=-100"], .interfaceDown, .certain), (["CTRL-EVENT-TERMINATING "], .daemonLost, .certain),
    (["CTRL-EVENT-CONNECTED - Connection to \(bssid) completed [id=7 id_str=]"], .superseded, .certain),
    (["CTRL-EVENT-NETWORK-REMOVED 0"], .superseded, .certain),
  ])
  func `events come to their reason`(events: [String], reason: JoinFailure.Reason, certainty: Certainty) throws {
    let (outcome, commands) = Self.play(events, Self.joining())
    let failure = try #require(outcome?.failure)
    #expect(failure.reason == reason)
    #expect(failure.certainty == certainty)
    if reason != .daemonLost {
      #expect(commands.contains(.removeNetwork(0)))
      #expect(commands.last == .detach)
    }
    #expect(commands.allSatisfy { if case .removeNetwork(let id) = $0 { id == 0 } else { true } })
  }

  @Test(arguments: [
    // Of another network, whatever its name pretends.
    "CTRL-EVENT-SSID-TEMP-DISABLED id=7 ssid=\"x id=0 reason=WRONG_KEY\" auth_failures=1 duration=10 reason=WRONG_KEY",
    // The end of the network that was joined before.
    "CTRL-EVENT-DISCONNECTED bssid=02:00:00:00:09:00 reason=3 locally_generated=1", "CTRL-EVENT-NETWORK-REMOVED 7",
    // The failures before this one were those of earlier attempts.
    "CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"x\" auth_failures=1 duration=10 reason=CONN_FAILED",
    "CTRL-EVENT-SCAN-FAILED ret=-16 retry=1", "CTRL-EVENT-ASSOC-REJECT bssid=02:00:00:00:03:00 status_code=30",
    // Before the network was tried, whatever the daemon had begun before.
    confirmRejected(15), wrongKey, "CTRL-EVENT-EAP-FAILURE EAP authentication failed",
  ])
  func `an event that proves nothing about the attempt does not end it`(event: String) {
    #expect(Self.play([event], Self.joining()).0 == nil)
  }

  @Test func `what comes before the daemon has selected the network is of what it did before`() {
    let events = [Self.otherBegan, Self.confirmRejected(15), Self.wrongKey, "CTRL-EVENT-DISCONNECTED bssid=\(Self.bssid) reason=15"]
    var session = SupplicantSession(
      JoinRequest(interface: "wlan0", ssid: SSID(Array("x".utf8)) ?? .wildcard, security: .sae, password: Secret("12345678")))
    _ = session.handle(.start, at: .zero)
    var next = Self.command(session.handle(.opened(Self.channel), at: .zero))
    while next != .selectNetwork(0) {
      let reply =
        switch next {
        case .status: "wpa_state=SCANNING\n"
        case .listNetworks: "network id / ssid / bssid / flags\n"
        case .addNetwork: "0\n"
        case nil: preconditionFailure("it waits")
        default: "OK\n"
        }
      next = Self.step(&session, reply, at: .zero).0
    }
    for event in events { #expect(Self.step(&session, "<3>\(event)", at: .zero) == (nil, nil)) }
    #expect(Self.step(&session, "OK\n", at: .zero) == (nil, nil))
    // The scan is fresh, so its own try may come before the answer, too.
    #expect(Self.step(&session, "<3>\(Self.began[0])", at: .zero) == (nil, nil))
    #expect(Self.step(&session, "<3>\(Self.confirmRejected(15))", at: .zero).0 == .removeNetwork(0))
  }

  @Test(arguments: [("0", true), ("1", false)], [false, true])
  func `where another network was only enabled and is joined, the others are enabled again`(
    answer: (disabled: String, isEnabled: Bool), eventIsLost: Bool
  ) {
    let networks = "7\ty\tany\t\n8\tz\tany\t\n9\tw\tany\t[DISABLED]\n"
    var (session, now) = Self.joining(networks: networks)
    now += .seconds(2)
    if eventIsLost { #expect(Self.commands(session.handle(.timedOut, at: now)) == [.status]) }
    let joined =
      eventIsLost ? "wpa_state=COMPLETED\nid=7\n" : "<3>CTRL-EVENT-CONNECTED - Connection to \(Self.bssid) completed [id=7 id_str=]"
    var (command, outcome) = Self.step(&session, joined, at: now)
    #expect(command == .getNetwork(0, "disabled"))
    var commands: [ControlCommand] = []
    (command, outcome) = Self.step(&session, answer.disabled, at: now)
    while let asked = command {
      commands.append(asked)
      if outcome != nil { break }
      (command, outcome) = Self.step(&session, "OK\n", at: now)
    }
    #expect(outcome?.failure?.reason == .superseded)
    let enabled: [ControlCommand] = answer.isEnabled ? [.enableNetwork(7, connects: false), .enableNetwork(8, connects: false)] : []
    #expect(commands == [.removeNetwork(0)] + enabled + [.detach])
  }

  @Test func `where another program removes the network, those that were enabled before are enabled again`() {
    var (session, now) = Self.joining(networks: "7\ty\tany\t\n9\tw\tany\t[DISABLED]\n")
    now += .seconds(1)
    var commands: [ControlCommand] = []
    var (command, outcome) = Self.step(&session, "<3>CTRL-EVENT-NETWORK-REMOVED 0", at: now)
    while let asked = command {
      commands.append(asked)
      if outcome != nil { break }
      (command, outcome) = Self.step(&session, "OK\n", at: now)
    }
    #expect(outcome?.failure?.reason == .superseded)
    #expect(commands == [.removeNetwork(0), .enableNetwork(7, connects: false), .detach])
  }

  @Test(arguments: [("1", JoinFailure.Reason.superseded), ("FAIL\n", .superseded), ("0", .wrongPassword)])
  func `a join of another program is told by the network, which that disables`(answer: String, reason: JoinFailure.Reason) {
    var (session, now) = Self.joining(.sae)
    now += .seconds(1)
    #expect(Self.step(&session, "<3>\(Self.otherBegan)", at: now).0 == .getNetwork(0, "disabled"))
    // Its outcome is not this one's.
    #expect(Self.step(&session, "<3>\(Self.confirmRejected(15))", at: now) == (nil, nil))
    #expect(Self.step(&session, "<3>Associated with 02:00:00:00:09:00", at: now) == (nil, nil))
    var (command, outcome) = Self.step(&session, answer, at: now)
    if reason == .wrongPassword {
      #expect(command == .status)
      #expect(Self.step(&session, "wpa_state=SCANNING\n", at: now).0 == nil)
      _ = Self.step(&session, "<3>\(Self.began[0])", at: now)
      (command, outcome) = Self.step(&session, "<3>\(Self.confirmRejected(15))", at: now)
    }
    #expect(command == .removeNetwork(0))
    while let next = command, next != .detach { (command, outcome) = Self.step(&session, "OK\n", at: now) }
    #expect(outcome?.failure?.reason == reason)
    #expect(outcome?.failure?.certainty == .certain)
  }

  static func commands(_ actions: [JoinAction]) -> [ControlCommand] {
    actions.compactMap { if case .send(let payload, _) = $0 { ControlCommand(payload.bytes) } else { nil } }
  }

  @Test func `a daemon that does not answer is asked whether it lives, and told to undo what it may still do`() {
    var (session, now) = Self.joining(networks: "7\thome\tany\t[CURRENT]\n8\toffice\tany\t\n")
    now += .seconds(2)
    #expect(Self.commands(session.handle(.timedOut, at: now)) == [.status])
    now += .seconds(2)
    #expect(Self.commands(session.handle(.timedOut, at: now)) == [.ping])
    let actions = session.handle(.timedOut, at: now + .seconds(3))
    #expect(Self.commands(actions) == [.removeNetwork(0), .selectNetwork(7), .enableNetwork(8, connects: false), .detach])
    guard case .finish(let outcome)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(outcome.failure?.reason == .daemonSilent)
    #expect(outcome.failure?.evidence.last?.line.contains("STATUS") == true)
  }

  @Test func `a daemon that is slow and answers both questions goes on`() {
    var (session, now) = Self.joining()
    now += .seconds(2)
    #expect(Self.commands(session.handle(.timedOut, at: now)) == [.status])
    #expect(Self.commands(session.handle(.timedOut, at: now + .seconds(2))) == [.ping])
    #expect(Self.step(&session, "wpa_state=SCANNING\n", at: now + .seconds(3)) == (nil, nil))
    #expect(Self.step(&session, "PONG\n", at: now + .seconds(3)) == (nil, nil))
    let connected = "<3>CTRL-EVENT-CONNECTED - Connection to \(Self.bssid) completed [id=0 id_str=]"
    #expect(Self.step(&session, connected, at: now + .seconds(4)).1?.joined != nil)
  }

  @Test(arguments: [(KernelError.Number.again, JoinFailure.Reason.daemonSilent), (111, .daemonLost)])
  func `a datagram that the daemon does not take says whether it lives`(number: Int32, reason: JoinFailure.Reason) {
    var (session, now) = Self.joining()
    now += .seconds(2)
    _ = session.handle(.timedOut, at: now)
    let actions = session.handle(.refused(Self.channel, LinkError(operation: "send", number: number)), at: now)
    guard case .finish(let outcome)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(outcome.failure?.reason == reason)
  }

  @Test func `a link that fails leaves nothing behind`() {
    var (session, now) = Self.joining()
    now += .seconds(1)
    #expect(Self.commands(session.handle(.abandoned, at: now)) == [.removeNetwork(0), .detach])
  }

  @Test func `a network that was joined and perhaps saved is told as that, and a daemon that is gone took it along`() {
    func saving() -> (SupplicantSession, Duration) {
      var (session, now) = Self.joining { $0.isKept = true }
      now += .seconds(1)
      let connected = "<3>CTRL-EVENT-CONNECTED - Connection to \(Self.bssid) completed [id=0 id_str=]"
      #expect(Self.step(&session, connected, at: now).0 == .saveConfiguration)
      return (session, now)
    }
    var (session, now) = saving()
    #expect(Self.commands(session.handle(.timedOut, at: now + .seconds(2))) == [.ping])
    guard case .finish(let outcome)? = session.handle(.timedOut, at: now + .seconds(5)).last else {
      Issue.record("it goes on")
      return
    }
    #expect(outcome.joined == .init(bssid: MACAddress(Self.bssid), isKept: false, savingFailure: .daemonSilent))
    (session, now) = saving()
    let refused = session.handle(.refused(Self.channel, LinkError(operation: "send", number: 111)), at: now)
    guard case .finish(let lost)? = refused.last else {
      Issue.record("\(refused)")
      return
    }
    #expect(lost.failure?.reason == .daemonLost)
  }

  @Test func `a failure selects the network before again and enables the others, and only those that were enabled`() throws {
    let networks = "7\thome\tany\t[CURRENT]\n8\toffice\tany\t\n9\told\tany\t[DISABLED]\n"
    let (outcome, commands) = Self.play(
      [Self.began[0], Self.confirmRejected(15)], Self.joining(networks: networks))
    #expect(outcome?.failure?.aftermath == .returning)
    #expect(commands == [.removeNetwork(0), .selectNetwork(7), .enableNetwork(8, connects: false), .detach])
  }

  @Test func `a join enables the others again without leaving`() throws {
    let networks = "7\thome\tany\t[CURRENT]\n8\toffice\tany\t\n9\told\tany\t[DISABLED]\n"
    let (outcome, commands) = Self.play(
      ["CTRL-EVENT-CONNECTED - Connection to \(Self.bssid) completed [id=0 id_str=]"], Self.joining(networks: networks))
    #expect(outcome?.joined == .init(bssid: MACAddress(Self.bssid), isKept: false))
    #expect(commands == [.enableNetwork(7, connects: false), .enableNetwork(8, connects: false), .detach])
  }

  /// Sends one datagram, and gives the command that follows and the outcome.
  static func step(_ session: inout SupplicantSession, _ text: String, at now: Duration) -> (ControlCommand?, JoinOutcome?) {
    let actions = session.handle(.received(channel, Array(text.utf8)), at: now)
    for case .finish(let outcome) in actions { return (command(actions), outcome) }
    return (command(actions), nil)
  }

  static let notFound = "<3>CTRL-EVENT-NETWORK-NOT-FOUND "

  @Test(arguments: [JoinRequest.Security.sae, .pskOrSAE])
  func `a network of WPA3 that is not found is looked for with hash-to-element, and a failure sets that back`(
    security: JoinRequest.Security
  ) throws {
    var (session, now) = Self.joining(security)
    now += .seconds(1)
    #expect(Self.step(&session, Self.notFound, at: now).0 == .get("sae_pwe"))
    #expect(Self.step(&session, "0", at: now).0 == .set("sae_pwe", Array("2".utf8)))
    #expect(Self.step(&session, "OK\n", at: now).0 == .status)
    #expect(Self.step(&session, "wpa_state=SCANNING\n", at: now).0 == nil)
    now += .seconds(1)
    var (command, outcome) = Self.step(&session, Self.notFound, at: now)
    var commands: [ControlCommand] = []
    while let next = command, outcome == nil {
      commands.append(next)
      (command, outcome) = Self.step(&session, "OK\n", at: now)
    }
    #expect(commands == [.removeNetwork(0), .set("sae_pwe", Array("0".utf8))])
    #expect(outcome?.failure?.reason == .outOfRange)
  }

  @Test(arguments: ["2", "FAIL\n", "UNKNOWN COMMAND\n"])
  func `hash-to-element that is there already, or unknown, is left as it is`(answer: String) {
    var (session, now) = Self.joining(.sae)
    now += .seconds(1)
    #expect(Self.step(&session, Self.notFound, at: now).0 == .get("sae_pwe"))
    #expect(Self.step(&session, answer, at: now).0 == .status)
    #expect(Self.step(&session, "wpa_state=SCANNING\n", at: now).0 == nil)
    #expect(Self.step(&session, Self.notFound, at: now + .seconds(1)).0 == .removeNetwork(0))
  }

  @Test func `WPA2 knows no hash-to-element`() {
    var (session, now) = Self.joining(.psk)
    now += .seconds(1)
    #expect(Self.step(&session, Self.notFound, at: now).0 == nil)
  }

  @Test(arguments: [
    ([], JoinFailure.Reason.timedOut(.authenticating), Certainty.certain), ([notFound], .lost(.authenticating), .likely),
  ])
  func `an access point that one scan missed after the attempt was lost`(
    events: [String], reason: JoinFailure.Reason, certainty: Certainty
  ) {
    var (session, now) = Self.joining()
    now += .seconds(1)
    for event in ["<3>\(Self.began[0])"] + events { #expect(Self.step(&session, event, at: now).1 == nil) }
    guard Self.command(session.handle(.timedOut, at: now + .seconds(30))) == .removeNetwork(0) else {
      Issue.record("the attempt goes on")
      return
    }
    let failure = Self.step(&session, "OK\n", at: now + .seconds(30)).1?.failure
    #expect(failure?.reason == reason)
    #expect(failure?.certainty == certainty)
  }

  /// A session that waits for an address, and the time.
  static func addressing() -> (SupplicantSession, Duration) {
    var (session, now) = joining { $0.needsAddress = true }
    now += .seconds(1)
    #expect(step(&session, "<3>CTRL-EVENT-CONNECTED - Connection to \(bssid) completed [id=0 id_str=]", at: now).0 == .status)
    #expect(step(&session, "id=0\nwpa_state=COMPLETED\n", at: now).0 == nil)
    return (session, now)
  }

  static func disconnected(_ rest: String) -> String { "<3>CTRL-EVENT-DISCONNECTED bssid=\(bssid) \(rest)" }

  @Test(arguments: [
    ("reason=4 locally_generated=1", JoinFailure.Reason.lost(.address)), ("reason=5", .dismissed(.address, reason: 5)),
  ])
  func `a link that is lost while an address is waited for is told`(rest: String, reason: JoinFailure.Reason) throws {
    var (session, now) = Self.addressing()
    now += .seconds(1)
    #expect(Self.step(&session, Self.disconnected(rest), at: now).0 == .removeNetwork(0))
    #expect(Self.step(&session, "OK\n", at: now).1?.failure?.reason == reason)
  }

  @Test(arguments: [
    ("id=7\nwpa_state=ASSOCIATING\n", Certainty.certain), ("id=7\nwpa_state=COMPLETED\n", .certain), ("wpa_state=DISCONNECTED\n", .likely),
  ])
  func `a link that another program ends while an address is waited for was superseded`(status: String, certainty: Certainty) {
    var (session, now) = Self.addressing()
    now += .seconds(1)
    #expect(Self.step(&session, Self.disconnected("reason=3 locally_generated=1"), at: now).0 == .status)
    #expect(Self.step(&session, status, at: now).0 == .removeNetwork(0))
    let failure = Self.step(&session, "OK\n", at: now).1?.failure
    #expect(failure?.reason == .superseded)
    #expect(failure?.certainty == certainty)
  }

  @Test func `a link that comes back while an address is waited for goes on`() {
    var (session, now) = Self.addressing()
    now += .seconds(1)
    #expect(Self.step(&session, Self.disconnected("reason=3 locally_generated=1"), at: now).0 == .status)
    #expect(Self.step(&session, "wpa_state=SCANNING\n", at: now).0 == nil)
    #expect(Self.step(&session, "<3>CTRL-EVENT-CONNECTED - Connection to \(Self.bssid) completed [id=0 id_str=]", at: now).0 == nil)
    _ = session.handle(.timedOut, at: now + .seconds(2))
    #expect(Self.step(&session, "id=0\nwpa_state=COMPLETED\nip_address=10.0.0.7\n", at: now + .seconds(2)).0 == .detach)
  }

  @Test(arguments: [
    (JoinRequest.Security.psk, "1234567", Passphrase.Problem.tooShort(count: 7, minimum: 8)),
    (.psk, String(repeating: "x", count: 70), .tooLong(count: 70, maximum: 63)), (.sae, "", .tooShort(count: 0, minimum: 1)),
  ])
  func `a password that cannot be right is refused before anything is sent`(
    security: JoinRequest.Security, password: String, problem: Passphrase.Problem
  ) {
    let request = JoinRequest(interface: "wlan0", ssid: .wildcard, security: security, password: Secret(password))
    for daemon in JoinDaemon.allCases {
      var session = daemon.session(request)
      #expect(
        session.handle(.start, at: .zero) == [.finish(JoinOutcome(.failure(JoinFailure(.impossiblePassword(problem))), after: .zero))])
    }
  }

  @Test(arguments: [(JoinRequest.Security.enterprise, "credentials"), (.wep, "WEP")])
  func `what cannot be joined is refused with a sentence`(security: JoinRequest.Security, word: String) {
    let request = JoinRequest(interface: "wlan0", ssid: .wildcard, security: security, password: Secret("12345678"))
    for daemon in JoinDaemon.allCases {
      var session = daemon.session(request)
      guard case .finish(let outcome)? = session.handle(.start, at: .zero).first else {
        Issue.record("\(daemon) goes on")
        return
      }
      #expect(outcome.failure?.description.contains(word) == true)
    }
  }
}
