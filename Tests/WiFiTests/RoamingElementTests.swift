import Testing
import WiFi

@Suite struct RoamingElementTests {
  @Test func `reads the mobility domain`() throws {
    let domain = try checkRoundTrip(MobilityDomain.self, "12ab 01")
    #expect(domain.mobilityDomainID == 0xAB12)
    #expect(
      json(domain)
        == #"{"mobilityDomainIDHex":"0xab12","ftCapabilityAndPolicy":["fastBSSTransitionOverDS"],"#
        + #""ftCapabilityAndPolicyHex":"0x01"}"#)
  }

  @Test(arguments: [(0, 16), (1, 24), (2, 32)]) func `reads a fast transition by the length of its MIC`(code: Int, length: Int) throws {
    let mic = String(repeating: "aa", count: length)
    let nonces = String(repeating: "bb", count: 32) + String(repeating: "cc", count: 32)
    let element = try checkRoundTrip(
      FastBSSTransition.self, Hex.string([UInt8(code << 1 | 1), 3]) + mic + nonces + "0306 020000000001 0109")
    #expect(element.isRSNXEUsed && element.elementCount == 3 && element.mic.count == length)
    #expect(element.anonce.first == 0xBB && element.snonce.last == 0xCC)
    #expect(element.subelements.map(\.id) == [3])
    #expect(json(element).contains(#""name":"r0khID","bodyHex":"020000000001""#))
    #expect(json(element).hasSuffix(#""trailingHex":"0109"}"#))
    #expect(throws: WireError.self) { try FastBSSTransition(body: Array(element.body.prefix(2 + length + 63))) }
  }

  @Test func `reads FILS with everything it can hold`() throws {
    let fils = try checkRoundTrip(FILSIndication.self, "d10f aabb 020000000001 1122 3344 02 03 0a0b0c ff")
    #expect(fils.hessid == MACAddress("02:00:00:00:00:01"))
    #expect(fils.publicKeyIdentifiers.map(\.identifier) == [[10, 11, 12]])
    #expect(
      json(fils)
        == #"{"filsInformation":["ipAddressConfiguration","cacheIdentifierIncluded","hessidIncluded","#
        + #""sharedKeyAuthenticationWithoutPFS","sharedKeyAuthenticationWithPFS","publicKeyAuthentication"],"#
        + #""filsInformationHex":"0x0fd1","cacheIdentifierHex":"aabb","hessid":"02:00:00:00:00:01","#
        + #""realmIdentifiersHex":["1122","3344"],"publicKeyIdentifiers":[{"keyType":2,"identifierHex":"0a0b0c"}],"#
        + #""trailingHex":"ff"}"#)
    #expect(throws: WireError.self) { try FILSIndication(body: [0x80, 0, 1]) }
  }
}
