import DaemonProtocols
public import WiFi

/// A NetworkManager of a simulated machine: the D-Bus messages of NetworkManager 1.42, over a simulated wpa_supplicant.
///
/// It has one device, profiles on disk and in memory, and joins as the real one does, as far as a program can see it:
/// the states of the device and of the connection with their reasons, a volatile profile that goes with its connection,
/// what is joined by itself, and what its reasons hide. A wrong SAE password, an access point that refuses and one that
/// is gone are all “SSID not found” after 25 s.
public final class SimulatedNetworkManager: BusService, RunningDaemon {
  /// The profiles that it had saved.
  public struct Disk {
    var profiles: [Profile] = []

    /// Nothing was saved.
    public init() {}
  }

  struct Profile {
    var number: Int
    var uuid: String
    var settings: NetworkManagerProfile
    var isOnDisk: Bool
    var isVolatile: Bool

    var path: DBusObjectPath { SimulatedNetworkManager.path("Settings/\(number)") }
    /// `NMSettingsConnectionFlags`: unsaved, volatile.
    var flags: UInt32 { (isOnDisk ? 0 : 1) | (isVolatile ? 4 : 0) }
  }

  private struct Active {
    var number: Int
    var profile: Int
    var state: UInt32
    /// The number of its network in wpa_supplicant.
    var networkID: Int?

    var path: DBusObjectPath { SimulatedNetworkManager.path("ActiveConnection/\(number)") }
  }

  private typealias State = NetworkManagerBus.DeviceState
  private typealias Reason = NetworkManagerBus.DeviceReason

  static let name = NetworkManagerBus.service
  private static let properties = SystemBus.propertiesInterface
  let busName = SimulatedNetworkManager.name

  /// The interface that it manages.
  public let interface: String
  /// How long the server takes that gives an address.
  package var addressDuration: Duration = .milliseconds(20)
  /// How long it waits for an association, for the password after a handshake that failed, for an address, and for a
  /// link that was lost.
  public var limits = (
    association: Duration.seconds(25), secrets: Duration.milliseconds(5800), address: Duration.seconds(45), link: Duration.seconds(15)
  )

  private weak var machine: SimulatedMachine?
  let kernel: SimulatedKernel
  let bus: SimulatedBus
  private var supplicant: SimulatedSupplicant
  private var hasSupplicant = true
  private let air: any JoinableAir
  private var profiles: [Profile]
  private var nextProfile = 1
  private var nextActive = 1
  private var active: Active?
  private var state = State.disconnected
  private var stateReason: Int64 = 0
  private(set) var isWirelessEnabled = true
  var serial: UInt32 = 0
  let dialect = BusDialect.glib
  private(set) var isAlive = true
  private(set) var generation = 0
  /// The profiles that are not joined by themselves until they are joined by hand, by UUID.
  private var blocked: [String] = []
  /// The access points that were joined or asked for, as they are numbered.
  private var accessPoints: [MACAddress] = []
  private let devicePath = SimulatedNetworkManager.path("Devices/1")

  init(
    interface: String, machine: SimulatedMachine, bus: SimulatedBus, supplicant: SimulatedSupplicant, air: any JoinableAir, disk: Disk
  ) {
    self.interface = interface
    self.machine = machine
    kernel = machine.kernel
    self.bus = bus
    self.supplicant = supplicant
    self.air = air
    profiles = []
    for var profile in disk.profiles {
      profile.number = nextProfile
      nextProfile += 1
      profiles.append(profile)
    }
  }

  private static func path(_ text: String) -> DBusObjectPath { DBusObjectPath("/org/freedesktop/NetworkManager/\(text)") ?? .root }

  /// What is on disk now.
  public var disk: Disk {
    var disk = Disk()
    disk.profiles = profiles.filter(\.isOnDisk)
    return disk
  }

  /// The names of its profiles, whether they are saved, and whether they go with their connection: what a test looks
  /// for that must not be left behind.
  public var networks: [(ssid: SSID?, isSaved: Bool, isVolatile: Bool)] {
    profiles.map { ($0.settings.ssid, $0.isOnDisk, $0.isVolatile) }
  }

  var networkNames: [SSID] { profiles.compactMap(\.settings.ssid) }

  func hashKnown(into hasher: inout Hasher) {
    for profile in profiles where !profile.isVolatile {
      hasher.combine(profile.number)
      hasher.combine(profile.settings)
    }
  }

  /// The network that is joined.
  public var joined: SSID? {
    guard state == State.activated, let active else { return nil }
    return profile(active.profile)?.settings.ssid
  }

  var joinedNetwork: SSID? { joined }

  /// The network that is joined, where it prefers another profile of it, secured alike, to the one that it has joined.
  package var outrankedNetwork: SSID? {
    guard let joined, let own = active.flatMap({ profile($0.profile) }), !own.isVolatile else { return nil }
    let isBetter = profiles.contains { other in
      !other.isVolatile && other.settings.ssid == joined && other.settings.keyManagement == own.settings.keyManagement
        && other.settings.priority > own.settings.priority
    }
    return isBetter ? joined : nil
  }

  /// Whether the profile of the connection is forgotten with it.
  var joinsPassingly: Bool { active.flatMap { profile($0.profile) }?.isVolatile ?? false }

  /// Adds a profile that was on disk, and joins it where it may and can.
  package func addNetwork(_ draft: KnownNetworkDraft) {
    add(NetworkManagerProfile(draft), isOnDisk: true, isVolatile: false)
    joinByItself()
  }

  /// Another program deletes the profiles of a name.
  func forget(_ ssid: SSID) {
    for profile in profiles where profile.settings.ssid == ssid {
      remove(profile.number)
      if active?.profile == profile.number { deactivate(Reason.connectionRemoved) }
    }
  }

  /// Another program activates the profile of a name, or deactivates what is active.
  func join(_ ssid: SSID?) {
    guard let ssid else {
      guard let active else { return }
      if let profile = profile(active.profile) { blocked.append(profile.uuid) }
      return deactivate(Reason.userRequested)
    }
    guard let profile = profiles.first(where: { $0.settings.ssid == ssid }), bringUp() else { return }
    blocked.removeAll { $0 == profile.uuid }
    begin(profile) { _ in }
  }

  func start() {
    listen()
    if !isSwitchedOn { state = State.unavailable }
    joinByItself()
  }

  private func listen() {
    supplicant.onEvent = { [weak self] event in
      guard let self else { return }
      // The supplicant is in the middle of what it does.
      kernel.schedule(at: kernel.now) { [weak self] _ in self?.heard(event) }
    }
  }

  /// wpa_supplicant has ended: what was joined or being joined is over, and nothing can be joined until there is
  /// another.
  func loseSupplicant() {
    guard hasSupplicant else { return }
    hasSupplicant = false
    supplicant.onEvent = nil
    generation += 1
    active?.networkID = nil
    guard state != State.unavailable else { return }
    move(to: State.unavailable, Reason.supplicantFailed)
    if let active {
      end(active)
      report(active, state: 4, reason: 3)
    }
  }

  /// wpa_supplicant is there again.
  func findSupplicant(_ new: SimulatedSupplicant) {
    supplicant = new
    hasSupplicant = true
    listen()
    guard isSwitchedOn else { return }
    move(to: State.disconnected, Reason.supplicantAvailable)
    joinByItself()
  }

  func die() {
    isAlive = false
    generation += 1
    supplicant.onEvent = nil
    if let id = active?.networkID { supplicant.perform(.removeNetwork(id)) }
    active = nil
  }

  private var isUp: Bool { isWirelessEnabled && kernel.interface(named: interface)?.isUp ?? false }

  /// Whether the radio may send, with the link up or down.
  private var isSwitchedOn: Bool { isWirelessEnabled && index != nil && !isRFKilled }

  /// Sets the link up where it is down, as before every connection; `false` where a switch is off.
  private func bringUp() -> Bool {
    if !isUp, isSwitchedOn, let index { kernel.setInterface(index, isUp: true) }
    return isUp && hasSupplicant
  }

  // MARK: Messages

  private func changed(_ path: DBusObjectPath, _ interface: String, _ properties: [(String, DBusValue)]) {
    signal(path, Self.properties, "PropertiesChanged", .string(interface), .dictionary(properties), .array(.string, []))
  }

  /// Signals the state of a connection (`NMActiveConnectionState`) and its reason.
  private func report(_ active: Active, state: UInt32, reason: UInt32) {
    signal(active.path, "\(Self.name).Connection.Active", "StateChanged", .uint32(state), .uint32(reason))
  }

  func answered(_ message: DBusMessage, by connection: SimulatedBus.Connection) {}
  func left(_ connection: SimulatedBus.Connection) {}

  func called(_ call: BusCall) {
    switch call.method {
    case "\(Self.name).GetDeviceByIpIface":
      guard call.body.first?.text == interface else {
        return fail(call, "\(Self.name).UnknownDevice", "No device found for the requested iface.")
      }
      reply(call, .objectPath(devicePath))
    case "\(Self.properties).Get", "\(Self.properties).GetAll": read(call)
    case "\(Self.properties).Set": write(call)
    case "\(Self.name).AddAndActivateConnection2": addAndActivate(call)
    case "\(Self.name).ActivateConnection": activate(call)
    case "\(Self.name).DeactivateConnection":
      guard mayChange(call) else { return }
      guard let active, call.body.first?.path == active.path else {
        return fail(call, "\(Self.name).ConnectionNotActive", "The connection was not active.")
      }
      if let profile = profile(active.profile) { blocked.append(profile.uuid) }
      reply(call)
      deactivate(Reason.userRequested)
    case "\(Self.name).Settings.ListConnections": reply(call, .paths(profiles.map(\.path)))
    case "\(Self.name).Settings.AddConnection2": addConnection(call)
    case "\(Self.name).Settings.Connection.GetSettings":
      guard let place = place(call) else { return }
      reply(call, profiles[place].settings.shown)
    case "\(Self.name).Settings.Connection.Update2": update(call)
    case "\(Self.name).Settings.Connection.Delete": delete(call)
    default:
      fail(call, SystemBus.ErrorName.unknownMethod, "No such method “\(call.member)”")
    }
  }

  private func mayChange(_ call: BusCall) -> Bool {
    guard machine?.isPermitted == true else {
      fail(call, "\(Self.name).PermissionDenied", "Not authorized to control networking.")
      return false
    }
    return true
  }

  private func place(_ call: BusCall) -> Int? {
    if let place = profiles.firstIndex(where: { $0.path == call.path }) { return place }
    fail(call, SystemBus.ErrorName.unknownMethod, "Object does not exist at path “\(call.path)”")
    return nil
  }

  private func profile(_ number: Int) -> Profile? { profiles.first { $0.number == number } }

  // MARK: Properties

  private func read(_ call: BusCall) {
    guard let interface = call.body.first?.text, let all = properties(of: call.path, interface) else {
      return fail(call, SystemBus.ErrorName.unknownMethod, "Object does not exist at path “\(call.path)”")
    }
    guard call.member == "Get" else { return reply(call, .dictionary(all)) }
    guard let value = all.first(where: { $0.0 == call.body.last?.text })?.1 else {
      return fail(call, SystemBus.ErrorName.invalidArguments, "No such property “\(call.body.last?.text ?? "")”")
    }
    reply(call, .variant(value))
  }

  private func properties(of path: DBusObjectPath, _ interface: String) -> [(String, DBusValue)]? {
    if path.description == "/org/freedesktop/NetworkManager" { return managerProperties }
    if path == devicePath, interface == "\(Self.name).Device.Wireless" {
      let heard = air.accessPoints(at: kernel.now).map { accessPointPath(of: $0.bssid) }
      return [
        ("ActiveAccessPoint", .objectPath(state == State.activated ? accessPointPath : .root)), ("Mode", .uint32(2)),
        ("AccessPoints", .paths(heard)),
      ]
    }
    if path == devicePath { return deviceProperties }
    if let joined = supplicant.joined, path == accessPointPath {
      return [("Ssid", .bytes(joined.ssid.bytes)), ("HwAddress", .string(joined.bssid.description)), ("Mode", .uint32(2))]
    }
    if let heard = air.accessPoints(at: kernel.now).first(where: { accessPointPath(of: $0.bssid) == path }) {
      let name = heard.isHidden ? [] : heard.ssid.bytes
      return [("Ssid", .bytes(name)), ("HwAddress", .string(heard.bssid.description)), ("Mode", .uint32(2))]
    }
    if let active, path == active.path { return properties(of: active) }
    if let profile = profiles.first(where: { $0.path == path }) {
      return [("Unsaved", .boolean(!profile.isOnDisk)), ("Flags", .uint32(profile.flags)), ("Filename", "")]
    }
    return nil
  }

  private var managerProperties: [(String, DBusValue)] {
    let actives = active.map { [$0.path] } ?? []
    return [
      ("Devices", .paths([devicePath])), ("AllDevices", .paths([devicePath])), ("NetworkingEnabled", .boolean(true)),
      ("WirelessEnabled", .boolean(isWirelessEnabled && !isRFKilled)), ("WirelessHardwareEnabled", .boolean(true)),
      ("ActiveConnections", .paths(actives)), ("PrimaryConnection", .objectPath(.root)), ("Version", "1.42.4"),
      ("State", .uint32(state == State.activated ? 50 : active == nil ? 20 : 40)),
    ]
  }

  private var isRFKilled: Bool { kernel.adapter(named: interface)?.isRFKilled ?? false }

  private var deviceProperties: [(String, DBusValue)] {
    [
      ("Interface", .string(interface)), ("Driver", "mac80211_hwsim"),
      ("State", .number(isSwitchedOn && hasSupplicant ? state : State.unavailable)),
      ("StateReason", .structure([.number(state), .number(stateReason)])),
      ("ActiveConnection", .objectPath(active?.path ?? .root)), ("Managed", .boolean(true)), ("Autoconnect", .boolean(true)),
      ("DeviceType", .uint32(2)), ("AvailableConnections", .paths(profiles.map(\.path))), ("Real", .boolean(true)),
    ]
  }

  private func properties(of active: Active) -> [(String, DBusValue)] {
    let profile = profile(active.profile)
    return [
      ("Connection", .objectPath(profile?.path ?? .root)), ("SpecificObject", .objectPath(.root)),
      ("Id", .string(profile?.settings["connection", "id"]?.text ?? "")), ("Uuid", .string(profile?.uuid ?? "")),
      ("Type", "802-11-wireless"), ("Devices", .paths([devicePath])), ("State", .uint32(active.state)),
    ]
  }

  private func write(_ call: BusCall) {
    guard mayChange(call) else { return }
    guard call.body.count == 3, call.body[1].text == "WirelessEnabled", let isOn = call.body[2].truth else {
      return fail(call, SystemBus.ErrorName.invalidArguments, "No such property “\(call.body.dropFirst().first?.text ?? "")”")
    }
    reply(call)
    setWireless(isEnabled: isOn)
  }

  /// A user switches the radio on or off.
  func setWireless(isEnabled isOn: Bool) {
    let wasOn = isWirelessEnabled && !isRFKilled
    isWirelessEnabled = isOn
    guard isOn != wasOn else { return }
    changed(NetworkManagerBus.path, Self.name, [("WirelessEnabled", .boolean(isOn))])
    if isOn {
      silence(false)
      // The radio was blocked by another program, and the connection is still to be looked after.
      if let active {
        generation += 1
        end(active)
      }
      move(to: State.disconnected, Reason.nowManaged)
      joinByItself()
    } else {
      if active != nil { deactivate(Reason.nowManaged) }
      move(to: State.unavailable, Reason.nowManaged)
      // What is joined is left first.
      kernel.schedule(at: kernel.now + .milliseconds(2)) { [weak self] _ in
        if let self, isAlive, !isWirelessEnabled { silence(true) }
      }
    }
  }

  /// Moves the kernel's switch, as the real one does with its own.
  private func silence(_ isBlocked: Bool) {
    guard let index, let adapter = kernel.adapter(of: index) else { return }
    kernel.setRFKill(wiphy: adapter.wiphy, isBlocked: isBlocked)
    if !isBlocked { kernel.setInterface(index, isUp: true) }
  }

  // MARK: Profiles

  @discardableResult
  private func add(_ settings: NetworkManagerProfile, isOnDisk: Bool, isVolatile: Bool) -> Profile {
    var settings = settings
    let digits = String(nextProfile, radix: 16)
    let uuid =
      settings["connection", "uuid"]?.text ?? "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    settings["connection", "uuid"] = .string(uuid)
    let profile = Profile(number: nextProfile, uuid: uuid, settings: settings, isOnDisk: isOnDisk, isVolatile: isVolatile)
    nextProfile += 1
    profiles.append(profile)
    signal(Self.path("Settings"), "\(Self.name).Settings", "NewConnection", .objectPath(profile.path))
    changed(Self.path("Settings"), "\(Self.name).Settings", [("Connections", .paths(profiles.map(\.path)))])
    return profile
  }

  /// Whether the flags of a call, its second argument, have that of a profile on disk.
  private static func isToDisk(_ call: BusCall) -> Bool { (call.body.dropFirst().first?.integer ?? 0) & 1 != 0 }

  private func addConnection(_ call: BusCall) {
    guard mayChange(call) else { return }
    guard let settings = NetworkManagerProfile(sent: call.body.first) else {
      return fail(call, "\(Self.name).Settings.InvalidConnection", "The settings cannot be read.")
    }
    if let problem = settings.problem { return fail(call, "\(Self.name).Settings.Connection.\(problem.error)", problem.sentence) }
    let profile = add(settings, isOnDisk: Self.isToDisk(call), isVolatile: false)
    reply(call, .objectPath(profile.path), .properties([:]))
  }

  private func update(_ call: BusCall) {
    guard let place = place(call), mayChange(call) else { return }
    guard var settings = NetworkManagerProfile(sent: call.body.first) else {
      return fail(call, "\(Self.name).Settings.InvalidConnection", "The settings cannot be read.")
    }
    if !settings.isEmpty {
      if let problem = settings.problem { return fail(call, "\(Self.name).Settings.Connection.\(problem.error)", problem.sentence) }
      // Where no secrets come, those that there are stay.
      if settings.password == nil, settings.keyManagement != nil, let old = profiles[place].settings.password {
        settings["802-11-wireless-security", "psk"] = .string(old)
      }
      settings["connection", "uuid"] = .string(profiles[place].uuid)
      profiles[place].settings = settings
    }
    if Self.isToDisk(call) {
      profiles[place].isOnDisk = true
      profiles[place].isVolatile = false
    }
    signal(profiles[place].path, "\(Self.name).Settings.Connection", "Updated")
    reply(call, .properties([:]))
  }

  private func delete(_ call: BusCall) {
    guard let place = place(call), mayChange(call) else { return }
    let number = profiles[place].number
    remove(number)
    if active?.profile == number { deactivate(Reason.connectionRemoved) }
    reply(call)
  }

  private func remove(_ number: Int) {
    guard let place = profiles.firstIndex(where: { $0.number == number }) else { return }
    let path = profiles.remove(at: place).path
    changed(Self.path("Settings"), "\(Self.name).Settings", [("Connections", .paths(profiles.map(\.path)))])
    signal(path, "\(Self.name).Settings.Connection", "Removed")
    signal(Self.path("Settings"), "\(Self.name).Settings", "ConnectionRemoved", .objectPath(path))
  }

  // MARK: Joining

  private func addAndActivate(_ call: BusCall) {
    guard mayChange(call) else { return }
    guard let settings = NetworkManagerProfile(sent: call.body.first) else {
      return fail(call, "\(Self.name).InvalidConnection", "The settings cannot be read.")
    }
    if let problem = settings.problem { return fail(call, "\(Self.name).Settings.Connection.\(problem.error)", problem.sentence) }
    guard bringUp() else { return fail(call, "\(Self.name).ConnectionNotAvailable", "No suitable device found for this connection.") }
    let persist = call.body.last?["persist"]?.text ?? "disk"
    let profile = add(settings, isOnDisk: persist == "disk", isVolatile: persist == "volatile")
    begin(profile) { active in
      self.reply(call, .objectPath(profile.path), .objectPath(active), .properties([:]))
    }
  }

  private func activate(_ call: BusCall) {
    guard mayChange(call) else { return }
    guard let profile = profiles.first(where: { $0.path == call.body.first?.path }) else {
      return fail(call, "\(Self.name).UnknownConnection", "Connection '\(call.body.first?.path?.description ?? "")' is not known.")
    }
    guard bringUp() else { return fail(call, "\(Self.name).ConnectionNotAvailable", "No suitable device found for this connection.") }
    blocked.removeAll { $0 == profile.uuid }
    begin(profile) { active in self.reply(call, .objectPath(active)) }
  }

  /// Begins to join; what was joined before is left first.
  private func begin(_ profile: Profile, _ answer: (DBusObjectPath) -> Void) {
    var new = Active(number: nextActive, profile: profile.number, state: 1)
    nextActive += 1
    generation += 1
    if let old = active {
      move(to: State.deactivating, Reason.newActivation)
      end(old, keeps: profile.number)
      answer(new.path)
      move(to: State.disconnected, Reason.newActivation)
      report(old, state: 4, reason: 3)
    } else {
      answer(new.path)
    }
    active = new
    changed(devicePath, "\(Self.name).Device", [("ActiveConnection", .objectPath(new.path))])
    move(to: State.prepare, 0)
    report(new, state: 1, reason: 0)
    move(to: State.config, 0)
    if profile.settings.keyManagement != nil {
      move(to: State.needAuth, 0)
      if profile.settings.password == nil, profile.settings.keyManagement != "owe" { return fail(Reason.noSecrets) }
      move(to: State.prepare, 0)
      move(to: State.config, 0)
    }
    new.networkID = configure(profile.settings)
    active = new
    if let id = new.networkID { supplicant.perform(.selectNetwork(id)) }
    after(limits.association) { manager in
      if manager.state == State.config { manager.fail(Reason.ssidNotFound) }
    }
    watch()
  }

  /// Looks after the interface while a connection is active: one that is switched off ends it.
  private func watch() {
    let number = active?.number
    kernel.schedule(at: kernel.now + .milliseconds(200)) { [weak self] _ in
      guard let self, isAlive, let active, active.number == number else { return }
      guard !isUp else { return watch() }
      generation += 1
      move(to: State.unavailable, 0)
      end(active)
      report(active, state: 4, reason: 3)
      awaitInterface()
    }
  }

  /// Joins by itself again once the interface is up.
  private func awaitInterface() {
    kernel.schedule(at: kernel.now + .milliseconds(500)) { [weak self] _ in
      guard let self, isAlive, state == State.unavailable else { return }
      guard isUp, hasSupplicant else { return awaitInterface() }
      move(to: State.disconnected, 0)
      joinByItself()
    }
  }

  /// Configures the network in wpa_supplicant.
  private func configure(_ settings: NetworkManagerProfile) -> Int? {
    guard let id = supplicant.perform(.addNetwork).number, let ssid = settings.ssid else { return nil }
    func set(_ field: String, _ value: String) { supplicant.perform(.setNetwork(id, field, Array(value.utf8))) }
    set("ssid", Hex.string(ssid.bytes))
    if settings["802-11-wireless", "hidden"]?.truth == true { set("scan_ssid", "1") }
    if let bssid = settings.bssid { set("bssid", bssid.description) }
    switch settings.keyManagement {
    case nil: set("key_mgmt", "NONE")
    case "owe": set("key_mgmt", "OWE")
    case "sae":
      set("key_mgmt", "SAE")
      if let password = settings.password { set("sae_password", "\"\(password)\"") }
    default:
      set("key_mgmt", "WPA-PSK WPA-PSK-SHA256 SAE")
      if let password = settings.password { set("psk", "\"\(password)\"") }
    }
    return id
  }

  private func move(to new: Int64, _ reason: Int64) {
    let old = state
    state = new
    stateReason = reason
    changed(devicePath, "\(Self.name).Device", [("State", .number(new))])
    changed(devicePath, "\(Self.name).Device", [("StateReason", .structure([.number(new), .number(reason)]))])
    signal(devicePath, "\(Self.name).Device", "StateChanged", .number(new), .number(old), .number(reason))
  }

  /// wpa_supplicant says something.
  private func heard(_ event: ControlEvent) {
    guard isAlive, let active, let id = active.networkID else { return }
    switch event.kind {
    case .connected(_, let network) where network == id && state == State.config: linked()
    case .temporarilyDisabled(let network, _, _, "WRONG_KEY") where network == id && state == State.config:
      generation += 1
      move(to: State.needAuth, Reason.supplicantDisconnected)
      after(limits.secrets) { $0.fail(Reason.noSecrets) }
    case .disconnected where state == State.activated: awaitLink(active.number)
    case .disconnected where state >= State.ipConfig && state < State.activated: fail(Reason.supplicantDisconnected)
    case .connected where state == State.activated:
      changed(devicePath, "\(Self.name).Device.Wireless", [("ActiveAccessPoint", .objectPath(accessPointPath))])
    default: break
    }
  }

  /// The link is lost: wpa_supplicant has some time to bring it back before the connection is given up.
  private func awaitLink(_ number: Int) {
    changed(devicePath, "\(Self.name).Device.Wireless", [("ActiveAccessPoint", .objectPath(.root))])
    kernel.schedule(at: kernel.now + limits.link) { [weak self] _ in
      guard let self, isAlive, active?.number == number, state == State.activated, supplicant.joined == nil else { return }
      fail(Reason.ssidNotFound)
    }
  }

  /// The object of the access point that is joined: numbered as they were seen.
  private var accessPointPath: DBusObjectPath {
    supplicant.joined.map { accessPointPath(of: $0.bssid) } ?? .root
  }

  private func accessPointPath(of bssid: MACAddress) -> DBusObjectPath {
    if !accessPoints.contains(bssid) { accessPoints.append(bssid) }
    return Self.path("AccessPoint/\((accessPoints.firstIndex(of: bssid) ?? 0) + 1)")
  }

  /// The link can be used: an address is asked for.
  private func linked() {
    generation += 1
    move(to: State.ipConfig, 0)
    guard addressIsGiven else {
      return after(limits.address) { $0.fail(Reason.noAddress) }
    }
    after(addressDuration) { manager in
      guard var active = manager.active else { return }
      manager.move(to: State.ipCheck, 0)
      manager.move(to: State.secondaries, 0)
      manager.move(to: State.activated, 0)
      active.state = 2
      manager.active = active
      manager.report(active, state: 2, reason: 1)
      manager.changed(active.path, "\(Self.name).Connection.Active", [("State", .uint32(2))])
    }
  }

  private var addressIsGiven: Bool { supplicant.joined.flatMap { air.policy(of: $0.bssid).address } != nil }

  private func fail(_ reason: Int64) {
    guard let active else { return }
    generation += 1
    move(to: State.failed, reason)
    end(active)
    report(active, state: 4, reason: 3)
    // One that failed is not tried again by itself at once.
    if let profile = profile(active.profile) { blocked.append(profile.uuid) }
    move(to: State.disconnected, reason)
    joinByItself()
  }

  /// Leaves what is joined or being joined.
  private func deactivate(_ reason: Int64) {
    guard let active else { return }
    generation += 1
    self.active?.state = 3
    move(to: State.deactivating, reason)
    report(active, state: 3, reason: 0)
    after(.milliseconds(1)) { manager in
      manager.end(active)
      manager.move(to: State.disconnected, reason)
      manager.report(active, state: 4, reason: 3)
      manager.joinByItself()
    }
  }

  /// The connection is over: its network leaves wpa_supplicant, and a volatile profile goes with it.
  private func end(_ old: Active, keeps: Int? = nil) {
    if let id = old.networkID { supplicant.perform(.removeNetwork(id)) }
    active = nil
    if let profile = profile(old.profile), profile.isVolatile, profile.number != keeps { remove(profile.number) }
    changed(NetworkManagerBus.path, Self.name, [("ActiveConnections", .paths([]))])
  }

  /// Joins the best profile that is in range, where nothing is joined.
  private func joinByItself() {
    after(.milliseconds(1)) { manager in
      guard manager.active == nil, manager.isUp, manager.hasSupplicant else { return }
      let wanted = manager.profiles.filter { profile in
        guard profile.settings.isAutomatic, !profile.isVolatile, !manager.blocked.contains(profile.uuid) else { return false }
        return profile.settings.ssid.map { !manager.air.accessPoints(named: $0, at: manager.kernel.now).isEmpty } ?? false
      }
      let best = wanted.enumerated().max { ($0.element.settings.priority, $1.offset) < ($1.element.settings.priority, $0.offset) }
      if let best { manager.begin(best.element) { _ in } }
    }
  }
}

extension DBusValue {
  /// A state or a reason of a device.
  fileprivate static func number(_ value: Int64) -> DBusValue { .uint32(UInt32(value)) }
}
