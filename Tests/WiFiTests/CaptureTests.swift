import Determinism
import Testing
import WiFi
import WireProperties

@Suite struct CaptureTests {
  /// Numbers in one order of bytes.
  struct Builder {
    var isBigEndian: Bool
    var bytes: [UInt8] = []

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func u32(_ values: UInt32...) {
      for value in values {
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * (isBigEndian ? 3 - index : index)))) }
      }
    }

    mutating func u16(_ values: UInt16...) {
      for value in values {
        for index in 0..<2 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt16(8 * (isBigEndian ? 1 - index : index)))) }
      }
    }

    mutating func block(_ type: UInt32, _ body: (inout Builder) -> Void) {
      var inner = Builder(isBigEndian: isBigEndian)
      body(&inner)
      while inner.bytes.count % 4 > 0 { inner.bytes.append(0) }
      u32(type, UInt32(inner.bytes.count + 12))
      bytes += inner.bytes
      u32(UInt32(inner.bytes.count + 12))
    }

    mutating func section() {
      block(0x0A0D_0D0A) {
        $0.u32(0x1A2B_3C4D)
        $0.u16(1, 0)
        $0.u32(0xFFFF_FFFF, 0xFFFF_FFFF)
      }
    }
  }

  static let frame: [UInt8] =
    [0x80, 0, 0, 0, 255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0, 0]
    + [1, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0x11, 4, 0, 1, 65]

  static let radiotap: [UInt8] = [0, 0, 9, 0, 2, 0, 0, 0, 0]

  static func pcap(_ magic: UInt32, bigEndian: Bool, linkType: UInt32 = 105, _ packets: [[UInt8]]) -> [UInt8] {
    var builder = Builder(isBigEndian: bigEndian)
    builder.u32(magic)
    builder.u16(2, 4)
    builder.u32(0, 0, 65535, linkType)
    for packet in packets {
      builder.u32(10, 20, UInt32(packet.count), UInt32(packet.count))
      builder.bytes += packet
    }
    return builder.bytes
  }

  @Test(arguments: [(0xA1B2_C3D4, 20_000), (0xA1B2_3C4D, 20)] as [(UInt32, UInt64)], [true, false])
  func `pcap is read in either order and resolution`(magic: (UInt32, UInt64), bigEndian: Bool) throws {
    let capture = try Capture(Self.pcap(magic.0, bigEndian: bigEndian, [Self.frame, Self.frame]))
    #expect(capture.format == .pcap)
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])
    #expect(capture.frames.first?.timestampNs == 10_000_000_000 + magic.1)
    #expect(capture.frames.first?.offset == 40)
    #expect(capture.complaints.isEmpty)
  }

  @Test(
    arguments: [
      (0xA1B2_C3D4, 1_000_000, 11_000_000_000), (0xA1B2_C3D4, UInt32.max, 4_304_967_295_000),
      (0xA1B2_3C4D, 1_000_000_000, 11_000_000_000),
    ] as [(UInt32, UInt32, UInt64)])
  func `a fraction of a second or more is carried over`(magic: UInt32, fraction: UInt32, nanoseconds: UInt64) throws {
    var builder = Builder(isBigEndian: false)
    builder.bytes = Self.pcap(magic, bigEndian: false, [])
    builder.u32(10, fraction, UInt32(Self.frame.count), UInt32(Self.frame.count))
    builder.bytes += Self.frame
    let capture = try Capture(builder.bytes)
    #expect(capture.frames.map(\.timestampNs) == [nanoseconds] && capture.complaints.isEmpty)
  }

  @Test func `a frame check sequence is taken off and checked`() throws {
    let sum = FrameCheckSequence.of(Self.frame)
    let good = (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
    let header: [UInt8] = [0, 0, 9, 0, 2, 0, 0, 0, 0x10]
    let packets = [header + Self.frame + good, header + Self.frame + [1, 2, 3, 4]]
    let capture = try Capture(Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 127, packets))
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])
    #expect(capture.frames.map(\.hasBadFCS) == [false, true])
    // The link type field may say the same of plain frames: four bytes, in units of two.
    let plain = try Capture(Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 105 | 1 << 26 | 2 << 28, [Self.frame + good]))
    #expect(plain.frames.map(\.bytes) == [Self.frame])
  }

  @Test func `a packet that was cut by the snap length has lost its frame check sequence first`() throws {
    var builder = Builder(isBigEndian: false)
    builder.bytes = Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 127, [])
    let header: [UInt8] = [0, 0, 9, 0, 2, 0, 0, 0, 0x10]
    let packet = header + Self.frame
    builder.u32(0, 0, UInt32(packet.count), UInt32(packet.count + 4))
    builder.bytes += packet
    builder.u32(0, 0, UInt32(packet.count), UInt32(packet.count + 10))
    builder.bytes += packet
    let capture = try Capture(builder.bytes)
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])
    #expect(capture.frames.map(\.missing) == [0, 6])
  }

  @Test func `Prism, AVS and PPI headers are passed over`() throws {
    var prism: [UInt8] = [0x44, 0, 0, 0, 144, 0, 0, 0]
    prism += Array(repeating: 0, count: 136)
    var avs: [UInt8] = [0x80, 0x21, 0x10, 0x01, 0, 0, 0, 64]
    avs += Array(repeating: 0, count: 56)
    let capture = try Capture(Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 119, [prism + Self.frame, avs + Self.frame]))
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])

    let common: [UInt8] = [2, 0, 20, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0x85, 9, 0xA0, 0, 0, 0, 0xC4, 0xA1]
    let ppi: [UInt8] = [0, 0, 32, 0, 105, 0, 0, 0] + common
    let second = try Capture(Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 192, [ppi + Self.frame]))
    #expect(second.frames.map(\.bytes) == [Self.frame])
    #expect(second.frames.first?.radiotap?.frequencyMHz == 2437)
    #expect(second.frames.first?.radiotap?.signalDBm == -60)
    #expect(second.frames.first?.radiotap?.timestampUs == 9)
  }

  @Test func `a header that cannot be read costs its packet alone`() throws {
    let capture = try Capture(
      Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 127, [[1, 0, 8, 0, 0, 0, 0, 0], Self.radiotap + Self.frame]))
    #expect(capture.frames.count == 1)
    #expect(capture.complaints == [CaptureComplaint(offset: 40, reason: .header(.invalid("radiotap version 1")))])
  }

  @Test func `another link type is said once`() throws {
    let capture = try Capture(Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 1, [Self.frame, Self.frame]))
    #expect(capture.frames.isEmpty)
    #expect(capture.complaints == [CaptureComplaint(offset: 20, reason: .linkType(1))])
  }

  @Test(arguments: [true, false])
  func `pcapng is read in either order, with every kind of packet block`(bigEndian: Bool) throws {
    var file = Builder(isBigEndian: bigEndian)
    file.section()
    file.block(1) {
      $0.u16(105, 0)
      $0.u32(0)
      // if_tsresol: milliseconds; if_tsoffset: 100 s.
      $0.u16(9, 1)
      $0.bytes += [3, 0, 0, 0]
      $0.u16(14, 8)
      if bigEndian { $0.u32(0, 100) } else { $0.u32(100, 0) }
      $0.u16(0, 0)
    }
    file.block(1) {
      $0.u16(127, 0)
      $0.u32(0)
    }
    file.block(6) {
      $0.u32(0, 0, 5, UInt32(Self.frame.count), UInt32(Self.frame.count))
      $0.bytes += Self.frame
    }
    file.block(6) {
      $0.u32(1, 1, 2, UInt32(Self.frame.count + 9), UInt32(Self.frame.count + 9))
      $0.bytes += Self.radiotap + Self.frame
    }
    file.block(3) {
      $0.u32(UInt32(Self.frame.count))
      $0.bytes += Self.frame
    }
    file.block(2) {
      $0.u16(0, 0)
      $0.u32(0, 7, UInt32(Self.frame.count), UInt32(Self.frame.count))
      $0.bytes += Self.frame
    }
    file.block(0x0BAD) { $0.u32(1) }
    let capture = try Capture(file.bytes)
    #expect(capture.format == .pcapng)
    #expect(capture.complaints.isEmpty)
    #expect(capture.frames.map(\.bytes) == Array(repeating: Self.frame, count: 4))
    let timestamps: [UInt64?] = [100_005_000_000, 4_294_967_298_000, nil, 100_007_000_000]
    #expect(capture.frames.map(\.timestampNs) == timestamps)
  }

  @Test(
    arguments: [
      (0, 5, 5_000_000_000), (9, 5, 5), (12, 5000, 5), (0x80 | 10, 512, 500_000_000), (0x80 | 32, 1 << 31, 500_000_000),
      (0x80, 3, 3_000_000_000),
      (6, UInt64.max, nil), (0x7F, 5, 0), (0xFF, 5, nil),
    ] as [(UInt8, UInt64, UInt64?)])
  func `timestamps have the resolution of their interface`(resolution: UInt8, ticks: UInt64, nanoseconds: UInt64?) throws {
    var file = Builder(isBigEndian: false)
    file.section()
    file.block(1) {
      $0.u16(105, 0)
      $0.u32(0)
      $0.u16(9, 1)
      $0.bytes += [resolution, 0, 0, 0]
    }
    file.block(6) {
      $0.u32(0, UInt32(ticks >> 32), UInt32(truncatingIfNeeded: ticks), UInt32(Self.frame.count), UInt32(Self.frame.count))
      $0.bytes += Self.frame
    }
    let capture = try Capture(file.bytes)
    #expect(capture.frames.map(\.timestampNs) == [nanoseconds])
  }

  @Test func `sections of different order may follow each other`() throws {
    var bytes: [UInt8] = []
    for bigEndian in [true, false] {
      var file = Builder(isBigEndian: bigEndian)
      file.section()
      file.block(1) {
        $0.u16(105, 0)
        $0.u32(0)
      }
      file.block(3) {
        $0.u32(UInt32(Self.frame.count))
        $0.bytes += Self.frame
      }
      bytes += file.bytes
    }
    #expect(try Capture(bytes).frames.count == 2)
  }

  @Test func `a packet of an interface that is not described is left out`() throws {
    var file = Builder(isBigEndian: false)
    file.section()
    file.block(6) { $0.u32(3, 0, 0, 0, 0) }
    let capture = try Capture(file.bytes)
    #expect(capture.complaints == [CaptureComplaint(offset: 36, reason: .interface(3))])
  }

  @Test func `what is written is read`() throws {
    var writer = PCAPNGWriter(interfaceName: "wlan0", application: "wifi-harness")
    let header = Radiotap(timestampUs: 7, frequencyMHz: 2412, signalDBm: -40)
    writer.append(frame: Self.frame, radiotap: header, timestampNs: 1_700_000_000_123_456_789)
    let first = writer.takeBytes()
    writer.append(frame: Self.frame, radiotap: header, timestampNs: 5)
    let capture = try Capture(first + writer.bytes)
    #expect(capture.complaints.isEmpty)
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])
    #expect(capture.frames.map(\.timestampNs) == [1_700_000_000_123_456_789, 5])
    #expect(capture.frames.first?.radiotap == header)
  }

  @Test func `every prefix of a capture gives what was whole before it`() throws {
    var writer = PCAPNGWriter()
    for _ in 0..<3 { writer.append(frame: Self.frame, radiotap: Radiotap(frequencyMHz: 2412, signalDBm: -40), timestampNs: 5) }
    for bytes in [writer.bytes, Self.pcap(0xA1B2_C3D4, bigEndian: false, [Self.frame, Self.frame])] {
      let whole = try Capture(bytes)
      for count in 28..<bytes.count {
        let capture = try Capture(Array(bytes.prefix(count)))
        #expect(capture.frames == Array(whole.frames.prefix(capture.frames.count)))
        #expect(capture.complaints.count <= 1)
      }
      let cut = try Capture(Array(bytes.dropLast()))
      #expect(cut.frames.count == whole.frames.count - 1)
      #expect(cut.complaints.count == 1)
    }
  }

  @Test func `a foreign file is said to be one`() {
    #expect(throws: CaptureError.empty) { try Capture([]) }
    #expect(throws: CaptureError.foreign([0x7F, 0x45, 0x4C, 0x46])) { try Capture([0x7F, 0x45, 0x4C, 0x46, 2, 1]) }
    #expect(throws: CaptureError.header(needed: 24, available: 4)) { try Capture([0xD4, 0xC3, 0xB2, 0xA1]) }
    #expect(throws: CaptureError.header(needed: 28, available: 4)) { try Capture([0x0A, 0x0D, 0x0D, 0x0A]) }
    #expect(throws: CaptureError.version(major: 3, minor: 0)) {
      try Capture([0xD4, 0xC3, 0xB2, 0xA1, 3, 0, 0, 0] + Array(repeating: 0, count: 16))
    }
    #expect("\(CaptureError.foreign([0x7F, 0x45]))" == "The file is neither pcap nor pcapng: it starts with 7f45.")
  }

  @Test func `a damaged capture is read up to the damage, or refused with a sentence`() {
    var random = SplitMix64(state: 5)
    var (read, refused) = (0, 0)
    var writer = PCAPNGWriter(interfaceName: "wlan0")
    for _ in 0..<3 { writer.append(frame: Self.frame, radiotap: Radiotap(frequencyMHz: 2412, signalDBm: -40), timestampNs: 5) }
    let files = [writer.bytes, Self.pcap(0xA1B2_C3D4, bigEndian: true, linkType: 127, [Self.radiotap + Self.frame, Self.frame])]
    for _ in 0..<20_000 {
      var bytes = files[random.below(2)]
      for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
      do throws(CaptureError) {
        let capture = try Capture(bytes)
        read += 1
        // No frame holds more than the file, and none is invented.
        #expect(capture.frames.count <= 3 && capture.frames.allSatisfy { $0.bytes.count < bytes.count })
      } catch {
        refused += 1
        #expect("\(error)".hasSuffix("."))
      }
    }
    #expect(read > 10_000 && refused > 1000, "\(read) are read, \(refused) refused")
  }

  // MARK: Other people's files

  @Test(arguments: [113, 276] as [UInt32])
  func `cooked captures of Linux are read where they hold 802.11 frames`(linkType: UInt32) throws {
    func cooked(_ hardware: UInt16, _ packet: [UInt8]) -> [UInt8] {
      var builder = Builder(isBigEndian: true)
      if linkType == 113 {
        builder.u16(0, hardware, 6)
        builder.bytes += [2, 0, 0, 0, 0, 1, 0, 0]
        builder.u16(0x19)
      } else {
        builder.u16(0x19, 0)
        builder.u32(3)
        builder.u16(hardware)
        builder.bytes += [0, 6, 2, 0, 0, 0, 0, 1, 0, 0]
      }
      return builder.bytes + packet
    }
    let prism: [UInt8] = [0x44, 0, 0, 0, 12, 0, 0, 0, 1, 2, 3, 4]
    let packets = [
      cooked(801, Self.frame), cooked(1, Self.frame), cooked(803, Self.radiotap + Self.frame), cooked(802, prism + Self.frame),
      cooked(1, Self.frame), cooked(772, Self.frame), [1, 2, 3],
    ]
    let capture = try Capture(Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: linkType, packets))
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame, Self.frame])
    #expect(capture.frames.map { $0.radiotap != nil } == [false, true, false])
    #expect(capture.complaints.map(\.reason).prefix(2) == [.hardwareType(1), .hardwareType(772)])
    #expect(capture.complaints.count == 3)
    #expect("\(capture.complaints[0])".hasPrefix("hardware type 1 at byte "))
  }

  @Test func `an interface of another link type counts only where a packet is of it`() throws {
    func file(used number: UInt32) -> [UInt8] {
      var file = Builder(isBigEndian: false)
      file.section()
      for linkType: UInt16 in [1, 105] {
        file.block(1) {
          $0.u16(linkType, 0)
          $0.u32(65535)
        }
      }
      for _ in 0..<2 {
        file.block(6) {
          $0.u32(number, 0, 0, UInt32(Self.frame.count), UInt32(Self.frame.count))
          $0.bytes += Self.frame
        }
      }
      return file.bytes
    }
    let good = try Capture(file(used: 1))
    #expect(good.frames.count == 2)
    #expect(good.complaints.isEmpty)
    let foreign = try Capture(file(used: 0))
    #expect(foreign.frames.isEmpty)
    #expect(foreign.complaints == [CaptureComplaint(offset: 36, reason: .linkType(1))])
  }

  @Test func `a second section that cannot be read is called what it is`() throws {
    var first = Builder(isBigEndian: false)
    first.section()
    var second = first
    second.bytes[8] = 0x99
    let magic = try Capture(first.bytes + second.bytes)
    #expect(magic.complaints.map { "\($0)" } == ["section with the byte-order magic 993c2b1a at byte 36"])
    second = first
    second.bytes[12] = 7
    let version = try Capture(first.bytes + second.bytes)
    #expect(version.complaints.map { "\($0)" } == ["section of version 7.0, which is not known, at byte 40"])
  }

  @Test func `what is wrong with a Prism header is a sentence`() throws {
    let prism: [UInt8] = [0x44, 0, 0, 0, 0xFF, 0xFF, 0, 0, 1, 2, 3, 4]
    let capture = try Capture(Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 119, [prism]))
    #expect(
      capture.complaints.map { "\($0)" } == ["a Prism header that declares 65535 bytes where 12 are left at byte 44"])
  }

  @Test func `walking finds what reading finds`() throws {
    let bytes = Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 127, [[1, 0, 8, 0], Self.radiotap + Self.frame, [0, 0]])
    let capture = try Capture(bytes)
    var frames: [CapturedFrame] = []
    var complaints: [CaptureComplaint] = []
    for item in try CaptureWalk(bytes) {
      switch item {
      case .complaint(let complaint): complaints.append(complaint)
      case .packet(let packet):
        if let defect = packet.defect(in: bytes) {
          complaints.append(CaptureComplaint(offset: defect.offset, reason: .header(defect.reason)))
        } else {
          frames.append(try packet.frame(of: bytes))
        }
      }
    }
    #expect(frames == capture.frames)
    #expect(complaints == capture.complaints)
    #expect(frames.count == 1 && complaints.count == 2)
  }

  /// A packet with its options.
  private static func packet(_ content: [UInt8], flags: UInt32?) -> (inout Builder) -> Void {
    {
      $0.u32(0, 0, 0, UInt32(content.count), UInt32(content.count))
      $0.bytes += content
      while $0.bytes.count % 4 > 0 { $0.bytes.append(0) }
      guard let flags else { return }
      $0.u16(2, 4)
      $0.u32(flags)
      $0.u16(0, 0)
    }
  }

  private static func pcapng(fcsLength: UInt8?, _ packets: [([UInt8], flags: UInt32?)]) -> [UInt8] {
    var builder = Builder(isBigEndian: false)
    builder.section()
    builder.block(1) {
      $0.u16(105, 0)
      $0.u32(0)
      guard let fcsLength else { return }
      $0.u16(13, 1)
      $0.bytes += [fcsLength, 0, 0, 0]
      $0.u16(0, 0)
    }
    for (content, flags) in packets { builder.block(6, packet(content, flags: flags)) }
    return builder.bytes
  }

  private static let check: [UInt8] = {
    let sum = FrameCheckSequence.of(frame)
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
  }()

  @Test(arguments: [4, 32] as [UInt8])
  func `the length of the check sequence of an interface is in bits, or in bytes`(length: UInt8) throws {
    let capture = try Capture(
      Self.pcapng(fcsLength: length, [(Self.frame + Self.check, nil), (Self.frame + [1, 2, 3, 4], nil)]))
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])
    #expect(capture.frames.map(\.hasBadFCS) == [false, true])
  }

  @Test(arguments: [1, 16, 255] as [UInt8])
  func `a check sequence of a length that none has is complained of and ignored`(length: UInt8) throws {
    let capture = try Capture(Self.pcapng(fcsLength: length, [(Self.frame, nil), (Self.frame + Self.check, nil)]))
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])
    #expect(capture.complaints.map(\.reason) == [.fcsLength(length)])
  }

  @Test func `a header that says that there is no frame needs no check sequence`() throws {
    var radiotap = Radiotap()
    (radiotap.flags, radiotap.zeroLengthPSDU) = (0x10, 1)
    var writer = ByteWriter()
    radiotap.encode(into: &writer)
    #expect(writer.bytes == [0, 0, 10, 0, 2, 0, 0, 4, 0x10, 1])
    let capture = try Capture(
      Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 127, [writer.bytes, writer.bytes + Self.frame + Self.check]))
    #expect(capture.complaints.isEmpty && capture.frames.map(\.bytes) == [[], Self.frame])
    #expect(capture.frames.first?.radiotap == radiotap)
  }

  @Test func `the flags of a packet say how long its check sequence is and whether it is wrong`() throws {
    let capture = try Capture(
      Self.pcapng(
        fcsLength: 32,
        [(Self.frame + [1, 2], flags: 2 << 5), (Self.frame + Self.check, flags: 0), (Self.frame + Self.check, flags: 1 << 24)]))
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame, Self.frame])
    #expect(capture.frames.map(\.hasBadFCS) == [false, false, true])
  }

  @Test func `a right check sequence that nothing announces is no element`() throws {
    let capture = try Capture(
      Self.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 127, [Self.radiotap + Self.frame + Self.check, Self.radiotap + Self.frame]))
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])
    #expect(capture.frames.allSatisfy { !$0.hasBadFCS })
  }

  @Test(arguments: [(1, true), (2, true), (3, true), (3, false), (4, false)] as [(UInt16, Bool)])
  func `before version 2.3 of pcap the two lengths are in the other order`(minor: UInt16, areSwapped: Bool) throws {
    var builder = Builder(isBigEndian: false)
    builder.u32(0xA1B2_C3D4)
    builder.u16(2, minor)
    builder.u32(0, 0, 65535, 105)
    let (captured, original) = (UInt32(Self.frame.count), UInt32(100))
    for _ in 0..<2 {
      builder.u32(1, 2, areSwapped ? original : captured, areSwapped ? captured : original)
      builder.bytes += Self.frame
    }
    let capture = try Capture(builder.bytes)
    #expect(capture.frames.map(\.bytes) == [Self.frame, Self.frame])
    #expect(capture.frames.first?.missing == 100 - Self.frame.count)
    var stream = CaptureStream()
    var streamed: [[UInt8]] = []
    for byte in builder.bytes {
      for case .frame(let frame) in try stream.append([byte]) { streamed.append(frame.bytes) }
    }
    #expect(streamed == [Self.frame, Self.frame])
  }
}
