import Determinism
import Testing
import WiFi
import WireProperties

@Suite struct RadiotapTests {
  private func read(_ hex: String) throws -> (Radiotap, [UInt8]) {
    var cursor = ByteCursor(try #require(Hex.bytes(hex.filter { !$0.isWhitespace })))
    return (try Radiotap(parsing: &cursor), cursor.readRemaining())
  }

  @Test func `fields are aligned to their size, from the start of the header`() throws {
    // TSFT, flags, rate, channel, signal, noise, antenna.
    let (header, frame) = try read("00 00 1900 6f080000 0807060504030201 10 0c 3c14 4001 d0 a1 02 8000")
    #expect(header.timestampUs == 0x0102_0304_0506_0708)
    #expect(header.hasFCS && !header.hasBadFCS)
    #expect(header.rate500kbps == 12)
    #expect(header.frequencyMHz == 5180)
    #expect(header.channelFlags == 0x0140)
    #expect(header.signalDBm == -48)
    #expect(header.noiseDBm == -95)
    #expect(header.antenna == 2)
    #expect(frame == [0x80, 0])
  }

  @Test func `padding comes before a field that needs it`() throws {
    // Flags, then a padding byte, channel, signal.
    let (header, frame) = try read("00 00 0f00 2a000000 40 00 8509 a000 c4 ff")
    #expect(header.hasBadFCS)
    #expect(header.frequencyMHz == 2437)
    #expect(header.signalDBm == -60)
    #expect(frame == [0xFF])
  }

  @Test func `further present words tell of single antennas`() throws {
    let (header, frame) = try read("00 00 1500 200000a0 200800a0 20080000 c8 c7 00 c6 00 ee")
    #expect(header.signalDBm == -56)
    #expect(header.antennaSignalsDBm == [-57, -58])
    #expect(header.antenna == 0)
    #expect(frame == [0xEE])
  }

  @Test func `a vendor's fields are passed over`() throws {
    let (header, frame) = try read("00 00 1c00 200000c0 010000a0 20000000 c8 00 001122 01 0300 aabbcc c7 ff")
    #expect(header.signalDBm == -56)
    #expect(header.antennaSignalsDBm == [-57])
    #expect(frame == [0xFF])
  }

  @Test func `fields behind one of unknown size are left out`() throws {
    let (header, frame) = try read("00 00 0c00 20000010 c8 aabbcc ff")
    #expect(header.signalDBm == -56)
    #expect(frame == [0xFF])
  }

  /// The last of the fields that are there is noise, type 6; type 3 is the channel, type 30 a vendor's.
  @Test func `fields below 28 are read as type, length and value, too`() throws {
    let (header, frame) = try read("00 00 2800 20000010 c8 000000 0300 0400 8509a000 1e00 0500 0011220133 000000 0600 0100 a1 000000 ee")
    #expect(header.signalDBm == -56 && header.frequencyMHz == 2437 && header.channelFlags == 0xA0 && header.noiseDBm == -95)
    #expect(header.defect == nil)
    #expect(frame == [0xEE])
  }

  @Test func `XChannel alone says the frequency, and beside Channel nothing else`() throws {
    #expect(try read("00 00 1000 00000400 40010000 3c14 24 14 ee").0.frequencyMHz == 5180)
    let (header, frame) = try read("00 00 1400 08000400 8509 a000 40010000 3c14 24 14 ee")
    #expect(header.frequencyMHz == 2437 && header.channelFlags == 0xA0)
    #expect(frame == [0xEE])
  }

  @Test(
    arguments: [
      ("00 00 1000 21000000 0900000000000000 ee", 9, 16), ("00 00 0800 01000000 ee", nil, 8), ("00 00 0800 00000080 ee", nil, 8),
      ("00 00 0c00 00000010 0300 0900 ee", nil, 12),
    ] as [(String, UInt64?, Int)])
  func `a field that ends behind the header costs no frame`(hex: String, timestampUs: UInt64?, offset: Int) throws {
    let (header, frame) = try read(hex)
    #expect(header.timestampUs == timestampUs)
    #expect(header.defect?.offset == offset)
    #expect(frame == [0xEE])
    #expect(json(header).contains(#""truncation":"truncated at byte \#(offset)"#))
    let bytes = try #require(Hex.bytes(hex.filter { !$0.isWhitespace }))
    #expect(throws: WireError.self) { try Radiotap.sizes(in: bytes) }
  }

  @Test(arguments: [
    "01 00 0800 00000000", "00 00 0700 00000000", "00 00 0900 00000000", "00",
  ])
  func `a header that is none is refused`(hex: String) throws {
    let bytes = try #require(Hex.bytes(hex.filter { !$0.isWhitespace }))
    #expect(throws: WireError.self) {
      var cursor = ByteCursor(bytes)
      _ = try Radiotap(parsing: &cursor)
    }
  }

  @Test func `what is written is read`() throws {
    var header = Radiotap(timestampUs: 7, frequencyMHz: 5955, signalDBm: -42)
    header.antenna = 1
    header.noiseDBm = -95
    header.rate500kbps = 12
    var writer = ByteWriter()
    header.encode(into: &writer)
    var cursor = ByteCursor(writer.bytes)
    #expect(try Radiotap(parsing: &cursor) == header)
    #expect(cursor.isAtEnd)
  }

  @Test func `a frequency that does not fit is left out`() {
    #expect(Radiotap(frequencyMHz: 69_120, signalDBm: nil).frequencyMHz == nil)
    #expect(Radiotap(frequencyMHz: 60_480, signalDBm: nil).frequencyMHz == 60_480)
  }

  @Test func `a random header is passed over as long as it says, or refused`() {
    var random = SplitMix64(state: 4)
    var (read, refused) = (0, 0)
    for _ in 0..<50_000 {
      var bytes = random.bytes(8 + random.below(60))
      bytes[0] = 0
      bytes[2] = UInt8(8 + random.below(bytes.count))
      bytes[3] = 0
      var cursor = ByteCursor(bytes)
      guard (try? Radiotap(parsing: &cursor)) != nil else {
        refused += 1
        continue
      }
      read += 1
      #expect(bytes.count - cursor.remaining == Int(bytes[2]))
    }
    #expect(read > 1000 && refused > 1000, "\(read) are read, \(refused) refused")
  }
}
