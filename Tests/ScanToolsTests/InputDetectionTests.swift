import Determinism
import ScanTools
import Simulator
import Testing
import WiFi
import WireProperties

/// What bytes of unknown origin are taken for, and why.
@Suite struct InputDetectionTests {
  /// What terminfo has: small numbers in pairs of bytes, runs of 0xFF, and lengths that do not add up.
  @Test func `tables of small numbers are no elements`() {
    var bytes: [UInt8] = [0x1E, 0x02, 0x3D, 0x00, 0x26, 0x00, 0x0F, 0x00]
    for number in 0..<400 as Range<UInt16> {
      let value = number % 7 == 0 ? 0xFFFF : number * 5
      bytes += [UInt8(value & 255), UInt8(value >> 8)]
    }
    for length in 200...bytes.count { #expect((try? DecodedInput(Array(bytes[..<length])))?.kind == nil) }
  }

  // MARK: Frames as they are sent

  static let accessPoint = MACAddress(0x0011_2233_4455)
  static let station = MACAddress(0x0266_7788_99AA)

  /// An SSID and four rates.
  static let elements: [UInt8] = [0, 4] + Array("Roof".utf8) + [1, 4, 0x82, 0x84, 0x8B, 0x96]

  private static func header(_ control: [UInt8], _ first: MACAddress, _ second: MACAddress, _ third: MACAddress) -> [UInt8] {
    control + [0x3A, 0x01] + first.bytes + second.bytes + third.bytes + [0x10, 0x20]
  }

  /// Frames of each kind that a capture has.
  static let frames: [(name: String, bytes: [UInt8])] = [
    (
      "beacon",
      header([0x80, 0], MACAddress(0xFFFF_FFFF_FFFF), accessPoint, accessPoint) + [1, 2, 3, 4, 5, 6, 7, 8, 100, 0, 0x11, 4]
        + elements
    ),
    ("association request", header([0, 0], accessPoint, station, accessPoint) + [0x31, 4, 10, 0] + elements),
    ("association response", header([0x10, 0], station, accessPoint, accessPoint) + [0x31, 4, 0, 0, 1, 0xC0] + elements.dropFirst(6)),
    ("probe request", header([0x40, 0], MACAddress(0xFFFF_FFFF_FFFF), station, MACAddress(0xFFFF_FFFF_FFFF)) + elements),
    ("authentication", header([0xB0, 0], accessPoint, station, accessPoint) + [0, 0, 1, 0, 0, 0]),
    ("deauthentication", header([0xC0, 0], station, accessPoint, accessPoint) + [7, 0]),
    ("action", header([0xD0, 0], station, accessPoint, accessPoint) + [3, 0, 1, 2, 3]),
    (
      "data", header([0x08, 0x01], accessPoint, station, MACAddress(0x0011_2233_4400)) + [0xAA, 0xAA, 3, 0, 0, 0, 8, 0, 0x45, 0, 0, 20]
    ),
    (
      "QoS data, encrypted",
      header([0x88, 0x42], station, accessPoint, accessPoint) + [0, 0, 1, 0, 0, 0x20, 0, 0, 0, 0] + (0..<40).map { UInt8($0 * 7 & 255) }
    ),
    ("null data", header([0x48, 0x11], accessPoint, station, accessPoint)),
    ("acknowledgement", [0xD4, 0, 0, 0] + station.bytes),
  ]

  static func withFCS(_ content: [UInt8]) -> [UInt8] {
    let sum = FrameCheckSequence.of(content)
    return content + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
  }

  /// What receivers write in front: no fields, flags and signal, and two antennas in an extended bitmap.
  static let headers: [[UInt8]] = [
    [0, 0, 8, 0, 0, 0, 0, 0],
    [0, 0, 15, 0, 0x2A, 0, 0, 0, 0, 0, 0x6C, 0x09, 0xA0, 0, 0xC8],
    [0, 0, 18, 0, 0x2E, 0x48, 0, 0, 0, 2, 0x6C, 0x09, 0xA0, 0, 0xC8, 0, 0, 0],
    [0, 0, 18, 0, 0x20, 0, 0, 0xA0, 0x20, 8, 0, 0, 0xC8, 0, 0xC8, 0, 0, 0],
  ]

  private static func json(_ input: DecodedInput) -> String {
    var writer = FieldWriter(style: .json)
    writer.object { input.describe(into: &$0) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(arguments: frames)
  func `a frame behind radiotap is found whatever its type`(name: String, bytes content: [UInt8]) throws {
    for header in Self.headers {
      let input = try DecodedInput(header + content)
      #expect(input.kind == .radiotap, "\(name)")
      #expect(input.truncation == nil)
      #expect(Self.json(input).contains("\"offset\":\(header.count)"))
    }
  }

  @Test(arguments: frames)
  func `a frame with its right check sequence is a frame, and the sequence no elements`(name: String, bytes content: [UInt8]) throws {
    let input = try DecodedInput(Self.withFCS(content))
    #expect(input.kind == .frame, "\(name)")
    #expect(input.evidence?.hasPrefix("the frame check sequence is right") == true)
    let text = Self.json(input)
    #expect(text.contains("\"fcsHex\":\"\(Hex.string(Self.withFCS(content).suffix(4)))\""))
    #expect(!text.contains("trailingHex") && !text.contains("badFCS"))
    // Behind radiotap, whether that announces it or not.
    for header in Self.headers {
      let behind = try DecodedInput(header + Self.withFCS(content))
      #expect(behind.kind == .radiotap, "\(name)")
      #expect(Self.json(behind).contains("fcsHex"))
    }
  }

  @Test func `a frame check sequence that is announced and wrong is told`() throws {
    let header: [UInt8] = [0, 0, 9, 0, 2, 0, 0, 0, 0x10]
    let text = Self.json(try DecodedInput(header + Self.frames[0].bytes + [1, 2, 3, 4]))
    #expect(text.contains("\"fcsHex\":\"01020304\",\"badFCS\":true"))
  }

  @Test(arguments: frames)
  func `a frame without check sequence is a frame`(name: String, bytes content: [UInt8]) throws {
    #expect(try DecodedInput(content).kind == .frame, "\(name)")
  }

  // MARK: Elements

  @Test(arguments: [
    "00 03 61 62 63", "30 14 0100 000fac04 0100 000fac04 0100 000fac08 cc00", "01 04 82 84 8b 96", "03 01 06",
    "2d 1a ef 19 17 ff ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "2a 01 04", "7f 08 04 00 08 00 00 00 00 40",
    "dd 18 00 50 f2 02 01 01 80 00 03 a4 00 00 27 a4 00 00 42 43 5e 00 62 32 2f 00", "07 06 44 45 20 01 0d 14", "dd 06 00 0c e7 01 02 03",
    "ff 03 3b 00 00", "0b 05 03 00 20 7f 00", "00 00 01 04 82 84 8b 96 03 01 0b", "f4 01 20", "05 04 00 01 00 00",
  ])
  func `one element that adds up is one, as text and as bytes`(text: String) throws {
    let input = try DecodedInput(Array(text.utf8))
    #expect(input.kind == .elements, "\(text)")
    #expect(try DecodedInput(input.bytes).kind == .elements, "\(text)")
  }

  @Test(arguments: ["lab", "modern", "names", "passpoint", "hidden-found", "measurement"])
  func `the elements, frames and captures of real scans are what they are`(name: String) throws {
    let scan = try Captures.scan(name)
    #expect(!scan.bss.isEmpty)
    for bss in scan.bss {
      #expect(try DecodedInput(bss.informationElements).kind == .elements)
      let body = BeaconBody(
        timestampUs: 1, intervalTU: 100, capabilities: bss.capability, elements: ElementList(parsing: bss.informationElements))
      let frame = ManagementFrame(
        receiver: MACAddress(0xFFFF_FFFF_FFFF), transmitter: bss.bssid, bssid: bss.bssid, body: .beacon(body)
      ).encoded
      #expect(try DecodedInput(frame).kind == .frame)
      #expect(try DecodedInput(Self.withFCS(frame)).kind == .frame)
      #expect(try DecodedInput(Self.headers[2] + frame).kind == .radiotap)
      #expect(try DecodedInput(Array(Hex.string(frame).utf8)).kind == .frame)
      // Cut off, too.
      #expect(try DecodedInput(Array(frame.dropLast(3))).kind == .frame)
      #expect(try DecodedInput(Array(bss.informationElements.dropLast(1))).kind == .elements)
    }
  }

  @Test(arguments: Captures.names)
  func `messages of a real kernel are messages`(name: String) throws {
    #expect(try DecodedInput(Captures.bytes(name)).kind == .nl80211)
  }

  // MARK: What is none of these

  @Test func `random bytes are nothing, of any size from 64 bytes to 10 MB`() throws {
    var random = SplitMix64(state: 9)
    var tried = 0
    for index in 0..<1_000 {
      // As many small ones as large ones: each size is a power of two and a random part of it.
      let exponent = index < 990 ? 6 + index % 11 : 17 + index % 7
      let count = min(1 << exponent + Int(random.next() % (1 << UInt64(exponent))), 10_000_000)
      var bytes = [UInt8](repeating: 0, count: count)
      var position = 0
      while position < count {
        var word = random.next()
        for place in position..<min(position + 8, count) {
          bytes[place] = UInt8(truncatingIfNeeded: word)
          word >>= 8
        }
        position += 8
      }
      let input = bytes
      let failure = #expect(throws: DecodedInput.Failure.self, "\(count) bytes, try \(index)") { try DecodedInput(input) }
      let text = failure?.description ?? ""
      for kind in DecodedInput.Kind.allCases where !text.contains("\n  \(kind.rawValue): ") {
        Issue.record("nothing is said of \(kind.rawValue): \(text)")
      }
      tried += 1
    }
    #expect(tried == 1_000)
  }

  @Test(
    arguments: [
      ("gzip", [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4, 0xE6, 0xD6]),
      ("ZIP", [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0]),
      ("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52]),
    ] as [(String, [UInt8])])
  func `files of other formats are called by their name`(name: String, magic: [UInt8]) {
    var random = SplitMix64(state: 1)
    for count in [20, 64, 500, 60_000] {
      let bytes = magic + (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let failure = #expect(throws: DecodedInput.Failure.self) { try DecodedInput(bytes) }
      #expect(failure?.description.hasPrefix("the input starts like a file of \(name), which is not read") == true)
    }
  }

  @Test(arguments: [0x00, 0x20, 0xFF, 0xDD, 0x2D] as [UInt8], [64, 255, 4_000, 65_535])
  func `one byte over and over is nothing`(byte: UInt8, count: Int) {
    // Spaces are text, of no digits.
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput([UInt8](repeating: byte, count: count)) }
  }

  @Test(arguments: [(7, true), (0x1234, false)] as [(UInt16, Bool)])
  func `only a reason code that is known is evidence`(reason: UInt16, isKnown: Bool) throws {
    let address: [UInt8] = [0x02, 0x11, 0x22, 0x33, 0x44, 0x55]
    let header: [UInt8] = [0xC0, 0, 0, 0] + [0x02, 0, 0, 0, 0, 0x66] + address + address + [0x10, 0]
    let input = try DecodedInput(header + [UInt8(reason & 0xFF), UInt8(reason >> 8)])
    #expect(input.kind == .frame)
    #expect(input.evidence?.contains("known reason code") == isKnown)
  }

  @Test func `what is given with --as is not questioned`() throws {
    let bytes: [UInt8] = [0x1F, 0x02, 0x08, 0x00] + [UInt8](repeating: 0xEE, count: 80)
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput(bytes) }
    let input = try DecodedInput(bytes, as: .elements)
    #expect(input.kind == .elements)
    #expect(input.evidence == nil)
  }

  // MARK: What looks like something else

  private static let beacon = frames[0].bytes
  private static let ppi: [UInt8] =
    [0, 0, 32, 0, 105, 0, 0, 0, 2, 0, 20, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0x85, 0x09, 0xA0, 0, 0, 0, 0xD8, 0xA1]
  private static let prism: [UInt8] = {
    var bytes: [UInt8] = [0x44, 0, 0, 0, 144, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
    for number in 1...10 as ClosedRange<UInt8> {
      bytes += [0x44, 0, number, 0, 0, 0, 4, 0] + [number == 6 ? 0xD4 : 6] + (number == 6 ? [0xFF, 0xFF, 0xFF] : [0, 0, 0])
    }
    return bytes
  }()
  private static let avs: [UInt8] =
    [0x80, 0x21, 0x10, 0x01, 0, 0, 0, 64] + [UInt8](repeating: 0, count: 15) + [1] + [0, 0, 0, 4, 0, 0, 0, 6]
    + [0, 0, 0, 110, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0xFF, 0xFF, 0xFF, 0xD4, 0xFF, 0xFF, 0xFF, 0xA6, 0, 0, 0, 1, 0, 0, 0, 2]

  @Test(arguments: [("PPI", ppi, DecodedInput.Kind.ppi, -40), ("Prism", prism, .prism, -44), ("AVS", avs, .prism, -44)])
  func `a frame behind an older header is found, and what that says`(name: String, header: [UInt8], kind: DecodedInput.Kind, signal: Int)
    throws
  {
    let input = try DecodedInput(header + Self.beacon)
    #expect(input.kind == kind)
    #expect(input.evidence?.hasPrefix("\(name) header of \(header.count) bytes") == true)
    let text = Self.json(input)
    #expect(text.contains("\"signalDBm\":\(signal)") && text.contains("\"offset\":\(header.count),\"frame\":\"beacon\""))
    #expect(Self.json(try DecodedInput(header + Self.withFCS(Self.beacon))).contains("fcsHex"))
    #expect(try DecodedInput(header + Self.beacon, as: kind).evidence == nil)
  }

  @Test(arguments: [ppi, prism, avs, headers[1], headers[2], headers[3]])
  func `a header without a frame is nothing`(header: [UInt8]) {
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput(header) }
  }

  @Test(arguments: [8, 16, 64, 200, 1000], [1, 2, 255] as [UInt8])
  func `bytes that count are nothing`(count: Int, step: UInt8) {
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput((0..<count).map { UInt8(truncatingIfNeeded: $0) &* step }) }
  }
}
