import DaemonControl
import Testing
import WiFi

@Suite struct JoinRequestTests {
  /// A BSS named Home, open or with a key management of RSN.
  private func facts(_ address: UInt64, _ akm: AKMSuite?, _ name: String = "Home") throws -> BSSFacts {
    let rsn = akm.map {
      ElementValue.rsn(RSN(groupCipher: .ccmp128, pairwiseCiphers: [.ccmp128], akms: [$0], capabilities: RSNCapabilities(rawValue: 0)))
    }
    let elements = ElementList([.ssid(SSIDElement(ssid: try #require(SSID(Array(name.utf8)))))] + [rsn].compactMap(\.self))
    return BSSFacts(
      BSS(bssid: MACAddress(address), frequencyMHz: 2437, capability: akm == nil ? 1 : 0x11, informationElements: elements.encoded))
  }

  private func mismatch(_ security: JoinSecurity, bssid: UInt64? = nil, _ heard: [BSSFacts]) throws -> String? {
    var request = JoinRequest(interface: "wlan0", ssid: try #require(SSID(Array("Home".utf8))), security: security)
    request.bssid = bssid.map { MACAddress($0) }
    return request.mismatch(heard: heard)?.description
  }

  @Test func `a network that announces another security is not out of range`() throws {
    #expect(
      try mismatch(.psk, [facts(1, .sae), facts(2, .psk, "Other")])
        == "The network announces WPA3-Personal, not WPA2-Personal; without --security it is joined as it announces.")
    #expect(
      try mismatch(.sae, [facts(1, nil), facts(2, .psk)])?.hasPrefix("The network announces Open and WPA2-Personal, not WPA3") == true)
    for security in [JoinSecurity.psk, .pskOrSAE] { #expect(try mismatch(security, [facts(1, nil), facts(2, .psk)]) == nil) }
    #expect(try mismatch(.psk, [facts(1, .sae, "Other")]) == nil)
    #expect(try mismatch(.psk, bssid: 2, [facts(1, .psk), facts(2, .sae)])?.hasPrefix("The network announces WPA3-Personal") == true)
  }

  @Test func `an access point that is not heard is named, and those that are`() throws {
    let one = try facts(1, .psk)
    #expect(
      try mismatch(.psk, bssid: 9, [one, one])
        == "The access point 00:00:00:00:00:09 was not heard; leave out --bssid, or give one of this network that was: 00:00:00:00:00:01.")
    #expect(
      try mismatch(.psk, bssid: 9, (1...5).map { try facts($0, .psk) })?.hasSuffix(
        "of this network that was: 00:00:00:00:00:01, 00:00:00:00:00:02, 00:00:00:00:00:03 and 2 more.") == true)
    #expect(try mismatch(.psk, bssid: 1, [one]) == nil)
  }

  @Test(
    arguments: [
      (JoinSecurity.psk, "short", "a WPA password has 8 to 63 characters, or 64 hexadecimal digits; this one has 5"),
      (.psk, String(repeating: "a", count: 65), "a WPA password has 8 to 63 characters, or 64 hexadecimal digits; this one has 65"),
      (.psk, String(repeating: "a", count: 64), nil), (.sae, "short", nil), (.pskOrSAE, "short", nil), (.sae, "", "the password is empty"),
    ] as [(JoinSecurity, String, String?)])
  func `a password that WPA2 cannot have is refused`(security: JoinSecurity, password: String, problem: String?) throws {
    let request = JoinRequest(interface: "wlan0", ssid: try #require(SSID([65])), security: security, password: Secret(password))
    #expect(request.problem?.description == problem.map { "The password cannot be right: \($0)." })
  }
}
