import Determinism
import ScanTools
import Testing
import WiFi

/// Captures that come piece by piece, and what scans they make.
@Suite struct CaptureStreamTests {
  /// A capture of three BSSs, heard at 0.0, 0.4, 1.2 and 65 seconds, as pcapng.
  private static func capture() throws -> [UInt8] {
    var writer = PCAPNGWriter(interfaceName: "mon0", application: "test")
    for (address, milliseconds, signal) in [(1, 0, -40), (2, 400, -60), (1, 1200, -50), (3, 65_000, -70)] as [(UInt64, UInt64, Int8)] {
      let body = BeaconBody(
        timestampUs: milliseconds * 1000, intervalTU: 100, capabilities: 1,
        elements: ElementList([.ssid(SSIDElement(ssid: try #require(SSID(Array("Net \(address)".utf8)))))]))
      let frame = ManagementFrame(
        receiver: MACAddress(0xFFFF_FFFF_FFFF), transmitter: MACAddress(address), bssid: MACAddress(address), body: .beacon(body))
      writer.append(
        frame: frame.encoded, radiotap: Radiotap(frequencyMHz: address == 2 ? 5180 : 2437, signalDBm: signal),
        timestampNs: 1_700_000_000_000_000_000 + milliseconds * 1_000_000)
    }
    return writer.bytes
  }

  /// The same as pcap, in either byte order.
  private static func pcap(isBigEndian: Bool) throws -> [UInt8] {
    func word(_ value: UInt32) -> [UInt8] {
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
      return isBigEndian ? bytes.reversed() : bytes
    }
    func half(_ value: UInt16) -> [UInt8] {
      isBigEndian ? [UInt8(value >> 8), UInt8(value & 255)] : [UInt8(value & 255), UInt8(value >> 8)]
    }
    var bytes = word(0xA1B2_C3D4) + half(2) + half(4) + word(0) + word(0) + word(65_535) + word(105)
    for frame in try Capture(try capture()).frames {
      let time = try #require(frame.timestampNs)
      bytes += word(UInt32(time / 1_000_000_000)) + word(UInt32(time % 1_000_000_000 / 1000))
      bytes += word(UInt32(frame.bytes.count)) + word(UInt32(frame.bytes.count)) + frame.bytes
    }
    return bytes
  }

  /// A capture of beacons: seconds since 1970, an address, what the receiver says of the channel in MHz, and elements.
  private static func beacons(_ list: [(seconds: UInt64, address: UInt64, frequency: Int?, values: [ElementValue])]) -> [UInt8] {
    var writer = PCAPNGWriter(interfaceName: "mon0", application: "test")
    for beacon in list {
      let body = BeaconBody(timestampUs: 1, intervalTU: 100, capabilities: 1, elements: ElementList(beacon.values))
      let frame = ManagementFrame(
        receiver: MACAddress(0xFFFF_FFFF_FFFF), transmitter: MACAddress(beacon.address), bssid: MACAddress(beacon.address),
        body: .beacon(body))
      let radiotap = beacon.frequency.map { Radiotap(frequencyMHz: $0, signalDBm: -40) } ?? Radiotap()
      writer.append(frame: frame.encoded, radiotap: radiotap, timestampNs: beacon.seconds * 1_000_000_000)
    }
    return writer.bytes
  }

  private static func scans(_ bytes: [UInt8]) async throws -> (scans: [Scan], leftOut: LeftOutFrames?) {
    var pieces: [CaptureSource.Piece] = [.bytes(bytes), .end]
    let source = CaptureSource(name: "mon0", read: { pieces.removeFirst() })
    var leftOut: LeftOutFrames?
    source.onEnd = { leftOut = $0 }
    var scans: [Scan] = []
    while let scan = try await source.nextScan() { scans.append(scan) }
    return (scans, leftOut)
  }

  @Test func `fragments and beacons of other bands make no network`() async throws {
    var writer = PCAPNGWriter(interfaceName: "mon0", application: "test")
    let elements = ElementList([.ssid(SSIDElement(ssid: try #require(SSID(Array("Net".utf8)))))])
    let body = BeaconBody(timestampUs: 1, intervalTU: 100, capabilities: 1, elements: elements)
    let fragment = ManagementFrame(
      receiver: MACAddress(0xFFFF_FFFF_FFFF), transmitter: MACAddress(1), bssid: MACAddress(1), sequenceControl: 0x11, body: .beacon(body))
    let s1g = S1GBeacon(source: MACAddress(2), timestampUs: 1, elements: elements)
    for frame in [fragment.encoded, s1g.encoded, [0x0C, 0] + s1g.encoded.dropFirst(2)] {
      writer.append(frame: frame, radiotap: Radiotap(frequencyMHz: 2437, signalDBm: -40), timestampNs: 1)
    }
    let (scans, leftOut) = try await Self.scans(writer.bytes)
    #expect(scans.isEmpty && leftOut?.otherBands == 2 && leftOut?.unplaced == 0)
  }

  /// A capture of beacons with these times in seconds since 1970, and without any.
  private static func timed(_ times: [UInt64?]) throws -> [UInt8] {
    var writer = PCAPNGWriter(interfaceName: "mon0", application: "test")
    for (index, time) in times.enumerated() {
      let frame = try #require(Capture(beacons([(1, UInt64(index + 1), 2437, [])])).frames.first)
      writer.append(
        frame: frame.bytes, radiotap: Radiotap(frequencyMHz: 2437, signalDBm: -40), timestampNs: time.map { $0 * 1_000_000_000 })
    }
    return writer.bytes
  }

  @Test func `frames without a time are of the scan of the others, and of none where there are no others`() async throws {
    let mixed = try await Self.scans(Self.timed([nil, 100, nil, 102])).scans
    #expect(mixed.map(\.bss.count) == [3, 1])
    #expect(mixed.map(\.start) == [.seconds(100), .seconds(102)])
    #expect(mixed.compactMap { CaptureSource.utc($0.end) } == [UTCTime(seconds: 100), UTCTime(seconds: 102)])

    let untimed = try Recording.read(try Self.timed([nil, nil]))
    let scan = try #require(untimed.scans.first)
    #expect(untimed.scans.count == 1 && untimed.header.began == nil)
    #expect(untimed.utc(ofScan: 0, scan.end) == nil && CaptureSource.utc(scan.end) == nil)
    // Recorded, it has none either, though the header says from where the times of other captures count.
    let header = Recording.Header(source: "x", began: UTCTime(seconds: 0), beganBootTime: .zero)
    let recorded = try Recording.read(Recording.line(header) + Recording.line(scan))
    #expect(recorded.utc(ofScan: 0, scan.end) == nil)
  }

  @Test func `a time that is not known is left out`() async throws {
    let scan = try #require(try await Self.scans(Self.timed([nil])).scans.first)
    func written(_ format: ScanSeries.Format) -> [UInt8] {
      var series = ScanSeries(format, release: "1")
      return series.bytes(of: scan, number: 1, end: nil)
    }
    #expect(String(decoding: written(.csv), as: UTF8.self).contains("\r\n1,,0,00:00:00:00:00:01,"))
    #expect(String(decoding: written(.wigle), as: UTF8.self).contains(",[ESS],,6,2437,"))
    let capture = try Capture(written(.pcapng))
    #expect(capture.frames.map(\.timestampNs) == [nil] && capture.complaints.isEmpty)
  }

  @Test func `a clock that steps back is noticed`() async throws {
    for (times, stepsBack) in [([100, 101, 103], false), ([100, 104, 101], true), ([100, 200, 90, 91], true)] as [([UInt64], Bool)] {
      let bytes = try Self.timed(times)
      for isWhole in [false, true] {
        var pieces: [CaptureSource.Piece] = [.bytes(bytes), .end]
        let source = CaptureSource(name: "mon0", read: { pieces.removeFirst() })
        if isWhole { _ = try await source.wholeScan() } else { while try await source.nextScan() != nil {} }
        #expect(source.stepsBack == stepsBack, "\(times)")
      }
      #expect(try Recording.read(bytes).stepsBack == stepsBack)
    }
  }

  @Test func `a capture that goes back in time is two`() async throws {
    let day: UInt64 = 86_400
    let times = (0..<5).map { 10 * day + $0 } + (0..<5).map { 9 * day + $0 }
    let scans = try await Self.scans(Self.beacons(times.map { ($0, $0 / day, 2437, []) })).scans
    #expect(scans.flatMap { $0.bss.map(\.bssid) } == times.map { MACAddress($0 / day) })
    #expect(scans.map(\.end) == times.map { .seconds(Int64($0)) })
  }

  @Test func `of the frames of a whole capture the latest counts`() async throws {
    var pieces: [CaptureSource.Piece] = [
      .bytes(Self.beacons([(200, 7, 2437, [.ssid(SSIDElement(ssid: .wildcard))]), (100, 7, 5180, [])])), .end,
    ]
    let scan = try await CaptureSource(name: "mon0", read: { pieces.removeFirst() }).wholeScan()
    #expect(scan.bss.map(\.frequencyMHz) == [2437])
    #expect(scan.end == .seconds(200))
  }

  @Test func `one address on two channels at once is two, and on one after the other it moved`() async throws {
    func whole(_ bytes: [UInt8]) async throws -> [UInt32] {
      var pieces: [CaptureSource.Piece] = [.bytes(bytes), .end]
      return try await CaptureSource(name: "mon0", read: { pieces.removeFirst() }).wholeScan().bss.map(\.frequencyMHz)
    }
    let twins = Self.beacons([(1, 1, 2412, []), (1, 1, 2462, []), (2, 1, 2412, []), (2, 1, 2462, [])])
    #expect(try await Self.scans(twins).scans.map { $0.bss.map(\.frequencyMHz) } == [[2412, 2462], [2412, 2462]])
    #expect(try await whole(twins) == [2412, 2462])
    let moved = Self.beacons([(1, 1, 2412, []), (2, 1, 2412, []), (3, 1, 2462, []), (4, 1, 5180, []), (5, 2, 2412, [])])
    #expect(try await whole(moved) == [5180, 2412])
  }

  @Test func `what has no channel is counted, and one of 5 GHz may be told by the parameter set`() async throws {
    let dsss = ElementValue.dsssParameterSet(DSSSParameterSet(currentChannel: 36))
    let (scans, leftOut) = try await Self.scans(Self.beacons([(1, 1, nil, []), (1, 2, nil, [dsss]), (5, 3, nil, [])]))
    #expect(scans.flatMap(\.bss).map(\.frequencyMHz) == [5180])
    #expect(leftOut?.unplaced == 2)
  }

  @Test func `the address of a group is no access point, and a frequency without a channel is none`() async throws {
    let dsss = ElementValue.dsssParameterSet(DSSSParameterSet(currentChannel: 11))
    let (scans, leftOut) = try await Self.scans(
      Self.beacons([
        (1, 1, 2437, []), (1, 0x0300_0000_0001, 2437, []), (2, 2, 65_535, []), (2, 3, 65_535, [dsss]), (4, 0x0300_0000_0001, 2437, []),
      ]))
    #expect(scans.flatMap(\.bss).map { "\($0.bssid.value) \($0.frequencyMHz)" } == ["1 2437", "3 2462"])
    #expect(leftOut?.groupAddressed == 2 && leftOut?.unplaced == 1)
  }

  @Test func `a damaged capture that is read as a whole says what is damaged`() throws {
    let whole = try Self.capture()
    #expect(try Recording.read(whole).complaints.isEmpty)
    let cut = try Recording.read(Array(whole.dropLast(7)))
    #expect(cut.complaints.count == 1 && cut.scans.count == 2)
  }

  @Test(arguments: [UInt64.max, 1 << 63, (1 << 63) - 1, 1 << 62] as [UInt64])
  func `a time that no clock shows is no trap`(time: UInt64) async throws {
    var writer = PCAPNGWriter(interfaceName: "mon0", application: "test")
    let frame = try #require(Capture(Self.beacons([(1, 1, 2437, [])])).frames.first)
    for _ in 0..<2 { writer.append(frame: frame.bytes, radiotap: Radiotap(frequencyMHz: 2437, signalDBm: -40), timestampNs: time) }
    let scans = try await Self.scans(writer.bytes).scans
    #expect(scans.count == 1)
    var series = ScanSeries(.csv, release: "1")
    for scan in scans { #expect(!series.bytes(of: scan, number: 1, end: UTCTime(nanoseconds: scan.end.wholeNanoseconds)).isEmpty) }
  }

  private func frames(_ bytes: [UInt8], pieces: () -> Int) throws -> (frames: [CapturedFrame], complaints: [CaptureComplaint]) {
    var stream = CaptureStream()
    var items: [CaptureStream.Item] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = pieces()
      items += try stream.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    items += try stream.finish()
    return items.reduce(into: ([], [])) { result, item in
      switch item {
      case .frame(let frame): result.0.append(frame)
      case .complaint(let complaint): result.1.append(complaint)
      }
    }
  }

  @Test(arguments: ["pcapng", "little", "big"], [1, 3, 16, 27, 1000, 1 << 20])
  func `pieces of any size give the frames of the whole`(kind: String, size: Int) throws {
    let bytes = kind == "pcapng" ? try Self.capture() : try Self.pcap(isBigEndian: kind == "big")
    let whole = try Capture(bytes)
    #expect(whole.frames.count == 4)
    let read = try frames(bytes) { size }
    #expect(read.frames == whole.frames)
    #expect(read.complaints == [])
  }

  @Test(arguments: [1, 50, 1 << 20])
  func `a link type that carries no frames is said where it stands, whatever the pieces`(size: Int) throws {
    var (pcapng, pcap) = (try Self.capture(), try Self.pcap(isBigEndian: false))
    (pcapng[48], pcap[20]) = (1, 1)
    for (bytes, offset) in [(pcapng, 48), (pcap, 20), (Array(pcap.prefix(24)), 20)] {
      let read = try frames(bytes) { size }
      #expect(read.frames.isEmpty)
      #expect(read.complaints == [CaptureComplaint(offset: offset, reason: .linkType(1))])
      #expect(try Capture(bytes).complaints == read.complaints)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `altered captures give the same in pieces as whole, up to where they end`(seed: UInt64) throws {
    var random = RandomStream(seed: seed, name: "captures")
    var bytes = try random.next(below: 2) == 0 ? Self.capture() : Self.pcap(isBigEndian: false)
    let head = 28
    for _ in 0..<random.next(below: 4) {
      bytes[head + Int(random.next(below: UInt64(bytes.count - head)))] = UInt8(random.next(below: 256))
    }
    bytes.removeLast(Int(random.next(below: 60)))
    let whole = try Capture(bytes)
    let read = try frames(bytes) { 1 + Int(random.next(below: 40)) }
    #expect(read.frames == whole.frames)
    #expect(read.complaints.isEmpty == whole.complaints.isEmpty)
  }

  @Test func `what is no capture is refused at its first bytes, and at its end`() throws {
    var stream = CaptureStream()
    #expect(throws: CaptureError.foreign([0x7B, 0x22, 0x61, 0x22])) { try stream.append(Array(#"{"a":1}"#.utf8)) }
    var empty = CaptureStream()
    #expect(throws: CaptureError.empty) { try empty.finish() }
    var short = CaptureStream()
    _ = try short.append([0xD4, 0xC3, 0xB2, 0xA1, 2, 0])
    #expect(throws: CaptureError.header(needed: 24, available: 6)) { try short.finish() }
  }

  @Test func `a record that cannot be is not waited for`() throws {
    var bytes = try Self.pcap(isBigEndian: false)
    bytes.replaceSubrange(32..<36, with: [0xFF, 0xFF, 0xFF, 0x7F])
    let read = try frames(bytes) { 100 }
    #expect(read.frames.isEmpty)
    #expect(read.complaints == [CaptureComplaint(offset: 24, reason: .blockLength(0x7FFF_FFFF + 16))])
  }

  @Test(arguments: [1, 100, 1 << 20])
  func `a record that cannot be is said once, behind what comes before it`(size: Int) throws {
    var bytes = try Self.pcap(isBigEndian: false)
    let second = 24 + 16 + Int(bytes[32]) + Int(bytes[33]) << 8
    bytes.replaceSubrange(second + 8..<second + 12, with: [0xFF, 0xFF, 0xFF, 0x7F])
    let read = try frames(bytes) { size }
    #expect(read.frames.count == 1)
    #expect(read.complaints == [CaptureComplaint(offset: second, reason: .blockLength(0x7FFF_FFFF + 16))])
  }

  @Test(arguments: [1, 100, 1 << 20])
  func `nothing behind a section in an unknown order of bytes is read, whatever the pieces`(size: Int) throws {
    let first = try Self.capture()
    var second = first
    second[8] = 0
    let whole = try Capture(first + second)
    #expect(whole.frames.count == 4 && whole.complaints.count == 1)
    let read = try frames(first + second) { size }
    #expect(read.frames == whole.frames)
    #expect(read.complaints == whole.complaints)
  }

  // MARK: Scans

  private func source(_ bytes: [UInt8], pause: @escaping (Duration) async throws -> Void = { _ in }) -> CaptureSource {
    var rest = bytes[...]
    return CaptureSource(
      name: "capture",
      read: {
        if rest.isEmpty { return .end }
        defer { rest = rest.dropFirst(50) }
        return .bytes(Array(rest.prefix(50)))
      }, pause: pause)
  }

  @Test func `each second is a scan of the channels on which anything was heard`() async throws {
    var pauses: [Duration] = []
    let source = source(try Self.capture()) { pauses.append($0) }
    var scans: [Scan] = []
    while let scan = try await source.nextScan() { scans.append(scan) }
    #expect(scans.map { $0.bss.map(\.bssid.value) } == [[1, 2], [1], [3]])
    #expect(scans.map(\.frequenciesKHz) == [[2_437_000, 5_180_000], [2_437_000], [2_437_000]])
    let ends: [Duration] = [400, 1200, 65_000].map { .seconds(1_700_000_000) + .milliseconds($0) }
    #expect(scans.map(\.end) == ends)
    #expect(pauses == [.milliseconds(800), .milliseconds(63_800)])
    #expect(scans.allSatisfy { $0.isComplete })
    #expect(try Recording.read(try Self.capture()).scans == scans)
    #expect(try Recording.read(try Self.capture()).utc(ofScan: 2, scans[2].end)?.description == "2023-11-14 22:14:25")
  }

  @Test func `one scan of the whole has every BSS as it was heard last`() async throws {
    let scan = try await source(try Self.capture()).wholeScan()
    #expect(scan.bss.map(\.bssid.value) == [1, 2, 3])
    #expect(scan.bss.map(\.signalMBm) == [-5000, -6000, -7000])
    let ages: [Duration] = scan.bss.map { scan.end - scan.lastHeard($0) }
    #expect(ages == [.milliseconds(63_800), .milliseconds(64_600), .zero])
  }

  @Test func `what came is shown when nothing more comes`() async throws {
    let bytes = try Self.capture()
    var pieces: [CaptureSource.Piece] = [.bytes(Array(bytes.prefix(240))), .idle, .idle, .bytes(Array(bytes.dropFirst(240))), .end]
    let source = CaptureSource(name: "capture", read: { pieces.removeFirst() })
    #expect(try await source.nextScan()?.bss.isEmpty == false)
    // It was not the end that made the scan.
    #expect(pieces.count == 3)
  }

  private func frame(_ name: String, isProbeResponse: Bool, at second: UInt64) throws -> CapturedFrame {
    let body = BeaconBody(
      timestampUs: second, intervalTU: 100, capabilities: 1,
      elements: ElementList([.ssid(SSIDElement(ssid: try #require(SSID(Array(name.utf8)))))]))
    let frame = ManagementFrame(
      receiver: MACAddress(9), transmitter: MACAddress(1), bssid: MACAddress(1),
      body: isProbeResponse ? .probeResponse(body) : .beacon(body))
    return CapturedFrame(
      timestampNs: second * 1_000_000_000, radiotap: Radiotap(frequencyMHz: 2437, signalDBm: -50), bytes: frame.encoded)
  }

  @Test func `probe responses alone say nothing of a beacon`() throws {
    var table = CaptureTable()
    table.hear(try frame("Told", isProbeResponse: true, at: 1))
    table.hear(try frame("Told", isProbeResponse: true, at: 2))
    let heard = try #require(table.bss.first)
    #expect(heard.tsfUs == 2 && heard.beaconTSFUs == nil && heard.beaconElements == nil)
    table.hear(try frame("", isProbeResponse: false, at: 3))
    table.hear(try frame("Told", isProbeResponse: true, at: 4))
    let both = try #require(table.bss.first)
    #expect(both.tsfUs == 4 && both.beaconTSFUs == 3 && both.beaconElements != nil)
  }

  @Test func `a beacon leaves the name that a probe response told`() throws {
    var table = CaptureTable()
    table.hear(try frame("", isProbeResponse: false, at: 1))
    table.hear(try frame("Told", isProbeResponse: true, at: 2))
    table.hear(try frame("", isProbeResponse: false, at: 3))
    let bss = try #require(table.bss.first)
    #expect(BSSFacts(bss).ssid.description == "Told")
    #expect(bss.beaconElements != nil && bss.isFromProbeResponse)
    var damaged = try frame("Told", isProbeResponse: true, at: 4)
    damaged.hasBadFCS = true
    let isHeard = table.hear(damaged)
    #expect(!isHeard)
    #expect(table.damagedFrameCount == 1)
  }
}
