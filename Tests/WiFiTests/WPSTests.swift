import Testing
import WiFi

@Suite struct WPSTests {
  static let body =
    "0050f204 104a000110 1044000102 103b000103 1047001011223344 5566778899aabbccddeeff00 1021000441636d65"
    + "1023000541502d311b 1024000131 104200023432 1054000800060050f2040001 1011000441502d31 10080002218c"
    + "103c000103 1041000101 101200020004 1057000101 10490006 00372a 000120"

  @Test func `reads what the device says of itself, escaped`() throws {
    let wps = try checkRoundTrip(WPS.self, Self.body)
    #expect(wps.deviceName == "AP-1" && wps.manufacturer == "Acme" && wps.modelName == #"AP-1\x1b"#)
    #expect(wps.modelNumber == "1" && wps.serialNumber == "42")
    let text = json(wps)
    for part in [
      #"{"type":"0x104a","name":"version","value":"1.0","bodyHex":"10"}"#,
      #"{"type":"0x1044","name":"wifiProtectedSetupState","value":"configured","bodyHex":"02"}"#,
      #"{"type":"0x103b","name":"responseType","value":"ap","bodyHex":"03"}"#,
      #""value":"11223344-5566-7788-99aa-bbccddeeff00""#,
      #""name":"primaryDeviceType","value":"6-0050f204-1""#,
      #""value":["label","display","pushButton","keypad","virtualDisplay"],"valueHex":"0x218c""#,
      #""value":["2.4 GHz","5 GHz"],"valueHex":"0x03""#,
      #""name":"selectedRegistrar","value":true"#,
      #""name":"devicePasswordID","value":"pushButton","number":4"#,
      #""vendor":"00-37-2a","subelements":[{"id":0,"name":"version2","value":"2.0","bodyHex":"20"}]"#,
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test func `a subelement of a vendor extension continues no other`() throws {
    let wps = try checkRoundTrip(WPS.self, "0050f204 10490107 00372a 09ff" + String(repeating: "00", count: 255) + "f201 07")
    #expect(json(wps).contains(#"{"id":242,"bodyHex":"07"}]"#))
  }

  @Test func `keeps unknown attributes, wrong lengths and a cut-off end`() throws {
    let wps = try checkRoundTrip(WPS.self, "0050f204 ffff0002abcd 1047000101 1044000109 104a00")
    #expect(
      json(wps)
        == #"{"attributes":[{"type":"0xffff","bodyHex":"abcd"},{"type":"0x1047","name":"uuidE","bodyHex":"01"},"#
        + #"{"type":"0x1044","name":"wifiProtectedSetupState","value":9,"bodyHex":"09"}],"trailingHex":"104a00"}"#)
  }

  @Test func `an attribute may be split over two elements`() throws {
    let bytes = try #require(Hex.bytes("dd090050f2041011000441" + "dd070050f204502d31"))
    #expect(ElementList(parsing: bytes).wps?.deviceName == "AP-1")
  }
}

@Suite struct P2PTests {
  @Test func `reads the device, its capabilities and its channel`() throws {
    let p2p = try checkRoundTrip(
      P2P.self,
      "506f9a09 020200250b 0d1900 020000000101 0188 00010050f2040005 00 10110004 4e611b65 110500 555304510b"
        + "0f0900 020000000101 616263 030600 020000000102")
    #expect(p2p.attributes.map(\.id) == [2, 13, 17, 15, 3])
    let text = json(p2p)
    for part in [
      #""deviceCapability":["serviceDiscovery","concurrentOperation","invitationProcedure"],"deviceCapabilityHex":"0x25""#,
      #""groupCapability":["groupOwner","persistentGroup","intraBSSDistribution"],"groupCapabilityHex":"0x0b""#,
      #""primaryDeviceType":"1-0050f204-5","deviceName":"Na\\x1be""#,
      #""country":"US\\x04","operatingClass":81,"channel":11"#,
      #""address":"02:00:00:00:01:01","ssid":"abc""#,
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test func `keeps unknown attributes and a cut-off end`() throws {
    let p2p = try checkRoundTrip(P2P.self, "506f9a09 fe0100aa 020100ff 0209")
    #expect(
      json(p2p).hasPrefix(#"{"attributes":[{"id":254,"bodyHex":"aa"},{"id":2,"name":"p2pCapability","#))
    #expect(json(p2p).hasSuffix(#""trailingHex":"0209"}"#))
  }

  @Test func `an attribute that runs on is shown whole, where it starts`() throws {
    let hex = "dd0e0050f204 104a000110 1011000441" + "dd040050f204" + "dd0c0050f204 502d31 1044000102"
    let bytes = try #require(Hex.bytes(hex.filter { $0 != " " }))
    let list = ElementList(parsing: bytes)
    #expect(list.encoded == bytes && list.complaints.isEmpty)
    let text = listJSON(list, bytes)
    for part in [
      #"{"type":"0x104a","name":"version","value":"1.0","bodyHex":"10"},{"type":"0x1011","name":"deviceName","value":"AP-1","bodyHex":"41502d31"}]}"#,
      #""value":{"attributes":[]}"#,
      #"{"continuedOctets":3,"attributes":[{"type":"0x1044""#,
    ] { #expect(text.contains(part), "\(part) in \(text)") }
    #expect(!text.contains("trailingHex"))
  }

  @Test func `elements that are whole by themselves, or joined are no attributes, are read by themselves`() throws {
    let cut = try #require(Hex.bytes("dd090050f2041011000941" + "dd090050f2041044000102"))
    #expect(listJSON(ElementList(parsing: cut), cut).contains(#""trailingHex":"1011000941""#))
    #expect(listJSON(ElementList(parsing: cut), cut).contains(#""name":"wifiProtectedSetupState""#))
    let whole = try #require(Hex.bytes("dd090050f204104a000110" + "dd090050f2041044000102"))
    #expect(!listJSON(ElementList(parsing: whole), whole).contains("continuedOctets"))
  }
}
