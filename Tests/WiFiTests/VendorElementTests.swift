import Testing
import WiFi

/// The value that the body of a vendor element is read as.
private func vendor(_ hex: String) throws -> ElementValue {
  let body = try #require(Hex.bytes(hex.filter { !$0.isWhitespace }))
  let bytes = [221, UInt8(body.count)] + body
  let list = ElementList(parsing: bytes)
  #expect(list.encoded == bytes)
  return try #require(list.elements.first).value
}

@Suite struct VendorElementTests {
  @Test func `dispatches by OUI and type`() throws {
    #expect(try vendor("0050f201 0100").name == "WPA")
    #expect(try vendor("0050f202 000105").name == "WMM")
    #expect(try vendor("0050f204").name == "WPS")
    #expect(try vendor("506f9a09 0202002501").name == "P2P")
    #expect(try vendor("506f9a10 00").name == "Hotspot 2.0 Indication")
    #expect(try vendor("506f9a12").name == "OSEN")
    #expect(try vendor("506f9a1c 020000000100 03 6f7765").name == "OWE Transition Mode")
    #expect(try vendor("506f9a29 0100").name == "RSN Element Override")
    #expect(try vendor("506f9a2a 0100").name == "RSN Element Override")
    #expect(try vendor("506f9a2b 20").name == "RSN Extension Element Override")
    #expect(try vendor("5c5b3501 61").name == "AP Name")
    #expect(try vendor("00904c04 07").name == "Vendor Specific")
    #expect(try vendor("00904c").name == "Vendor Specific")
  }

  @Test func `keeps what it does not know, with its OUI`() throws {
    let other = try checkRoundTrip(VendorSpecific.self, "001018 020000")
    #expect(json(other) == #"{"oui":"00-10-18","type":2,"dataHex":"020000"}"#)
    let short = ElementList(parsing: [221, 2, 0, 0x50])
    #expect(short.encoded == [221, 2, 0, 0x50])
    #expect(short.complaints.count == 1)
  }

  @Test func `a known vendor element that is cut off is malformed and kept`() throws {
    let list = ElementList(parsing: [221, 5, 0, 0x50, 0xF2, 1, 1])
    #expect(list.encoded == [221, 5, 0, 0x50, 0xF2, 1, 1])
    #expect(list.complaints.count == 1)
    #expect(Security(elements: list, capabilities: 0x11).summary == "Unknown")
  }

  @Test func `reads the parameters of WMM`() throws {
    let wmm = try checkRoundTrip(WMM.self, "0050f202 01 01 89 00 03a40000 27a40000 42435e00 62322f00")
    #expect(wmm.supportsUAPSD && wmm.parameterSetCount == 9)
    #expect(wmm.accessCategories.map(\.txopLimitUs) == [0, 0, 3008, 1504])
    #expect(
      json(wmm)
        == #"{"subtype":"parameter","version":1,"qosInfoHex":"0x89","supportsUAPSD":true,"parameterSetCount":9,"#
        + #""reservedHex":"0x00","accessCategories":["#
        + #"{"category":"BE","admissionControlMandatory":false,"aifsn":3,"cwMin":15,"cwMax":1023,"txopLimitUs":0},"#
        + #"{"category":"BK","admissionControlMandatory":false,"aifsn":7,"cwMin":15,"cwMax":1023,"txopLimitUs":0},"#
        + #"{"category":"VI","admissionControlMandatory":false,"aifsn":2,"cwMin":7,"cwMax":15,"txopLimitUs":3008},"#
        + #"{"category":"VO","admissionControlMandatory":false,"aifsn":2,"cwMin":3,"cwMax":7,"txopLimitUs":1504}]}"#)
    let information = try checkRoundTrip(WMM.self, "0050f202 00 01 05")
    #expect(information.accessCategories.isEmpty && json(information).hasPrefix(#"{"subtype":"information""#))
    #expect(try checkRoundTrip(WMM.self, "0050f202 02 01 00 aabb").trailing == [0xAA, 0xBB])
  }

  @Test func `reads Hotspot 2.0`() throws {
    let hotspot = try checkRoundTrip(Hotspot20.self, "506f9a10 27 3412 0100")
    #expect(
      json(hotspot)
        == #"{"configurationHex":"0x27","isDGAFDisabled":true,"release":3,"ppsMOID":4660,"anqpDomainID":1}"#)
    #expect(try checkRoundTrip(Hotspot20.self, "506f9a10 04 0100 ff").trailing == [0xFF])
    #expect(throws: WireError.self) { try Hotspot20(body: [0x50, 0x6F, 0x9A, 0x10, 2, 0]) }
  }

  @Test func `RSN overrides add key managements for stations that know them`() throws {
    let psk = "3014 0100 000fac04 0100 000fac04 0100 000fac02 0000"
    let sae = "dd18 506f9a29 0100 000fac04 0100 000fac04 0100 000fac08 c000"
    let bytes = try #require(Hex.bytes((psk + sae).filter { $0 != " " }))
    let security = Security(elements: ElementList(parsing: bytes), capabilities: 0x11)
    #expect(security.summary == "WPA2/WPA3-Personal")
    #expect(security.pmf == .optional)
    #expect(security.akms.names == ["PSK", "SAE"])
    try checkRoundTrip(RSNOverride.self, "506f9a2a 0100 000fac04")
    try checkRoundTrip(RSNXOverride.self, "506f9a2b 20")
  }

  @Test func `reads when a group owner sleeps`() throws {
    let p2p = try checkRoundTrip(
      P2P.self, "506f9a09 0c 0f00 07 8a 01 10270000 a0860100 40420f00" + "0c 0200 0100")
    #expect(
      json(p2p).contains(
        #"{"id":12,"name":"noticeOfAbsence","index":7,"opportunisticPowerSave":true,"ctWindowTU":10,"absences":[{"count":1,"#
          + #""durationUs":10000,"intervalUs":100000,"startTimeUs":1000000}],"bodyHex":"#))
    #expect(json(p2p).contains(#""index":1,"opportunisticPowerSave":false,"ctWindowTU":0,"absences":[],"bodyHex":"0100""#))
    #expect(json(try checkRoundTrip(P2P.self, "506f9a09 0c 0100 01")).contains(#""error":"truncated"#))
  }

  @Test func `reads how MBO and OCE steer stations`() throws {
    let mbo = try checkRoundTrip(
      MBO.self,
      "506f9a16 01 01 40 02 05 51010605 01 03 01 02 04 01 02 05 01 ff 06 01 04 07 01 06 08 02 3c00 65 01 51 66 02 0a1e 67 01 21"
        + "68 05 00aabbccdd 69 06 020000000001 c8 01 09 0a 05 01")
    #expect(mbo.associationDisallowedReason == 2)
    let text = json(mbo)
    for part in [
      #"{"id":1,"name":"apCapabilityIndication","cellularDataAware":true,"bodyHex":"40"}"#,
      #""operatingClass":81,"channels":[1,6],"preference":5,"reason":"rssi","#, #""value":"notAvailable""#,
      #""name":"associationDisallowed","reason":"maximumStations""#, #""value":"preferred""#, #""reason":"loadBalancing""#,
      #""reason":"servicesUnavailable""#, #""delayS":60"#,
      #""release":1,"control":["only11bAPPresent","nonOCEAPPresent"],"controlHex":"0x51""#,
      #""deltaRSSIDB":10,"retryDelayS":30"#, #""downlinkKbps":200,"uplinkKbps":400"#, #""shortSSIDsHex":["00aabbcc"]"#,
      #""bssids":["02:00:00:00:00:01"]"#, #"{"id":200,"bodyHex":"09"}"#, #""trailingHex":"0a0501""#,
    ] { #expect(text.contains(part), "\(part) in \(text)") }
    #expect(json(try checkRoundTrip(MBO.self, "506f9a16 02 01 51")).contains(#""error":"length 1"#))
    #expect(try vendor("506f9a16 010100").name == "MBO and OCE")
  }
}
