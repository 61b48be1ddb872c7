import DaemonProtocols
public import WiFi

/// A wpa_supplicant of a simulated machine: the same datagrams as wpa_supplicant 2.10, over simulated access points.
///
/// It joins as the real one does, as far as a control client can see it: networks with their fields, selecting,
/// scanning, authentication, association, the handshake, the events of each, a network that is left alone after a
/// failure, and trying again.
public final class SimulatedSupplicant: RunningDaemon {
  /// A network of the configuration.
  struct Profile {
    var id: Int
    var fields: [(name: String, value: [UInt8])] = []
    var isEnabled = false
    var failures = 0

    subscript(name: String) -> [UInt8]? {
      get { fields.last { $0.name == name }?.value }
      set {
        fields.removeAll { $0.name == name }
        if let newValue { fields.append((name, newValue)) }
      }
    }
    var ssid: SSID? { (try? ControlText.value(self["ssid"] ?? [])).flatMap { SSID($0) } }
    var bssid: MACAddress? { self["bssid"].flatMap { MACAddress(String(decoding: $0, as: UTF8.self)) } }
    var keyManagement: [Substring] {
      self["key_mgmt"].map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? ["WPA-PSK", "WPA-EAP"]
    }
    var priority: Int { self["priority"].flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0 }
    /// What `GET_NETWORK` answers: a secret as `*`, and a field that has a value without being set with that value
    /// (measured with 2.10).
    func shown(_ field: String) -> [UInt8]? {
      if field == "disabled" { return Array((isEnabled ? "0" : "1").utf8) }
      guard let value = self[field] else { return Self.defaults.first { $0.name == field }.map { Array($0.value.utf8) } }
      if ControlCommand.isSecretField(field) { return Array("*".utf8) }
      guard field == "ssid", let bytes = try? ControlText.value(value) else { return value }
      return bytes.allSatisfy({ 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") })
        ? ControlText.quoted(bytes) : ControlText.hexadecimal(bytes)
    }
    private static let defaults: [(name: String, value: String)] = [
      ("key_mgmt", "WPA-PSK WPA-EAP"), ("priority", "0"), ("scan_ssid", "0"), ("ieee80211w", "3"), ("proto", "WPA RSN"),
      ("pairwise", "CCMP TKIP"), ("group", "CCMP TKIP"),
    ]
    /// The password, out of its quotes.
    var secret: [UInt8]? {
      guard let value = self["sae_password"] ?? self["psk"] else { return nil }
      return value.first == UInt8(ascii: "\"") ? try? ControlText.value(value) : value
    }
  }

  /// The interface that it owns.
  public let interface: String
  /// Whether `SAVE_CONFIG` is allowed (`update_config=1`).
  package var savesConfiguration = true
  /// The configuration file: what is there again after a restart.
  private(set) var savedProfiles: [Profile] = []
  /// How long a scan of all channels takes.
  private static let scanDuration: Duration = .milliseconds(5900)

  let kernel: SimulatedKernel
  private let air: any JoinableAir
  private var profiles: [Profile] = []
  private var nextID = 0
  private var state = "INACTIVE"
  /// Whether it was asked to leave, and joins nothing until it is asked to.
  private var isDisconnected = false
  private var currentID: Int?
  private var currentBSSID: MACAddress?
  private var currentAddress: String?
  private var currentPolicy = AccessPointPolicy()
  private var attached: [Attached] = []
  /// Called for every event: the daemon that drives this one.
  var onEvent: ((ControlEvent) -> Void)?
  private(set) var generation = 0
  private(set) var isAlive = true

  private struct Attached {
    weak var link: SimulatedControlLink?
  }

  init(interface: String, kernel: SimulatedKernel, air: any JoinableAir) {
    self.interface = interface
    self.kernel = kernel
    self.air = air
  }

  private var channel: ControlChannel { .supplicant(interface: interface) }

  /// The numbers, names and priorities of its networks: what a test looks for that must not be left behind.
  public var networks: [(id: Int, ssid: SSID?, isEnabled: Bool, priority: Int)] {
    profiles.map { ($0.id, $0.ssid, $0.isEnabled, $0.priority) }
  }

  var networkNames: [SSID] { profiles.compactMap(\.ssid) }

  func hashKnown(into hasher: inout Hasher) {
    for profile in profiles {
      hasher.combine(profile.id)
      hasher.combine(profile.isEnabled)
      for field in ["ssid", "psk", "sae_password", "key_mgmt", "priority", "scan_ssid"] {
        hasher.combine(profile[field] ?? profile.shown(field))
      }
    }
  }

  /// The network that is joined, and its BSS.
  public var joined: (ssid: SSID, bssid: MACAddress)? {
    guard isUp, state == "COMPLETED", let currentID, let currentBSSID, let ssid = profile(currentID)?.ssid else { return nil }
    return (ssid, currentBSSID)
  }

  var joinedNetwork: SSID? { joined?.ssid }

  /// Starts with the networks of a configuration file, renumbered, and joins the best that it can.
  func load(_ saved: [Profile]) {
    for var profile in saved {
      profile.id = nextID
      profile.failures = 0
      nextID += 1
      profiles.append(profile)
    }
    savedProfiles = profiles
    connect()
  }

  /// Adds a network that the configuration file had, and joins it where it can be.
  package func addNetwork(_ fields: KeyValuePairs<String, String>) {
    var profile = Profile(id: nextID, isEnabled: true)
    nextID += 1
    for field in fields { profile.fields.append((field.key, Array(field.value.utf8))) }
    add(profile)
  }

  private func add(_ profile: Profile) {
    profiles.append(profile)
    savedProfiles.append(profile)
    if currentID == nil { connect() }
  }

  /// Adds a network that the configuration file had, and joins it where it may and can.
  package func addNetwork(_ draft: KnownNetworkDraft) {
    var profile = Profile(id: nextID, isEnabled: draft.joinsAutomatically)
    nextID += 1
    profile["ssid"] = ControlText.hexadecimal(draft.ssid.bytes)
    if draft.isHidden { profile["scan_ssid"] = Array("1".utf8) }
    if draft.priority != 0 { profile["priority"] = Array("\(draft.priority)".utf8) }
    let management =
      switch draft.security {
      case .open, .wep: "NONE"
      case .owe: "OWE"
      case .psk: "WPA-PSK WPA-PSK-SHA256"
      case .sae: "SAE"
      case .pskOrSAE: "WPA-PSK WPA-PSK-SHA256 SAE"
      case .enterprise: "WPA-EAP"
      }
    profile["key_mgmt"] = Array(management.utf8)
    if let password = draft.password {
      password.withBytes { bytes in
        let fitsPSK = (Passphrase.minimumLength...Passphrase.maximumLength).contains(bytes.count)
        profile[fitsPSK ? "psk" : "sae_password"] = ControlText.quoted(bytes)
      }
    }
    add(profile)
  }

  /// Another client removes the networks of a name and saves that.
  func forget(_ ssid: SSID) {
    for profile in profiles where profile.ssid == ssid { perform(.removeNetwork(profile.id)) }
    perform(.saveConfiguration)
  }

  /// Another client selects the network of a name, or leaves the one that is joined.
  func join(_ ssid: SSID?) {
    guard let ssid else {
      perform(.disconnect)
      return
    }
    if let profile = profiles.first(where: { $0.ssid == ssid }) { perform(.selectNetwork(profile.id)) }
  }

  func die() {
    isAlive = false
    generation += 1
    setAssociation(nil)
  }

  func detach(_ link: SimulatedControlLink) { attached.removeAll { $0.link == nil || $0.link === link } }

  // MARK: Commands

  func receive(_ bytes: [UInt8], from link: SimulatedControlLink) {
    let reply = answer(ControlCommand(bytes), from: link)
    link.deliver(reply, on: channel, at: kernel.now)
  }

  /// Does what the daemon that drives this one says.
  @discardableResult
  func perform(_ command: ControlCommand) -> ControlReply { ControlReply(answer(command, from: nil)) }

  private func answer(_ command: ControlCommand, from link: SimulatedControlLink?) -> [UInt8] {
    func result(_ isDone: Bool) -> [UInt8] { (isDone ? ControlReply.ok : .fail(nil)).encoded }
    switch command {
    case .ping: return ControlReply.pong.encoded
    case .attach:
      guard let link else { return result(false) }
      detach(link)
      attached.append(Attached(link: link))
      return result(true)
    case .detach:
      guard let link else { return result(false) }
      let isAttached = attached.contains { $0.link === link }
      detach(link)
      return result(isAttached)
    case .status: return status.encoded
    case .listNetworks(let last):
      return ControlNetwork.encode(
        profiles.filter { $0.id > last ?? -1 }.map { profile in
          let flags = (profile.id == currentID ? ["CURRENT"] : []) + (profile.isEnabled ? [] : ["DISABLED"])
          return ControlNetwork(id: profile.id, ssid: profile.ssid ?? .wildcard, bssid: profile.bssid, flags: flags)
        })
    case .addNetwork:
      profiles.append(Profile(id: nextID))
      emit("CTRL-EVENT-NETWORK-ADDED \(nextID)")
      nextID += 1
      return Array("\(nextID - 1)\n".utf8)
    case .setNetwork(let id, let field, let value):
      guard let place = place(id) else { return result(false) }
      if field == "sae_password", value == Array("NULL".utf8) {
        profiles[place][field] = nil
        return result(true)
      }
      guard Self.isValid(field, value) else { return result(false) }
      if field == "disabled" { profiles[place].isEnabled = value != Array("1".utf8) } else { profiles[place][field] = value }
      return result(true)
    case .getNetwork(let id, let field): return profile(id)?.shown(field) ?? result(false)
    case .duplicateNetwork(let source, let target, let field):
      guard let from = profile(source), let place = place(target) else { return result(false) }
      if field == "disabled" {
        profiles[place].isEnabled = from.isEnabled
        return result(true)
      }
      guard let value = from[field] ?? (ControlCommand.isSecretField(field) ? nil : from.shown(field)), Self.isValid(field, value) else {
        return result(false)
      }
      profiles[place][field] = value
      return result(true)
    case .selectNetwork(let id):
      guard place(id) != nil else { return result(false) }
      for place in profiles.indices {
        profiles[place].isEnabled = profiles[place].id == id
        if profiles[place].id == id { profiles[place].failures = 0 }
      }
      // One that is joined or being joined stays.
      if id != currentID {
        leave()
        isDisconnected = false
        connect()
      }
      return result(true)
    case .enableNetwork(let id, let connects):
      guard let place = place(id) else { return result(false) }
      profiles[place].isEnabled = true
      if connects, currentID == nil { connect() }
      return result(true)
    case .disableNetwork(let id):
      guard let place = place(id) else { return result(false) }
      profiles[place].isEnabled = false
      if id == currentID { leave() }
      return result(true)
    case .removeNetwork(let id):
      guard place(id) != nil else { return result(false) }
      emit("CTRL-EVENT-NETWORK-REMOVED \(id)")
      if id == currentID { leave() }
      // What drives this one may have removed it when it was left.
      if let place = place(id) { profiles.remove(at: place) }
      if currentID == nil { giveUp() }
      return result(true)
    case .saveConfiguration:
      if savesConfiguration { savedProfiles = profiles }
      return result(savesConfiguration)
    case .disconnect:
      leave()
      isDisconnected = true
      return result(true)
    case .reconnect, .reassociate:
      isDisconnected = false
      if currentID == nil { connect() }
      return result(true)
    case .scan: return result(true)
    case .scanResults, .signalPoll, .getCapability, .get, .set: return result(false)
    case .other: return ControlReply.unknownCommand.encoded
    }
  }

  /// Whether a value is one that the field takes.
  private static func isValid(_ field: String, _ value: [UInt8]) -> Bool {
    switch field {
    case "ssid": (try? ControlText.value(value)).map { $0.count <= SSID.maximumLength } ?? false
    case "psk":
      value.first == UInt8(ascii: "\"")
        ? (8...63).contains(value.count - 2) : value.count == 64 && value.allSatisfy { Hex.value($0) != nil }
    case "bssid": value == Array("any".utf8) || MACAddress(String(decoding: value, as: UTF8.self)) != nil
    case "sae_password": (try? ControlText.value(value)) != nil
    case "key_mgmt": !value.isEmpty
    case "priority": Int(String(decoding: value, as: UTF8.self)) != nil
    case "scan_ssid", "disabled": ["0", "1"].contains(String(decoding: value, as: UTF8.self))
    case "ieee80211w": ["0", "1", "2"].contains(String(decoding: value, as: UTF8.self))
    default: true
    }
  }

  private func place(_ id: Int) -> Int? { profiles.firstIndex { $0.id == id } }
  private func profile(_ id: Int) -> Profile? { profiles.first { $0.id == id } }

  private var status: ControlStatus {
    var fields: [ControlStatus.Field] = []
    if state == "COMPLETED", let currentID, let currentBSSID {
      fields.append(.init("bssid", currentBSSID.description))
      fields.append(.init("ssid", ControlText.escape(profile(currentID)?.ssid?.bytes ?? [])))
      fields.append(.init("id", "\(currentID)"))
      fields.append(.init("mode", "station"))
    }
    fields.append(.init("wpa_state", isUp ? state : "INTERFACE_DISABLED"))
    if state == "COMPLETED", let currentAddress { fields.append(.init("ip_address", currentAddress)) }
    return ControlStatus(fields)
  }

  private var isUp: Bool { kernel.interface(named: interface)?.isUp ?? false }

  // MARK: Events

  private func emit(_ line: String) {
    let event = ControlEvent(line)
    for entry in attached { entry.link?.deliver(event.encoded, on: channel, at: kernel.now) }
    onEvent?(event)
  }

  // MARK: Joining

  /// Leaves the network that is joined, or gives up joining it.
  private func leave() {
    generation += 1
    if state == "COMPLETED", let currentBSSID {
      emit("CTRL-EVENT-DISCONNECTED bssid=\(currentBSSID) reason=3 locally_generated=1")
      emit("CTRL-EVENT-DSCP-POLICY clear_all")
      setAssociation(nil)
    }
    reset()
  }

  /// Nothing is joined or being joined any more.
  private func reset() { (currentID, currentBSSID, currentAddress, state) = (nil, nil, nil, "DISCONNECTED") }

  /// Stops looking for networks where none is wanted.
  private func giveUp() {
    generation += 1
    state = profiles.contains(where: \.isEnabled) ? "DISCONNECTED" : "INACTIVE"
    connect()
  }

  /// Looks for the best network that is enabled, and joins it.
  private func connect() {
    generation += 1
    guard isUp, !isDisconnected, profiles.contains(where: \.isEnabled) else { return }
    for profile in wanted {
      if let accessPoint = candidate(profile) { return authenticate(profile.id, accessPoint) }
    }
    for profile in wanted {
      if let entry = remembered(profile) { return tryInVain(profile.id, entry) }
    }
    search()
  }

  /// What the last scan heard of a network that is gone: it is tried first.
  private func remembered(_ profile: Profile) -> BSSEntry? {
    guard let index, let wiphy = kernel.adapter(of: index)?.wiphy, let ssid = profile.ssid else { return nil }
    let oldest = (kernel.now - Self.validity).wholeNanoseconds
    return kernel.tables[wiphy]?.entries.first { entry in
      entry.ssid == ssid.bytes && entry.lastHeardNs >= oldest && (profile.bssid ?? entry.bssid) == entry.bssid
    }
  }

  /// How long what was heard is good enough to be joined without another scan.
  private static let validity = Duration.seconds(10)

  private func tryInVain(_ id: Int, _ entry: BSSEntry) {
    currentID = id
    currentBSSID = entry.bssid
    state = "AUTHENTICATING"
    emit(
      "SME: Trying to authenticate with \(entry.bssid) (SSID='\(ControlText.escape(entry.ssid))' freq=\(entry.frequencyKHz / 1000) MHz)")
    after(.milliseconds(500)) { $0.tryAgain() }
  }

  /// The enabled networks, those with the highest priority first.
  private var wanted: [Profile] {
    let enabled = profiles.filter(\.isEnabled)
    return enabled.enumerated().sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }.map(\.element)
  }

  /// The access point that a network can be joined with.
  private func candidate(_ profile: Profile) -> AccessPoint? {
    guard let ssid = profile.ssid else { return nil }
    return air.accessPoints(named: ssid, at: kernel.now).first { accessPoint in
      (profile.bssid ?? accessPoint.bssid) == accessPoint.bssid
        && !Set(profile.keyManagement).isDisjoint(with: accessPoint.security.keyManagements)
    }
  }

  private func search() {
    state = "SCANNING"
    emit("CTRL-EVENT-SCAN-STARTED ")
    after(Self.scanDuration) { supplicant in
      supplicant.emit("CTRL-EVENT-SCAN-RESULTS ")
      for profile in supplicant.wanted {
        if let accessPoint = supplicant.candidate(profile) { return supplicant.authenticate(profile.id, accessPoint) }
      }
      supplicant.emit("CTRL-EVENT-NETWORK-NOT-FOUND ")
      supplicant.after(.seconds(5)) { $0.search() }
    }
  }

  private func authenticate(_ id: Int, _ accessPoint: AccessPoint) {
    guard let profile = profile(id), let ssid = profile.ssid else { return }
    generation += 1
    currentID = id
    currentBSSID = accessPoint.bssid
    currentPolicy = air.policy(of: accessPoint.bssid)
    state = "AUTHENTICATING"
    let what = "\(accessPoint.bssid) (SSID='\(ControlText.escape(ssid.bytes))' freq=\(accessPoint.channel.primaryKHz / 1000) MHz)"
    let usesSAE = profile.keyManagement.contains("SAE") && accessPoint.security.keyManagements.contains("SAE")
    emit("SME: Trying to authenticate with \(what)")
    if case .silence = currentPolicy.refusal {
      return after(.milliseconds(500)) { $0.tryAgain() }
    }
    // The first answer takes as long as a few frames do.
    after(.milliseconds(4)) { $0.answered(profile, accessPoint, what: what, usesSAE: usesSAE) }
  }

  private func answered(_ profile: Profile, _ accessPoint: AccessPoint, what: String, usesSAE: Bool) {
    if case .authentication(let status) = currentPolicy.refusal {
      emit(
        "CTRL-EVENT-AUTH-REJECT \(accessPoint.bssid) auth_type=\(usesSAE ? 3 : 0) auth_transaction=\(usesSAE ? 1 : 2) status_code=\(status)"
      )
      return fail("CONN_FAILED", limit: 4)
    }
    let isRight = !accessPoint.security.isSecured || profile.secret == Array(currentPolicy.password.utf8)
    if usesSAE {
      emit("SME: Trying to authenticate with \(what)")
      guard isRight else {
        if let status = currentPolicy.confirmStatus {
          emit("CTRL-EVENT-AUTH-REJECT \(accessPoint.bssid) auth_type=3 auth_transaction=2 status_code=\(status)")
        }
        return fail("CONN_FAILED", limit: 4)
      }
      emit("PMKSA-CACHE-ADDED \(accessPoint.bssid) \(profile.id)")
    }
    emit("Trying to associate with \(what)")
    state = "ASSOCIATING"
    if case .association(let status) = currentPolicy.refusal {
      emit("CTRL-EVENT-ASSOC-REJECT bssid=\(accessPoint.bssid) status_code=\(status)")
      return fail("CONN_FAILED", limit: 4)
    }
    after(currentPolicy.duration) { $0.associated(accessPoint, isRight: isRight) }
  }

  private func associated(_ accessPoint: AccessPoint, isRight: Bool) {
    guard let currentID else { return }
    let bssid = accessPoint.bssid
    if accessPoint.security == .owe { emit("PMKSA-CACHE-ADDED \(bssid) \(currentID)") }
    emit("Associated with \(bssid)")
    emit("CTRL-EVENT-SUBNET-STATUS-UPDATE status=0")
    if accessPoint.security.isEncrypted {
      state = "4WAY_HANDSHAKE"
      if currentPolicy.refusal == .handshakeSilence {
        return after(.seconds(1)) { supplicant in
          supplicant.emit("CTRL-EVENT-BEACON-LOSS ")
          supplicant.after(.milliseconds(900)) { $0.handshakeFailed("reason=4 locally_generated=1") }
        }
      }
      // The access point sends its message four times, a second apart.
      guard isRight else { return after(.milliseconds(4000)) { $0.handshakeFailed("reason=15") } }
      emit("WPA: Key negotiation completed with \(bssid) [PTK=CCMP GTK=CCMP]")
    }
    state = "COMPLETED"
    currentAddress = currentPolicy.address
    if let place = place(currentID) { profiles[place].failures = 0 }
    setAssociation(bssid)
    emit("CTRL-EVENT-CONNECTED - Connection to \(bssid) completed [id=\(currentID) id_str=]")
    watchAssociation()
  }

  // MARK: The link

  /// Looks after the network that is joined: its access point may go, and so may the interface.
  private func watchAssociation() {
    after(Self.watchInterval) { supplicant in
      guard supplicant.state == "COMPLETED", let bssid = supplicant.currentBSSID else { return }
      if !supplicant.isUp { return supplicant.linkEnded("reason=3 locally_generated=1") }
      if supplicant.air.isInReach(bssid, at: supplicant.kernel.now) { return supplicant.watchAssociation() }
      supplicant.emit("CTRL-EVENT-BEACON-LOSS ")
      supplicant.after(.milliseconds(900)) { $0.linkEnded("reason=4 locally_generated=1") }
    }
  }

  private static let watchInterval = Duration.milliseconds(500)

  /// The access point ends the association, with a reason code (IEEE 802.11-2020 table 9-49).
  package func endAssociation(reason: UInt16) {
    if state == "COMPLETED" { linkEnded("reason=\(reason)") }
  }

  /// Moves to another access point of the network that is joined, where there is one.
  ///
  /// The signal of the one before has become weak, which is reported first.
  package func roamToAnother() {
    guard state == "COMPLETED", let currentID, let ssid = profile(currentID)?.ssid,
      let other = air.accessPoints(named: ssid, at: kernel.now).first(where: { $0.bssid != currentBSSID })
    else { return }
    emit("CTRL-EVENT-SIGNAL-CHANGE above=0 signal=-82 noise=-95 txrate=6000")
    generation += 1
    currentBSSID = other.bssid
    state = "ASSOCIATING"
    emit(
      "Trying to associate with \(other.bssid) (SSID='\(ControlText.escape(ssid.bytes))' freq=\(other.channel.primaryKHz / 1000) MHz)")
    currentPolicy = air.policy(of: other.bssid)
    let isRight = !other.security.isSecured || profile(currentID)?.secret == Array(currentPolicy.password.utf8)
    after(currentPolicy.duration) { $0.associated(other, isRight: isRight) }
  }

  private func linkEnded(_ words: String) {
    guard let currentBSSID else { return }
    generation += 1
    emit("CTRL-EVENT-DISCONNECTED bssid=\(currentBSSID) \(words)")
    setAssociation(nil)
    reset()
    joinAgain()
  }

  /// Joins what can be joined once the interface is up.
  private func joinAgain() {
    after(.milliseconds(100)) { supplicant in
      guard supplicant.isUp else { return supplicant.after(Self.watchInterval) { $0.joinAgain() } }
      supplicant.connect()
    }
  }

  private func handshakeFailed(_ reason: String) {
    guard let currentBSSID else { return }
    emit("CTRL-EVENT-DISCONNECTED bssid=\(currentBSSID) \(reason)")
    emit("WPA: 4-Way Handshake failed - pre-shared key may be incorrect")
    fail("WRONG_KEY", limit: 1)
  }

  /// Counts a failure, leaves the network alone for ten seconds where it was one too many, and tries again.
  private func fail(_ reason: String, limit: Int) {
    guard let currentID, let place = place(currentID) else { return }
    profiles[place].failures += 1
    let failures = profiles[place].failures
    reset()
    guard failures >= limit else { return after(.milliseconds(100)) { $0.search() } }
    let ssid = ControlText.escape(profiles[place].ssid?.bytes ?? [])
    emit("CTRL-EVENT-SSID-TEMP-DISABLED id=\(currentID) ssid=\"\(ssid)\" auth_failures=\(failures) duration=10 reason=\(reason)")
    after(.seconds(10)) { supplicant in
      supplicant.emit("CTRL-EVENT-SSID-REENABLED id=\(currentID) ssid=\"\(ssid)\"")
      supplicant.connect()
    }
  }

  private func tryAgain() {
    reset()
    search()
  }
}

extension ControlCommand {
  /// Whether a field holds a secret, which is never shown.
  fileprivate static func isSecretField(_ field: String) -> Bool { ControlCommand.setNetwork(0, field, []).isSecret }
}

extension AccessPointSecurity {
  /// The names of the key managements that it has, as wpa_supplicant's `key_mgmt` has them.
  var keyManagements: Set<Substring> {
    switch self {
    case .open, .oweTransition, .wep: ["NONE"]
    case .owe: ["OWE"]
    case .wpaPersonal, .wpaWPA2Personal, .wpa2Personal: ["WPA-PSK"]
    case .wpa2WPA3Personal: ["WPA-PSK", "SAE"]
    case .wpa3Personal: ["SAE"]
    case .wpa2Enterprise, .wpa3Enterprise: ["WPA-EAP"]
    case .wpa3Enterprise192: ["WPA-EAP-SUITE-B-192"]
    }
  }
}
