import Testing
import WiFi

@Suite struct ChannelTests {
  @Test(arguments: [
    (Band.ghz2_4, 1, 2_412_000), (.ghz2_4, 13, 2_472_000), (.ghz2_4, 14, 2_484_000),
    (.ghz5, 36, 5_180_000), (.ghz5, 165, 5_825_000), (.ghz5, 177, 5_885_000), (.ghz5, 7, 5_035_000),
    (.ghz5, 182, 4_910_000), (.ghz5, 184, 4_920_000), (.ghz5, 196, 4_980_000),
    (.ghz6, 1, 5_955_000), (.ghz6, 2, 5_935_000), (.ghz6, 5, 5_975_000), (.ghz6, 233, 7_115_000),
    (.ghz60, 1, 58_320_000), (.ghz60, 6, 69_120_000),
    (.s1g, 1, 902_500), (.s1g, 2, 903_000), (.s1g, 51, 927_500),
  ])
  func `a channel number and its frequency name each other`(band: Band, number: Int, frequencyKHz: Int) {
    #expect(band.frequencyKHz(channel: number) == frequencyKHz)
    #expect(band.channel(frequencyKHz: frequencyKHz) == number)
    #expect(Band(frequencyKHz: frequencyKHz) == band)
  }

  @Test(arguments: [
    (Band.ghz2_4, 0), (.ghz2_4, 15), (.ghz5, 0), (.ghz5, 197), (.ghz6, 0), (.ghz6, 234), (.ghz60, 0), (.ghz60, 7), (.s1g, 0),
    (.s1g, 52),
  ])
  func `a number outside the band has no frequency`(band: Band, number: Int) {
    #expect(band.frequencyKHz(channel: number) == nil)
  }

  @Test(arguments: [0, -1, 900, 2_412_001, 2_479_000, 5_925_000, 5_960_001, 5_181_000, 7_120_000, 58_320_001, Int.max, Int.min])
  func `a frequency between channels has no number`(frequencyKHz: Int) {
    #expect(Channel(frequencyKHz: frequencyKHz).number == nil)
  }

  @Test func `every number survives the way there and back`() {
    for band in Band.allCases {
      for number in -1...256 {
        guard let frequency = band.frequencyKHz(channel: number) else { continue }
        #expect(band.channel(frequencyKHz: frequency) == number)
      }
    }
  }

  @Test func `the secondary channel follows from primary and centre`() throws {
    #expect(try #require(Channel(primaryKHz: 5_180_000, width: .mhz40, center0KHz: 5_190_000)).secondary == .above)
    #expect(try #require(Channel(primaryKHz: 5_200_000, width: .mhz80, center0KHz: 5_210_000)).secondary == .below)
    #expect(try #require(Channel(primaryKHz: 5_220_000, width: .mhz160, center0KHz: 5_250_000)).secondary == .above)
    #expect(try #require(Channel(primaryKHz: 6_095_000, width: .mhz320, center0KHz: 6_105_000)).secondary == .below)
  }

  @Test func `a primary channel outside the width is refused`() {
    #expect(Channel(primaryKHz: 5_180_000, width: .mhz80, center0KHz: 5_290_000) == nil)
    #expect(Channel(primaryKHz: 5_180_000, width: .mhz80, center0KHz: 5_200_000) == nil)
    #expect(Channel(primaryKHz: 5_180_000, width: .mhz80Plus80, center0KHz: 5_210_000) == nil)
    #expect(Channel(primaryKHz: 5_180_000, width: .mhz80Plus80, center0KHz: 5_210_000, center1KHz: 5_290_000) == nil)
  }

  @Test func `describes itself with its units`() {
    #expect(
      json(Channel(frequencyKHz: 902_500))
        == #"{"frequencyMHz":902.5,"channel":1,"band":"S1G","widthMHz":1,"centerFrequency0MHz":902.5,"secondaryChannel":"none"}"#)
  }
}
