import Testing
import WiFi

@Suite struct ChannelDerivationTests {
  private static func ht(_ primary: UInt8, _ width: UInt8, protection: UInt16 = 0) -> ElementValue {
    .htOperation(HTOperation(primaryChannel: primary, width: width, protection: protection))
  }

  private static func vht(_ width: UInt8, _ segment0: UInt8, _ segment1: UInt8 = 0) -> ElementValue {
    .vhtOperation(
      VHTOperation(information: .init(width: width, segment0: segment0, segment1: segment1), basicMCSMap: MCSMap(0xFFFC)))
  }

  private static func he6(_ primary: UInt8, _ control: UInt8, _ segment0: UInt8, _ segment1: UInt8 = 0) -> ElementValue {
    .heOperation(
      HEOperation(
        parameters: 0, bssColorInformation: 1, basicMCSMap: MCSMap(0xFFFC),
        operation6GHz: .init(primaryChannel: primary, control: control, segment0: segment0, segment1: segment1)))
  }

  private static func eht(_ width: UInt8, _ segment0: UInt8, _ segment1: UInt8) -> ElementValue {
    .ehtOperation(
      EHTOperation(parameters: 0, basicMCSAndNSS: 0x1111_1111, information: .init(control: width, segment0: segment0, segment1: segment1)))
  }

  @Test(arguments: [
    ([ElementValue](), 2437, Channel.Width.noHT20, 2437, nil as Int?),
    ([ht(6, 0)], 2437, .mhz20, 2437, nil),
    ([ht(6, 5)], 2437, .mhz40, 2447, nil),
    ([ht(6, 7)], 2437, .mhz40, 2427, nil),
    ([ht(6, 1)], 2437, .mhz20, 2437, nil),
    ([ht(36, 5), vht(0, 0)], 5180, .mhz40, 5190, nil),
    ([ht(36, 5), vht(1, 42)], 5180, .mhz80, 5210, nil),
    ([ht(36, 5), vht(1, 42, 50)], 5180, .mhz160, 5250, nil),
    ([ht(36, 5, protection: 50 << 5), vht(1, 42)], 5180, .mhz160, 5250, nil),
    ([ht(36, 5), vht(1, 42, 155)], 5180, .mhz80Plus80, 5210, 5775),
    ([ht(36, 5), vht(2, 50)], 5180, .mhz160, 5250, nil),
    ([ht(36, 5), vht(3, 42, 155)], 5180, .mhz80Plus80, 5210, 5775),
    ([ht(36, 5), vht(1, 155)], 5180, .mhz40, 5190, nil),
    ([he6(37, 0, 37)], 6135, .mhz20, 6135, nil),
    ([he6(37, 1, 35)], 6135, .mhz40, 6125, nil),
    ([he6(37, 2, 39)], 6135, .mhz80, 6145, nil),
    ([he6(37, 3, 39, 47)], 6135, .mhz160, 6185, nil),
    ([he6(37, 3, 39, 47), eht(4, 47, 31)], 6135, .mhz320, 6105, nil),
    ([he6(37, 3, 39, 47), eht(4, 47, 63)], 6135, .mhz320, 6265, nil),
    ([ht(36, 5), vht(1, 42), eht(3, 42, 50)], 5180, .mhz160, 5250, nil),
    ([ht(36, 5), vht(1, 42), eht(4, 42, 200)], 5180, .mhz80, 5210, nil),
  ])
  func `width and centre follow from the operation elements`(
    values: [ElementValue], frequencyMHz: Int, width: Channel.Width, center0MHz: Int, center1MHz: Int?
  ) {
    let channel = Channel(elements: ElementList(values), frequencyKHz: frequencyMHz * 1000)
    #expect(channel.width == width)
    #expect(channel.center0KHz == center0MHz * 1000)
    #expect(channel.center1KHz == center1MHz.map { $0 * 1000 })
    #expect(channel.primaryMHz == frequencyMHz)
  }

  @Test func `DS Parameter Set names the primary channel where a neighbouring one was heard`() {
    let elements = ElementList(parsing: [3, 1, 6])
    #expect(Channel(elements: elements, frequencyKHz: 2_432_000).number == 6)
    #expect(Channel(elements: elements, frequencyKHz: 5_180_000).number == 36)
  }

  @Test func `HT Capabilities alone make 20 MHz of an HT BSS`() {
    let elements = ElementList([.htCapabilities(HTCapabilities(capabilities: 0, ampduParameters: 0, mcsSet: .init(low: 255, high: 0)))])
    #expect(Channel(elements: elements, frequencyKHz: 2_412_000).width == .mhz20)
  }

  @Test func `S1G Operation gives the width below 1 GHz`() {
    let operation = S1GOperation(width: 0b10, operatingClass: 1, primaryChannel: 37, centerChannel: 38, basicMCSAndNSS: 0)
    let channel = Channel(elements: ElementList([.s1gOperation(operation)]), frequencyKHz: 920_500)
    #expect(channel.width == .s1g2)
    #expect(channel.center0KHz == 921_000)
  }

  @Test(arguments: [
    ([ElementValue](), Band.ghz2_4, Generation.dot11b), ([], .ghz5, .dot11a), ([], .ghz60, .dot11ad), ([], .s1g, .dot11ah),
    ([ht(1, 0)], .ghz2_4, .wifi4), ([ht(36, 0), vht(0, 0)], .ghz5, .wifi5),
    ([he6(1, 0, 1)], .ghz6, .wifi6E), ([he6(1, 0, 1)], .ghz5, .wifi6), ([he6(1, 0, 1), eht(0, 1, 0)], .ghz6, .wifi7),
  ])
  func `the newest capabilities name the generation`(values: [ElementValue], band: Band, generation: Generation) {
    #expect(Generation(elements: ElementList(values), band: band) == generation)
  }

  @Test(arguments: [[-40, -70], [-70, -40]] as [[Int32]])
  func `a network is of its newest generation, whichever BSS is the strongest`(signalsDBm: [Int32]) {
    let facts = [(5180 as UInt32, Self.he6(36, 0, 36)), (6135, Self.he6(37, 0, 37))].enumerated().map { index, place in
      var bss = BSS(
        bssid: MACAddress(0x0200_0000_0001 + UInt64(index)), frequencyMHz: place.0, capability: 1,
        informationElements: ElementList([place.1]).encoded)
      bss.signalMBm = signalsDBm[index] * 100
      return BSSFacts(bss)
    }
    #expect(facts.map(\.generation) == [.wifi6, .wifi6E])
    #expect(Network(id: .bss(facts[0].bss.bssid), of: facts).generation == .wifi6E)
    #expect(Network(id: .bss(facts[0].bss.bssid), of: facts.reversed()).generation == .wifi6E)
  }

  @Test func `OFDM rates make 802.11g`() {
    #expect(Generation(elements: ElementList(parsing: [1, 4, 0x82, 0x84, 0x8B, 0x96]), band: .ghz2_4) == .dot11b)
    #expect(Generation(elements: ElementList(parsing: [1, 2, 0x82, 0x84, 50, 1, 108]), band: .ghz2_4) == .dot11g)
  }
}
