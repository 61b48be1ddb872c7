import DaemonControl
import DaemonProtocols
import Testing
import WiFi

/// Daemons that never stop talking, and never come to the point: each conversation ends in time, and holds no more than its limit.
@Suite struct EndlessDaemonTests {
  /// Says something again and again, whatever it is sent.
  private final class Chatter: ControlLink {
    var bootTime = Duration.seconds(1)
    var pace = Duration.milliseconds(10)
    private var channel: ControlChannel?
    private var sent: [[UInt8]] = []
    private let next: ([[UInt8]]) -> [UInt8]

    /// - Parameter next: what it says next, after all that it was sent.
    init(next: @escaping ([[UInt8]]) -> [UInt8]) { self.next = next }

    func open(_ channel: ControlChannel) throws(LinkError) { self.channel = channel }
    func close(_ channel: ControlChannel) {}
    func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) { sent.append(payload.bytes) }
    func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
      guard bootTime < .seconds(300), let channel else { throw LinkError(operation: "talk on", number: 110) }
      bootTime += pace
      return .received(channel, next(sent))
    }
  }

  private static func bus() -> Chatter {
    var said = 0
    return Chatter { _ in
      said += 1
      switch said {
      case 1: return DBusAuthenticationLine.ok("720a8341de3db6e59ea8b2415f5e100a").encoded
      case 2:
        let hello = DBusMessage.call("org.freedesktop.DBus", .root, "org.freedesktop.DBus", "Hello", serial: 1)
        return hello.reply([.string(":1.9")], serial: 1).encoded
      default:
        return DBusMessage.signal(
          .root, "org.freedesktop.DBus", "NameAcquired", [.string(":1.9")], sender: "org.freedesktop.DBus", serial: 2
        )
        .encoded
      }
    }
  }

  private static func supplicant() -> Chatter { Chatter { _ in Array("<3>CTRL-EVENT-BSS-ADDED 1 02:00:00:00:00:01".utf8) } }

  @Test(arguments: JoinDaemon.allCases)
  func `a daemon that speaks of other things does not answer in time`(daemon: JoinDaemon) async throws {
    let request = JoinRequest(
      interface: "wlan0", ssid: try #require(SSID(Array("Lab".utf8))), security: .psk, password: Secret("lab password"))
    let link = daemon == .supplicant ? Self.supplicant() : Self.bus()
    #expect(await Joiner(link: link).join(request, over: daemon).failure?.reason == .daemonSilent)
    #expect(link.bootTime < .seconds(30))
  }

  @Test(arguments: JoinDaemon.allCases)
  func `nor about known networks`(daemon: JoinDaemon) async {
    let link = daemon == .supplicant ? Self.supplicant() : Self.bus()
    #expect(await Joiner(link: link).known(.list, over: daemon, interface: "wlan0") == .failure(.daemonSilent))
    #expect(link.bootTime < .seconds(30))
  }

  @Test func `a list of known networks without end is refused`() async {
    var id = 0
    let link = Chatter { sent in
      guard sent.last?.starts(with: Array("LIST_NETWORKS".utf8)) == true else { return Array("wpa_state=DISCONNECTED\n".utf8) }
      var text = "network id / ssid / bssid / flags\n"
      for _ in 0..<100 {
        text += "\(id)\tsome name of a network\tany\t[DISABLED]\n"
        id += 1
      }
      return Array(text.utf8)
    }
    let outcome = await Joiner(link: link).known(.list, over: .supplicant, interface: "wlan0")
    #expect(outcome == .failure(.refused("it lists more than 4096 networks")))
    #expect(id < 5000)
  }

  @Test func `a list that is read field by field has two minutes`() async {
    let link = Chatter { sent in
      switch sent.last.map({ String(decoding: $0, as: UTF8.self) })?.split(separator: " ").first {
      case "LIST_NETWORKS"?:
        let lines = (0..<90).map { "\($0)\tn\tany\t[DISABLED]\n" }
        return Array(("network id / ssid / bssid / flags\n" + lines.joined()).utf8)
      case "GET_NETWORK"?: return Array("1".utf8)
      default: return Array("wpa_state=DISCONNECTED\n".utf8)
      }
    }
    link.pace = .milliseconds(500)
    #expect(await Joiner(link: link).known(.list, over: .supplicant, interface: "wlan0") == .failure(.daemonSilent))
    #expect(link.bootTime < .seconds(130))
  }
}
