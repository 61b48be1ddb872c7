import Testing

@testable import WiFi

/// What is said before the elements of authentication, deauthentication and action frames; held to what Wireshark 4.0 reads of the same bytes.
@Suite struct FrameContentTests {
  private static let header = "0000 020000000001 020000000002 020000000002 3000"
  private static let station = "020000000001"
  private static let accessPoint = "020000000002"
  private static let advertisement = "6c027f00"
  private static let neighbor = "3410 0a0b0c0d0e0f 8f010000 73 24 09 0301c8"
  private static let ftmParameters = "ce09 15 93 07 3412 37 2c 1000"

  /// The fields, and the numbers of the elements behind them.
  private func content(_ subtype: UInt8, _ hex: String) throws -> (text: String, elements: [UInt8]?) {
    let body = hex.filter { !$0.isWhitespace }
    let bytes = try #require(
      Hex.bytes(String(format(subtype)) + "00" + Self.header.filter { !$0.isWhitespace } + body))
    let frame = try ManagementFrame(bytes)
    var writer = FieldWriter(style: .json)
    var range: Range<Int>?
    writer.object { range = frame.body.describeContent(into: &$0, of: bytes, in: bytes.count - body.count / 2..<bytes.count) }
    return (writer.text, range.map { ElementList(parsing: bytes, in: $0).elements.map(\.id.id) })
  }

  private func format(_ subtype: UInt8) -> String { Hex.string([subtype << 4]) }

  @Test(
    arguments: [
      (
        11, "0000 0200 1100", #"{"algorithm":0,"algorithmName":"Open System","transaction":2,"statusCode":17,"status":"it is full"}"#, []
      ),
      (
        11, "0200 0100 0000 3603010203",
        #"{"algorithm":2,"algorithmName":"Fast BSS Transition","transaction":1,"statusCode":0,"status":"success"}"#, [54]
      ),
      (
        11, "0300 0100 0000 1300 0000",
        #"{"algorithm":3,"algorithmName":"SAE","transaction":1,"statusCode":0,"status":"success","group":19}"#, nil
      ),
      (
        11, "0300 0200 0000 0500",
        #"{"algorithm":3,"algorithmName":"SAE","transaction":2,"statusCode":0,"status":"success","sendConfirm":5}"#, []
      ),
      // In a commit these say how the password is used, and refuse nothing.
      (
        11, "0300 0100 7e00",
        #"{"algorithm":3,"algorithmName":"SAE","transaction":1,"statusCode":126,"status":"SAE uses hash-to-element"}"#, nil
      ),
      (
        11, "0300 0100 7f00",
        #"{"algorithm":3,"algorithmName":"SAE","transaction":1,"statusCode":127,"status":"SAE uses hash-to-element and a public key"}"#, nil
      ),
      (12, "0f00", #"{"reasonCode":15,"reason":"the four-way handshake did not end in time"}"#, []),
      (10, "0800 dd03010203", #"{"reasonCode":8,"reason":"it leaves, or the station does"}"#, [221]),
      (12, "0f", #"{"truncation":"truncated at byte 24: 2 bytes needed, 1 available"}"#, nil),
    ] as [(UInt8, String, String, [UInt8]?)])
  func `authentication and its end`(subtype: UInt8, hex: String, text: String, elements: [UInt8]?) throws {
    let found = try content(subtype, hex)
    #expect(found.text == text)
    #expect(found.elements == elements)
  }

  /// A scalar of group 19 is 32 bytes, an element 64.
  @Test(
    arguments: [
      ("0000", "", "", []), ("0000", "a1a2", "", []), ("7e00", "", "ff02211a", [255]),
    ] as [(String, String, String, [UInt8])])
  func `an SAE commit`(status: String, token: String, behind: String, elements: [UInt8]) throws {
    let scalar = String(repeating: "5c", count: 32)
    let point = String(repeating: "e1", count: 64)
    let found = try content(11, "0300 0100 \(status) 1300 \(token) \(scalar) \(point) \(behind)")
    let tokenField = token.isEmpty ? "" : #""antiCloggingTokenHex":"\#(token)","#
    #expect(found.text.hasSuffix(#""group":19,\#(tokenField)"scalarHex":"\#(scalar)","elementHex":"\#(point)"}"#), "\(found.text)")
    #expect(found.elements == elements)
  }

  @Test func `an SAE token that is asked for`() throws {
    #expect(try content(11, "0300 0100 4c00 1300 a1a2a3").text.hasSuffix(#""group":19,"antiCloggingTokenHex":"a1a2a3"}"#))
  }

  private static let gas =
    [
      (
        "04 0a 09 \(advertisement) 0800 0001040001010201",
        #""actionName":"gasInitialRequest","dialogToken":9,"queryHex":"0001040001010201","anqp":[{"id":256,"query":[257,258],"hex":"01010201"}]}"#,
        [108]
      ),
      (
        "04 0b 09 0000 0000 \(advertisement) 0600 020102006162",
        #""actionName":"gasInitialResponse","dialogToken":9,"statusCode":0,"status":"success","comebackDelayTU":0,"responseHex":"020102006162","#
          + #""anqp":[{"id":258,"hex":"6162"}]}"#, [108]
      ),
      ("04 0c 09", #""actionName":"gasComebackRequest","dialogToken":9}"#, nil),
      (
        "04 0d 09 0000 81 0500 \(advertisement) 0300 616263",
        #""actionName":"gasComebackResponse","dialogToken":9,"statusCode":0,"status":"success","fragmentID":1,"moreFragments":true,"#
          + #""comebackDelayTU":5,"responseHex":"616263"}"#, [108]
      ),
    ] as [(String, String, [UInt8]?)]

  private static let ftmText =
    #""ftmParameters":{"statusIndication":1,"value":5,"burstCountExponent":3,"burstDuration":9,"minimumDelta100us":7,"partialTSF":4660,"#
    + #""partialTSFNoPreference":true,"asapCapable":true,"asap":true,"framesPerBurst":6,"formatAndBandwidth":11,"burstPeriod100ms":16}}"#

  private static let others =
    [
      ("04 20 01 \(ftmParameters)", #""actionName":"ftmRequest","trigger":1,"# + ftmText, [206]),
      (
        "04 21 03 02 e80300000000 d00700000000 0100 0200 \(ftmParameters)",
        #""actionName":"ftm","dialogToken":3,"followUpDialogToken":2,"departurePs":1000,"arrivalPs":2000,"departureErrorHex":"0x0001","#
          + #""arrivalErrorHex":"0x0002","# + ftmText, [206]
      ),
      (
        "04 22 a304 4d00000000000000 6400 526f6f66 2b2c 7324 05 010182",
        #""actionName":"filsDiscovery","controlHex":"0x04a3","timestampUs":77,"beaconIntervalTU":100,"ssid":"Roof","ssidHex":"526f6f66","#
          + #""capability":{"hex":"0x2c2b","ess":true,"privacy":true,"channelWidth":2,"maximumNSS":2,"multipleBSSIDs":false,"phyIndex":3,"#
          + #""minimumRate":1},"operatingClass":115,"primaryChannel":36,"apConfigurationSequenceNumber":5}"#, [1]
      ),
      (
        "04 22 433b 4d00000000000000 6400 01020304 09 07 0102030405 2c 060708",
        #""shortSSIDHex":"01020304","lengthOfRest":9,"accessNetworkOptions":7,"rsnInformationHex":"0102030405","centerFrequencySegment1":44,"#
          + #""mobilityDomainHex":"060708"}"#, []
      ),
      (
        "05 00 04 0200 2610 01 00 05 73 24 0a00 1400 01 \(accessPoint)",
        #""dialogToken":4,"repetitions":2,"measurements":[{"token":1,"modeHex":"0x00","type":5,"operatingClass":115,"channel":36,"#
          + #""randomizationIntervalTU":10,"durationTU":20,"measurementMode":1,"bssid":"02:00:00:00:00:02"}]}"#, [38]
      ),
      (
        "05 01 04 271d 01 00 05 73 24 d204000000000000 1400 07 64 32 \(accessPoint) 01 63000000",
        #""measurements":[{"token":1,"modeHex":"0x00","type":5,"operatingClass":115,"channel":36,"startTimeUs":1234,"durationTU":20,"#
          + #""frameInformationHex":"0x07","rcpi":100,"rsni":50,"bssid":"02:00:00:00:00:02","antenna":1,"parentTSF":99}]}"#, [39]
      ),
      (
        "05 02 04 0a f6",
        #""actionName":"linkMeasurementRequest","dialogToken":4,"transmitPowerUsedDBm":10,"maximumTransmitPowerDBm":-10}"#, []
      ),
      (
        "05 03 04 23020506 01 02 64 32",
        #""dialogToken":4,"tpcReportHex":"23020506","receiveAntenna":1,"transmitAntenna":2,"rcpi":100,"rsni":50}"#, []
      ),
      ("05 04 04 000141", #""actionName":"neighborReportRequest","dialogToken":4}"#, [0]),
      (
        "05 05 04 \(neighbor)",
        #""neighbors":[{"bssid":"0a:0b:0c:0d:0e:0f","informationHex":"0x0000018f","operatingClass":115,"channel":36,"phyType":9,"preference":200}]}"#,
        [52]
      ),
      (
        "06 02 \(station) \(accessPoint) 0000 3603010203",
        #""actionName":"ftResponse","station":"02:00:00:00:00:01","targetAP":"02:00:00:00:00:02","statusCode":0,"status":"success"}"#, [54]
      ),
      ("06 01 \(station) \(accessPoint)", #""actionName":"ftRequest","station":"02:00:00:00:00:01","targetAP":"02:00:00:00:00:02"}"#, []),
      (
        "00 00 04 2603010000",
        #""actionName":"measurementRequest","dialogToken":4,"measurements":[{"token":1,"modeHex":"0x00","type":0}]}"#, [38]
      ),
      (
        "00 01 04 2703010401", #""actionName":"measurementReport","dialogToken":4,"measurements":[{"token":1,"modeHex":"0x04","type":1}]}"#,
        [39]
      ),
      ("00 02 04 2200", #""actionName":"tpcRequest","dialogToken":4}"#, [34]),
      ("00 03 04 23020506", #""actionName":"tpcReport","dialogToken":4}"#, [35]),
      ("00 04 2503010b05", #""actionName":"channelSwitchAnnouncement"}"#, [37]),
      (
        "03 00 07 0310 0000 3012",
        #""actionName":"addbaRequest","dialogToken":7,"amsduSupported":true,"immediate":true,"tid":0,"bufferSize":64,"timeoutTU":0,"#
          + #""startingSequenceNumber":291}"#, []
      ),
      (
        "03 01 07 2500 1610 0a00",
        #""actionName":"addbaResponse","dialogToken":7,"statusCode":37,"status":"the request was declined","amsduSupported":false,"#
          + #""immediate":true,"tid":5,"bufferSize":64,"timeoutTU":10}"#, []
      ),
      (
        "03 02 0058 2700", #""actionName":"delba","initiator":true,"tid":5,"reasonCode":39,"reason":"the other station waited too long"}"#,
        []
      ),
      (
        "16 06 05 d80f006168010203040506070840000205",
        #""categoryName":"Unprotected S1G","action":6,"actionName":"twtSetup","dialogToken":5}"#, [216]
      ),
      ("16 07 05", #""actionName":"twtTeardown","negotiationType":0,"flowID":5,"allTWT":false}"#, []),
      ("16 07 f9", #""actionName":"twtTeardown","negotiationType":3,"flowID":25,"allTWT":true}"#, []),
      (
        "16 0b 2b 01020304",
        #""actionName":"twtInformation","flowID":3,"responseRequested":true,"nextTWTRequest":false,"allTWT":false,"nextTWTHex":"01020304"}"#,
        []
      ),
      (
        "04 0b 07 0000 0a00 \(advertisement) 0600 0201 ff00 0100",
        #""responseHex":"0201ff000100","anqp":[],"truncation":"truncated at byte 41: 255 bytes needed, 2 available"}"#, [108]
      ),
      ("08 00 0102", #""actionName":"saQueryRequest","transactionID":513}"#, []),
      ("0a 06 04 10", #""actionName":"bssTransitionQuery","dialogToken":4,"queryReason":16}"#, []),
      (
        "0a 07 04 1f 0a00 c8 040a 2b02000000000000 0300 05 687474703a \(neighbor)",
        #""modeHex":"0x1f","disassociationTimerTBTT":10,"validityIntervalTBTT":200,"terminationTSF":555,"terminationMinutes":3,"#
          + #""sessionInformationURL":"http:","neighbors":[{"bssid":"0a:0b:0c:0d:0e:0f","informationHex":"0x0000018f","operatingClass":115,"#
          + #""channel":36,"phyType":9,"preference":200}]}"#, [52]
      ),
      (
        "0a 08 04 00 02 \(accessPoint)",
        #""dialogToken":4,"transitionStatus":0,"terminationDelayMinutes":2,"targetBSSID":"02:00:00:00:00:02"}"#, []
      ),
      ("0a 11 04 0000 5d0400000100", #""actionName":"sleepModeResponse","dialogToken":4,"keyDataLength":0}"#, [93]),
      ("0a 1a 04 01 dd03010203", #""actionName":"notificationRequest","dialogToken":4,"notificationType":1}"#, [221]),
      ("7f 506f9a 09", #"{"category":127,"categoryName":"Vendor-specific","oui":"506f9a"}"#, nil),
      ("85 00", #"{"category":5,"categoryName":"Radio Measurement","isError":true}"#, nil),
      ("63 00", #"{"category":99,"action":0}"#, nil),
      ("04 0b 09 00", #""truncation":"truncated at byte 27: 2 bytes needed, 1 available"}"#, nil),
    ] as [(String, String, [UInt8]?)]

  @Test(arguments: gas + others)
  func `action frames`(hex: String, text: String, elements: [UInt8]?) throws {
    let found = try content(13, hex)
    #expect(found.text.hasSuffix(text), "\(found.text)")
    #expect(found.elements == elements)
    // Each is cut at every byte, and is read as far as it goes.
    let digits = hex.filter { !$0.isWhitespace }
    for count in 1..<digits.count / 2 { #expect(try content(13, String(digits.prefix(2 * count))).text.hasSuffix("}")) }
  }

  @Test(
    arguments: [39, 46, 47, 60, 64, 65, 66, 67, 68, 71] as [UInt16],
    [5, 28, 72, 92, 93, 94, 95, 96, 99, 100, 101, 102, 103, 105, 106, 107, 108, 109, 118, 119, 121, 122, 124, 125] as [UInt16])
  func `reasons and statuses of the standard have words`(reason: UInt16, status: UInt16) {
    #expect(ReasonCode.name(reason) != nil && StatusCode.name(status) != nil)
  }

  @Test(arguments: 0...15 as ClosedRange<UInt8>)
  func `a fragment behind the first is no whole body`(subtype: UInt8) throws {
    let header = try #require(Hex.bytes(Self.header.filter { !$0.isWhitespace }))
    let bytes = [subtype << 4, 0] + header.dropLast(2) + [0x31, 0] + [1, 2, 3]
    let frame = try ManagementFrame(bytes)
    #expect(frame.body == .other(subtype: subtype, [1, 2, 3]) && frame.isOpaque)
    #expect(frame.encoded == bytes)
  }
}
