import DaemonProtocols
import Testing
import WiFi

@Suite struct ControlInterfaceTests {
  static let bssid = MACAddress(0x0200_0000_0300)

  @Test(arguments: [
    (ControlCommand.ping, "PING"), (.addNetwork, "ADD_NETWORK"),
    (.setNetwork(3, "ssid", Array("6c6162".utf8)), "SET_NETWORK 3 ssid 6c6162"),
    (.setNetwork(0, "key_mgmt", Array("WPA-PSK SAE".utf8)), "SET_NETWORK 0 key_mgmt WPA-PSK SAE"),
    (.enableNetwork(1, connects: false), "ENABLE_NETWORK 1 no-connect"), (.enableNetwork(1, connects: true), "ENABLE_NETWORK 1"),
    (.listNetworks(after: 7), "LIST_NETWORKS LAST_ID=7"), (.set("sae_pwe", Array("2".utf8)), "SET sae_pwe 2"),
    (.other(Array("SELECT_NETWORK any".utf8)), "SELECT_NETWORK any"), (.other(Array("PING ".utf8)), "PING "),
    (.other(Array("SELECT_NETWORK +1".utf8)), "SELECT_NETWORK +1"), (.other([]), ""),
  ])
  func `commands parse and encode`(command: ControlCommand, text: String) {
    #expect(ControlCommand(Array(text.utf8)) == command)
    #expect(command.encoded == Array(text.utf8))
  }

  @Test func `a command with a password prints without it`() {
    let command = ControlCommand.setNetwork(0, "psk", Array("\"blobby boots\"".utf8))
    #expect(command.isSecret)
    #expect(command.description == "SET_NETWORK 0 psk ‹14 bytes›")
    #expect(ControlCommand(Array("SET_NETWORK 0  psk \"blobby boots\"".utf8)).description.contains("blob") == false)
    #expect(!ControlCommand.setNetwork(0, "ssid", []).isSecret)
  }

  // Lines that wpa_supplicant 2.10 of Debian 12 sent (kernel lane, hostapd 2.10).
  @Test(arguments: [
    (
      "CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:03:00 completed [id=0 id_str=]",
      ControlEvent.Kind.connected(bssid: bssid, networkID: 0)
    ),
    (
      "CTRL-EVENT-DISCONNECTED bssid=02:00:00:00:03:00 reason=15",
      .disconnected(bssid: bssid, reason: 15, isLocallyGenerated: false)
    ),
    (
      "CTRL-EVENT-DISCONNECTED bssid=02:00:00:00:03:00 reason=3 locally_generated=1",
      .disconnected(bssid: bssid, reason: 3, isLocallyGenerated: true)
    ),
    (
      "CTRL-EVENT-AUTH-REJECT 02:00:00:00:03:00 auth_type=3 auth_transaction=2 status_code=1",
      .authenticationRejected(bssid: bssid, algorithm: 3, transaction: 2, status: 1)
    ),
    (
      "CTRL-EVENT-ASSOC-REJECT bssid=02:00:00:00:03:00 status_code=17",
      .associationRejected(bssid: bssid, status: 17, isTimeout: false)
    ),
    ("CTRL-EVENT-ASSOC-REJECT status_code=16 timeout", .associationRejected(bssid: nil, status: 16, isTimeout: true)),
    ("CTRL-EVENT-ASSOC-REJECT status_code=1 timeout=auth", .associationRejected(bssid: nil, status: 1, isTimeout: true)),
    (
      "CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"Lab WPA2\" auth_failures=1 duration=10 reason=WRONG_KEY",
      .temporarilyDisabled(networkID: 0, failures: 1, seconds: 10, reason: "WRONG_KEY")
    ),
    (
      "CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"x reason=WRONG_KEY id=7 \" auth_failures=4 duration=20 reason=CONN_FAILED",
      .temporarilyDisabled(networkID: 0, failures: 4, seconds: 20, reason: "CONN_FAILED")
    ),
    ("CTRL-EVENT-SSID-REENABLED id=2 ssid=\"x\"", .enabledAgain(networkID: 2)), ("CTRL-EVENT-NETWORK-NOT-FOUND ", .networkNotFound),
    ("CTRL-EVENT-NETWORK-REMOVED 1", .networkRemoved(networkID: 1)), ("CTRL-EVENT-SCAN-STARTED ", .scanStarted),
    ("CTRL-EVENT-SCAN-RESULTS ", .scanEnded), ("CTRL-EVENT-SCAN-FAILED ret=-16 retry=1", .scanFailed(16)),
    ("CTRL-EVENT-BEACON-LOSS ", .beaconLoss), ("CTRL-EVENT-TERMINATING ", .terminating),
    (
      "SME: Trying to authenticate with 02:00:00:00:03:00 (SSID='Lab WPA2' freq=2437 MHz)",
      .authenticating(bssid: bssid, ssid: SSID(Array("Lab WPA2".utf8)))
    ),
    (
      "Trying to associate with 02:00:00:00:03:00 (SSID='Lab WPA2' freq=2437 MHz)",
      .associating(bssid: bssid, ssid: SSID(Array("Lab WPA2".utf8)))
    ),
    ("Trying to associate with SSID 'Lab WPA2'", .associating(bssid: nil, ssid: SSID(Array("Lab WPA2".utf8)))),
    (
      "SME: Trying to authenticate with 02:00:00:00:03:00 (SSID='it's (SSID='x' freq=1 \\xff' freq=2437 MHz)",
      .authenticating(bssid: bssid, ssid: SSID(Array("it's (SSID='x' freq=1 ".utf8) + [0xFF]))
    ),
    ("SME: Trying to authenticate with 02:00:00:00:03:00 (SSID='\\xg' freq=2437 MHz)", .authenticating(bssid: bssid, ssid: nil)),
    ("SME: Trying to authenticate with 02:00:00:00:03:00", .authenticating(bssid: bssid, ssid: nil)),
    ("Trying to associate with SSID '", .associating(bssid: nil, ssid: nil)),
    ("Associated with 02:00:00:00:03:00", .associated(bssid: bssid)),
    (
      "WPA: Key negotiation completed with 02:00:00:00:03:00 [PTK=CCMP GTK=CCMP]", .keysNegotiated(bssid: bssid)
    ),
    ("WPA: 4-Way Handshake failed - pre-shared key may be incorrect", .handshakeFailed),
    ("Authentication with 02:00:00:00:03:00 timed out.", .authenticationTimedOut(bssid: bssid)),
    ("CTRL-EVENT-EAP-FAILURE EAP authentication failed", .eapFailure), ("CTRL-EVENT-CONNECTED", .other),
    ("CTRL-EVENT-DISCONNECTED bssid=02:00:00:00:03:00 reason=99999", .other), ("CTRL-EVENT-SCAN-FAILED ret=-2147483648", .other),
    ("", .other),
  ])
  func `events mean what they say`(line: String, kind: ControlEvent.Kind) {
    let bytes = Array("<3>\(line)".utf8)
    guard case .event(let event) = ControlMessage(bytes) else {
      Issue.record("no event")
      return
    }
    #expect(event.level == 3)
    #expect(event.kind == kind)
    #expect(event.encoded == bytes)
  }

  @Test(arguments: [
    ("OK\n", ControlReply.ok), ("FAIL\n", .fail(nil)), ("FAIL-BUSY\n", .fail("BUSY")), ("UNKNOWN COMMAND\n", .unknownCommand),
    ("PONG\n", .pong), ("OK", .text(Array("OK".utf8))), ("FAIL-", .text(Array("FAIL-".utf8))),
    ("FAIL-A\nB\n", .text(Array("FAIL-A\nB\n".utf8))),
    ("<x>", .text(Array("<x>".utf8))),
  ])
  func `replies parse and encode`(text: String, reply: ControlReply) {
    #expect(ControlMessage(Array(text.utf8)) == .reply(reply))
    #expect(reply.encoded == Array(text.utf8))
  }

  @Test func `the number of a new network is read`() {
    #expect(ControlReply(Array("12\n".utf8)).number == 12)
    #expect(ControlReply(Array("12".utf8)).number == nil)
    #expect(ControlReply(Array("1234567890\n".utf8)).number == nil)
    #expect(ControlReply(Array("-1\n".utf8)).number == nil)
  }

  @Test func `a status of a joined interface is read`() throws {
    let text =
      "bssid=02:00:00:00:03:00\nfreq=2437\nssid=Lab \\xf0\\x9f\\x8c\\x88\nid=0\nmode=station\nwifi_generation=4\npairwise_cipher=CCMP\n"
      + "group_cipher=CCMP\nkey_mgmt=WPA2-PSK\nwpa_state=COMPLETED\nip_address=10.0.0.7\naddress=02:00:00:00:00:00\n"
    let status = try ControlStatus(Array(text.utf8))
    #expect(status.state == "COMPLETED")
    #expect(status.bssid == Self.bssid)
    #expect(status.ssid == SSID(Array("Lab 🌈".utf8)))
    #expect(status.networkID == 0)
    #expect(status.address == "10.0.0.7")
    #expect(status.encoded == Array(text.utf8))
    #expect(throws: WireError(offset: 4, reason: .invalid("line without ="))) { try ControlStatus(Array("a=b\nc\n".utf8)) }
    #expect(throws: WireError.self) { try ControlStatus(Array("a=b".utf8)) }
  }

  @Test func `a list of networks is read, whatever their names`() throws {
    let text =
      "network id / ssid / bssid / flags\n0\tLab\\tWPA2\tany\t[CURRENT]\n1\t\\\"\\\\\t02:00:00:00:03:00\t[DISABLED][P2P-PERSISTENT]\n2\t\tany\t\n"
    let networks = try ControlNetwork.list(Array(text.utf8))
    #expect(networks.map(\.id) == [0, 1, 2])
    #expect(networks.map(\.ssid) == [SSID(Array("Lab\tWPA2".utf8)), SSID(Array("\"\\".utf8)), .wildcard])
    #expect(networks.map(\.bssid) == [nil, Self.bssid, nil])
    #expect(networks.map(\.isCurrent) == [true, false, false])
    #expect(networks.map(\.isDisabled) == [false, true, false])
    #expect(ControlNetwork.encode(networks) == Array(text.utf8))
    #expect(throws: WireError(offset: 34, reason: .invalid("line of 1 fields instead of 4"))) {
      try ControlNetwork.list(Array("network id / ssid / bssid / flags\nx\n".utf8))
    }
  }

  @Test(arguments: [
    (#""lab""#, Array("lab".utf8)), (#""a"b""#, Array("a\"b".utf8)),
    (#"P"a\"\\\n\r\t\e\x7f\x0g\101""#, Array("a\"\\\n\r\t\u{1B}\u{7F}\0gA".utf8)),
    ("6c6162", Array("lab".utf8)), ("", []), (#""""#, []),
  ])
  func `text values are read in all three ways`(text: String, bytes: [UInt8]) throws {
    #expect(try ControlText.value(Array(text.utf8)) == bytes)
  }

  @Test(arguments: [
    (#""lab"#, 4), (#"""#, 1), (#"P"a\q""#, 3), (#"P"\777""#, 2), (#"P"\x""#, 2), ("6c6", 3), ("lab", 0), (#"P""#, 2),
  ])
  func `a text value that is malformed says where`(text: String, offset: Int) {
    do throws(WireError) {
      _ = try ControlText.value(Array(text.utf8))
      Issue.record("\(text) was read")
    } catch {
      #expect(error.offset == offset)
    }
  }

  @Test func `a password is checked before it is sent`() throws {
    func problem(_ text: String, _ use: Passphrase.Use) -> Passphrase.Problem? {
      do throws(Passphrase.Problem) { try Passphrase.check(Array(text.utf8), for: use) } catch { return error }
      return nil
    }
    #expect(problem("1234567", .psk) == .tooShort(count: 7, minimum: 8))
    #expect(problem("12345678", .psk) == nil)
    #expect(problem(String(repeating: "x", count: 63), .psk) == nil)
    #expect(problem(String(repeating: "x", count: 64), .psk) == .notHexadecimal(offset: 0))
    #expect(problem(String(repeating: "a", count: 64), .psk) == nil)
    #expect(problem(String(repeating: "a", count: 65), .psk) == .tooLong(count: 65, maximum: 63))
    #expect(problem("blöbby boots", .psk) == .notPrintable(offset: 2))
    #expect(problem("x", .sae) == nil)
    #expect(problem("", .sae) == .tooShort(count: 0, minimum: 1))
    #expect(problem("x", .pskOrSAE) == nil)
    #expect(problem("a\nb", .sae) == .notPrintable(offset: 1))
    #expect(problem(String(repeating: "x", count: 1025), .sae) == .tooLong(count: 1025, maximum: 1024))
  }

  @Test func `a secret is never printed`() {
    struct Holder { var name = "lab"; var secret = Secret("blobby boots") }
    let holder = Holder()
    var dumped = ""
    dump(holder, to: &dumped)
    for text in [
      dumped, "\(holder)", String(reflecting: holder), "\(holder.secret)", "\(Mirror(reflecting: holder.secret).children.map { "\($0)" })",
    ] {
      // Not a single number: addresses of types stand in what is dumped.
      #expect(!text.contains("blob") && !text.contains("98, 108"), "\(text)")
    }
    #expect(holder.secret == Secret("blobby boots"))
    #expect(holder.secret != Secret("blobby boot"))
    #expect(holder.secret != Secret("blobby boott"))
    #expect(holder.secret.withBytes { $0 } == Array("blobby boots".utf8))
  }

  @Test func `a secret is masked where others repeat it, unless it is too short to be found again`() {
    let secret = Secret("blobby boots")
    #expect(secret.masked(in: "psk: invalid value \"blobby boots\"") == "psk: invalid value \"‹secret›\"")
    #expect(secret.masked(in: Array("a blobby boots b".utf8)) == Array("a ************ b".utf8))
    #expect(secret.masked(in: Array("boots".utf8)) == Array("boots".utf8))
    #expect(Secret("a").masked(in: "a word") == "a word")
    #expect(Secret([0xFF, 1, 2, 3, 4, 5, 6, 7]).masked(in: "a word") == "a word")
    #expect(Secret([0xFF, 1, 2, 3, 4, 5, 6, 7]).masked(in: [0, 0xFF, 1, 2, 3, 4, 5, 6, 7]) == [0] + [UInt8](repeating: 0x2A, count: 8))
  }
}
