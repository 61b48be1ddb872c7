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

  private static let objects: DBusValue = {
    let dictionary = DBusType.array(.dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant))))
    let element = DBusType.dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant)))
    func object(_ name: String, _ entries: DBusValue...) -> DBusValue {
      .dictionaryEntry(.objectPath(path(name)), .array(element, entries))
    }
    let station = interfaces("Station", ["State": "disconnected"])
    return .array(
      .dictionaryEntry(.objectPath, dictionary),
      [
        object("0/2", interfaces("Device", ["Name": "wlan0", "Powered": .boolean(true)]), station),
        object("0/2/78_psk", interfaces("Network", ["Name": "x", "Device": .objectPath(path("0/2")), "Type": "psk"])),
      ])
  }()

  private static func failure(connecting: ScriptedBus<IWDSession>.Answer) -> JoinFailure? {
    let ssid = SSID(Array("x".utf8)) ?? .wildcard
    let request = JoinRequest(interface: "wlan0", ssid: ssid, security: .psk, password: Secret("lab password"))
    var bus = ScriptedBus(IWDSession(request)) { call in
      switch call.member {
      case "GetManagedObjects": .body([objects])
      case "Connect": connecting
      default: .body([])
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
}
