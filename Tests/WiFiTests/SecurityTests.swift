import Testing
import WiFi

/// A network made of hexadecimal bodies of RSN and of WPA behind OUI and type.
private func security(
  rsn: [UInt32]? = nil, rsnCapabilities: UInt16 = 0, wpa: [UInt32]? = nil, privacy: Bool = true, oweTransition: Bool = false
) -> Security {
  let rsnElement = rsn.map { akms in
    RSN(
      groupCipher: .ccmp128, pairwiseCiphers: [.ccmp128], akms: SuiteList(akms.map { AKMSuite(selector: $0) }),
      capabilities: RSNCapabilities(rawValue: rsnCapabilities))
  }
  let tkip = CipherSuite(selector: 0x0050_F202)
  let wpaElement = wpa.map { akms in
    WPA(groupCipher: tkip, pairwiseCiphers: [tkip], akms: SuiteList(akms.map { AKMSuite(selector: $0) }))
  }
  let transition = oweTransition ? OWETransition(bssid: MACAddress(1), ssid: .wildcard) : nil
  return Security(rsn: rsnElement, wpa: wpaElement, capabilities: privacy ? 0x11 : 1, oweTransition: transition)
}

private let ieee: UInt32 = 0x000F_AC00

@Suite struct SecurityTests {
  @Test(arguments: [
    ([2], 0, "WPA2-Personal"), ([6], 0xC0, "WPA2-Personal"), ([2, 4], 0, "WPA2-Personal"),
    ([2, 8], 0x80, "WPA2/WPA3-Personal"), ([8], 0xC0, "WPA3-Personal"), ([24, 8], 0xC0, "WPA3-Personal"),
    ([1], 0, "WPA2-Enterprise"), ([1, 5], 0x80, "WPA2/WPA3-Enterprise"), ([5], 0xC0, "WPA3-Enterprise"),
    ([5, 3], 0xC0, "WPA3-Enterprise"), ([5], 0, "WPA2-Enterprise"), ([3], 0, "WPA2-Enterprise"),
    ([12], 0xC0, "WPA3-Enterprise 192-bit"), ([18], 0xC0, "OWE"), ([1, 2], 0, "WPA2-Personal + WPA2-Enterprise"),
    ([99], 0, "00-0f-ac:99"), ([], 0, "Unknown"),
  ]) func `summarises RSN by its key managements`(akms: [UInt32], capabilities: UInt16, summary: String) {
    let security = security(rsn: akms.map { ieee | $0 }, rsnCapabilities: capabilities)
    #expect(security.summary == summary)
    #expect(security.isEncrypted)
    #expect(security.isSecured == (summary != "OWE"))
  }

  @Test func `summarises WPA and both together`() {
    #expect(security(wpa: [0x0050_F202]).summary == "WPA-Personal")
    #expect(security(wpa: [0x0050_F201]).summary == "WPA-Enterprise")
    let both = security(rsn: [ieee | 2], wpa: [0x0050_F202])
    #expect(both.summary == "WPA/WPA2-Personal")
    #expect(
      json(both)
        == #"{"summary":"WPA/WPA2-Personal","isSecured":true,"isEncrypted":true,"protocols":["WPA","WPA2"],"#
        + #""groupCipher":"CCMP-128","pairwiseCiphers":["CCMP-128","TKIP"],"akms":["PSK"],"pmf":"disabled"}"#)
  }

  @Test func `several together offer what one of them has, in any order`() {
    let wpa2 = security(rsn: [ieee | 2])
    let wpa3 = security(rsn: [ieee | 8], rsnCapabilities: 0xC0)
    let old = security(wpa: [0x0050_F202])
    #expect(Security(union: [wpa2, wpa2]) == wpa2)
    let both = Security(union: [wpa3, wpa2])
    #expect(both == Security(union: [wpa2, wpa3, wpa2]))
    #expect(both.summary == "WPA2/WPA3-Personal" && both.pmf == .optional && both.akms == [.psk, .sae])
    #expect(both.family == .personal && both.groupCipher == .ccmp128)
    let all = Security(union: [wpa3, wpa2, old])
    #expect(all == Security(union: [old, wpa3, wpa2]) && all.summary == "WPA/WPA2/WPA3-Personal")
    #expect(all.groupCipher == .tkip && all.pairwiseCiphers == [.tkip, .ccmp128])
    // One that does not announce OWE is open, whatever another says.
    let (open, transition) = (security(privacy: false), security(privacy: false, oweTransition: true))
    #expect(Security(union: [transition, open]).summary == "Open" && Security(union: [transition, transition]) == transition)
  }

  @Test func `an open network is neither secured nor encrypted`() {
    let open = security(privacy: false)
    #expect(open.summary == "Open" && open.family == .open && !open.isSecured && !open.isEncrypted)
    #expect(
      json(open)
        == #"{"summary":"Open","isSecured":false,"isEncrypted":false,"protocols":[],"groupCipher":null,"#
        + #""pairwiseCiphers":[],"akms":[],"pmf":"disabled"}"#)
    let transition = security(privacy: false, oweTransition: true)
    #expect(transition.summary == "OWE transition" && transition.family == .open && !transition.isEncrypted)
  }

  @Test func `the Privacy bit alone means WEP`() {
    let wep = security()
    #expect(wep.summary == "WEP" && wep.family == .wep && wep.isSecured && wep.isEncrypted && wep.protocols == .wep)
  }

  @Test func `knows whether management frames are protected`() {
    #expect(security(rsn: [ieee | 2], rsnCapabilities: 0x80).pmf == .optional)
    #expect(security(rsn: [ieee | 2], rsnCapabilities: 0xC0).pmf == .required)
    #expect(security(rsn: [ieee | 2], rsnCapabilities: 0x40).pmf == .disabled)
  }

  @Test func `DPP beside a password stays personal`() {
    #expect(security(rsn: [0x506F_9A02]).summary == "DPP")
    #expect(security(rsn: [0x506F_9A02, ieee | 2]).summary == "WPA2-Personal + DPP")
  }

  @Test func `derives from elements, and an unreadable RSN is not WEP`() throws {
    let bytes = try #require(Hex.bytes("3014 0100 000fac04 0100 000fac04 0100 000fac02 0c00".filter { $0 != " " }))
    #expect(Security(elements: ElementList(parsing: bytes), capabilities: 0x11).summary == "WPA2-Personal")
    let cut = [48, 3] + bytes[2..<5]
    #expect(Security(elements: ElementList(parsing: cut), capabilities: 0x11).summary == "WPA2-Enterprise")
    let malformed = Security(elements: ElementList(parsing: [48, 1, 1]), capabilities: 0x11)
    #expect(malformed.summary == "Unknown" && malformed.isSecured && malformed.isEncrypted)
  }
}
