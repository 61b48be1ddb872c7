import Determinism
import Testing
import WiFi
import WireProperties

/// What of a message of the kernel cannot be read is told, and nothing is made up in its place.
@Suite struct NetlinkDefectTests {
  static let elements: [UInt8] =
    [0, 4] + Array("Roof".utf8) + [48, 20, 1, 0, 0, 15, 172, 4, 1, 0, 0, 15, 172, 4, 1, 0, 0, 15, 172, 2, 0, 0]

  static let bss: BSS = {
    var bss = BSS(bssid: MACAddress(0x0200_0000_0001), frequencyMHz: 2412, capability: 0x11, informationElements: elements)
    bss.signalMBm = -5000
    return bss
  }()

  /// The attributes of ``bss`` up to the middle of one.
  static func cut(before type: UInt16) -> [UInt8] {
    let bytes = bss.encode()
    let attribute = AttributeWalk(bytes).first { $0.type == type }
    return Array(bytes[..<((attribute?.payload.lowerBound ?? 0) + 1)])
  }

  @Test func `a BSS that is cut off within its elements is not open`() throws {
    let bytes = Self.cut(before: NL80211.BSSAttribute.informationElements)
    let bss = try BSS(attributes: bytes)
    let facts = BSSFacts(bss)
    #expect(facts.security.family != .open)
    #expect(facts.security.summary == "Unknown")
    let error = try #require(bss.truncation)
    #expect(error == WireError(offset: bytes.count - 5, reason: .truncated(needed: Self.elements.count + 4, available: 5)))
    #expect(bss.encode() == bytes)
    #expect(try BSS(attributes: bss.encode()) == bss)
    var fields = FieldWriter(style: .json)
    fields.object { facts.describe(into: &$0, lastSeenMs: nil) }
    #expect(String(decoding: fields.bytes, as: UTF8.self).contains("\"truncation\":\"\(error)\",\"trailingAttributesHex\":\"2000060000\""))
  }

  @Test func `attributes in any order, twice, nested or of unknown numbers come back in theirs`() throws {
    var attributes: [(UInt16, [UInt8])] = [(NL80211.BSSAttribute.bssid, [2, 0, 0, 0, 0, 1])]
    attributes += (1...20).map { (UInt16($0), [UInt8](repeating: UInt8($0), count: [0, 1, 2, 4, 6, 8][$0 % 6])) }
    attributes += [(300, [1]), (0x8000 | 19, [5, 0, 0, 0, 9]), (255, []), (256, [])]
    attributes.append((NL80211.BSSAttribute.tsf, [1, 2, 3, 4, 5, 6, 7, 8]))
    var random = SplitMix64(state: 7)
    for count in [1, 2, 8, 9, 15, 16, 17, attributes.count] + Array(repeating: attributes.count, count: 200) {
      var writer = AttributeWriter()
      writer.write(attributes[0].0, attributes[0].1)
      for (type, payload) in attributes.dropFirst().shuffled(using: &random).prefix(count - 1) { writer.write(type, payload) }
      let bss = try BSS(attributes: writer.bytes)
      #expect(bss.encode() == writer.bytes)
      #expect(try BSS(attributes: bss.encode()) == bss)
    }
  }

  @Test func `a name that is cut off is unknown and not hidden`() throws {
    let facts = BSSFacts(try BSS(attributes: Self.cut(before: NL80211.BSSAttribute.informationElements)))
    #expect(!facts.isSSIDKnown)
    #expect(!facts.isHidden)
    let network = try #require(Network.networks(of: [facts]).first)
    #expect(network.id == .bss(Self.bss.bssid))
    #expect(!network.isHidden)
    #expect(!network.isSSIDKnown)
    var fields = FieldWriter(style: .json)
    fields.object { network.describe(into: &$0) }
    #expect(fields.text.hasPrefix(#"{"ssid":null,"ssidHex":null,"hidden":null,"#))
  }

  @Test(
    arguments: [
      ([], true, true), ([0, 0], true, true), ([0, 2, 0, 0], true, true), ([1, 1, 0x82], true, true),
      ([0, 4, 82, 111], false, false), ([0], false, false), ([1, 1, 0x82, 0, 4, 82], false, false),
      ([1, 1, 0x82, 48, 20, 1], false, false), ([0, 33] + [UInt8](repeating: 65, count: 33), false, false),
      ([0, 1, 82, 48, 20, 1], true, false), ([0, 0, 48, 20, 1], true, true),
    ] as [([UInt8], Bool, Bool)])
  func `a name is hidden only where all that may carry it was read`(elements: [UInt8], isKnown: Bool, isHidden: Bool) {
    var bss = Self.bss
    bss.informationElements = elements
    #expect(BSSFacts(bss).isSSIDKnown == isKnown)
    #expect(BSSFacts(bss).isHidden == isHidden)
  }

  @Test func `a BSS that is cut off behind its elements and capabilities is secured as they say`() throws {
    let bss = try BSS(attributes: Self.cut(before: NL80211.BSSAttribute.signalMBm))
    #expect(bss.truncation != nil)
    #expect(BSSFacts(bss).security == BSSFacts(Self.bss).security)
    #expect(BSSFacts(bss).security.family == .personal)
  }

  @Test func `a BSS without elements whose capabilities are cut off may be protected`() throws {
    var plain = Self.bss
    plain.informationElements = [0, 1, 65]
    let bytes = plain.encode()
    let place = try #require(AttributeWalk(bytes).first { $0.type == NL80211.BSSAttribute.capability })
    #expect(BSSFacts(plain).security.family == .wep)
    #expect(BSSFacts(try BSS(attributes: Array(bytes[..<(place.payload.lowerBound + 1)]))).security.summary == "Unknown")
  }

  @Test func `a network whose protection is cut off is not open`() {
    for end in 7...27 {
      let list = ElementList(parsing: Array(Self.elements.prefix(end)))
      #expect(Security(elements: list, capabilities: 0x11).summary == "Unknown", "\(end)")
    }
    let wpa: [UInt8] = [0, 1, 65, 221, 22, 0x00, 0x50, 0xF2, 0x01, 1, 0]
    #expect(Security(elements: ElementList(parsing: wpa), capabilities: 0x11).summary == "Unknown")
    #expect(Security(elements: ElementList(parsing: [0, 1, 65, 221, 22, 0, 0x50, 0xF2, 4]), capabilities: 1).summary == "Open")
  }

  @Test func `a protected network of which something is cut off is not known to be WEP`() throws {
    // What is missing may have been RSN.
    let cut = ElementList(parsing: [0, 1, 65, 1, 4, 0x82])
    #expect(Security(elements: cut, capabilities: 0x11).summary == "Unknown")
    #expect(Security(elements: cut, capabilities: 0x01).summary == "Open")
    #expect(Security(elements: ElementList(parsing: [0, 1, 65]), capabilities: 0x11).summary == "WEP")
    var attributes = AttributeWriter()
    attributes.write(NL80211.BSSAttribute.bssid, Self.bss.bssid)
    attributes.write(NL80211.BSSAttribute.capability, 0x11 as UInt16)
    let bss = try BSS(attributes: attributes.bytes + [60, 0, 6, 0, 0, 4])
    #expect(BSSFacts(bss).security.summary == "Unknown")
  }

  @Test func `chain signals that cannot all be read are kept as bytes`() {
    var bss = Self.bss
    let whole: [UInt8] = [5, 0, 0, 0, 0xC8, 0, 0, 0]
    bss.otherAttributes = [.init(type: NL80211.BSSAttribute.chainSignal, payload: whole)]
    #expect(bss.unknownAttributes.isEmpty)
    for defect in [[9, 0, 1, 0, 1], [6, 0, 1, 0, 1, 2, 0, 0]] as [[UInt8]] {
      bss.otherAttributes = [.init(type: NL80211.BSSAttribute.chainSignal, payload: whole + defect)]
      #expect(bss.unknownAttributes == bss.otherAttributes)
      #expect(bss.chainSignalsDBm.map(\.signalDBm) == [-56])
    }
    bss.otherAttributes = [UInt8(1), 2].map { .init(type: NL80211.BSSAttribute.chainSignal, payload: [5, 0, $0, 0, 0xC8, 0, 0, 0]) }
    #expect(bss.unknownAttributes == [bss.otherAttributes[1]])
  }

  @Test func `an attribute that is cut off beside a BSS stays in the message`() throws {
    var entry = ScanDumpEntry(generation: 1, interfaceIndex: 2, wdev: 3, bss: Self.bss)
    entry.trailing = [9, 0, 1, 0, 7]
    let again = try ScanDumpEntry(entry.message)
    #expect(again.trailing == entry.trailing)
    #expect(again.message == entry.message)
  }

  // MARK: Acknowledgements

  static func status(_ code: Int32, type: UInt16 = NetlinkMessage.ControlType.error) -> NetlinkMessage {
    var writer = ByteWriter()
    writer.write(UInt32(bitPattern: code))
    for _ in 0..<16 { writer.write(0 as UInt8) }
    return NetlinkMessage(type: type, payload: writer.bytes)
  }

  @Test func `a malformed acknowledgement is no success`() throws {
    let malformed =
      [Self.status(5), Self.status(.min), Self.status(.max)]
      + (0..<4).map { NetlinkMessage(type: NetlinkMessage.ControlType.error, payload: [UInt8](repeating: 0xFF, count: $0)) }
    for message in malformed {
      let error = try #require(KernelError(message))
      #expect(error.number == KernelError.Number.protocolError)
      #expect(error.name == "EPROTO")
      #expect(error.message?.hasPrefix("malformed acknowledgement: ") == true)
      #expect(throws: WireError.self) { try KernelError.reading(message) }
    }
    #expect(KernelError(Self.status(0)) == nil)
    #expect(KernelError(Self.status(-16))?.number == 16)
    // The end of a dump has no status in old kernels.
    #expect(KernelError(NetlinkMessage(type: NetlinkMessage.ControlType.done, payload: [])) == nil)
    #expect(KernelError(Self.status(-4, type: NetlinkMessage.ControlType.done))?.number == 4)
    #expect(KernelError(Self.status(.min, type: NetlinkMessage.ControlType.done))?.name == "EPROTO")
  }

  @Test func `an extended acknowledgement that is cut off is told`() throws {
    var message = Self.status(-22)
    message.flags = NetlinkMessage.Flag.acknowledgeTLVs | NetlinkMessage.Flag.capped
    message.payload += [8, 0, 2, 0, 20, 0, 0, 0, 12, 0, 1, 0, 65]
    let error = try #require(KernelError(message))
    #expect(error.number == 22)
    #expect(error.offset == 20)
    #expect(error.truncation == WireError(offset: 28, reason: .truncated(needed: 12, available: 5)))
  }

  @Test(arguments: [0, 3, 15] as [UInt8])
  func `a request that is sent back has at least its header`(length: UInt8) throws {
    var message = Self.status(-22)
    message.flags = NetlinkMessage.Flag.acknowledgeTLVs
    message.payload[4] = length
    let error = try #require(KernelError(message))
    #expect(error.number == 22)
    #expect(error.truncation.map { "\($0)" } == "length \(length) at byte 4: at least 16 bytes needed")
  }
}
