import DaemonProtocols
package import WiFi

/// An iwd of a simulated machine: the D-Bus messages of iwd 2.3, over simulated access points.
///
/// It has one station, the networks that its last scan heard, those that it knows, and one agent. Its answer to nearly
/// every failure is a bare “Failed”, as the real one's; the frames that the access point sent are reported beside it.
public final class SimulatedIWD: BusService, RunningDaemon {
  /// The networks that it had saved.
  public struct Disk {
    var known: [Known] = []

    /// Nothing was saved.
    public init() {}
  }

  struct Known {
    var name: String
    var type: String
    var password: String?
    var isAutomatic = true
    var isHidden = false
    /// The higher was joined later.
    var joined = 0

    var path: DBusObjectPath { SimulatedIWD.path("\(Hex.string(name.utf8))_\(type)") }
  }

  private struct Heard {
    var name: String
    var type: String
    var path: DBusObjectPath
  }

  private struct Attempt {
    var network: Heard
    var password: String?
    var isHidden: Bool
    var call: BusCall?
    /// The call to the agent that waits for its answer.
    var question: UInt32?
  }

  static let name = IWDBus.service
  private static let properties = SystemBus.propertiesInterface
  let busName = SimulatedIWD.name

  /// The interface that it owns.
  public let interface: String
  /// How long a scan of all channels takes.
  private static let scanDuration: Duration = .milliseconds(5900)

  private weak var machine: SimulatedMachine?
  let kernel: SimulatedKernel
  let bus: SimulatedBus
  private let air: any JoinableAir
  private var known: [Known]
  private var heard: [Heard] = []
  private var agents: [(connection: SimulatedBus.Connection, path: DBusObjectPath)] = []
  private var attempt: Attempt?
  /// The networks whose saved password failed in a handshake: they are asked for the next time (measured with 2.3).
  private var asksAgain: [DBusObjectPath] = []
  private var connected: Heard?
  /// The access point that is joined.
  private(set) var linked: MACAddress?
  /// Whether it looks after the link in a moment.
  private var isWatching = false
  private var state = "disconnected"
  private var isScanning = false
  private(set) var isPowered = true
  var serial: UInt32 = 0
  let dialect = BusDialect.ell
  private var joins = 0
  private(set) var isAlive = true
  private(set) var generation = 0
  /// The number of the interface, while its adapter is there and after it went.
  private var number: UInt32

  init(interface: String, machine: SimulatedMachine, bus: SimulatedBus, air: any JoinableAir, disk: Disk) {
    self.interface = interface
    self.machine = machine
    kernel = machine.kernel
    self.bus = bus
    self.air = air
    number = machine.kernel.interface(named: interface)?.index ?? 0
    known = disk.known
    joins = known.map(\.joined).max() ?? 0
  }

  private static func path(_ text: String) -> DBusObjectPath { DBusObjectPath("/net/connman/iwd/\(text)") ?? .root }

  /// What is on disk now.
  public var disk: Disk {
    var disk = Disk()
    disk.known = known
    return disk
  }

  /// The names of the networks that it knows: what a test looks for that must not be left behind.
  public var networks: [String] { known.map(\.name) }

  var networkNames: [SSID] { networks.compactMap { SSID(Array($0.utf8)) } }

  func hashKnown(into hasher: inout Hasher) {
    for network in known {
      hasher.combine(network.path)
      hasher.combine(network.password)
      hasher.combine(network.isAutomatic)
      hasher.combine(network.isHidden)
    }
  }

  /// The network that is joined.
  public var joined: String? { isUp && (state == "connected" || state == "roaming") ? connected?.name : nil }

  var joinedNetwork: SSID? { joined.flatMap { SSID(Array($0.utf8)) } }

  /// Adds a network that was on disk, and joins it where it may and can; one of its name and type is the same file.
  package func addNetwork(_ draft: KnownNetworkDraft) {
    guard let name = String(validating: draft.ssid.bytes, as: UTF8.self) else { return }
    let type =
      switch draft.security {
      case .open, .owe: "open"
      case .psk, .sae, .pskOrSAE: "psk"
      case .enterprise: "8021x"
      case .wep: "wep"
      }
    joins += 1
    known.removeAll { $0.name == name && $0.type == type }
    known.append(
      Known(
        name: name, type: type, password: draft.password?.withBytes { String(decoding: $0, as: UTF8.self) },
        isAutomatic: draft.joinsAutomatically, isHidden: draft.isHidden, joined: joins))
    joinByItself()
  }

  /// Another program forgets the networks of a name.
  func forget(_ ssid: SSID) {
    for gone in known where Array(gone.name.utf8) == ssid.bytes { forget(gone) }
  }

  private func forget(_ gone: Known) {
    known.removeAll { $0.name == gone.name && $0.type == gone.type }
    if let connected, connected.name == gone.name, connected.type == gone.type { leave() }
  }

  /// Another program joins the known network of a name, or leaves the one that is joined.
  func join(_ ssid: SSID?) {
    guard let ssid else {
      abort()
      return leave()
    }
    if !heard.contains(where: { Array($0.name.utf8) == ssid.bytes }) { look() }
    guard let network = heard.first(where: { Array($0.name.utf8) == ssid.bytes && knownNetwork($0) != nil }) else { return }
    connect(network, isHidden: false, nil)
  }

  func start() {
    // It brings its interface up as it starts, whatever took it down.
    if !isUp { setPowered(true) }
    look()
    joinByItself()
  }

  func die() {
    isAlive = false
    generation += 1
    setAssociation(nil)
  }

  private var stationPath: DBusObjectPath { Self.path("0/\(number)") }

  private var isUp: Bool { isPowered && kernel.interface(named: interface)?.isUp ?? false }

  private var address: MACAddress {
    kernel.interface(named: interface)?.address ?? MACAddress(0)
  }

  // MARK: Messages

  private func refuse(_ call: BusCall, _ error: IWDError) { fail(call, "\(Self.name).\(error.rawValue)", error.sentence) }

  private func changed(_ path: DBusObjectPath, _ interface: String, _ values: [(String, DBusValue)], without: [String] = []) {
    signal(
      path, Self.properties, "PropertiesChanged", .string("\(Self.name).\(interface)"), .dictionary(values),
      .array(.string, without.map { .string($0) }))
  }

  func called(_ call: BusCall) {
    guard machine?.isPermitted == true else {
      // The rules of the bus allow calls to root and to a group alone.
      return fail(call, SystemBus.ErrorName.accessDenied, "Rejected send message")
    }
    seeInterface()
    switch call.method {
    case "org.freedesktop.DBus.ObjectManager.GetManagedObjects": reply(call, objects)
    case "\(Self.name).AgentManager.RegisterAgent":
      guard let path = call.body.first?.path else { return refuse(call, .invalidArguments) }
      guard !agents.contains(where: { $0.connection === call.caller }) else { return refuse(call, .alreadyExists) }
      agents.append((call.caller, path))
      reply(call)
    case "\(Self.name).Station.Scan":
      guard call.path == stationPath else { return }
      guard !isScanning else { return refuse(call, .inProgress) }
      reply(call)
      scan()
    case "\(Self.name).Station.Disconnect":
      guard call.path == stationPath else { return }
      abort()
      leave()
      reply(call)
    case "\(Self.name).Station.ConnectHiddenNetwork":
      guard call.path == stationPath, let name = call.body.first?.text else { return }
      guard isUp else { return refuse(call, .notAvailable) }
      connectHidden(name, call)
    case "\(Self.name).Network.Connect":
      guard let network = heard.first(where: { $0.path == call.path }) else { return missing(call) }
      guard isUp else { return refuse(call, .failed) }
      connect(network, isHidden: false, call)
    case "\(Self.name).KnownNetwork.Forget":
      guard let gone = known.first(where: { $0.path == call.path }) else { return missing(call) }
      forget(gone)
      reply(call)
    case "\(Self.properties).Set": write(call)
    case "\(Self.properties).GetAll":
      guard call.path == stationPath, index != nil, call.body.first?.text == "\(Self.name).Device" else { return missing(call) }
      reply(call, .dictionary(deviceProperties))
    default: missing(call)
    }
  }

  private func missing(_ call: BusCall) { fail(call, SystemBus.ErrorName.notFound, "No matching method found") }

  private func write(_ call: BusCall) {
    guard call.body.count == 3, let value = call.body[2].truth else { return refuse(call, .invalidArguments) }
    switch (call.body[0].text, call.body[1].text) {
    case ("\(Self.name).KnownNetwork", "AutoConnect"):
      guard let place = known.firstIndex(where: { $0.path == call.path }) else { return missing(call) }
      known[place].isAutomatic = value
      reply(call)
      changed(call.path, "KnownNetwork", [("AutoConnect", .boolean(value))])
    case ("\(Self.name).Device", "Powered"):
      guard call.path == stationPath, index != nil else { return missing(call) }
      setPowered(value)
      reply(call)
      changed(call.path, "Device", [("Powered", .boolean(value))])
      if value { joinByItself() }
    default: fail(call, SystemBus.ErrorName.invalidArguments, "Property \(call.body[1].text ?? "") is read-only")
    }
  }

  /// Sets the link up or down, as the real one does.
  func setPowered(_ value: Bool) {
    if !value {
      abort()
      leave()
    }
    isPowered = value
    if let index, kernel.adapter(of: index)?.isRFKilled == false { kernel.setInterface(index, isUp: value) }
  }

  func left(_ connection: SimulatedBus.Connection) {
    agents.removeAll { $0.connection === connection }
    if attempt?.call?.caller === connection { attempt?.call = nil }
  }

  // MARK: Objects

  private var objects: DBusValue {
    func object(_ path: DBusObjectPath, _ content: [Interface]) -> DBusValue {
      .dictionaryEntry(.objectPath(path), Self.interfaces(content))
    }
    let none: Interface = (Self.properties, [])
    var all: [DBusValue] = [
      object(.root, [("org.freedesktop.DBus.ObjectManager", [])]),
      object(IWDBus.managerPath, [("\(Self.name).Daemon", []), none, ("\(Self.name).AgentManager", [])]),
    ]
    all += known.map { network in
      object(
        network.path,
        [
          (
            "\(Self.name).KnownNetwork",
            [
              ("Name", .string(network.name)), ("Type", .string(network.type)), ("Hidden", .boolean(network.isHidden)),
              ("AutoConnect", .boolean(network.isAutomatic)), ("LastConnectedTime", "2020-09-13T12:26:40Z"),
            ]
          ), none,
        ])
    }
    // An adapter that was unplugged has no objects.
    if index != nil {
      all.append(
        object(
          Self.path("0"),
          [
            (
              "\(Self.name).Adapter",
              [("Powered", .boolean(isUp)), ("Name", "phy0"), ("SupportedModes", .array(.string, ["ad-hoc", "station", "ap"]))]
            ), none,
          ]))
      all.append(object(stationPath, device))
    }
    for network in heard where isUp {
      var values: [(String, DBusValue)] = [
        ("Name", .string(network.name)), ("Connected", .boolean(connected?.path == network.path)), ("Device", .objectPath(stationPath)),
        ("Type", .string(network.type)),
      ]
      if let known = knownNetwork(network) { values.append(("KnownNetwork", .objectPath(known.path))) }
      all.append(object(network.path, [("\(Self.name).Network", values), none]))
    }
    return .array(.dictionaryEntry(.objectPath, .array(Self.interfaceType)), all)
  }

  /// An interface of an object, and its properties.
  private typealias Interface = (name: String, properties: [(String, DBusValue)])

  private static let interfaceType = DBusType.dictionaryEntry(.string, .array(.dictionaryEntry(.string, .variant)))

  private static func interfaces(_ content: [Interface]) -> DBusValue {
    .array(
      interfaceType, content.map { .dictionaryEntry(.string($0.name), .dictionary($0.properties)) })
  }

  private var device: [Interface] {
    var device: [Interface] = [("\(Self.name).Device", deviceProperties), (Self.properties, [])]
    if isUp {
      var station: [(String, DBusValue)] = connected.map { [("ConnectedNetwork", .objectPath($0.path))] } ?? []
      station += [("Scanning", .boolean(isScanning)), ("State", .string(state))]
      device.append(("\(Self.name).Station", station))
    }
    return device
  }

  private var deviceProperties: [(String, DBusValue)] {
    [
      ("Name", .string(interface)), ("Address", .string(address.description)), ("Powered", .boolean(isUp)),
      ("Adapter", .objectPath(Self.path("0"))), ("Mode", "station"),
    ]
  }

  private func knownNetwork(_ network: Heard) -> Known? { known.first { $0.name == network.name && $0.type == network.type } }

  /// Takes over what is on the air; a network whose name is not text is not listed.
  private func look() {
    heard = []
    for accessPoint in air.accessPoints(at: kernel.now) where !accessPoint.isHidden {
      guard let network = network(accessPoint), !heard.contains(where: { $0.path == network.path }) else { continue }
      heard.append(network)
    }
  }

  private func network(_ accessPoint: AccessPoint) -> Heard? {
    guard let name = String(validating: accessPoint.ssid.bytes, as: UTF8.self), !name.isEmpty else { return nil }
    let type = accessPoint.security.iwdType
    return Heard(name: name, type: type, path: Self.path("0/\(number)/\(Hex.string(accessPoint.ssid.bytes))_\(type)"))
  }

  private func scan(_ then: @escaping (SimulatedIWD) -> Void = { _ in }) {
    isScanning = true
    changed(stationPath, "Station", [("Scanning", .boolean(true))])
    kernel.schedule(at: kernel.now + Self.scanDuration) { [weak self] _ in
      guard let self, isAlive, isScanning else { return }
      isScanning = false
      look()
      changed(stationPath, "Station", [("Scanning", .boolean(false))])
      then(self)
    }
  }

  // MARK: Joining

  private func connectHidden(_ name: String, _ call: BusCall) {
    guard !isScanning else { return refuse(call, .busy) }
    scan { iwd in
      let found = iwd.air.accessPoints(at: iwd.kernel.now).first { $0.isHidden && $0.ssid.bytes == Array(name.utf8) }
      guard let found, let network = iwd.network(found) else { return iwd.refuse(call, .notFound) }
      iwd.connect(network, isHidden: true, call)
    }
  }

  private func connect(_ network: Heard, isHidden: Bool, _ call: BusCall?) {
    if let call, attempt?.network.path == network.path, attempt?.call != nil { return refuse(call, .inProgress) }
    abort()
    attempt = Attempt(network: network, password: knownNetwork(network)?.password, isHidden: isHidden, call: call)
    switch network.type {
    case "open": authenticate()
    case "psk":
      if attempt?.password != nil, !asksAgain.contains(network.path) { return authenticate() }
      // The caller is asked for the password, if it has an agent.
      guard let agent = agents.first(where: { $0.connection === call?.caller }) ?? agents.first else { return end(.noAgent) }
      let number = nextSerial()
      attempt?.question = number
      // The order of the fields is that of ell; the bus adds the sender.
      let question = DBusMessage(
        .methodCall, serial: number,
        fields: [
          .init(DBusMessage.FieldCode.path, .objectPath(agent.path)), .init(DBusMessage.FieldCode.member, "RequestPassphrase"),
          .init(DBusMessage.FieldCode.interface, .string("\(Self.name).Agent")),
          .init(DBusMessage.FieldCode.destination, .string(agent.connection.name)),
          .init(DBusMessage.FieldCode.signature, .signature(DBusSignature([.objectPath]))),
        ], body: [.objectPath(network.path)])
      bus.send(question, from: self)
    default: end(.notConfigured)
    }
  }

  func answered(_ message: DBusMessage, by connection: SimulatedBus.Connection) {
    guard let question = attempt?.question, message.replySerial == question else { return }
    attempt?.question = nil
    guard message.kind == .methodReturn, let password = message.body.first?.text else { return end(.aborted) }
    guard (8...63).contains(password.utf8.count) else { return end(.invalidFormat) }
    attempt?.password = password
    authenticate()
  }

  /// Aborts the running attempt and answers its caller.
  private func abort() {
    guard let attempt else { return }
    generation += 1
    self.attempt = nil
    if let call = attempt.call { refuse(call, .aborted) }
    if state == "connecting" { move(to: "disconnected", nil) }
  }

  private func leave() {
    guard let old = connected else { return }
    generation += 1
    connected = nil
    linked = nil
    move(to: "disconnecting", nil)
    changed(old.path, "Network", [("Connected", .boolean(false))])
    move(to: "disconnected", nil)
    setAssociation(nil)
  }

  private func move(to new: String, _ network: Heard?) {
    state = new
    connected = network ?? (new == "connected" ? connected : nil)
    if let network {
      changed(stationPath, "Station", [("State", .string(new)), ("ConnectedNetwork", .objectPath(network.path))])
    } else {
      changed(stationPath, "Station", [("State", .string(new))], without: new == "connected" ? [] : ["ConnectedNetwork"])
    }
  }

  // MARK: The link

  /// Looks after what is joined or being joined: the access point may go, and so may the interface.
  private func watchAssociation() {
    guard !isWatching else { return }
    isWatching = true
    kernel.schedule(at: kernel.now + .milliseconds(200)) { [weak self] _ in
      guard let self, isAlive else { return }
      isWatching = false
      guard attempt != nil || connected != nil else { return }
      guard isUp else { return interfaceWentDown() }
      if state == "connected", let linked, !air.isInReach(linked, at: kernel.now) {
        report(.deauthentication(reason: 4, fromStation: true), linked)
        return linkEnded()
      }
      watchAssociation()
    }
  }

  private func interfaceWentDown() {
    let isGone = index == nil
    if isGone {
      let interfaces = ["\(Self.name).Device", "\(Self.name).Station", Self.properties].map { DBusValue.string($0) }
      signal(.root, SystemBus.objectManagerInterface, "InterfacesRemoved", .objectPath(stationPath), .array(.string, interfaces))
    } else {
      changed(stationPath, "Device", [("Powered", .boolean(false))])
    }
    abort()
    leave()
    awaitInterface(isGone: isGone)
  }

  private func awaitInterface(isGone: Bool) {
    kernel.schedule(at: kernel.now + .milliseconds(500)) { [weak self] _ in
      guard let self, isAlive else { return }
      guard isUp else { return awaitInterface(isGone: isGone || index == nil) }
      seeInterface()
      if isGone {
        signal(.root, SystemBus.objectManagerInterface, "InterfacesAdded", .objectPath(stationPath), Self.interfaces(device))
      } else {
        changed(stationPath, "Device", [("Powered", .boolean(true))])
      }
      joinByItself()
    }
  }

  /// Takes the number of its interface over: one that was plugged in again has another.
  private func seeInterface() { if let index { number = index } }

  /// The access point ends the association, with a reason code (IEEE 802.11-2020 table 9-49).
  package func endAssociation(reason: UInt16) {
    guard state == "connected", let linked else { return }
    report(.deauthentication(reason: reason, fromStation: false), linked)
    linkEnded()
  }

  /// Moves to another access point of the network that is joined, where there is one.
  package func roamToAnother() {
    guard state == "connected", let connected,
      let other = air.accessPoints(at: kernel.now).first(where: {
        $0.bssid != linked && $0.ssid.bytes == Array(connected.name.utf8) && $0.security.iwdType == connected.type
      })
    else { return }
    move(to: "roaming", connected)
    after(.milliseconds(30)) { iwd in
      iwd.report(.association(status: 0), other.bssid)
      iwd.linked = other.bssid
      iwd.setAssociation(other.bssid)
      iwd.move(to: "connected", connected)
    }
  }

  private func linkEnded() {
    guard let old = connected else { return }
    generation += 1
    linked = nil
    move(to: "disconnected", nil)
    changed(old.path, "Network", [("Connected", .boolean(false))])
    setAssociation(nil)
    joinByItself()
  }

  private func report(_ content: FrameNotification.Content, _ bssid: MACAddress) {
    machine?.report(FrameNotification(content: content, bssid: bssid, station: address, interface: index ?? 0))
  }

  private func authenticate() {
    guard attempt != nil else { return }
    let begun = generation
    if connected != nil { leave() }
    // What became due meanwhile may have ended the attempt, and begun another; leaving alone counts one.
    guard let attempt, generation <= begun + 1 else { return }
    generation += 1
    guard isUp else { return end(.failed) }
    let found = air.accessPoints(at: kernel.now).first { accessPoint in
      accessPoint.ssid.bytes == Array(attempt.network.name.utf8) && accessPoint.security.iwdType == attempt.network.type
    }
    move(to: "connecting", attempt.network)
    watchAssociation()
    changed(attempt.network.path, "Network", [("Connected", .boolean(true))])
    guard let accessPoint = found else { return after(.milliseconds(900)) { $0.end(.failed) } }
    let bssid = accessPoint.bssid
    let policy = air.policy(of: bssid)
    let usesSAE = accessPoint.security.keyManagements.contains("SAE")
    let isRight = !accessPoint.security.isSecured || attempt.password == policy.password
    after(.milliseconds(40)) { iwd in
      switch policy.refusal {
      case .silence:
        iwd.after(.milliseconds(500)) { iwd in
          iwd.report(.authenticationTimedOut, bssid)
          iwd.end(.failed)
        }
        return
      case .authentication(let status):
        iwd.report(.authentication(algorithm: usesSAE ? 3 : 0, transaction: usesSAE ? 1 : 2, status: status), bssid)
        return iwd.after(.milliseconds(10)) { $0.end(.failed) }
      default: break
      }
      if usesSAE {
        iwd.report(.authentication(algorithm: 3, transaction: 1, status: 0), bssid)
        guard isRight else {
          if let status = policy.confirmStatus { iwd.report(.authentication(algorithm: 3, transaction: 2, status: status), bssid) }
          return iwd.after(.milliseconds(10)) { $0.end(.failed) }
        }
        iwd.report(.authentication(algorithm: 3, transaction: 2, status: 0), bssid)
      } else {
        iwd.report(.authentication(algorithm: 0, transaction: 2, status: 0), bssid)
      }
      if case .association(let status) = policy.refusal {
        iwd.report(.association(status: status), bssid)
        return iwd.after(.milliseconds(10)) { $0.end(.failed) }
      }
      iwd.report(.association(status: 0), bssid)
      if policy.refusal == .handshakeSilence, accessPoint.security.isEncrypted {
        return iwd.after(.milliseconds(1900)) { iwd in
          iwd.report(.deauthentication(reason: 4, fromStation: true), bssid)
          iwd.end(.failed)
        }
      }
      guard isRight else {
        return iwd.after(.seconds(4)) { iwd in
          iwd.report(.deauthentication(reason: 15, fromStation: false), bssid)
          if attempt.password != nil { iwd.asksAgain.append(attempt.network.path) }
          iwd.after(.milliseconds(17)) { $0.end(.failed) }
        }
      }
      iwd.after(policy.duration) { $0.succeed(bssid) }
    }
  }

  private func succeed(_ bssid: MACAddress) {
    guard let attempt else { return }
    self.attempt = nil
    generation += 1
    joins += 1
    let network = attempt.network
    asksAgain.removeAll { $0 == network.path }
    if let place = known.firstIndex(where: { $0.name == network.name && $0.type == network.type }) {
      known[place].joined = joins
      if let password = attempt.password { known[place].password = password }
    } else {
      known.append(Known(name: network.name, type: network.type, password: attempt.password, isHidden: attempt.isHidden, joined: joins))
      changed(network.path, "Network", [("KnownNetwork", .objectPath(known[known.count - 1].path))])
    }
    setAssociation(bssid)
    connected = network
    linked = bssid
    if let call = attempt.call { reply(call) }
    state = "connected"
    changed(stationPath, "Station", [("State", "connected")])
    watchAssociation()
  }

  private func end(_ error: IWDError) {
    guard let attempt else { return }
    self.attempt = nil
    generation += 1
    if let call = attempt.call { refuse(call, error) }
    guard state == "connecting" else { return }
    move(to: "disconnected", nil)
    changed(attempt.network.path, "Network", [("Connected", .boolean(false))])
    joinByItself(except: attempt.network)
  }

  /// Joins the known network that was joined last, of those that are heard.
  private func joinByItself(except failed: Heard? = nil) {
    after(.milliseconds(50)) { iwd in
      guard iwd.connected == nil, iwd.attempt == nil, iwd.isUp else { return }
      let wanted = iwd.known.filter { $0.isAutomatic && !($0.name == failed?.name && $0.type == failed?.type) }
        .sorted { $0.joined > $1.joined }
      for known in wanted {
        if let network = iwd.heard.first(where: { $0.name == known.name && $0.type == known.type }) {
          return iwd.connect(network, isHidden: known.isHidden, nil)
        }
      }
    }
  }
}

/// The errors of iwd (`src/dbus.c`): the end of the name, and the sentence.
private enum IWDError: String {
  case failed = "Failed"
  case aborted = "Aborted"
  case busy = "Busy"
  case inProgress = "InProgress"
  case invalidArguments = "InvalidArguments"
  case invalidFormat = "InvalidFormat"
  case alreadyExists = "AlreadyExists"
  case notFound = "NotFound"
  case notAvailable = "NotAvailable"
  case notConfigured = "NotConfigured"
  case noAgent = "NoAgent"

  var sentence: String {
    switch self {
    case .failed: "Operation failed"
    case .aborted: "Operation aborted"
    case .inProgress: "Operation already in progress"
    case .busy: "Operation currently not possible"
    case .invalidArguments: "Argument type is wrong"
    case .invalidFormat: "Argument format is invalid"
    case .alreadyExists: "Object already exists"
    case .notFound: "Object not found"
    case .notAvailable: "Operation not available"
    case .notConfigured: "Not configured"
    case .noAgent: "No Agent registered"
    }
  }
}

extension AccessPointSecurity {
  /// How iwd calls the kind of security.
  var iwdType: String {
    switch self {
    case .open, .owe, .oweTransition: "open"
    case .wep: "wep"
    case .wpaPersonal, .wpaWPA2Personal, .wpa2Personal, .wpa2WPA3Personal, .wpa3Personal: "psk"
    case .wpa2Enterprise, .wpa3Enterprise, .wpa3Enterprise192: "8021x"
    }
  }
}
