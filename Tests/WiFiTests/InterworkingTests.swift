import Testing

@testable import WiFi

@Suite struct InterworkingTests {
  @Test func `reads options, venue and HESSID, each where it is there`() throws {
    let full = try checkRoundTrip(Interworking.self, "72 02 01 020000000001")
    #expect(
      json(full)
        == #"{"accessNetworkType":"chargeablePublic","accessNetworkOptions":["internet","asra","esr"],"#
        + #""accessNetworkOptionsHex":"0x72","venueGroup":"business","venueType":1,"hessid":"02:00:00:00:00:01"}"#)
    #expect(try checkRoundTrip(Interworking.self, "0f 020000000001").venue == nil)
    #expect(try checkRoundTrip(Interworking.self, "0f 0c01").venue == Interworking.Venue(group: 12, type: 1))
    #expect(json(try checkRoundTrip(Interworking.self, "06")).contains(#""accessNetworkType":6"#))
    #expect(try checkRoundTrip(Interworking.self, "0f 01020304").trailing == [1, 2, 3, 4])
  }

  @Test func `reads advertisement protocols, also a vendor's`() throws {
    let element = try checkRoundTrip(AdvertisementProtocol.self, "ff00 00dd05 0050f20401 7f")
    #expect(element.tuples.map(\.protocolID) == [0, 221])
    #expect(
      json(element)
        == #"{"protocols":[{"protocol":"ANQP","queryResponseInfoHex":"0xff","queryResponseLengthLimit256Octets":127,"#
        + #""pameBI":true},{"protocol":"Vendor Specific","queryResponseInfoHex":"0x00","#
        + #""queryResponseLengthLimit256Octets":0,"pameBI":false,"vendorBodyHex":"0050f20401"}],"trailingHex":"7f"}"#)
  }

  @Test func `reads up to three organisations`() throws {
    let two = try checkRoundTrip(RoamingConsortium.self, "01 55 0011220033 aabbccddee")
    #expect(two.organizationIdentifiers.count == 2)
    let three = try checkRoundTrip(RoamingConsortium.self, "00 33 001122 aabbcc 506f9a")
    #expect(
      json(three)
        == #"{"anqpOICount":0,"organizationIdentifiersHex":["001122","aabbcc","506f9a"],"lengthsHex":"0x33"}"#)
    #expect(throws: WireError(offset: 2, reason: .truncated(needed: 6, available: 5))) {
      try RoamingConsortium(body: [0, 0x33, 1, 2, 3, 4, 5])
    }
  }

  @Test func `reads a mesh`() throws {
    let mesh = try checkRoundTrip(MeshConfiguration.self, "01 01 00 01 00 03 09")
    #expect(
      json(mesh)
        == #"{"pathSelectionProtocolID":1,"pathSelectionMetricID":1,"congestionControlModeID":0,"#
        + #""synchronizationMethodID":1,"authenticationProtocolID":0,"peeringCount":1,"#
        + #""formationInfo":["connectedToMeshGate"],"formationInfoHex":"0x03","#
        + #""capability":["acceptingAdditionalMeshPeerings","forwarding"],"capabilityHex":"0x09"}"#)
    let name = try checkRoundTrip(MeshID.self, "6d 1b 68")
    #expect(json(name) == #"{"meshID":"m\\x1bh","meshIDHex":"6d1b68"}"#)
    #expect(throws: WireError.self) { try MeshID(body: Array(repeating: 65, count: 33)) }
  }
}
