import Testing
import WiFi

/// What stands before a frame in captures of older programs, and what it says as radiotap.
@Suite struct OldHeaderTests {
  private func frames(_ linkType: UInt32, _ packets: [[UInt8]]) throws -> [CapturedFrame] {
    let capture = try Capture(CaptureTests.pcap(0xA1B2_C3D4, bigEndian: false, linkType: linkType, packets))
    #expect(capture.complaints.isEmpty)
    return capture.frames
  }

  private func number<Value: FixedWidthInteger>(_ value: Value, bigEndian: Bool = false) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * (bigEndian ? Value.bitWidth / 8 - 1 - $0 : $0))) }
  }

  private func ppi(
    time: UInt64, flags: UInt16 = 0, rate: UInt16 = 12, frequency: UInt16 = 2437, signal: Int8 = -40, noise: Int8 = -95,
    headerFlags: UInt8 = 0, before: [UInt8] = []
  ) -> [UInt8] {
    var field = before + number(UInt16(2)) + number(UInt16(20)) + number(time) + number(flags) + number(rate) + number(frequency)
    field += number(UInt16(0xA0)) + [0, 0, UInt8(bitPattern: signal), UInt8(bitPattern: noise)]
    return [0, headerFlags] + number(UInt16(field.count + 8)) + number(UInt32(105)) + field
  }

  @Test func `PPI says time, rate, channel and strength`() throws {
    let radiotap = try #require(try frames(192, [ppi(time: 7) + CaptureTests.frame]).first?.radiotap)
    #expect(radiotap.timestampUs == 7 && radiotap.rate500kbps == 12 && radiotap.frequencyMHz == 2437 && radiotap.channelFlags == 0xA0)
    #expect(radiotap.signalDBm == -40 && radiotap.noiseDBm == -95)
  }

  @Test func `a time of PPI is in milliseconds where it says so`() throws {
    #expect(try frames(192, [ppi(time: 7, flags: 2) + CaptureTests.frame]).first?.radiotap?.timestampUs == 7000)
    #expect(try frames(192, [ppi(time: .max, flags: 2) + CaptureTests.frame]).first?.radiotap?.timestampUs == nil)
  }

  @Test func `what PPI does not know is left out`() throws {
    let frame = try #require(
      try frames(192, [ppi(time: 0, rate: 0, frequency: 0, signal: -128, noise: -128) + CaptureTests.frame]).first)
    var nothing = Radiotap()
    nothing.flags = 0
    #expect(frame.radiotap == nothing)
    #expect(frame.bytes == CaptureTests.frame)
  }

  @Test func `fields of PPI are aligned where it says so`() throws {
    let before = number(UInt16(9)) + number(UInt16(1)) + [0x78, 0, 0, 0]
    #expect(try frames(192, [ppi(time: 7, headerFlags: 1, before: before) + CaptureTests.frame]).first?.radiotap?.signalDBm == -40)
    let packed = number(UInt16(9)) + number(UInt16(1)) + [0x78]
    #expect(try frames(192, [ppi(time: 7, before: packed) + CaptureTests.frame]).first?.radiotap?.signalDBm == -40)
  }

  /// A field of type 4: the extension channel, and strengths of four antennas.
  private func extended(_ frequency: UInt16, _ strengths: [Int8]) -> [UInt8] {
    number(UInt16(4)) + number(UInt16(48)) + [UInt8](repeating: 0, count: 20) + number(frequency) + [0xA0, 0]
      + strengths.map { UInt8(bitPattern: $0) } + [UInt8](repeating: 0, count: 16)
  }

  @Test func `802.11n fields of PPI say what Common leaves out`() throws {
    let field = extended(2457, [-128, -128, -60, -90, -50, -91, -128, -128])
    let alone = [0, 0] + number(UInt16(field.count + 8)) + number(UInt32(105)) + field + CaptureTests.frame
    let radiotap = try #require(try frames(192, [alone]).first?.radiotap)
    // The extension channel is not the one that the frame was sent on.
    #expect(radiotap.frequencyMHz == nil && radiotap.channelFlags == nil && radiotap.signalDBm == -50 && radiotap.noiseDBm == -91)
    let both = try #require(try frames(192, [ppi(time: 7, before: field) + CaptureTests.frame]).first?.radiotap)
    #expect(both.frequencyMHz == 2437 && both.signalDBm == -40 && both.noiseDBm == -95 && both.defect == nil)
  }

  @Test func `fields of PPI that overrun or have another length are a defect`() throws {
    let overrun: [UInt8] = [0, 0, 12, 0, 105, 0, 0, 0, 2, 0, 200, 0]
    let short = [0, 0, 31, 0, 105, 0, 0, 0, 2, 0, 19, 0] + [UInt8](repeating: 1, count: 19)
    let found = try frames(192, [overrun + CaptureTests.frame, short + CaptureTests.frame])
    #expect(found.map(\.bytes) == [CaptureTests.frame, CaptureTests.frame])
    let defects = found.map { $0.radiotap?.defect?.reason }
    #expect(defects == [.truncated(needed: 200, available: 0), .length(declared: 19, allowed: 20...20)])
    #expect(found.allSatisfy { $0.radiotap?.signalDBm == nil })
  }

  @Test func `radiotap may stand behind PPI`() throws {
    let frame = try #require(try frames(192, [[0, 0, 8, 0, 127, 0, 0, 0] + CaptureTests.radiotap + CaptureTests.frame]).first)
    var cursor = ByteCursor(CaptureTests.radiotap)
    #expect(try frame.bytes == CaptureTests.frame && frame.radiotap == Radiotap(parsing: &cursor))
    let other = try Capture(
      CaptureTests.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 192, [[0, 0, 8, 0, 1, 0, 0, 0] + CaptureTests.frame]))
    #expect(
      other.complaints.map(\.description) == ["link type 1 in a PPI header, which carries no 802.11 frames, at byte 44"])
  }

  private func prism(
    _ code: UInt32, signal: Int32, channel: UInt32 = 6, bigEndian: Bool = false, bigEndianHeader: Bool? = nil
  ) -> [UInt8] {
    let values: [UInt32] = [100, 200, channel, 50, 0, UInt32(bitPattern: signal), UInt32(bitPattern: -90), 22, 0, 51]
    let numbers = (1...10).map { (code == 0x44 ? UInt32($0) << 16 : UInt32($0) << 12) | code }
    let header = bigEndianHeader ?? bigEndian
    var bytes = number(code, bigEndian: header) + number(UInt32(144), bigEndian: header) + [UInt8](repeating: 0, count: 16)
    for (number, value) in zip(numbers, values) {
      bytes += self.number(number, bigEndian: bigEndian) + [0, 0] + self.number(UInt16(4), bigEndian: bigEndian)
      bytes += self.number(value, bigEndian: bigEndian)
    }
    return bytes
  }

  @Test(arguments: [0x44, 0x41] as [UInt32], [true, false])
  func `Prism says time, rate, channel and strength`(code: UInt32, bigEndian: Bool) throws {
    let frame = try #require(try frames(119, [prism(code, signal: -44, bigEndian: bigEndian) + CaptureTests.frame]).first)
    #expect(frame.bytes == CaptureTests.frame)
    let radiotap = try #require(frame.radiotap)
    #expect(radiotap.timestampUs == 200 && radiotap.rate500kbps == 22 && radiotap.frequencyMHz == 2437)
    #expect(radiotap.signalDBm == -44 && radiotap.noiseDBm == -90)
  }

  @Test(arguments: [0x44, 0x41] as [UInt32], [true, false])
  func `items of Prism are in the order that their own code says`(code: UInt32, bigEndian: Bool) throws {
    let header = prism(code, signal: -44, bigEndian: bigEndian, bigEndianHeader: !bigEndian)
    let radiotap = try #require(try frames(119, [header + CaptureTests.frame]).first?.radiotap)
    #expect(radiotap.frequencyMHz == 2437 && radiotap.signalDBm == -44 && radiotap.noiseDBm == -90)
  }

  @Test func `a strength of Prism above zero has a unit of the driver's own`() throws {
    let radiotap = try #require(try frames(119, [prism(0x44, signal: 50, channel: 36) + CaptureTests.frame]).first?.radiotap)
    #expect(radiotap.signalDBm == nil && radiotap.frequencyMHz == 5180)
  }

  @Test(arguments: [1, 2] as [UInt32])
  func `AVS says strength in dBm where that is its unit`(unit: UInt32) throws {
    var header = number(UInt32(0x8021_1001), bigEndian: true) + number(UInt32(64), bigEndian: true)
    header += number(UInt64(777), bigEndian: true) + number(UInt64(888), bigEndian: true)
    for value in [4, 6, 110, 1, 0, unit, UInt32(bitPattern: -44), UInt32(bitPattern: -90), 1, 2] {
      header += number(value, bigEndian: true)
    }
    let radiotap = try #require(try frames(163, [header + CaptureTests.frame]).first?.radiotap)
    #expect(radiotap.timestampUs == 777 && radiotap.frequencyMHz == 2437 && radiotap.rate500kbps == 22 && radiotap.antenna == 1)
    #expect(radiotap.signalDBm == (unit == 2 ? -44 : nil) && radiotap.noiseDBm == (unit == 2 ? -90 : nil))
  }

  private func packetTap(_ linkType: UInt32, _ content: [UInt8]) -> [UInt8] {
    number(UInt32(108)) + number(UInt32(1)) + number(linkType) + [UInt8](repeating: 0, count: 96) + content
  }

  @Test func `Apple's header names what is behind it`() throws {
    let packets = [
      packetTap(127, CaptureTests.radiotap + CaptureTests.frame), packetTap(105, CaptureTests.frame), packetTap(1, CaptureTests.frame),
      packetTap(1, []), packetTap(258, packetTap(105, CaptureTests.frame)),
    ]
    let capture = try Capture(CaptureTests.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 258, packets))
    #expect(capture.frames.map(\.bytes) == [CaptureTests.frame, CaptureTests.frame])
    #expect(capture.complaints.map(\.reason) == [.linkType(1), .linkType(258)])
    let cut = try Capture(CaptureTests.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 258, [number(UInt32(108)) + [1, 0, 0, 0, 105]]))
    #expect(cut.frames.isEmpty && cut.complaints.count == 1)
  }

  @Test func `messages of netlink are packets only where they are asked for`() throws {
    let message = number(UInt32(20)) + number(UInt16(28)) + number(UInt16(2)) + number(UInt64(1)) + [34, 1, 0, 0]
    let packet: [UInt8] = [0, 4, 3, 0x38] + [UInt8](repeating: 0, count: 10) + [0, 16] + message
    let file = CaptureTests.pcap(0xA1B2_C3D4, bigEndian: false, linkType: 253, [packet])
    #expect(try Capture(file).complaints.map(\.reason) == [.linkType(253)])
    guard case .packet(let found)? = Array(try CaptureWalk(file, withMessages: true)).first else {
      Issue.record("no packet")
      return
    }
    let (family, range) = try found.netlinkMessages(of: file)
    #expect(found.isNetlink && family == 16 && Array(file[range]) == message)
    #expect(NetlinkWalk(file, in: range).map(\.type) == [28])
  }
}
