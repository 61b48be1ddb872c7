import DaemonControl
import DaemonProtocols
import Testing
import WiFi

/// What NetworkManager's answers and signals come to, played to the session by hand.
@Suite struct NetworkManagerSessionTests {
  /// A bus on which NetworkManager says what a test lets it say.
  struct Desk {
    private(set) var session: NetworkManagerSession
    private(set) var outcome: JoinOutcome?
    /// The calls that were not answered yet.
    private(set) var calls: [DBusMessage] = []
    /// The members of all calls.
    private(set) var members: [String] = []
    private var now = Duration.seconds(1)
    private var serial: UInt32 = 0
    private let name = ":1.1"
    private let hasSupplicant: Bool

    static let device = path("Devices/1")
    static let active = path("ActiveConnection/1")
    static let replacement = path("ActiveConnection/2")
    static let older = path("Settings/1")
    static let own = path("Settings/2")

    static func path(_ text: String) -> DBusObjectPath { DBusObjectPath("/org/freedesktop/NetworkManager/\(text)") ?? .root }

    /// A session of a network “x” at its request to activate something.
    init(
      password: String? = nil, security: JoinRequest.Security = .psk, hasProfile: Bool = true, isJoinedBefore: Bool = false,
      hasSupplicant: Bool = false
    ) {
      var request = JoinRequest(
        interface: "wlan0", ssid: SSID(Array("x".utf8)) ?? .wildcard, security: security, password: password.map { Secret($0) })
      request.limits.reply = .seconds(5)
      self.hasSupplicant = hasSupplicant
      session = NetworkManagerSession(request)
      take(.start)
      take(.opened(.bus))
      take(.received(.bus, DBusAuthenticationLine.ok("720a8341de3db6e59ea8b2415f5e100a").encoded))
      while let call = calls.first, !["ActivateConnection", "AddAndActivateConnection2"].contains(call.member) {
        answer(Self.body(call, hasProfile: hasProfile, isJoinedBefore: isJoinedBefore))
      }
    }

    static func body(_ call: DBusMessage, hasProfile: Bool, isJoinedBefore: Bool) -> [DBusValue] {
      switch (call.member, call.path, call.body.first?.text) {
      case ("Hello", _, _): [.string(":1.9")]
      case ("GetDeviceByIpIface", _, _): [.objectPath(device)]
      case ("GetAll", device, _):
        [
          .properties([
            "DeviceType": .uint32(2), "State": .uint32(isJoinedBefore ? 100 : 30), "Managed": .boolean(true),
            "ActiveConnection": .objectPath(isJoinedBefore ? path("ActiveConnection/0") : .root),
          ])
        ]
      case ("GetAll", path("ActiveConnection/0"), _):
        [.properties(["State": .uint32(2), "Connection": .objectPath(path("Settings/0"))])]
      case ("GetAll", _, _): [.properties(["WirelessEnabled": .boolean(true)])]
      case ("ListConnections", _, _): [.array(.objectPath, hasProfile ? [.objectPath(older)] : [])]
      case ("GetSettings", _, _): [profile]
      case ("Get", _, _): [.variant(.uint32(0))]
      default: []
      }
    }

    private static let profile = DBusValue.array(
      .dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant))),
      [
        .dictionaryEntry("connection", .properties(["type": "802-11-wireless", "id": "x", "uuid": "older"])),
        .dictionaryEntry("802-11-wireless", .properties(["ssid": .bytes([0x78]), "mode": "infrastructure"])),
        .dictionaryEntry("802-11-wireless-security", .properties(["key-mgmt": "wpa-psk"])),
      ])

    /// Answers the call that waits.
    mutating func answer(_ body: DBusValue...) { answer(body) }

    private mutating func answer(_ body: [DBusValue]) {
      guard !calls.isEmpty else { return }
      receive(calls.removeFirst().reply(body, serial: next()))
    }

    /// Refuses the call that waits.
    mutating func refuse(_ error: String = "Failed", _ sentence: String = "no") {
      guard !calls.isEmpty else { return }
      receive(calls.removeFirst().failure("org.freedesktop.NetworkManager.\(error)", sentence, serial: next()))
    }

    /// Answers that the object of the call is not there.
    mutating func refuseAsUnknownObject() {
      guard let path = calls.first?.path else { return }
      let call = calls.removeFirst()
      receive(call.failure("org.freedesktop.DBus.Error.UnknownMethod", "Object does not exist at path “\(path)”", serial: next()))
    }

    /// The device is in other states, with the reason of the last.
    mutating func device(_ states: UInt32..., reason: UInt32 = 0) {
      for state in states {
        let isLast = state == states.last
        receive(
          .signal(
            Self.device, "org.freedesktop.NetworkManager.Device", "StateChanged",
            [.uint32(state), .uint32(0), .uint32(isLast ? reason : 0)], serial: next()))
      }
    }

    /// wpa_supplicant says something on its own socket.
    mutating func supplicant(_ line: String) { take(.received(.supplicant(interface: "wlan0"), Array(line.utf8))) }

    /// Lets time pass in which nothing comes.
    mutating func pass(_ duration: Duration) {
      now += duration
      take(.timedOut)
    }

    /// Lets something happen.
    mutating func take(_ input: JoinInput) {
      guard outcome == nil else { return }
      now += .milliseconds(10)
      for action in session.handle(input, at: now) {
        switch action {
        case .open(.supplicant) where hasSupplicant: take(.opened(.supplicant(interface: "wlan0")))
        case .send(_, .supplicant) where hasSupplicant: supplicant("OK\n")
        case .open(.supplicant): take(.refused(.supplicant(interface: "wlan0"), LinkError(operation: "open", number: 2)))
        case .send(let payload, .bus): sent(payload.bytes)
        case .finish(let end): outcome = end
        case .open, .send, .close, .progress, .report, .wait: break
        }
      }
    }

    private mutating func sent(_ bytes: [UInt8]) {
      // The lines of the authentication come before the first message.
      guard let start = bytes.firstIndex(of: UInt8(ascii: "l")), let message = try? DBusMessage(Array(bytes[start...])) else { return }
      calls.append(message)
      members.append(message.member ?? "")
    }

    private mutating func receive(_ message: DBusMessage) {
      var message = message
      message.fields.append(.init(DBusMessage.FieldCode.sender, .string(name)))
      take(.received(.bus, message.encoded))
    }

    private mutating func next() -> UInt32 {
      serial += 1
      return serial
    }
  }

  /// How far a join has come.
  enum Progress: CaseIterable, Sendable { case asked, answered, authenticating, address }

  static func desk(at progress: Progress, isJoinedBefore: Bool = false) -> Desk {
    var desk = Desk(isJoinedBefore: isJoinedBefore)
    #expect(desk.calls.first?.member == "ActivateConnection")
    guard progress != .asked else { return desk }
    desk.answer(.objectPath(Desk.active))
    if progress != .answered { desk.device(40, 50) }
    if progress == .address { desk.device(70) }
    return desk
  }

  @Test(arguments: Progress.allCases)
  func `a known network whose join is cancelled is deactivated, where none was joined before`(progress: Progress) throws {
    var desk = Self.desk(at: progress)
    desk.take(.cancelled)
    // Which connection it is comes with the answer.
    if progress == .asked { desk.answer(.objectPath(Desk.active)) }
    let call = try #require(desk.calls.first)
    #expect(call.member == "DeactivateConnection")
    #expect(call.body == [.objectPath(Desk.active)])
    desk.answer()
    let failure = try #require(desk.outcome?.failure)
    #expect(failure.reason == .cancelled)
    #expect(failure.aftermath == .nothingBefore)
  }

  @Test(arguments: Progress.allCases)
  func `a known network whose join is cancelled makes room for the one before, and is deactivated where there is no return`(
    progress: Progress
  ) throws {
    var desk = Self.desk(at: progress, isJoinedBefore: true)
    desk.take(.cancelled)
    if progress == .asked { desk.answer(.objectPath(Desk.active)) }
    #expect(desk.calls.first?.member == "ActivateConnection")
    #expect(desk.calls.first?.body.first == .objectPath(Desk.path("Settings/0")))
    var refused = desk
    desk.answer(.objectPath(Desk.replacement))
    #expect(desk.outcome?.failure?.aftermath == .returning)
    refused.refuse("UnknownConnection")
    #expect(refused.calls.first?.member == "DeactivateConnection")
    refused.refuse("ConnectionNotActive")
    #expect(refused.outcome?.failure?.aftermath == .notReturning)
  }

  @Test func `what fails by itself is left to NetworkManager`() {
    var desk = Self.desk(at: .authenticating)
    desk.device(120, reason: 53)
    #expect(desk.outcome?.failure?.reason == .outOfRange)
    #expect(!desk.members.contains("DeactivateConnection"))
  }

  /// A join with a new password at the moment in which the network is joined and the older profile is written; without one the attempt's is.
  static func writing(hasOlder: Bool = true) -> Desk {
    var desk = Desk(password: "blobby boots", hasProfile: hasOlder)
    #expect(desk.calls.first?.member == "AddAndActivateConnection2")
    desk.answer(.objectPath(Desk.own), .objectPath(Desk.active), .properties([:]))
    desk.device(40, 50, 70, 100)
    #expect(desk.calls.first?.member == "Update2")
    #expect(desk.calls.first?.path == (hasOlder ? Desk.older : Desk.own))
    return desk
  }

  /// How the device leaves the network, and what that is.
  static let losses: [(state: UInt32, reason: UInt32, truth: JoinFailure.Reason)] = [
    (120, 8, .linkLost), (120, 53, .linkLost), (110, 39, .superseded), (20, 10, .supplicantLost), (20, 2, .interfaceDown),
    (10, 36, .noInterface),
  ]

  @Test(arguments: losses)
  func `a link that is lost while the attempt's profile is saved is no join`(
    loss: (state: UInt32, reason: UInt32, truth: JoinFailure.Reason)
  ) throws {
    var desk = Self.writing(hasOlder: false)
    desk.device(loss.state, reason: loss.reason)
    #expect(desk.calls.last?.member == "Delete")
    #expect(desk.calls.last?.path == Desk.own)
    // The answer to the other call comes too late.
    desk.answer(.properties([:]))
    desk.answer()
    let failure = try #require(desk.outcome?.failure)
    #expect(failure.reason == loss.truth)
    #expect(failure.certainty == .certain)
    #expect(failure.evidence.contains { $0.line.hasPrefix("device state \(loss.state), reason \(loss.reason)") })
  }

  @Test(arguments: losses)
  func `a link that is lost while the older profile is written is no join, unless that is joined then`(
    loss: (state: UInt32, reason: UInt32, truth: JoinFailure.Reason)
  ) throws {
    var desk = Self.writing()
    desk.device(loss.state, reason: loss.reason)
    if [.superseded, .supplicantLost].contains(loss.truth) {
      #expect(!desk.members.contains("ActivateConnection"), "another program's choice, or nobody to join with")
      desk.answer(.properties([:]))
      desk.answer()
      #expect(desk.outcome?.failure?.reason == loss.truth)
      return
    }
    #expect(desk.outcome == nil)
    desk.answer(.properties([:]))
    #expect(desk.calls.first?.member == "ActivateConnection")
    var joined = desk
    joined.answer(.objectPath(Desk.replacement))
    joined.device(40, 50, 70, 100)
    #expect(joined.outcome?.joined?.isKept == true)
    desk.refuse("ConnectionNotAvailable")
    #expect(desk.calls.first?.member == "Delete")
    desk.refuse("UnknownMethod")
    #expect(desk.outcome?.failure?.reason == loss.truth)
  }

  @Test(arguments: [true, false])
  func `a link that is lost while an older profile cannot be written is no join`(answers: Bool) {
    var desk = Self.writing()
    desk.device(120, reason: 8)
    if answers { desk.refuse("PermissionDenied") } else { desk.pass(.seconds(6)) }
    #expect(!desk.members.contains("ActivateConnection"))
    desk.refuse()
    desk.refuse()
    #expect(desk.outcome?.failure?.reason == .linkLost)
  }

  @Test func `a link that is lost while the older profile is asked for is no join where that is refused`() {
    var desk = Self.writing()
    desk.answer(.properties([:]))
    // The attempt's link makes room first.
    desk.device(110, reason: 60)
    var standing = desk
    standing.refuse("ConnectionNotAvailable")
    #expect(standing.outcome?.joined?.isKept == true)
    desk.device(120, reason: 8)
    desk.refuse("ConnectionNotAvailable")
    desk.refuse("UnknownMethod")
    #expect(desk.outcome?.failure?.reason == .linkLost)
  }

  @Test func `a join that fails or is cancelled while the older profile is asked for is no join where that is refused`() {
    var desk = Self.writing()
    desk.answer(.properties([:]))
    var cancelled = desk
    cancelled.take(.cancelled)
    cancelled.refuse("ConnectionNotAvailable")
    cancelled.answer()
    #expect(cancelled.outcome?.failure?.reason == .cancelled)
    desk.device(20, reason: 10)
    desk.refuse("ConnectionNotAvailable")
    desk.refuse("UnknownMethod")
    #expect(desk.outcome?.failure?.reason == .supplicantLost)
  }

  @Test(arguments: [true, false])
  func `what stands is a join`(hasOlder: Bool) {
    var desk = Self.writing(hasOlder: hasOlder)
    desk.answer(.properties([:]))
    if hasOlder {
      desk.device(110, 30, reason: 60)
      desk.answer(.objectPath(Desk.replacement))
      desk.device(40, 50, 70, 100)
    }
    #expect(desk.outcome?.joined?.isKept == true)
  }

  static let rejected = "<3>CTRL-EVENT-AUTH-REJECT 02:0d:00:00:00:01 auth_type=3 auth_transaction=2 status_code=15"

  @Test(arguments: [[rejected], ["<3>SME: Trying to authenticate with 02:0d:00:00:00:01 (SSID='bar' freq=2412 MHz)", rejected]])
  func `what wpa_supplicant says of another network is not the attempt's`(lines: [String]) {
    var desk = Desk(password: "lab password", security: .sae, hasProfile: false, hasSupplicant: true)
    desk.answer(.objectPath(Desk.own), .objectPath(Desk.active))
    desk.device(40)
    for line in lines { desk.supplicant(line) }
    #expect(desk.outcome == nil)
    desk.supplicant("<3>CTRL-EVENT-SSID-TEMP-DISABLED id=9 ssid=\"bar\" auth_failures=1 duration=10 reason=WRONG_KEY")
    desk.device(50, 120, reason: 53)
    desk.refuse()
    #expect(desk.members.contains("Delete"))
    desk.answer()
    #expect(desk.outcome?.failure?.evidence.contains { $0.line.contains("02:0d") && $0.line.contains("REJECT") } == false)
    #expect(desk.outcome?.failure?.certainty == .likely)
  }

  /// A join with a password of SAE that ended with “SSID not found”, and wpa_supplicant's own socket is not there.
  static func unfound(_ security: JoinRequest.Security) throws -> Desk {
    var desk = Desk(password: "lab password", security: security, hasProfile: false)
    desk.answer(.objectPath(Desk.own), .objectPath(Desk.active))
    desk.device(40, 50, 120, reason: 53)
    let call = try #require(desk.calls.first)
    #expect(call.member == "GetAll" && call.path == Desk.device && call.body == ["org.freedesktop.NetworkManager.Device.Wireless"])
    return desk
  }

  static let accessPoints = [Desk.path("AccessPoint/1"), Desk.path("AccessPoint/2")]

  @Test(arguments: [JoinRequest.Security.sae, .pskOrSAE], [true, false])
  func `a network that is not there is told from a wrong password by the list of access points`(
    security: JoinRequest.Security, isThere: Bool
  ) throws {
    var desk = try Self.unfound(security)
    desk.answer(.properties(["AccessPoints": .array(.objectPath, Self.accessPoints.map { .objectPath($0) })]))
    #expect(desk.calls.first?.path == Self.accessPoints[0])
    desk.answer(.properties(["Ssid": .bytes([0x79])]))
    #expect(desk.calls.first?.path == Self.accessPoints[1])
    desk.answer(.properties(["Ssid": .bytes([isThere ? 0x78 : 0x7A])]))
    #expect(desk.calls.first?.member == "Delete")
    desk.answer()
    let failure = try #require(desk.outcome?.failure)
    #expect(failure.reason == (isThere ? .wrongPassword : .outOfRange) && failure.certainty == .likely)
    #expect(failure.evidence.last?.line == "\(isThere ? "an" : "no") access point of this name is in the list")
  }

  @Test func `a list of access points that cannot be read leaves both open`() throws {
    var refused = try Self.unfound(.sae)
    refused.refuse()
    var silent = try Self.unfound(.sae)
    silent.answer(.properties(["AccessPoints": .array(.objectPath, Self.accessPoints.map { .objectPath($0) })]))
    silent.pass(.seconds(6))
    for var desk in [refused, silent] {
      #expect(desk.calls.last?.member == "Delete")
      desk.take(.cancelled)
      desk.pass(.seconds(6))
      #expect(desk.outcome?.failure?.reason == .wrongPassword && desk.outcome?.failure?.certainty == .likely)
    }
    // One that goes in the middle is none of the network.
    var gone = try Self.unfound(.sae)
    gone.answer(.properties(["AccessPoints": .array(.objectPath, Self.accessPoints.map { .objectPath($0) })]))
    gone.refuseAsUnknownObject()
    gone.refuseAsUnknownObject()
    gone.answer()
    #expect(gone.outcome?.failure?.reason == .outOfRange)
  }

  @Test(arguments: [true, false])
  func `a profile that is gone before it is deleted does not stay`(isGone: Bool) throws {
    var desk = Desk(password: "lab password", hasProfile: false)
    desk.answer(.objectPath(Desk.own), .objectPath(Desk.active))
    desk.device(40, 50, 120, reason: 7)
    #expect(desk.calls.first?.member == "Delete")
    if isGone { desk.refuseAsUnknownObject() } else { desk.refuse("Settings.PermissionDenied") }
    let failure = try #require(desk.outcome?.failure)
    #expect(failure.evidence.contains { $0.line.contains("may stay") } != isGone)
  }

  @Test(arguments: [
    (10, JoinRequest.Security.psk, "The daemon refused: wpa_supplicant did not do what NetworkManager asked of it."),
    (35, .psk, "The daemon refused: the firmware of the device is missing."),
    (37, .psk, "The daemon refused: networking is switched off, or the machine goes to sleep."),
    (64, .psk, "The daemon refused: reason 64, address used twice."), (1000, .psk, "The daemon refused: reason 1000."),
    (7, .psk, "Most likely: the password is wrong."), (8, .open, "Most likely: the access point fell silent while associating."),
  ])
  func `a reason of NetworkManager is told as what it is`(number: UInt32, security: JoinRequest.Security, sentence: String) {
    var desk = Desk(password: security == .open ? nil : "lab password", security: security, hasProfile: false)
    desk.answer(.objectPath(Desk.own), .objectPath(Desk.active))
    desk.device(40, 50, 120, reason: number)
    desk.answer()
    #expect(desk.outcome?.failure?.description == sentence)
  }

  @Test(arguments: [true, false])
  func `a profile that may not be saved is told with NetworkManager's words`(answers: Bool) {
    var desk = Self.writing(hasOlder: false)
    if answers { desk.refuse("Settings.PermissionDenied", "Insufficient privileges") } else { desk.pass(.seconds(6)) }
    #expect(desk.outcome?.joined?.isKept == false)
    #expect(desk.outcome?.joined?.savingFailure == (answers ? .noPermission : .daemonSilent))
  }

  @Test func `a password that NetworkManager repeats is masked`() throws {
    var desk = Desk(password: "lab password", hasProfile: false)
    desk.refuse("Device.InvalidConnection", "psk: invalid value “lab password”")
    let outcome = try #require(desk.outcome).masking(Secret("lab password"))
    #expect(outcome.failure?.description == "The daemon refused: psk: invalid value “‹secret›”.")
    #expect(!"\(outcome)".contains("lab password"))
  }

  @Test func `a profile of the attempt that cannot be deleted is told`() {
    var desk = Desk(password: "lab password", hasProfile: false)
    desk.answer(.objectPath(Desk.own), .objectPath(Desk.active))
    desk.device(40, 50, 120, reason: 7)
    desk.refuse("Settings.PermissionDenied", "Insufficient privileges")
    #expect(desk.outcome?.failure?.reason == .wrongPassword)
    #expect(desk.outcome?.failure?.evidence.last?.line.contains("Insufficient privileges") == true)
  }

  @Test func `an activation that is not answered may still be done`() {
    var desk = Desk(password: "lab password", hasProfile: false)
    desk.pass(.seconds(6))
    #expect(desk.outcome?.failure?.reason == .daemonSilent)
    #expect(desk.outcome?.failure?.evidence.last?.line.hasSuffix("it may still be done") == true)
  }

  @Test(arguments: Progress.allCases)
  func `a session that cannot wait deactivates what it knows`(progress: Progress) {
    var desk = Self.desk(at: progress)
    desk.take(.abandoned)
    #expect(desk.outcome?.failure?.reason == .cancelled)
    #expect(desk.members.contains("DeactivateConnection") == (progress != .asked))
  }
}
