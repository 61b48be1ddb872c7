import ScanTools
import Testing
import WiFi

@testable import StrictFormats

@Suite struct DecodedInputTests {
  func bytes() throws -> [UInt8] {
    var writer = ByteWriter()
    for message in try capture("lab") { message.encode(into: &writer) }
    return writer.bytes
  }

  @Test func `messages that end within one are messages, whatever is left of them`() throws {
    let whole = try bytes()
    let first = Int(whole[0]) | Int(whole[1]) << 8
    for length in [first + 20, first + 400, whole.count - 1] {
      let input = try DecodedInput(Array(whole.prefix(length)))
      #expect(input.kind == .nl80211)
      #expect(input.truncation != nil)
    }
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput(Array(whole.prefix(first - 10))) }
  }

  @Test func `more bytes than elements can have are refused before they are many times as much text`() {
    let bytes = [UInt8](repeating: 0, count: DecodedInput.maximumLength + 1)
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput(bytes) }
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput(bytes, as: .elements) }
    #expect(throws: Never.self) { try DecodedInput(Array(bytes.dropLast()), as: .elements) }
  }

  @Test(arguments: [FieldWriter.Style.json, .prettyJSON, .text])
  func `what is taken away message by message is the same text`(style: FieldWriter.Style) throws {
    let input = try DecodedInput(try bytes())
    var whole = FieldWriter(style: style)
    whole.object { input.describe(into: &$0) }
    var pieces: [[UInt8]] = []
    var writer = FieldWriter(style: style)
    writer.object { input.describe(into: &$0) { pieces.append($0.takeBytes()) } }
    pieces.append(writer.bytes)
    #expect(pieces.count > 10)
    #expect(pieces.flatMap { $0 } == whole.bytes)
  }

  @Test(arguments: [FieldWriter.Style.json, .prettyJSON, .text])
  func `what is passed on is the same text, kept or not, and never given twice`(style: FieldWriter.Style) throws {
    struct Full: Error {}
    let input = try DecodedInput(try bytes())
    var whole = FieldWriter(style: style)
    whole.object { input.describe(into: &$0) }
    var pieces: [ArraySlice<UInt8>] = []
    var failures = 0
    var writer = FieldWriter(style: style)
    writer.object {
      input.describe(into: &$0) { fields in
        do {
          try fields.passBytes {
            pieces.append($0)
            if pieces.count % 3 == 0 { throw Full() }
          }
        } catch { failures += 1 }
      }
    }
    writer.passBytes { pieces.append($0) }
    writer.passBytes { pieces.append($0) }
    #expect(pieces.count > 10 && pieces.last == [] && failures == (pieces.count - 2) / 3)
    #expect(pieces.flatMap { $0 } == whole.bytes)
  }

  @Test func `what profiles inherit is taken away profile by profile`() throws {
    // Together they inherit some fifty times as many elements as the input has.
    let profiles = (1...50).map { index in [0, 7, 83, 2, 1, 0, 85, 1, UInt8(index)] as [UInt8] }
    let sets = [0, 25].flatMap { start in [71, 226, 8] + profiles[start..<start + 25].flatMap { $0 } as [UInt8] }
    let others = [UInt8](repeating: 200, count: 4000).enumerated().map { $0.offset % 2 == 0 ? $0.element : 0 }
    let input = try DecodedInput(sets + others, as: .elements)
    var most = 0
    var total = 0
    var writer = FieldWriter(style: .json)
    writer.object {
      input.describe(into: &$0) { fields in
        let count = fields.takeBytes().count
        most = max(most, count)
        total += count
      }
    }
    #expect(total > 50 * 2000 * 20)
    #expect(most < total / 10)
  }

  // MARK: Nothing is lost without a word

  private func json(_ input: DecodedInput) throws -> StrictJSON {
    var writer = FieldWriter(style: .json)
    writer.object { input.describe(into: &$0) }
    let value = try StrictJSON(writer.bytes)
    #expect(try JSONSchema(file: "decode-1.json").violations(of: value) == [])
    return value
  }

  /// A scan result whose attributes are `attributes`, behind a message that shifts every offset by 20.
  private func messages(_ attributes: [UInt8]) -> [UInt8] {
    let first = NetlinkMessage(type: NetlinkMessage.ControlType.done, payload: [0, 0, 0, 0])
    let generic = GenericNetlinkMessage(command: NL80211.Command.newScanResults, version: 1, attributes: attributes)
    return first.encoded + NetlinkMessage(type: 28, payload: generic.payload).encoded
  }

  private static let bss = BSS(
    bssid: MACAddress(0x0200_0000_0001), frequencyMHz: 2412, capability: 0x11, informationElements: [0, 1, 65])

  @Test func `an attribute that is cut off within a BSS is told with its offset in the input`() throws {
    let attributes = Self.bss.encode()
    let place = try #require(AttributeWalk(attributes).first { $0.type == NL80211.BSSAttribute.informationElements })
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.interfaceIndex, 3 as UInt32)
    writer.write(NL80211.Attribute.bss, Array(attributes[..<place.payload.lowerBound]))
    let input = try DecodedInput(messages(writer.bytes))
    let offset = 20 + 16 + 4 + 8 + 4 + place.payload.lowerBound - 4
    #expect(input.truncation == "truncated at byte \(offset): 7 bytes needed, 4 available")
    let message = try json(input)["messages"]?.items?.last
    #expect(message?["truncation"]?.text == input.truncation)
    #expect(message?["bss"]?["security"]?["summary"]?.text == "Unknown")
    #expect(message?["bss"]?["trailingAttributesHex"]?.text == "07000600")
  }

  @Test func `the name of a BSS whose elements are cut off is unknown and not hidden`() throws {
    let attributes = Self.bss.encode()
    let place = try #require(AttributeWalk(attributes).first { $0.type == NL80211.BSSAttribute.informationElements })
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.bss, Array(attributes[..<place.payload.lowerBound]))
    let input = try DecodedInput(messages(writer.bytes))
    let bss = try #require(try json(input)["messages"]?.items?.last?["bss"])
    #expect([bss["ssid"], bss["ssidHex"], bss["hidden"]] == [.null, .null, .null])
    var text = FieldWriter(style: .text)
    text.object { input.describe(into: &$0) }
    for name in ["ssid", "ssidHex", "hidden"] { #expect(text.text.contains("\n      \(name): unknown\n")) }
    #expect(!text.text.contains("hidden: true"))
  }

  @Test func `an attribute that is cut off beside a BSS is told with its offset in the input`() throws {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.bss, Self.bss.encode())
    let input = try DecodedInput(messages(writer.bytes + [12, 0, 46, 0, 1, 2]))
    let offset = 20 + 16 + 4 + writer.bytes.count
    #expect(input.truncation == "truncated at byte \(offset): 12 bytes needed, 6 available")
    #expect(try json(input)["messages"]?.items?.last?["truncation"]?.text == input.truncation)
    // The same where there is no BSS at all: the others' offsets are from there, too.
    var plain = AttributeWriter()
    plain.write(NL80211.Attribute.interfaceIndex, 3 as UInt32)
    let other = try DecodedInput(messages(plain.bytes + [3, 0, 46, 0]))
    #expect(other.truncation == "length 3 at byte 48: at least 4 bytes needed")
    #expect(try json(other)["messages"]?.items?.last?["attributes"]?.items?.first?["offset"] == .number(40, isInteger: true))
  }

  @Test func `attributes beside a BSS are shown`() throws {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.generation, 7 as UInt32)
    writer.write(NL80211.Attribute.bss, Self.bss.encode())
    writer.write(300, [1, 2, 3])
    writer.write(NL80211.Attribute.interfaceIndex, 5 as UInt16)
    writer.write(NL80211.Attribute.bss, [UInt8(9), 9])
    let input = try DecodedInput(messages(writer.bytes))
    #expect(input.truncation == nil)
    let message = try #require(try json(input)["messages"]?.items?.last)
    let attributes = try #require(message["attributes"]?.items)
    #expect(attributes.map { $0["hex"]?.text } == ["010203", "0500", "0909"])
    #expect(attributes.map { $0["type"] } == [300, 3, 47].map { .number($0, isInteger: true) })
    let first = try #require(attributes.first?["offset"])
    let start = 20 + 16 + 4 + 8 + 4 + Self.bss.encode().count
    #expect(first == .number(Double(start), isInteger: true))
  }

  @Test(
    arguments: [
      ([5, 0, 0, 0], "status 5, which is no error number at byte 36"),
      ([0, 0, 0, 0x80], "status -2147483648, which is no error number at byte 36"),
      ([0xF0, 0xFF], "truncated at byte 36: 4 bytes needed, 2 available"),
    ] as [([UInt8], String)])
  func `a malformed acknowledgement is told`(payload: [UInt8], problem: String) throws {
    let done = NetlinkMessage(type: NetlinkMessage.ControlType.done, payload: [0, 0, 0, 0])
    let input = try DecodedInput(done.encoded + NetlinkMessage(type: NetlinkMessage.ControlType.error, payload: payload).encoded)
    #expect(input.truncation == problem)
    let message = try json(input)["messages"]?.items?.last
    #expect(message?["error"] == nil)
    #expect(message?["hex"]?.text == Hex.string(payload))
  }

  @Test func `a file with more complaints than are kept lists them all`() throws {
    let bad = [[UInt8]](repeating: [1, 0, 8, 0], count: 1_500)
    var writer = ByteWriter()
    for word: UInt32 in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65535, 127] { writer.write(word) }
    for packet in bad {
      for word: UInt32 in [0, 0, UInt32(packet.count), UInt32(packet.count)] { writer.write(word) }
      writer.write(packet)
    }
    let complaints = try #require(try json(DecodedInput(writer.bytes))["fileComplaints"]?.items)
    #expect(complaints.count == 1_500)
    #expect(Set(complaints.map { $0.text }).count == 1_500)
  }

  @Test func `a frame of more bytes than any has is complained of and not decoded`() throws {
    var writer = ByteWriter()
    let count = 4 << 20
    for word: UInt32 in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65535, 105, 0, 0, UInt32(count), UInt32(count)] { writer.write(word) }
    writer.write([0x80, 0] + [UInt8](repeating: 0, count: count - 2))
    let input = try DecodedInput(writer.bytes)
    #expect(input.truncation == "length 4194304 at byte 40: 0 to 65535 bytes expected")
    #expect(try json(input)["frames"]?.items?.isEmpty == true)
  }

  @Test func `elements have the same offsets in a scan as in the frame that it heard`() throws {
    let elements = ElementList([
      .ssid(SSIDElement(ssid: .wildcard)), .malformed(RSN.elementID, [1], .truncated(needed: 2, available: 1)),
    ])
    let body = BeaconBody(timestampUs: 1, intervalTU: 100, capabilities: 0x11, elements: elements)
    let frame = ManagementFrame(
      receiver: MACAddress(0xFFFF_FFFF_FFFF), transmitter: MACAddress(1), bssid: MACAddress(1), body: .beacon(body))
    let decoded = try json(DecodedInput(frame.encoded, as: .frame))
    let bss = BSS(bssid: MACAddress(1), frequencyMHz: 2437, capability: 0x11, informationElements: elements.encoded)
    let scanned = try #require(StrictJSON(ScanReport(makeScan([bss])).json())["bss"]?.items?.first)
    #expect(decoded["elements"]?.items?.last?["offset"] == .number(38, isInteger: true))
    #expect(decoded["complaints"]?.items?.count == 1)
    for key in ["elements", "complaints"] { #expect(scanned[key] == decoded[key], "\(key)") }
  }

  private func text(_ input: DecodedInput) -> String {
    var writer = FieldWriter(style: .json)
    writer.object { input.describe(into: &$0) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A message of nl80211 with a command.
  private func message(_ command: UInt8, _ body: (inout AttributeWriter) -> Void) -> [UInt8] {
    var attributes = AttributeWriter()
    body(&attributes)
    var writer = ByteWriter()
    NetlinkMessage(type: 28, flags: 2, payload: GenericNetlinkMessage(command: command, version: 1, attributes: attributes.bytes).payload)
      .encode(into: &writer)
    return writer.bytes
  }

  private static let beacon: [UInt8] =
    [0x80, 0, 0, 0, 255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0, 0]
    + [1, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0x11, 4, 0, 1, 65]

  @Test func `an attribute is a number of 32 bits only where it is one`() throws {
    // SUPPORTED_IFTYPES holds one flag, which takes as many bytes as a number; WIPHY_FREQ is one.
    let input = try DecodedInput(
      message(3) {
        $0.write(32, [4, 0, 2, 0])
        $0.write(38, UInt32(2437))
      }, as: .nl80211)
    #expect(text(input).contains(#""name":"SUPPORTED_IFTYPES","offset":20,"length":4,"hex":"04000200"}"#))
    #expect(text(input).contains(#""name":"WIPHY_FREQ","offset":28,"length":4,"hex":"85090000","u32":2437"#))
  }

  @Test func `a frame within a message is decoded`() throws {
    let input = try DecodedInput(message(59) { $0.write(51, Self.beacon) }, as: .nl80211)
    #expect(text(input).contains(#""name":"FRAME","offset":20,"length":39,"#))
    #expect(text(input).contains(#""frame":{"frame":"beacon","receiver":"ff:ff:ff:ff:ff:ff""#))
  }

  private func file(_ linkType: UInt8, _ packets: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, linkType, 0, 0, 0]
    for packet in packets {
      let count = [UInt8(packet.count & 255), UInt8(packet.count >> 8), 0, 0]
      bytes += [1, 0, 0, 0, 0, 0, 0, 0] + count + count + packet
    }
    return bytes
  }

  @Test func `what a filter takes away does not count as shown`() throws {
    // There are more complaints than are kept.
    for isLine in [false, true] {
      for (packets, count) in [([], 0), ([[0, 0, 8, 0, 0, 0, 0, 0] + Self.beacon + [3, 1, 6]], 1)] {
        var input = try DecodedInput(file(127, packets + [[UInt8]](repeating: [0, 0, 255, 0], count: 1100)), as: .capture)
        input.query = BSSQuery(names: [NamePattern("A")])
        var writer = FieldWriter(style: .json)
        var passes = 0
        let shown = isLine ? input.describeLines(into: &writer) { _ in passes += 1 } : input.describe(into: &writer) { _ in passes += 1 }
        #expect(shown == count && passes > 1000, "\(shown) of \(passes)")
      }
    }
  }

  @Test func `a capture of netlink has messages`() throws {
    let header: [UInt8] = [0, 4, 3, 0x38] + [UInt8](repeating: 0, count: 10)
    let content = message(34) { $0.write(3, UInt32(5)) }
    let input = try DecodedInput(file(253, [header + [0, 16] + content, header + [0, 0] + content]))
    #expect(input.kind == .capture && input.truncation == nil)
    #expect(text(input).contains(#""offset":56,"timestampNs":1000000000,"netlinkFamily":16,"messages":[{"offset":56,"type":"family 28""#))
    #expect(text(input).contains(#""netlinkFamily":0,"hex":"\#(Hex.string(content))""#))
    let cut = try DecodedInput(file(253, [header + [0, 16] + content.dropLast()]))
    #expect(cut.truncation != nil)
  }

  private static let nlmon: [UInt8] = [0, 4, 3, 0x38] + [UInt8](repeating: 0, count: 10) + [0, 16]

  /// A message of generic netlink of any family.
  private func generic(_ type: UInt16, _ command: UInt8, _ body: (inout AttributeWriter) -> Void) -> [UInt8] {
    var attributes = AttributeWriter()
    body(&attributes)
    let payload = GenericNetlinkMessage(command: command, version: 1, attributes: attributes.bytes).payload
    return NetlinkMessage(type: type, sequence: 1, payload: payload).encoded
  }

  private func family(_ id: UInt16, _ name: String) -> [UInt8] {
    generic(16, 1) {
      $0.write(1, id)
      $0.write(2, name)
    }
  }

  @Test(arguments: [true, false])
  func `the controller says which messages are of nl80211`(isCapture: Bool) throws {
    let messages = [
      generic(0x15, 5) { $0.write(1, UInt32(1)) }, family(0x1C, "nl80211"), family(0x15, "ethtool"),
      generic(0x1D, 34) { $0.write(47, [1]) },
      generic(0x1C, 5) { $0.write(3, UInt32(1)) },
    ]
    let input = try DecodedInput(
      isCapture ? file(253, messages.map { Self.nlmon + $0 }) : messages.flatMap { $0 }, as: isCapture ? .capture : .nl80211)
    #expect(input.truncation == nil)
    let text = text(input)
    #expect(text.contains(#""type":"family 21","familyName":"ethtool","flags":0,"sequence":1,"port":0,"hex":"050100000800010001000000"}"#))
    #expect(text.contains(#""type":"family 29","flags":0,"sequence":1,"port":0,"hex":"2201000005002f0001000000"}"#))
    #expect(text.contains(#""type":"family 28","familyName":"nl80211","flags":0,"sequence":1,"port":0,"command":"GET_INTERFACE""#))
    #expect(text.contains(#""type":"genericController","flags":0,"sequence":1,"port":0,"command":"NEWFAMILY","version":1,"#))
    #expect(text.contains(#"{"type":2,"name":"FAMILY_NAME","#))
    // What the controller does not speak of is taken for nl80211.
    let silent = try DecodedInput(generic(0x1D, 5) { $0.write(1, UInt32(1)) } + family(0x15, "ethtool"), as: .nl80211)
    #expect(self.text(silent).contains(#""type":"family 29","flags":0,"sequence":1,"port":0,"command":"GET_INTERFACE""#))
  }

  @Test func `a frame that cannot be read alone says why`() throws {
    var deauthentication: [UInt8] = [0xC0, 0x40, 0, 0] + [UInt8](Self.beacon[4..<24]) + [15, 0]
    #expect(text(try DecodedInput(deauthentication, as: .frame)).hasSuffix(#""fragmentNumber":0,"protected":true,"bodyHex":"0f00"}"#))
    (deauthentication[1], deauthentication[22]) = (0, 1)
    #expect(text(try DecodedInput(deauthentication, as: .frame)).hasSuffix(#""fragmentNumber":1,"bodyHex":"0f00"}"#))
    var beacon = Self.beacon
    beacon[22] = 2
    let text = text(try DecodedInput(beacon, as: .frame))
    #expect(text.contains(#""frame":"beacon""#) && text.hasSuffix(#""fragmentNumber":2,"bodyHex":"\#(Hex.string(beacon[24...]))"}"#))
  }

  @Test func `a receiver without a frame is no error`() throws {
    let header: [UInt8] = [0, 0, 9, 0, 0, 0, 0, 4, 1]
    #expect(text(try DecodedInput(header, as: .radiotap)).contains(#""radiotap":{"zeroLengthPSDU":1},"offset":9,"frame":"other","hex":"""#))
    let input = try DecodedInput(file(127, [header]))
    #expect(input.truncation == nil && text(input).contains(#""radiotap":{"zeroLengthPSDU":1},"frame":"other","hex":"""#))
  }

  @Test func `a PPI header that overruns says so`() throws {
    #expect(try DecodedInput([0, 0, 12, 0, 105, 0, 0, 0, 2, 0, 200, 0] + Self.beacon, as: .ppi).truncation != nil)
  }

  @Test func `frames say why a station left`() throws {
    let frame: [UInt8] = [0xC0, 0, 0, 0] + [UInt8](Self.beacon[4..<24]) + [15, 0]
    #expect(
      text(try DecodedInput(file(105, [frame]))).contains(
        #""frame":"deauthentication","receiver":"ff:ff:ff:ff:ff:ff","transmitter":"02:00:00:00:00:01","bssid":"02:00:00:00:00:01","#
          + #""sequenceNumber":0,"fragmentNumber":0,"bodyHex":"0f00","reasonCode":15,"reason":"the four-way handshake did not end in time""#
      ))
  }

  @Test func `EHT capabilities of a frame are told in full`() throws {
    // 160 MHz in the 5 GHz band, which the channel of the frame says.
    let he =
      [255, 26, 35] + [UInt8](repeating: 0, count: 6) + [0x0C] + [UInt8](repeating: 0, count: 10) + [
        0xFA, 0xFF, 0xFA, 0xFF, 0xFA, 0xFF, 0xFA, 0xFF,
      ]
    let eht: [UInt8] = [255, 18, 108] + [UInt8](repeating: 0, count: 11) + [0x44, 0x43, 0x42, 0x33, 0x32, 0x31]
    let text = text(try DecodedInput(Self.beacon + [3, 1, 36] + he + eht, as: .frame))
    #expect(text.contains(#"{"width":"160MHz","mcs":"12-13","rxMaximumNSS":1,"txMaximumNSS":3}"#))
  }
}
