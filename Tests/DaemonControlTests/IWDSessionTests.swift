import DaemonControl
import DaemonProtocols
import Testing
import WiFi

/// What iwd's answers come to, played to the session by hand.
@Suite struct IWDSessionTests {
  private static func path(_ text: String) -> DBusObjectPath { DBusObjectPath("/net/connman/iwd/\(text)") ?? .root }

  private static func interfaces(_ name: String, _ properties: KeyValuePairs<String, DBusValue>) -> DBusValue {
    .dictionaryEntry(.string("net.connman.iwd.\(name)"), .properties(properties))
  }

  private static let objects = listed()

  /// The objects of iwd.
  ///
  /// - Parameter isPowered: whether the device is on; `nil` where it was unplugged.
  private static func listed(isPowered: Bool? = true) -> DBusValue {
    let dictionary = DBusType.array(.dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant))))
    let element = DBusType.dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant)))
    func object(_ name: String, _ entries: DBusValue...) -> DBusValue {
      .dictionaryEntry(.objectPath(path(name)), .array(element, entries))
    }
    let station = interfaces("Station", ["State": "disconnected"])
    let adapter = isPowered.map { isPowered in
      [
        object("0/2", interfaces("Device", ["Name": "wlan0", "Powered": .boolean(isPowered)]), station),
        object("0/2/78_psk", interfaces("Network", ["Name": "x", "Device": .objectPath(path("0/2")), "Type": "psk"])),
      ]
    }
    return .array(.dictionaryEntry(.objectPath, dictionary), adapter ?? [])
  }

  private static func failure(connecting: ScriptedBus<IWDSession>.Answer, then later: DBusValue? = nil) -> JoinFailure? {
    let ssid = SSID(Array("x".utf8)) ?? .wildcard
    let request = JoinRequest(interface: "wlan0", ssid: ssid, security: .psk, password: Secret("lab password"))
    var isConnecting = false
    var bus = ScriptedBus(IWDSession(request)) { call in
      switch call.member {
      case "GetManagedObjects": return .body([isConnecting ? later ?? objects : objects])
      case "Connect":
        isConnecting = true
        return connecting
      default: return .body([])
      }
    }
    return bus.run()?.failure
  }

  @Test(arguments: [
    ("Failed", JoinFailure.Reason.savedPasswordWrong), ("PermissionDenied", .noPermission), ("ServiceSetOverlap", .daemonRefused("no")),
    ("NotConfigured", .daemonRefused("no")), ("Timeout", .daemonRefused("no")), ("InvalidArguments", .daemonRefused("no")),
    ("Weird", .daemonRefused("no")), ("Busy", .busy), ("NotFound", .outOfRange),
  ])
  func `only a bare failure speaks of the password`(name: String, reason: JoinFailure.Reason) {
    let failure = Self.failure(connecting: .error("net.connman.iwd.\(name)"))
    #expect(failure?.reason == reason)
    #expect(failure?.evidence.last?.line == "net.connman.iwd.\(name): no")
  }

  // As its sources have it (`station_free`), the answer to a join of an adapter that is unplugged is “Aborted”.
  @Test(arguments: ["net.connman.iwd.Aborted", "org.freedesktop.DBus.Error.NotFound", "org.freedesktop.DBus.Error.UnknownObject"])
  func `an adapter that is unplugged while it joins is not taken for another program's join`(error: String) {
    let unplugged = Self.failure(connecting: .error(error), then: Self.listed(isPowered: nil))
    #expect(unplugged?.reason == .noInterface)
    #expect(unplugged?.certainty == .certain)
    #expect(unplugged?.evidence.map(\.line).suffix(2) == ["\(error): no", "the device is not there any more"])
    #expect(Self.failure(connecting: .error(error), then: Self.listed(isPowered: false))?.reason == .interfaceDown)
    let stays = Self.failure(connecting: .error(error))
    #expect(stays?.reason == (error.hasSuffix("Aborted") ? .superseded : .daemonRefused("no")))
    #expect(stays?.certainty == (error.hasSuffix("Aborted") ? .likely : .certain))
  }
}
