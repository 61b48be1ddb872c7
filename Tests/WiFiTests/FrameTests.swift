import Determinism
import Testing
import WiFi
import WireProperties

@Suite struct FrameTests {
  private static func bytes(_ hex: String) throws -> [UInt8] { try #require(Hex.bytes(hex.filter { !$0.isWhitespace })) }

  static let header = "0000 ffffffffffff 020000000001 020000000002 3012"

  @Test func `a beacon has its fixed part and its elements`() throws {
    let bytes = try Self.bytes("8000 \(Self.header) 8877665544332211 6400 1104 000141 030106")
    let frame = try ManagementFrame(bytes)
    #expect(frame.encoded == bytes)
    #expect(frame.transmitter == MACAddress(0x0200_0000_0001))
    #expect(frame.bssid == MACAddress(0x0200_0000_0002))
    guard case .beacon(let body) = frame.body else {
      Issue.record("\(frame.body)")
      return
    }
    #expect(body.timestampUs == 0x1122_3344_5566_7788)
    #expect(body.intervalTU == 100)
    #expect(body.capabilities == 0x0411)
    #expect(body.elements.elements.map(\.offset) == [36, 39])
  }

  @Test(arguments: [
    ("0000", "3104 0a00 000141"), ("1000", "3104 0000 01c0 000141"), ("2000", "3104 0a00 020000000003 000141"),
    ("3000", "3104 0000 01c0 000141"), ("4000", "0000 010182"), ("5000", "8877665544332211 6400 1104 000141"),
    ("8000", "0000000000000000 6400 1104"),
    ("d000", "0401020304"), ("b000", "00000100"), ("0040", "0102"), ("8000", "0000000000000000 6400 1104 00"),
  ])
  func `every management frame encodes to itself`(control: String, body: String) throws {
    let bytes = try Self.bytes("\(control) \(Self.header) \(body)")
    #expect(try Frame(bytes).encoded == bytes)
    for count in 0..<bytes.count {
      let prefix = Array(bytes.prefix(count))
      if let shorter = try? Frame(prefix) { #expect(shorter.encoded == prefix) }
    }
  }

  @Test func `HT Control is between header and body`() throws {
    let bytes = try Self.bytes("8080 \(Self.header) 03000000 0000000000000000 6400 1104 000141")
    let frame = try ManagementFrame(bytes)
    #expect(frame.htControl == 3)
    #expect(frame.elements?.elements.count == 1)
    #expect(frame.encoded == bytes)
  }

  @Test func `an encrypted body is kept`() throws {
    let bytes = try Self.bytes("d040 \(Self.header) 0102030405060708")
    #expect(try ManagementFrame(bytes).body == .other(subtype: 13, [1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(try ManagementFrame(bytes).encoded == bytes)
  }

  @Test func `data and control frames are kept`() throws {
    for hex in ["0801 0000 01020304", "d400 0000 020000000001"] {
      let bytes = try Self.bytes(hex)
      #expect(try Frame(bytes) == .other(bytes))
    }
  }

  @Test func `a frame made here gets type and subtype of its body`() {
    let body = BeaconBody(
      timestampUs: 1, intervalTU: 100, capabilities: 0x0411, elements: ElementList([.ssid(SSIDElement(ssid: .wildcard))]))
    let frame = ManagementFrame(
      receiver: MACAddress(0xFFFF_FFFF_FFFF), transmitter: MACAddress(1), bssid: MACAddress(1), body: .probeResponse(body))
    #expect(frame.encoded.prefix(2) == [0x50, 0])
    #expect(frame.encoded.count == 38)
  }

  @Test func `a DMG beacon has a fixed part of its own`() throws {
    let bytes = try Self.bytes(
      "0c00 8b02 020000000001 a4b4782700000000 3c0400 6400 c07c18082018 17 9d02e803")
    let frame = try Frame(bytes)
    guard case .dmgBeacon(let beacon) = frame else {
      Issue.record("\(frame)")
      return
    }
    #expect(beacon.timestampUs == 662_221_988)
    #expect(beacon.sectorSweep == 0x00043C)
    #expect(beacon.intervalTU == 100)
    #expect(beacon.intervalControl == 0x1820_0818_7CC0)
    #expect(beacon.bssType == 3)
    #expect(beacon.isPrivate)
    #expect(beacon.elements.elements.map(\.id) == [ElementID(157)])
    #expect(frame.bssid == MACAddress(0x0200_0000_0001))
    #expect(frame.encoded == bytes)
  }

  @Test func `clustering control is there where the interval control says so`() throws {
    let bytes = try Self.bytes("0c00 0000 020000000001 0000000000000000 000000 6400 010000000000 02 0102030405060708 9d02e803")
    guard case .dmgBeacon(let beacon) = try Frame(bytes) else {
      Issue.record("no DMG beacon")
      return
    }
    #expect(beacon.clusteringControl == 0x0807_0605_0403_0201)
    #expect(beacon.elements.elements.count == 1)
    #expect(beacon.encoded == bytes)
  }

  @Test func `an S1G beacon says in its control what it has`() throws {
    let bytes = try Self.bytes("1c47 0000 020000000001 01020304 05 aabbcc 11223344 07 d50811006400000000000000")
    let frame = try Frame(bytes)
    #expect(frame.encoded == bytes)
    guard case .s1gBeacon(let beacon) = frame else {
      Issue.record("\(frame)")
      return
    }
    #expect(beacon.nextTBTT == 0xCCBBAA)
    #expect(beacon.compressedSSID == 0x4433_2211)
    #expect(beacon.accessNetworkOptions == 7)
    #expect(beacon.isSecured)
    #expect(beacon.changeSequence == 5)
    let short = S1GBeacon(source: MACAddress(1), timestampUs: 9, elements: ElementList())
    #expect(short.encoded.count == 15)
    #expect(try Frame(short.encoded) == .s1gBeacon(short))
  }

  @Test func `the frame check sequence is CRC-32`() {
    #expect(FrameCheckSequence.of("123456789".utf8) == 0xCBF4_3926)
  }

  @Test func `random bytes are refused or encode to themselves`() {
    var random = SplitMix64(state: 3)
    for _ in 0..<20_000 {
      var bytes = random.bytes(random.below(90))
      if bytes.count > 1 {
        bytes[0] = [0, 0x10, 0x20, 0x30, 0x40, 0x50, 0x80, 0xD0, 0x0C, 0x1C][random.below(10)]
      }
      if let frame = try? Frame(bytes) { #expect(frame.encoded == bytes) }
    }
  }
}
