import DaemonControl
import DaemonProtocols
import LinkContract
import Simulator
import Testing
import WiFi

@Suite struct SimulatedSupplicantTests {
  /// The lab of the kernel lane, as far as joins go.
  final class Lab {
    let air = StillAir()
    let kernel: SimulatedKernel
    let machine: SimulatedMachine
    let supplicant: SimulatedSupplicant

    init() throws {
      func station(_ bssid: UInt64, _ name: String, _ band: Band, _ channel: Int, _ security: AccessPointSecurity) throws
        -> StillAir.Station
      {
        .init(
          AccessPoint(
            bssid: MACAddress(bssid), ssid: try #require(SSID(Array(name.utf8))),
            channel: try #require(Channel(band: band, number: channel, megahertz: 20)), generation: .wifi4, security: security),
          signalMBm: -5000)
      }
      air.stations = [
        try station(0x0200_0000_0300, "Lab WPA2", .ghz2_4, 6, .wpa2Personal),
        try station(0x0200_0000_0500, "Lab SAE", .ghz5, 36, .wpa3Personal),
        try station(0x0200_0000_0501, "Lab Transition", .ghz5, 36, .wpa2WPA3Personal),
        try station(0x0200_0000_0502, "Lab OWE", .ghz5, 36, .owe), try station(0x0200_0000_0503, "Lab Open", .ghz5, 36, .open),
      ]
      for station in air.stations {
        // As hostapd 2.10 does.
        air.policies[station.accessPoint.bssid] = AccessPointPolicy(password: RecordedJoin.right, confirmStatus: 1)
      }
      kernel = SimulatedKernel(air: air, clock: JumpingClock())
      machine = SimulatedMachine(kernel: kernel)
      supplicant = machine.startSupplicant(interface: "wlan0", air: air)
    }

    func join(
      _ name: String, _ security: JoinRequest.Security, _ password: String? = nil, _ change: (inout JoinRequest) -> Void = { _ in }
    ) async throws -> (JoinOutcome, ControlRecording) {
      var request = JoinRequest(
        interface: "wlan0", ssid: try #require(SSID(Array(name.utf8))), security: security, password: password.map { Secret($0) })
      change(&request)
      let link = RecordingControlLink(machine.link())
      return (await Joiner(link: link).join(request, over: .supplicant), link.recording)
    }

    func known(_ name: String) {
      supplicant.addNetwork(["ssid": "\"\(name)\"", "psk": "\"\(RecordedJoin.right)\"", "key_mgmt": "WPA-PSK SAE OWE"])
    }
  }

  @Test func `a simulated link keeps the contract`() async throws {
    let lab = try Lab()
    try await ControlLinkContract.check(present: .supplicant(interface: "wlan0"), missing: .supplicant(interface: "wlan9")) {
      lab.machine.link()
    }
  }

  /// The events that bear on a join, as they came, without those of scans and of entries in the kernel's list.
  static func events(_ recording: ControlRecording) -> [String] {
    recording.entries.compactMap { entry in
      guard case .received(let bytes) = entry.content, case .event(let event) = ControlMessage(bytes) else { return nil }
      let line = event.line
      if ["CTRL-EVENT-SCAN", "CTRL-EVENT-BSS", "WPS-AP", "TRANSITION-DISABLE"].contains(where: { line.hasPrefix($0) }) { return nil }
      // Numbers of networks differ with what was known before.
      return line.replacing(#/(\bid=|NETWORK-ADDED |NETWORK-REMOVED |PMKSA-CACHE-ADDED \S+ )\d+/#) { "\($0.output.1)N" }
    }
  }

  @Test(arguments: ["sae-wrong", "sae-right", "transition-wrong", "transition-right", "psk-wrong", "owe", "nowhere"])
  func `the simulated daemon sends what the real one sent, times aside`(name: String) async throws {
    let recorded = try #require(RecordedJoin.all.first { $0.name == "supplicant-\(name)" })
    let real = Self.events(try RecordedJoin.recording(recorded.name))
    let lab = try Lab()
    // The real one was joined to another network before: leave that one, as it did.
    let before = real.first { $0.hasPrefix("CTRL-EVENT-DISCONNECTED") && $0.contains("locally_generated") }
    let line = try #require(before)
    let other = lab.air.stations.first { line.contains($0.accessPoint.bssid.description) }
    lab.known(try #require(other).accessPoint.ssid.description)
    try await settle(lab)
    let (outcome, recording) = try await lab.join(recorded.ssid, recorded.security, recorded.password)
    // After the attempt both return to where they were, by their own timing.
    func attempt(_ lines: [String]) -> [String] {
      Array(
        lines.prefix(
          through: lines.lastIndex { $0.hasPrefix("CTRL-EVENT-NETWORK-REMOVED") || $0.contains("-CONNECTED") } ?? lines.count - 1))
    }
    // A real scan of all channels may come before the first attempt; a wrong key may be tried twice.
    #expect(attempt(Self.events(recording)) == attempt(real))
    switch (recorded.expected, outcome.result) {
    case (.joined(let bssid, _), .success(let joined)): #expect(joined.bssid?.description == bssid)
    case (.failed(let reason, let certainty, let aftermath), .failure(let failure)):
      #expect(failure.reason == reason)
      #expect(failure.certainty == certainty)
      #expect(failure.aftermath == aftermath)
    default: Issue.record("\(outcome)")
    }
  }

  /// Lets the daemon join what it knows.
  private func settle(_ lab: Lab) async throws {
    let link = lab.machine.link()
    try link.open(.supplicant(interface: "wlan0"))
    while try await link.receive(until: lab.kernel.bootTime + .seconds(1), isFinal: false) != nil {}
    link.close(.supplicant(interface: "wlan0"))
  }

  @Test(arguments: [
    (AccessPointPolicy.Refusal.association(status: 17), JoinFailure.Reason.refused(.associating, status: 17), Certainty.certain),
    (.authentication(status: 1), .refused(.authenticating, status: 1), .certain),
    (.association(status: 43), .refused(.associating, status: 43), .certain), (.silence, .lost(.authenticating), .likely),
    (.handshakeSilence, .lost(.handshake), .likely),
  ])
  func `an access point that refuses is told apart from a wrong password`(
    refusal: AccessPointPolicy.Refusal, reason: JoinFailure.Reason, certainty: Certainty
  ) async throws {
    let lab = try Lab()
    lab.known("Lab SAE")
    try await settle(lab)
    #expect(lab.supplicant.joined?.ssid.description == "Lab SAE")
    lab.air.policies[MACAddress(0x0200_0000_0300)]?.refusal = refusal
    if refusal == .silence {
      lab.kernel.schedule(at: lab.kernel.bootTime + .milliseconds(1)) { _ in lab.air.stations.removeFirst() }
    }
    let (outcome, _) = try await lab.join("Lab WPA2", .psk, RecordedJoin.right)
    #expect(outcome.failure?.reason == reason)
    #expect(outcome.failure?.certainty == certainty)
    #expect(outcome.failure?.aftermath == .returning)
    #expect(lab.supplicant.networks.map(\.ssid?.description) == ["Lab SAE"])
    try await settle(lab)
    #expect(lab.supplicant.joined?.ssid.description == "Lab SAE")
  }

  @Test(arguments: [(UInt16(15), Certainty.certain), (1, .likely)])
  func `a wrong SAE password is as sure as the status says`(status: UInt16, certainty: Certainty) async throws {
    let lab = try Lab()
    lab.air.policies[MACAddress(0x0200_0000_0500)]?.confirmStatus = status
    let (outcome, _) = try await lab.join("Lab SAE", .sae, RecordedJoin.wrong)
    #expect(outcome.failure?.reason == .wrongPassword)
    #expect(outcome.failure?.certainty == certainty)
  }

  @Test func `a wrong SAE password that is reported by nothing is likely`() async throws {
    let lab = try Lab()
    lab.air.policies[MACAddress(0x0200_0000_0500)]?.confirmStatus = nil
    let (outcome, _) = try await lab.join("Lab SAE", .sae, RecordedJoin.wrong)
    #expect(outcome.failure?.reason == .wrongPassword)
    #expect(outcome.failure?.certainty == .likely)
  }

  @Test func `open networks join without a password, and an address is waited for where it is wanted`() async throws {
    let lab = try Lab()
    let (open, _) = try await lab.join("Lab Open", .open) { $0.needsAddress = true }
    #expect(open.joined == .init(bssid: MACAddress(0x0200_0000_0503), address: "10.0.0.100", isKept: true))
    lab.air.policies[MACAddress(0x0200_0000_0502)]?.address = nil
    let (owe, _) = try await lab.join("Lab OWE", .owe) { $0.needsAddress = true }
    #expect(owe.failure?.reason == .noAddress)
    #expect(owe.duration < .seconds(25))
    #expect(lab.supplicant.networks.map(\.ssid?.description) == ["Lab Open"])
  }

  @Test func `a network that is kept replaces the one of its name, and one that is not kept leaves the others`() async throws {
    let lab = try Lab()
    lab.known("Lab WPA2")
    lab.known("Lab SAE")
    try await settle(lab)
    let (kept, _) = try await lab.join("Lab WPA2", .psk, RecordedJoin.right)
    #expect(kept.joined?.isKept == true)
    #expect(lab.supplicant.networks.map(\.id) == [1, 2])
    #expect(lab.supplicant.networks.map(\.isEnabled) == [true, true])
    lab.supplicant.savesConfiguration = false
    let (unsaved, _) = try await lab.join("Lab Transition", .pskOrSAE, RecordedJoin.right)
    #expect(unsaved.joined?.isKept == false)
  }

  @Test func `a network that is kept leaves those of its name that are of another kind`() async throws {
    let lab = try Lab()
    let profiles: [KeyValuePairs<String, String>] = [
      ["ssid": "\"Lab WPA2\"", "key_mgmt": "NONE"], ["ssid": "\"Lab WPA2\"", "key_mgmt": "WPA-EAP", "identity": "\"blob\""],
      // What no file names is WPA-PSK WPA-EAP: one has a method of IEEE 802.1X, the other a passphrase.
      ["ssid": "\"Lab WPA2\"", "eap": "PEAP", "identity": "\"blob\""], ["ssid": "\"Lab WPA2\"", "psk": "\"an old one\""],
      ["ssid": "\"Lab WPA2\"", "key_mgmt": "NONE", "wep_key0": "0102030405"], ["ssid": "\"Lab WPA2\"", "key_mgmt": "SAE"],
      ["ssid": "\"Lab Open\"", "key_mgmt": "NONE"], ["ssid": "\"Lab Open\"", "key_mgmt": "NONE", "wep_key3": "0102030405"],
      ["ssid": "\"Lab Open\"", "key_mgmt": "OWE"], ["ssid": "\"Lab Open\"", "key_mgmt": "WPA-PSK"],
    ]
    for profile in profiles { lab.supplicant.addNetwork(profile) }
    try await settle(lab)
    let (personal, recording) = try await lab.join("Lab WPA2", .psk, RecordedJoin.right)
    #expect(personal.joined?.isKept == true)
    #expect(lab.supplicant.networks.map(\.id) == [0, 1, 2, 4, 6, 7, 8, 9, 10])
    #expect(!lab.supplicant.networks.contains { !$0.isEnabled })
    let (open, _) = try await lab.join("Lab Open", .open)
    #expect(open.joined?.isKept == true)
    #expect(lab.supplicant.networks.map(\.id) == [0, 1, 2, 4, 7, 9, 10, 11])
    // Of a secret only is asked whether there is one, and only of what may be an open network.
    #expect(!"\(recording)".contains(Hex.string(Array("wep_key".utf8))))
  }

  @Test(arguments: ["FAIL\n", "UNKNOWN COMMAND\n", ""])
  func `a network of the same name that does not say what it is stays`(reply: String) {
    var (session, now) = SupplicantSessionTests.joining(networks: "5\tx\tany\t\n") { $0.isKept = true }
    now += .milliseconds(10)
    func answer(_ text: String) -> ControlCommand? {
      SupplicantSessionTests.command(session.handle(.received(SupplicantSessionTests.channel, Array(text.utf8)), at: now))
    }
    #expect(
      answer("<3>CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:03:00 completed [id=0 id_str=]") == .getNetwork(5, "key_mgmt"))
    #expect(answer(reply) == .enableNetwork(5, connects: false))
    #expect(answer("OK\n") == .saveConfiguration)
  }

  @Test(arguments: [Duration.zero, .milliseconds(5), .milliseconds(15), .seconds(1), .seconds(3)])
  func `a daemon that is killed in the middle is noticed`(delay: Duration) async throws {
    let lab = try Lab()
    let end = lab.kernel.bootTime + delay
    lab.kernel.schedule(at: end) { _ in lab.machine.killSupplicant(interface: "wlan0") }
    let (outcome, _) = try await lab.join("Lab WPA2", .psk, RecordedJoin.wrong)
    let reason = try #require(outcome.failure?.reason)
    #expect([.daemonLost, .daemonSilent, .noDaemon].contains(reason))
    #expect(outcome.duration < delay + .seconds(8))
  }

  @Test(arguments: [Duration.zero, .milliseconds(5), .milliseconds(15), .seconds(2), .seconds(7)])
  func `somebody else's join in the middle ends the attempt, and is left alone`(delay: Duration) async throws {
    let lab = try Lab()
    lab.known("Lab Transition")
    try await settle(lab)
    let other = lab.machine.link()
    try other.open(.supplicant(interface: "wlan0"))
    lab.supplicant.addNetwork(["ssid": "\"Lab SAE\"", "sae_password": "\"\(RecordedJoin.right)\"", "key_mgmt": "SAE"])
    lab.kernel.schedule(at: lab.kernel.bootTime + delay) { _ in
      try? other.send(ControlPayload(ControlCommand.selectNetwork(1).encoded), on: .supplicant(interface: "wlan0"))
    }
    let (outcome, _) = try await lab.join("Lab Nowhere", .psk, RecordedJoin.right)
    // Before the attempt selected its network, the other join is simply one that came before.
    if delay > .zero { #expect(outcome.failure?.reason == .superseded) }
    #expect(!lab.supplicant.networks.contains { $0.ssid?.description == "Lab Nowhere" })
    try await settle(lab)
    if delay > .zero { #expect(lab.supplicant.joined?.ssid.description == "Lab SAE") }
  }

  @Test func `an interface that is down, a machine without permission and one without daemon are told`() async throws {
    let lab = try Lab()
    lab.kernel.setInterface(3, isUp: false)
    #expect(try await lab.join("Lab WPA2", .psk, RecordedJoin.right).0.failure?.reason == .interfaceDown)
    lab.machine.isPermitted = false
    #expect(try await lab.join("Lab WPA2", .psk, RecordedJoin.right).0.failure?.reason == .noPermission)
    lab.machine.killSupplicant(interface: "wlan0")
    #expect(try await lab.join("Lab WPA2", .psk, RecordedJoin.right).0.failure?.reason == .noDaemon)
  }

  @Test func `an interface that goes down in the middle is told`() async throws {
    let lab = try Lab()
    lab.kernel.schedule(at: lab.kernel.bootTime + .seconds(1)) { $0.setInterface(3, isUp: false) }
    let (outcome, _) = try await lab.join("Lab Nowhere", .psk, RecordedJoin.right)
    #expect(outcome.failure?.reason == .interfaceDown)
  }

  @Test func `a hidden network, one BSS of a network, and a known one are joined`() async throws {
    let lab = try Lab()
    lab.air.stations[0].accessPoint.isHidden = true
    let (hidden, recording) = try await lab.join("Lab WPA2", .psk, RecordedJoin.right) { $0.isHidden = true }
    #expect(hidden.joined != nil)
    #expect(recording.text.contains(Hex.string("SET_NETWORK 0 scan_ssid 1".utf8)))
    var second = lab.air.stations[1]
    second.accessPoint.bssid = MACAddress(0x0200_0000_0599)
    second.signalMBm = -4000
    lab.air.stations.append(second)
    lab.air.policies[second.accessPoint.bssid] = AccessPointPolicy(password: RecordedJoin.right)
    let (bound, _) = try await lab.join("Lab SAE", .sae, RecordedJoin.right) { $0.bssid = MACAddress(0x0200_0000_0500) }
    #expect(bound.joined?.bssid == MACAddress(0x0200_0000_0500))
    let (known, _) = try await lab.join("Lab WPA2", .psk)
    #expect(known.joined?.isKept == true)
    let (unknown, _) = try await lab.join("Lab Transition", .pskOrSAE)
    #expect(unknown.failure?.reason == .passwordMissing)
    #expect(lab.supplicant.joined?.ssid.description == "Lab WPA2")
  }

  @Test func `no recording of a join holds its password`() async throws {
    let lab = try Lab()
    for (name, security) in [("Lab WPA2", JoinRequest.Security.psk), ("Lab SAE", .sae), ("Lab Transition", .pskOrSAE)] {
      for password in [RecordedJoin.right, RecordedJoin.wrong] {
        let (outcome, recording) = try await lab.join(name, security, password)
        #expect(!recording.text.contains(Hex.string(password.utf8)))
        #expect(recording.text.contains(" secret "))
        #expect(!"\(outcome)".contains(password))
      }
    }
  }
}
