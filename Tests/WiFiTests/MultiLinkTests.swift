import Testing
import WiFi

@Suite struct MultiLinkTests {
  private func device(linkID: UInt8) -> MultiLink.Basic {
    var basic = MultiLink.Basic(mldAddress: MACAddress(0x0200_0000_0100))
    basic.linkID = linkID
    basic.bssParametersChangeCount = 117
    basic.emlCapabilities = 0x4001
    basic.mldCapabilities = 0x0021
    return basic
  }

  private func profile(_ linkID: UInt8, _ elements: [UInt8]) -> MultiLink.Profile {
    var profile = MultiLink.Profile(linkID: linkID, isComplete: true, profile: [0x11, 0x04] + elements)
    profile.address = MACAddress(0x0200_0000_0200 + UInt64(linkID))
    profile.beaconIntervalTU = 100
    profile.tsfOffset2us = -3
    profile.dtimPeriod = 2
    profile.dtimCount = 1
    return profile
  }

  @Test func `the basic variant tells of the device`() throws {
    let value = try checkRoundTrip(MultiLink.self, "b001 0d 020000000100 00 75 0140 2100")
    #expect(value.variant == .basic)
    let basic = try #require(value.basic)
    #expect(basic == device(linkID: 0))
    #expect(MultiLink(basic: basic) == value)
    #expect(
      json(value)
        == #"{"variant":"basic","controlHex":"0x01b0","mldAddress":"02:00:00:00:01:00","linkID":0,"bssParametersChangeCount":117,"#
        + #""emlCapabilities":{"emlsr":true,"emlsrPaddingDelayUs":0,"emlsrTransitionDelayUs":0,"emlmr":false,"emlmrDelayUs":0,"#
        + #""transitionTimeoutUs":16384,"hex":"0x4001"},"mldCapabilities":{"maximumSimultaneousLinks":2,"srs":false,"#
        + #""tidToLinkMappingNegotiation":"same","frequencySeparation":0,"aar":false,"linkReconfiguration":false,"alignedTWT":false,"#
        + #""hex":"0x0021"},"links":[]}"#)
  }

  @Test func `every optional part of Common Info has its place`() throws {
    let value = try checkRoundTrip(MultiLink.self, "f007 13 020000000100 03 07 ac10 0140 2100 05 2200 ee")
    let basic = try #require(value.basic)
    #expect(basic.linkID == 3)
    #expect(basic.mediumSynchronizationDelay == 0x10AC)
    #expect(basic.mldID == 5)
    #expect(basic.extendedMLDCapabilities == 0x0022)
    #expect(basic.trailing == [0xEE])
  }

  @Test func `Common Info shorter than it announces is refused`() {
    #expect(throws: WireError(offset: 2, reason: .length(declared: 8, allowed: 9...255))) {
      try MultiLink(body: [0x30, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0])
    }
  }

  @Test(
    arguments: [(1, MultiLink.Variant.probeRequest), (2, .reconfiguration), (3, .tdls), (4, .priorityAccess), (5, nil)]
      as [(UInt8, MultiLink.Variant?)])
  func `other variants are named and kept`(number: UInt8, variant: MultiLink.Variant?) throws {
    let value = try MultiLink(body: [number, 0, 2, 7, 0, 2, 1, 0])
    #expect(value.variant == variant)
    #expect(value.basic == nil)
    #expect(value.body == [number, 0, 2, 7, 0, 2, 1, 0])
  }

  @Test func `a profile inherits what it does not say and does not exclude`() throws {
    let own: [UInt8] = [1, 1, 0x8C, 255, 4, 56, 1, 11, 0]
    var frame = ElementList(parsing: [0, 1, 65, 1, 2, 0x82, 0x84, 5, 4, 0, 1, 0, 0, 11, 5, 0, 0, 0, 0, 0, 48, 2, 1, 0])
    frame.append(.multiLink(MultiLink(basic: device(linkID: 0), profiles: [profile(1, own)])))
    let expansion = MultiLinkExpansion(elements: ElementList(parsing: frame.encoded))
    #expect(expansion.device == device(linkID: 0))
    let link = try #require(expansion.links.first)
    #expect(link.linkID == 1)
    #expect(link.address == MACAddress(0x0200_0000_0201))
    #expect(link.capabilities == 0x0411)
    #expect(link.profile.tsfOffset2us == -3)
    #expect(link.profile.dtimPeriod == 2)
    #expect(link.elements.encoded == [0, 1, 65, 1, 1, 0x8C, 48, 2, 1, 0])
  }

  @Test func `of profiles of the same link the first counts`() {
    let profiles = [profile(1, [1, 1, 0x8C]), profile(2, []), profile(1, [1, 1, 0x98])]
    let frame = ElementList([.multiLink(MultiLink(basic: device(linkID: 0), profiles: profiles))])
    let links = MultiLinkExpansion(elements: ElementList(parsing: frame.encoded)).links
    #expect(links.map(\.linkID) == [1, 2])
    #expect(links.first?.profile.profile == profiles[0].profile)
  }

  @Test func `a partial profile inherits nothing`() throws {
    let partial = MultiLink.Profile(linkID: 2, isComplete: false, profile: [1, 1, 0x8C])
    var frame = ElementList(parsing: [0, 1, 65])
    frame.append(.multiLink(MultiLink(basic: device(linkID: 0), profiles: [partial])))
    let link = try #require(MultiLinkExpansion(elements: frame).links.first)
    #expect(link.capabilities == nil)
    #expect(link.elements.encoded == [1, 1, 0x8C])
  }

  @Test func `profiles are fragmented within an element that is fragmented itself`() throws {
    let long: [UInt8] = [221, 250] + Array(repeating: 7, count: 250) + [221, 100] + Array(repeating: 8, count: 100)
    let profiles = [profile(1, long), profile(2, [0, 1, 66]), profile(3, long)]
    let frame = ElementList([.multiLink(MultiLink(basic: device(linkID: 0), profiles: profiles))])
    let bytes = frame.encoded
    #expect(bytes.count > 600)
    let read = ElementList(parsing: bytes)
    #expect(read.encoded == bytes)
    #expect(read.complaints.isEmpty)
    let links = MultiLinkExpansion(elements: read).links
    #expect(links.map(\.linkID) == [1, 2, 3])
    #expect(links.map(\.profile.profile) == profiles.map(\.profile))
  }

  @Test func `NSTR bitmaps have one byte or two`() throws {
    var wide = profile(1, [])
    wide.nstrBitmap = 0x0102
    var narrow = profile(2, [])
    narrow.nstrBitmap = 0x02
    narrow.bssParametersChangeCount = 9
    let value = MultiLink(basic: device(linkID: 0), profiles: [wide, narrow])
    let read = try MultiLink(body: value.body)
    #expect(read.profiles.map(\.nstrBitmap) == [0x0102, 0x02])
    #expect(read.profiles.map(\.bssParametersChangeCount) == [nil, 9])
  }

  @Test func `a profile that is cut off is described as bytes`() throws {
    let value = try checkRoundTrip(MultiLink.self, "0000 07 020000000100 00 03 3000 09")
    #expect(value.profiles.isEmpty)
    #expect(json(value).hasSuffix(#""links":[{"subelementID":0,"hex":"300009"}]}"#))
  }

  /// Multi-Link in the profile of Multi-Link, `count` times.
  private func nested(_ count: Int) -> ElementList {
    var list = ElementList(parsing: [0, 1, 65])
    for _ in 0..<count {
      list = ElementList([.multiLink(MultiLink(basic: device(linkID: 0), profiles: [profile(1, list.encoded)]))])
    }
    return list
  }

  @Test(arguments: [2, 40, 160]) func `a device within its own profile is complained of, and its bytes are kept`(count: Int) throws {
    let bytes = nested(count).encoded
    let read = ElementList(parsing: bytes)
    #expect(read.encoded == bytes)
    let text = listJSON(read, bytes)
    // jq and other readers of JSON give up from 256 on; what the standard allows needs a tenth of that.
    #expect(depth(ofJSON: text) <= 24)
    #expect(text.contains(#""complaints":[{"offset":0,"element":"255/107""#))
    let inner = try #require(MultiLinkExpansion(elements: read).links.first?.profile.elementList)
    #expect(inner.complaints.count == 1)
    #expect(inner.encoded == nested(count - 1).encoded)
    // Every byte is still there, as hexadecimal digits of the element that was not read.
    #expect(text.contains(Hex.string(inner.encoded.dropFirst(2).prefix(60))))
  }

  @Test func `a set of BSSIDs within a profile is complained of, a device within a BSS of a set is read`() throws {
    let device = ElementList([.multiLink(MultiLink(basic: device(linkID: 0), profiles: [profile(1, [71, 1, 2, 0, 1, 66])]))])
    let bss = [83, 2, 0x11, 0x04, 0, 1, 65, 85, 1, 1] + device.encoded
    let set = ElementList([.multipleBSSID(MultipleBSSID(maximumBSSIDIndicator: 1, profiles: [bss]))])
    let text = listJSON(set, set.encoded)
    #expect(text.contains(#""links":[{"linkID":1"#))
    #expect(text.contains(#""element":"71""#) && text.contains("an element that no profile of its kind holds"))
    #expect(depth(ofJSON: text) <= 24)
  }

  @Test func `what a link inherits is told`() throws {
    let own: [UInt8] = [1, 1, 0x8C, 255, 4, 56, 1, 11, 0]
    var frame = ElementList(parsing: [0, 1, 65, 1, 2, 0x82, 0x84, 11, 5, 0, 0, 0, 0, 0, 50, 1, 0x0C])
    frame.append(.multiLink(MultiLink(basic: device(linkID: 0), profiles: [profile(1, own)])))
    let links = MultiLinkExpansion(elements: frame).links
    #expect(links.first?.inherited.map(\.offset) == [0, 14])
    let text = listJSON(frame, frame.encoded)
    #expect(
      text.contains(
        #""inherited":[{"id":0,"name":"SSID","offset":0},{"id":50,"name":"Extended Supported Rates and BSS Membership Selectors","offset":14}]"#
      ), "\(text.suffix(600))")
    #expect(text.contains(#""links":[{"linkID":1,"staAddress":"02:00:00:00:02:01","completeProfile":true,"capabilityBits":1041,"#))
  }
}
