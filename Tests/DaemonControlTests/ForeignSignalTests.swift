import DaemonControl
import DaemonProtocols
import Simulator
import Synchronization
import Testing
import WiFi

/// Signals of a client of the bus that is not the daemon: the bus delivers them where they are addressed to this program.
@Suite struct ForeignSignalTests {
  /// Hears the daemon's signals of a conversation, or gives a conversation signals of others after everything that it hears.
  private struct Wire<Session: ControlSession>: ControlSession {
    var session: Session
    var end: Duration?
    var foreign: [DBusMessage] = []
    let heard: Heard
    private var stream = DBusStream()
    private var isOpen = false
    /// A conversation that believed them would ask, hear and be given them for ever.
    private var remaining = 300

    init(_ session: Session, until end: Duration? = nil, foreign: [DBusMessage] = [], heard: Heard) {
      self.session = session
      self.end = end
      self.foreign = foreign
      self.heard = heard
    }

    mutating func handle(_ input: JoinInput, at now: Duration) -> [ControlAction<Session.Output>] {
      let input = end.map { now >= $0 && input != .start } == true ? JoinInput.cancelled : input
      var actions = session.handle(input, at: now)
      if case .received(.bus, let bytes) = input {
        // What comes first are lines of the authentication.
        if bytes.first == UInt8(ascii: "l") { isOpen = true }
        if isOpen { hear(bytes) }
        for message in foreign where isOpen && remaining > 0 && !hasFinished(actions) {
          remaining -= 1
          let more = session.handle(.received(.bus, message.encoded), at: now)
          heard.add(effects: more.count { if case .wait = $0 { false } else { true } })
          actions += more
        }
      }
      guard let end else { return actions }
      return actions.map { if case .wait(let until) = $0 { .wait(until: min(until, end)) } else { $0 } }
    }

    private func hasFinished(_ actions: [ControlAction<Session.Output>]) -> Bool {
      actions.contains { if case .finish = $0 { true } else { false } }
    }

    private mutating func hear(_ bytes: [UInt8]) {
      stream.append(bytes)
      while let message = try? stream.next() {
        if message.kind == .signal { heard.add(message) }
      }
    }
  }

  /// What a conversation heard, and how much a foreign signal made it do.
  private final class Heard: Sendable {
    private let state = Mutex((signals: [DBusMessage](), effects: 0))
    var signals: [DBusMessage] { state.withLock { $0.signals } }
    var effects: Int { state.withLock { $0.effects } }
    func add(_ signal: DBusMessage) { state.withLock { $0.signals.append(signal) } }
    func add(effects: Int) { state.withLock { $0.effects += effects } }
  }

  /// The daemon's signals as another client sends them, and one that says in the bus's words that the daemon is gone.
  private static func forged(_ signals: [DBusMessage]) -> [DBusMessage] {
    let service = "org.freedesktop.DBus"
    let gone = [":1.1", ":1.2", ":1.3"].flatMap { owner in
      ["org.freedesktop.NetworkManager", "net.connman.iwd"].compactMap { name in
        DBusObjectPath("/org/freedesktop/DBus").map {
          DBusMessage.signal($0, service, "NameOwnerChanged", [.string(name), .string(owner), .string("")], serial: 1)
        }
      }
    }
    return (signals + gone).map { signal in
      var signal = signal
      signal.fields.removeAll { $0.code == DBusMessage.FieldCode.sender }
      signal.fields.append(.init(DBusMessage.FieldCode.sender, .string(":1.666")))
      return signal
    }
  }

  private func watch(_ daemon: JoinDaemon, foreign: [DBusMessage], _ happens: (DaemonLab) -> Void) async throws -> (
    [AssociationEvent], Heard
  ) {
    let lab = try DaemonLab(daemon)
    try lab.know("Lab SAE")
    try await lab.pass(.seconds(2))
    // So that NetworkManager's own words count.
    if daemon == .networkManager { lab.machine.isPermitted = false }
    happens(lab)
    let heard = Heard()
    var events: [AssociationEvent] = []
    func run(_ session: some AssociationSession) async {
      let wire = Wire(session, until: lab.kernel.bootTime + .seconds(60), foreign: foreign, heard: heard)
      _ = await Joiner(link: lab.machine.link()).run(wire, onEvent: { events.append($0) })
    }
    await run(daemon.associationSession(interface: "wlan0"))
    return (events, heard)
  }

  @Test(arguments: [JoinDaemon.networkManager, .iwd])
  func `a link is not lost because a client says so that is not the daemon`(daemon: JoinDaemon) async throws {
    let (events, heard) = try await watch(daemon, foreign: []) { lab in
      lab.kernel.schedule(at: lab.kernel.bootTime + .seconds(5)) { _ in lab.dismiss(reason: 4) }
      lab.kernel.schedule(at: lab.kernel.bootTime + .seconds(30)) { _ in
        lab.air.stations.removeAll { $0.accessPoint.bssid == AssociationSessionTests.bssid }
      }
    }
    try #require(events.contains { if case .lost = $0 { true } else { false } })
    let foreign = Self.forged(heard.signals)
    #expect(foreign.count > 8)
    let (attacked, under) = try await watch(daemon, foreign: foreign) { _ in }
    #expect(attacked.map(\.description) == ["joined Lab SAE"])
    #expect(under.effects == 0)
  }

  @Test(arguments: [JoinDaemon.networkManager, .iwd])
  func `a join does not fail because a client says so that is not the daemon`(daemon: JoinDaemon) async throws {
    func join(_ password: String, foreign: [DBusMessage]) async throws -> (JoinOutcome, Heard) {
      let lab = try DaemonLab(daemon)
      let heard = Heard()
      func run(_ session: some JoinSession) async -> JoinOutcome {
        await Joiner(link: lab.machine.link()).run(Wire(session, foreign: foreign, heard: heard))
      }
      return (await run(daemon.session(try lab.request("Lab WPA2", password))), heard)
    }
    let (failed, heard) = try await join("wrong password", foreign: [])
    try #require(failed.failure != nil)
    let foreign = Self.forged(heard.signals)
    #expect(foreign.count > 8)
    let (outcome, under) = try await join(RecordedJoin.right, foreign: foreign)
    #expect(outcome.failure == nil)
    #expect(under.effects == 0)
  }

  @Test(arguments: [JoinDaemon.networkManager, .iwd])
  func `known networks, the switch and the owner are not what a client says that is not the daemon`(daemon: JoinDaemon) async throws {
    let lab = try DaemonLab(daemon)
    try lab.know("Lab WPA2")
    let heard = Heard()
    // Answers to a call that was never made.
    let call = DBusMessage.call("org.example", .root, "org.example", "None", serial: 9999)
    let foreign = Self.forged([call.reply([.boolean(false)], serial: 1), call.failure("org.example.No", "no", serial: 1)])
    func run<Session: ControlSession>(_ session: Session) async -> Session.Output {
      await Joiner(link: lab.machine.link()).run(Wire(session, foreign: foreign, heard: heard))
    }
    func known(_ session: some KnownNetworksSession) async -> KnownNetworksOutcome { await run(session) }
    #expect(try await known(daemon.session(.list, interface: "wlan0")).get().networks.map(\.ssid.description) == ["Lab WPA2"])
    #expect(try await !run(RadioSession(.set(false), over: daemon, interface: "wlan0")).get().isOn)
    #expect(await run(OwnerSession(interface: "wlan0")) == .success(daemon))
    #expect(heard.effects == 0)
  }
}
