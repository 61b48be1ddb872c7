import Testing
import WiFi

@Suite struct RSNTests {
  @Test func `reads WPA2-Personal`() throws {
    let rsn = try checkRoundTrip(RSN.self, "0100 000fac04 0100 000fac04 0100 000fac02 0c00")
    #expect(rsn.groupCipher == .ccmp128)
    #expect(Array(rsn.pairwiseCiphers) == [.ccmp128])
    #expect(Array(rsn.akms) == [.psk])
    #expect(rsn.capabilities.ptksaReplayCounters == 16)
    #expect(rsn.groupManagementCipher == nil)
    #expect(
      json(rsn)
        == #"{"version":1,"groupCipher":"CCMP-128","pairwiseCiphers":["CCMP-128"],"akms":["PSK"],"capabilities":[],"#
        + #""capabilitiesHex":"0x000c","ptksaReplayCounters":16,"gtksaReplayCounters":1,"lastField":"capabilities"}"#)
  }

  @Test func `reads PMKIDs and the group management cipher behind them`() throws {
    let pmkid = String(repeating: "5a", count: 16)
    let rsn = try checkRoundTrip(
      RSN.self, "0100 000fac04 0100 000fac04 0200 000fac08 000fac02 cc00 0100 \(pmkid) 000fac06")
    #expect(rsn.akms.names == ["SAE", "PSK"])
    #expect(rsn.capabilities.requiresManagementFrameProtection && rsn.capabilities.supportsManagementFrameProtection)
    #expect(rsn.suites.pmkids == [Array(repeating: 0x5A, count: 16)])
    #expect(rsn.groupManagementCipher == .bipCMAC128)
  }

  @Test func `has the standard's defaults for what is left out`() throws {
    let rsn = try checkRoundTrip(RSN.self, "0100")
    #expect(rsn.suites.lastField == .none)
    #expect(rsn.groupCipher == .ccmp128 && Array(rsn.pairwiseCiphers) == [.ccmp128] && Array(rsn.akms) == [.ieee8021X])
  }

  @Test func `keeps bytes behind its fields`() throws {
    #expect(try checkRoundTrip(RSN.self, "0100 000fac04 01").suites.trailing == [1])
    let whole = "0100 000fac04 0100 000fac04 0100 000fac02 0000 0000 000fac06"
    #expect(try checkRoundTrip(RSN.self, whole + "abcdef").suites.trailing == [0xAB, 0xCD, 0xEF])
  }

  @Test func `refuses a count of more suites than there are`() {
    #expect(throws: WireError(offset: 8, reason: .truncated(needed: 8, available: 4))) {
      try RSN(body: [1, 0, 0, 0x0F, 0xAC, 4, 2, 0, 0, 0x0F, 0xAC, 4])
    }
    #expect(throws: WireError.self) { try RSN(body: [1]) }
  }

  @Test func `builds what it reads`() throws {
    let made = RSN(
      groupCipher: .ccmp128, pairwiseCiphers: [.ccmp128], akms: [.sae], capabilities: RSNCapabilities(rawValue: 0xC0),
      groupManagementCipher: .bipCMAC128)
    #expect(Hex.string(made.body) == "0100000fac040100000fac040100000fac08c0000000000fac06")
    #expect(try RSN(body: made.body) == made)
  }

  @Test func `reads WPA, whose capabilities are often left out`() throws {
    let wpa = try checkRoundTrip(WPA.self, "0050f201 0100 0050f202 0200 0050f202 0050f204 0100 0050f202")
    #expect(wpa.groupCipher.name == "TKIP")
    #expect(wpa.pairwiseCiphers.names == ["TKIP", "CCMP-128"])
    #expect(wpa.akms.names == ["PSK"])
    #expect(throws: WireError.self) { try WPA(body: [0, 0x50, 0xF2, 2, 1, 0]) }
  }

  @Test func `reads OSEN, which has no version`() throws {
    let osen = try checkRoundTrip(OSEN.self, "506f9a12 000fac07 0100 000fac04 0100 506f9a01 0000")
    #expect(osen.groupCipher == .groupTrafficNotAllowed)
    #expect(osen.akms.names == ["OSEN"])
    #expect(!json(osen).contains("version"))
  }

  @Test func `reads RSN extension capabilities`() throws {
    let rsnx = try checkRoundTrip(RSNX.self, "20")
    #expect(rsnx.supportsSAEHashToElement && !rsnx.supportsSAEPublicKey)
    #expect(json(rsnx) == #"{"capabilities":["saeHashToElement"],"capabilitiesHex":"20"}"#)
    #expect(json(try checkRoundTrip(RSNX.self, "2105 77")).contains(#""secureLTF","urnmMFPRX20""#))
    #expect(throws: WireError.self) { try RSNX(body: [0x21]) }
    #expect(throws: WireError.self) { try RSNX(body: []) }
  }

  @Test func `reads where the other half of an OWE transition is`() throws {
    let other = try checkRoundTrip(OWETransition.self, "506f9a1c 020000000100 03 6f7765 5124")
    #expect(other.bssid == MACAddress("02:00:00:00:01:00"))
    #expect(other.ssid == SSID(Array("owe".utf8)))
    #expect(other.operatingClassAndChannel?.channel == 36)
    #expect(throws: WireError.self) { try OWETransition(body: [0x50, 0x6F, 0x9A, 0x1C, 0, 0, 0, 0, 0, 0, 4, 0]) }
  }
}
