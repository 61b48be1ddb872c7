import DaemonControl
import DaemonProtocols
import Synchronization
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

    func open(_ channel: ControlChannel) throws(LinkError) {
      if self.channel == .bus { throw LinkError(operation: "open \(channel)", number: 2) }
      self.channel = channel
    }
    func close(_ channel: ControlChannel) {}
    func endWait() {}
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

  /// How much the state of a session takes, in words.
  private final class Scale: Sendable {
    private let state = Mutex((inputs: 0, most: 0))
    var most: Int { state.withLock { $0.most } }

    func weigh(_ session: some ControlSession) {
      state.withLock {
        $0.inputs += 1
        if $0.inputs.isMultiple(of: 500) { $0.most = max($0.most, String(reflecting: session).utf8.count) }
      }
    }
  }

  private struct Weighed<Session: ControlSession>: ControlSession {
    var session: Session
    let scale = Scale()

    mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<Session.Output>] {
      scale.weigh(session)
      return session.handle(input, at: now)
    }
  }

  @Test func `of 200,000 signals in a join nothing is kept`() async throws {
    typealias Desk = NetworkManagerSessionTests.Desk
    let signals = [40, 50].flatMap { state in
      DBusMessage.signal(
        Desk.device, "org.freedesktop.NetworkManager.Device", "StateChanged", [.uint32(state), .uint32(0), .uint32(0)], sender: ":1.1",
        serial: 7
      )
      .encoded
    }
    let burst = [[UInt8]](repeating: signals, count: 25).flatMap { $0 }
    var (asked, said) = (0, 0)
    let link = Chatter { sent in
      guard sent.count > asked, let bytes = sent.last else {
        said += 50
        return burst
      }
      asked = sent.count
      guard let start = bytes.firstIndex(of: UInt8(ascii: "l")), let call = try? DBusMessage(Array(bytes[start...])) else {
        return DBusAuthenticationLine.ok("720a8341de3db6e59ea8b2415f5e100a").encoded
      }
      let isActivation = call.member == "ActivateConnection"
      var reply = call.reply(
        isActivation ? [.objectPath(Desk.active)] : Desk.body(call, hasProfile: true, isJoinedBefore: false), serial: 7)
      reply.fields.append(.init(DBusMessage.FieldCode.sender, .string(":1.1")))
      return reply.encoded
    }
    link.pace = .milliseconds(7)
    let request = JoinRequest(interface: "wlan0", ssid: try #require(SSID(Array("x".utf8))), security: .psk)
    let weighed = Weighed(session: NetworkManagerSession(request))
    let outcome = await Joiner(link: link).run(weighed)
    #expect(outcome.failure?.reason == .timedOut(.authenticating))
    #expect(outcome.failure?.evidence.map(\.observer) == [.clock])
    #expect(said >= 200_000)
    #expect(1000..<20_000 ~= weighed.scale.most)
  }

  @Test(arguments: JoinDaemon.allCases)
  func `nor about known networks`(daemon: JoinDaemon) async {
    let link = daemon == .supplicant ? Self.supplicant() : Self.bus()
    #expect(await Joiner(link: link).known(.list, over: daemon, interface: "wlan0") == .failure(.daemonSilent))
    #expect(link.bootTime < .seconds(30))
  }

  @Test(arguments: [true, false])
  func `a list of known networks without end is refused`(isJoin: Bool) async throws {
    var id = 0
    let link = Chatter { sent in
      guard sent.last?.starts(with: Array("LIST_NETWORKS".utf8)) == true else {
        return Array((sent.last == Array("STATUS".utf8) ? "wpa_state=DISCONNECTED\n" : "OK\n").utf8)
      }
      var text = "network id / ssid / bssid / flags\n"
      for _ in 0..<100 {
        text += "\(id)\tsome name of a network\tany\t[DISABLED]\n"
        id += 1
      }
      return Array(text.utf8)
    }
    let words = "it lists more than 4096 networks"
    if isJoin {
      let request = JoinRequest(
        interface: "wlan0", ssid: try #require(SSID(Array("Lab".utf8))), security: .psk, password: Secret("lab password"))
      #expect(await Joiner(link: link).join(request, over: .supplicant).failure?.reason == .daemonRefused(words))
    } else {
      #expect(await Joiner(link: link).known(.list, over: .supplicant, interface: "wlan0") == .failure(.refused(words)))
    }
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
