import Testing
import WiFi

@Suite struct MultipleBSSIDTests {
  private let transmitted = MACAddress(0x02AA_BBCC_DD0E)

  private func profile(_ index: UInt8, _ name: String, _ more: [UInt8] = []) -> [UInt8] {
    [83, 2, 0x11, 0x04, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [85, 3, index, 2, 0] + more
  }

  private func frame(_ sets: [MultipleBSSID]) -> ElementList {
    var list = ElementList(parsing: [0, 4] + Array("main".utf8) + [1, 2, 0x82, 0x84, 221, 4, 1, 2, 3, 4, 48, 2, 1, 0])
    for set in sets { list.append(.multipleBSSID(set)) }
    list.append(.uoraParameterSet(UORAParameterSet(range: 1)))
    return list
  }

  @Test(
    arguments: [
      (0x02AA_BBCC_DD00, 3, 1, 0x02AA_BBCC_DD01), (0x02AA_BBCC_DD0E, 4, 1, 0x02AA_BBCC_DD0F), (0x02AA_BBCC_DD0E, 4, 3, 0x02AA_BBCC_DD01),
      (0x02AA_BBCC_DD0E, 3, 3, 0x02AA_BBCC_DD09), (0x02AA_BBCC_DDFF, 8, 1, 0x02AA_BBCC_DD00),
    ] as [(UInt64, UInt8, UInt8, UInt64)])
  func `the index counts in the last bits of the address`(transmitted: UInt64, indicator: UInt8, index: UInt8, expected: UInt64) {
    let bssid = MultipleBSSIDExpansion.bssid(transmitted: MACAddress(transmitted), maximumBSSIDIndicator: indicator, index: index)
    #expect(bssid == MACAddress(expected))
  }

  @Test(arguments: [(0, 1), (9, 1), (255, 1), (3, 0), (3, 8), (1, 2)] as [(UInt8, UInt8)])
  func `an index outside of the set has no address`(indicator: UInt8, index: UInt8) {
    #expect(MultipleBSSIDExpansion.bssid(transmitted: transmitted, maximumBSSIDIndicator: indicator, index: index) == nil)
  }

  @Test func `each profile is a BSS with what it says and what it inherits`() throws {
    let own = profile(1, "guest", [1, 1, 0x8C, 255, 5, 56, 1, 221, 1, 37])
    let expansion = MultipleBSSIDExpansion(
      bssid: transmitted, elements: frame([MultipleBSSID(maximumBSSIDIndicator: 4, profiles: [own, profile(3, "things")])]))
    #expect(expansion.malformed.isEmpty)
    #expect(expansion.bss.map(\.bssid) == [MACAddress(0x02AA_BBCC_DD0F), MACAddress(0x02AA_BBCC_DD01)])
    #expect(expansion.bss.map(\.ssid?.description) == ["guest", "things"])
    #expect(expansion.bss.map(\.capabilities) == [0x0411, 0x0411])
    let guest = try #require(expansion.bss.first)
    #expect(guest.elements.encoded == [0, 5] + Array("guest".utf8) + [1, 1, 0x8C, 48, 2, 1, 0, 85, 3, 1, 2, 0])
    let things = try #require(expansion.bss.last)
    #expect(
      things.elements.encoded == [0, 6] + Array("things".utf8) + [
        1, 2, 0x82, 0x84, 221, 4, 1, 2, 3, 4, 48, 2, 1, 0, 255, 2, 37, 1, 85, 3, 3, 2, 0,
      ])
    #expect(things.elements.elements.last?.offset == things.elements.encoded.count - 5)
  }

  @Test func `a profile that goes on in the next element is joined, even within an element of its own`() throws {
    let long = profile(2, "split", [221, 6, 9, 9, 9, 9, 9, 9])
    let expansion = MultipleBSSIDExpansion(
      bssid: transmitted,
      elements: frame([
        MultipleBSSID(maximumBSSIDIndicator: 3, profiles: [profile(1, "whole"), Array(long.prefix(20))]),
        MultipleBSSID(maximumBSSIDIndicator: 3, profiles: [Array(long.dropFirst(20)), profile(3, "after")]),
      ]))
    #expect(expansion.malformed.isEmpty)
    #expect(expansion.bss.map(\.ssid?.description) == ["whole", "split", "after"])
    #expect(expansion.bss[1].elements.encoded.suffix(5) == [85, 3, 2, 2, 0])
    #expect(expansion.bss[1].elements.body(of: ElementID(221)) == [9, 9, 9, 9, 9, 9])
  }

  @Test func `a profile without capability or with a bad index is kept aside`() {
    let expansion = MultipleBSSIDExpansion(
      bssid: transmitted,
      elements: frame([
        MultipleBSSID(maximumBSSIDIndicator: 2, profiles: [[0, 1, 65], profile(4, "four"), profile(1, "one"), [83, 2, 1]])
      ]))
    #expect(expansion.bss.map(\.ssid?.description) == ["one"])
    #expect(expansion.malformed.count == 3)
  }

  @Test func `the element describes its profiles`() throws {
    let value = try checkRoundTrip(MultipleBSSID.self, "03 00 0a 5302 1104 000141 550101 01 02 aabb ff")
    #expect(value.profiles.count == 1)
    let text = json(value)
    #expect(
      text.hasPrefix(#"{"maximumBSSIDIndicator":3,"maximumBSSIDs":8,"subelements":[{"id":0,"length":10,"elements":[{"id":83,"name":"Nontr"#)
    )
    #expect(text.hasSuffix(#"{"id":1,"length":2,"hex":"aabb"}],"trailingHex":"ff"}"#))
  }

  @Test func `index and configuration`() throws {
    #expect(json(try checkRoundTrip(MultipleBSSIDIndex.self, "02 03 01")) == #"{"index":2,"dtimPeriod":3,"dtimCount":1}"#)
    #expect(json(try checkRoundTrip(MultipleBSSIDIndex.self, "02")) == #"{"index":2}"#)
    #expect(
      json(try checkRoundTrip(MultipleBSSIDConfiguration.self, "04 02")) == #"{"bssidCount":4,"fullSetRxPeriodicity":2}"#)
    #expect(json(try checkRoundTrip(NonInheritance.self, "02 30dd 01 23")) == #"{"elementIDs":[48,221],"extensionIDs":[35]}"#)
    #expect(throws: WireError.self) { try NonInheritance(body: [2, 48]) }
  }

  @Test func `a Fragment that continues nothing holds for no BSS`() throws {
    // 201 of less than 255 bytes in the frame, then Fragments in the frame and in the profile: as in cfg80211's own tests.
    var list = ElementList(parsing: [0, 1, 65, 242, 2, 1, 2, 221, 4, 1, 2, 3, 4])
    let own = profile(1, "b", [242, 3, 7, 8, 9])
    list.append(.multipleBSSID(MultipleBSSID(maximumBSSIDIndicator: 3, profiles: [own])))
    let bss = try #require(MultipleBSSIDExpansion(bssid: transmitted, elements: list).bss.first)
    #expect(bss.elements.encoded == [0, 1, 98, 221, 4, 1, 2, 3, 4, 85, 3, 1, 2, 0])
  }

  @Test func `a set within a profile of a set is complained of`() throws {
    let inner = MultipleBSSID(maximumBSSIDIndicator: 1, profiles: [profile(1, "c")])
    let own = profile(1, "b", ElementList([.multipleBSSID(inner)]).encoded)
    let list = frame([MultipleBSSID(maximumBSSIDIndicator: 3, profiles: [own])])
    let bss = try #require(MultipleBSSIDExpansion(bssid: transmitted, elements: list).bss.first)
    #expect(bss.elements.complaints.map(\.element) == [ElementID(71)])
    #expect(!listJSON(list, list.encoded).contains(#""ssid":"c""#))
  }

  @Test func `what each BSS inherits is told, with where it stands in the frame`() throws {
    let own = profile(1, "guest", [1, 1, 0x8C, 255, 5, 56, 1, 221, 1, 37])
    let list = frame([MultipleBSSID(maximumBSSIDIndicator: 4, profiles: [own, [83, 2, 1]])])
    let expansion = MultipleBSSIDExpansion(bssid: transmitted, elements: list)
    #expect(expansion.bss.first?.inherited.map(\.id) == [ElementID(48)])
    let text = listJSON(list, list.encoded, bssid: transmitted)
    #expect(
      text.contains(
        #""nontransmittedBSSs":[{"index":1,"bssid":"02:aa:bb:cc:dd:0f","ssid":"guest","ssidHex":"6775657374","capabilityBits":1041,"security":{"#
      ))
    #expect(text.contains(#""inherited":[{"id":48,"name":"RSN","offset":16}]}],"malformedProfilesHex":["530201"]"#), "\(text.suffix(400))")
    #expect(!listJSON(list, list.encoded).contains(#""bssid""#))
  }
}
