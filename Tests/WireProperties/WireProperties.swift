import DaemonProtocols
import ScanTools
public import WiFi

/// What bytes broke.
public struct Violation: Error, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}

/// What holds for any bytes, whichever program sent them.
///
/// The fuzz target feeds these with random bytes; the unit tests with the
/// corpus and with every prefix of every capture.
public enum WireProperties {
  /// Checks what is behind the first byte as what the first byte says.
  ///
  /// - Returns: whether the first byte says anything.
  public static func check(_ input: [UInt8]) throws -> Bool {
    let content = Array(input.dropFirst())
    switch input.first {
    case UInt8(ascii: "e"): try checkElements(content)
    case UInt8(ascii: "f"): try checkFrame(content)
    case UInt8(ascii: "t"): try checkRadiotap(content)
    case UInt8(ascii: "c"): try checkCapture(content)
    case UInt8(ascii: "m"): try checkMessages(content)
    case UInt8(ascii: "b"): try checkDBus(content)
    case UInt8(ascii: "a"): try checkDBusAuthentication(content)
    case UInt8(ascii: "w"): try checkControl(content)
    case UInt8(ascii: "g"): try checkGPSD(content)
    default: return false
    }
    return true
  }

  /// Checks `content` as what gpsd says: the pieces in which it comes do not matter, and a position is a place on the Earth.
  public static func checkGPSD(_ content: [UInt8]) throws {
    var (whole, pieces) = (GPSDSession(), GPSDSession())
    let events = whole.receive(content, now: .zero)
    var same: [GPSDSession.Event] = []
    for byte in content {
      same += pieces.receive(CollectionOfOne(byte), now: .zero)
      // No reader listens after that.
      if case .failed? = same.last { break }
    }
    try check(events == same, "gpsd says \(events) at once and \(same) in pieces")
    for case .position(let position?) in events {
      let copy = Position(
        latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees, altitudeM: position.altitudeM,
        accuracyM: position.accuracyM)
      try check(copy == position, "\(position) is no place")
      try checkDescription { position.describe(into: &$0) }
    }
  }

  /// Checks `bytes` as elements: the Capability Information and the frequency in kHz come first, the elements behind.
  public static func checkElements(_ content: [UInt8]) throws {
    guard content.count >= 6 else { return }
    var cursor = ByteCursor(content)
    var bss = BSS(bssid: MACAddress(0x0200_0000_01FE), frequencyMHz: 0, capability: try cursor.readUInt16(), informationElements: [])
    let frequencyKHz = try cursor.readUInt32()
    bss.frequencyMHz = frequencyKHz / 1000
    bss.frequencyOffsetKHz = frequencyKHz % 1000
    bss.informationElements = cursor.readRemaining()
    try checkFacts(bss)
  }

  /// Decodes a BSS whole, and says all of it.
  public static func checkFacts(_ bss: BSS) throws {
    let facts = BSSFacts(bss)
    try check(facts.elements, of: bss.informationElements)
    try check(facts == BSSFacts(bss) && facts.hashValue == BSSFacts(bss).hashValue, "a BSS decodes in two ways")
    try check(SSID(typed: facts.ssid.description) == facts.ssid, "the name \(facts.ssid) typed in is another one")
    try check((0...1).contains(facts.connectivity), "connectivity is \(facts.connectivity)")
    try checkDescription { facts.describe(into: &$0, lastSeenMs: 5) }
    for other in MultipleBSSIDExpansion(bssid: bss.bssid, elements: facts.elements).bss {
      try checkMerged(other.elements)
      try check(other.bssid != bss.bssid, "a nontransmitted BSS has the address of its transmitter")
    }
    for link in MultiLinkExpansion(elements: facts.elements).links where link.profile.isComplete { try checkMerged(link.elements) }
  }

  /// Checks that a list is the bytes that it was read from, which are those of `bytes` from `start` on.
  public static func check(_ list: ElementList, of content: [UInt8], from start: Int = 0) throws {
    try check(content[start...].elementsEqual(list.encoded), "elements encode to other bytes")
    var end = start
    for element in list.elements {
      try check(element.offset == end && element.size >= 2, "an element at \(element.offset), \(end) expected")
      end = element.range.upperBound
    }
    try check(end + list.trailing.count == content.count, "elements end at \(end) of \(content.count)")
    var walk = ElementWalk(content, in: start..<content.count)
    var headers = 0
    while walk.next() != nil { headers += 1 }
    try check(headers == list.elements.count, "\(headers) headers of \(list.elements.count) elements")
    try check(walk.rest?.count ?? 0 == list.trailing.count, "the walk leaves other bytes over")
    try checkDescription { list.describe(into: &$0, of: content) }
  }

  /// Checks that the offsets of a list that was put together are those of its bytes.
  private static func checkMerged(_ list: ElementList) throws {
    var end = 0
    for element in list.elements {
      try check(element.offset == end, "a merged element at \(element.offset), \(end) expected")
      end = element.range.upperBound
    }
    let content = list.encoded
    try check(content.count == end + list.trailing.count, "merged elements end at \(end) of \(content.count)")
    try checkDescription { list.describe(into: &$0, of: content) }
  }

  /// Checks `bytes` as a frame without frame check sequence.
  public static func checkFrame(_ content: [UInt8]) throws {
    guard let frame = try? Frame(content) else { return }
    try check(frame.encoded == content, "a frame encodes to other bytes")
    if let elements = frame.elements { try check(elements, of: content, from: content.count - elements.encoded.count) }
    switch frame {
    case .dmgBeacon(let beacon): try checkDescription { beacon.describe(into: &$0) }
    case .s1gBeacon(let beacon): try checkDescription { beacon.describe(into: &$0) }
    case .management, .other: break
    }
  }

  /// Checks `bytes` as a radiotap header with a frame behind it.
  public static func checkRadiotap(_ content: [UInt8]) throws {
    var cursor = ByteCursor(content)
    guard let header = try? Radiotap(parsing: &cursor) else { return }
    try checkDescription { header.describe(into: &$0) }
    var writer = ByteWriter()
    header.encode(into: &writer)
    var again = ByteCursor(writer.bytes)
    var read = try Radiotap(parsing: &again)
    try check(again.isAtEnd, "a radiotap header declares another length than it has")
    // Signals of single antennas are read and not written.
    read.antennaSignalsDBm = header.antennaSignalsDBm
    read.defect = header.defect
    if read.frequencyMHz == nil { read.channelFlags = header.channelFlags }
    try check(read == header, "a radiotap header encodes to another one")
    try checkFrame(cursor.readRemaining())
  }

  /// Checks `bytes` as a pcap or pcapng file.
  public static func checkCapture(_ content: [UInt8]) throws {
    guard let capture = try? Capture(content) else { return }
    var writer = PCAPNGWriter()
    for frame in capture.frames {
      try check(frame.offset + frame.bytes.count <= content.count, "a frame ends behind the file")
      try check(content[frame.offset..<frame.offset + frame.bytes.count].elementsEqual(frame.bytes), "a frame is not where it says")
      if let radiotap = frame.radiotap { try checkDescription { radiotap.describe(into: &$0) } }
      try checkFrame(frame.bytes)
      writer.append(frame: frame.bytes, radiotap: Radiotap(frequencyMHz: 2412, signalDBm: -40), timestampNs: frame.timestampNs ?? 0)
    }
    for complaint in capture.complaints { try check(!complaint.description.isEmpty, "an empty complaint") }
    if capture.frames.isEmpty { return }
    let again = try Capture(writer.bytes)
    try check(again.frames.map(\.bytes) == capture.frames.map(\.bytes), "frames that are written are read as others")
    try check(again.complaints.isEmpty, "what is written cannot be read")
  }

  /// Checks `bytes` as messages of nl80211, one behind the other.
  public static func checkMessages(_ content: [UInt8]) throws {
    let (messages, error) = NetlinkMessage.messages(in: content)
    let headers = Array(NetlinkWalk(content))
    try check(headers.map { $0.message(of: content) } == messages, "walking and reading find different messages")
    if error == nil {
      // Padding is written as zeros, and after the last message it may be missing.
      var canonical = content
      for header in headers {
        let end = header.payload.upperBound
        for index in end..<max(end, min((end + 3) & ~3, content.count)) { canonical[index] = 0 }
      }
      let encoded = messages.flatMap(\.encoded)
      try check(encoded.starts(with: canonical) && encoded.count - canonical.count < 4, "messages encode to other bytes")
    }
    var generic: [GenericNetlinkMessage] = []
    for message in messages {
      _ = KernelError(message)?.name
      guard let content = try? GenericNetlinkMessage(payload: message.payload) else { continue }
      generic.append(content)
      try checkGeneric(content)
    }
    for adapter in Adapter.adapters(of: generic) { try checkDescription { adapter.describe(into: &$0) } }
  }

  private static func checkGeneric(_ message: GenericNetlinkMessage) throws {
    try check(GenericNetlinkMessage(payload: message.payload) == message, "a message encodes to another one")
    if let entry = try? ScanDumpEntry(message) {
      try check(ScanDumpEntry(entry.message) == entry, "a scan result encodes to another one")
      try checkFacts(entry.bss)
      _ = Network(id: BSSFacts(entry.bss).networkID(.network), of: [BSSFacts(entry.bss)])
    }
    for attribute in AttributeWalk(message.attributes) where attribute.type == NL80211.Attribute.bss {
      try checkBSS(Array(message.attributes[attribute.payload]))
    }
    let event = NL80211Event(NL80211Event(message).message)
    try check(NL80211Event(event.message) == event, "an event encodes to another one")
    if let value = Interface(message) { try checkDescription { value.describe(into: &$0) } }
    if let value = RegulatoryDomain(message) { try checkDescription { value.describe(into: &$0) } }
    if let value = Survey(message) { try checkDescription { value.describe(into: &$0) } }
    if let value = Station(message) { try checkDescription { value.describe(into: &$0) } }
  }

  /// Checks that the attributes of a BSS encode to what they were, but for padding that is not zero and the flag for the
  /// order of bytes, which nl80211 never sets.
  private static func checkBSS(_ content: [UInt8]) throws {
    guard let bss = try? BSS(attributes: content) else { return }
    let encoded = bss.encode()
    try check(BSS(attributes: encoded) == bss, "a BSS encodes to another one")
    var walk = AttributeWalk(content)
    var canonical = content
    while let attribute = walk.next() {
      canonical[attribute.payload.lowerBound - 1] &= 0xBF
      let end = attribute.payload.upperBound
      for index in end..<max(end, min((end + 3) & ~3, content.count)) { canonical[index] = 0 }
    }
    guard walk.error == nil else { return }
    while canonical.count % 4 > 0 { canonical.append(0) }
    try check(encoded == canonical, "the attributes of a BSS encode to other bytes")
  }

  // MARK: Control

  /// Checks `bytes` as a stream of D-Bus messages, whole and in pieces.
  public static func checkDBus(_ content: [UInt8]) throws {
    let (messages, error, rest) = dbusMessages(in: content, by: max(content.count, 1))
    let (inPieces, pieceError, _) = dbusMessages(in: content, by: 7)
    try check(
      messages == inPieces || messages.contains { containsNaN($0.body) || containsNaN($0.fields.map(\.value)) },
      "a stream in pieces gives other messages")
    try check(error == pieceError, "a stream in pieces breaks in another way: \(String(describing: error))")
    let encoded = messages.flatMap(\.encoded)
    try check(content.starts(with: encoded), "D-Bus messages encode to other bytes")
    if error == nil { try check(encoded.count + rest == content.count, "bytes of a D-Bus stream are lost") }
    for message in messages {
      try check(DBusMessage.length(of: message.encoded) == message.encoded.count, "a message has another length than it says")
      try check(DBusSignature(parsing: Array(message.signature.description.utf8)) == message.signature, "a signature reads as another")
      _ = (message.path, message.interface, message.member, message.sender, message.replySerial, message.errorName)
    }
    if let signature = try? DBusSignature(parsing: content) {
      try check(Array(signature.description.utf8) == content, "a signature prints as other bytes")
    }
  }

  private static func containsNaN(_ values: [DBusValue]) -> Bool {
    values.contains { value in
      switch value {
      case .double(let number): number.isNaN
      case .variant(let value): containsNaN([value])
      case .array(_, let values), .structure(let values): containsNaN(values)
      case .dictionaryEntry(let key, let value): containsNaN([key, value])
      default: false
      }
    }
  }

  private static func dbusMessages(in content: [UInt8], by size: Int) -> ([DBusMessage], WireError?, Int) {
    var stream = DBusStream(limit: 1 << 20)
    var messages: [DBusMessage] = []
    for start in stride(from: 0, to: content.count, by: size) {
      stream.append(content[start..<min(start + size, content.count)])
      do throws(WireError) {
        while let message = try stream.next() { messages.append(message) }
      } catch {
        return (messages, error, 0)
      }
    }
    return (messages, nil, stream.pending)
  }

  /// Checks `bytes` as lines of the D-Bus authentication.
  public static func checkDBusAuthentication(_ content: [UInt8]) throws {
    var buffer = content
    while let line = (try? DBusAuthenticationLine.take(from: &buffer)) ?? nil {
      var again = line.encoded
      try check(DBusAuthenticationLine.take(from: &again) == line && again.isEmpty, "an authentication line reads as another")
    }
  }

  /// Checks `bytes` as datagrams of wpa_supplicant's control interface, in either direction.
  public static func checkControl(_ content: [UInt8]) throws {
    let command = ControlCommand(content)
    try check(command.encoded == content, "a command encodes to other bytes")
    try checkPrintable(Array(command.description.utf8))
    let message = ControlMessage(content)
    try check(message.encoded == content, "a datagram encodes to other bytes")
    if case .event(let event) = message {
      try checkPrintable(Array(event.line.utf8))
      _ = event.kind
    }
    if let status = try? ControlStatus(content) { try check(status.encoded == content, "a status encodes to other bytes") }
    if let networks = try? ControlNetwork.list(content) {
      try check(ControlNetwork.list(ControlNetwork.encode(networks)) == networks, "a list of networks encodes to another")
    }
    try check(ControlText.unescape(ControlText.escape(content).utf8) == content, "escaped bytes read as others")
    try check(ControlText.value(ControlText.hexadecimal(content)) == content, "hexadecimal bytes read as others")
    if let quoted = ControlText.quoted(content) { try check(ControlText.value(quoted) == content, "quoted bytes read as others") }
    _ = try? ControlText.value(content)
    for use in [Passphrase.Use.psk, .sae, .pskOrSAE] {
      do throws(Passphrase.Problem) { try Passphrase.check(content, for: use) } catch {
        try check(error.description.allSatisfy { $0.isASCII }, "a problem shows the password")
      }
    }
  }

  // MARK: Descriptions

  /// Checks that what `body` writes is JSON in one style and has no control characters in the other.
  public static func checkDescription(_ body: (inout FieldWriter) -> Void) throws {
    var json = FieldWriter(style: .json)
    json.object(body)
    var checker = JSONChecker(json.bytes)
    try checker.checkWhole()
    var text = FieldWriter(style: .text)
    text.object(body)
    try checkPrintable(text.bytes)
  }

  /// Checks that `bytes` are UTF-8 without control characters, but for line ends.
  public static func checkPrintable(_ content: [UInt8]) throws {
    if content.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x0A }) { return }
    guard let text = String(validating: content, as: UTF8.self) else { throw Violation("a description is not UTF-8") }
    for scalar in text.unicodeScalars where scalar != "\n" && PrintableText.mustEscape(scalar) {
      throw Violation("a description holds U+\(String(scalar.value, radix: 16))")
    }
  }

  private static func check(_ condition: @autoclosure () throws -> Bool, _ violation: @autoclosure () -> String) throws {
    if try !condition() { throw Violation(violation()) }
  }
}

/// Reads JSON by the letter of RFC 8259, and finds names that stand twice in one object.
public struct JSONChecker {
  private let bytes: [UInt8]
  private var position = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads one value that is all there is.
  public mutating func checkWhole() throws {
    try WireProperties.checkPrintable(bytes)
    try value()
    guard position == bytes.count else { throw fault("the end") }
  }

  private func fault(_ expected: String) -> Violation {
    let start = max(0, position - 60)
    let end = min(bytes.count, position + 20)
    return Violation("JSON: \(expected) expected at \(position), after \(String(decoding: bytes[start..<end], as: UTF8.self))")
  }

  private mutating func take(_ character: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == character else { return false }
    position += 1
    return true
  }

  private mutating func value() throws {
    guard position < bytes.count else { throw fault("a value") }
    switch bytes[position] {
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: try number()
    }
  }

  private mutating func object() throws {
    position += 1
    if take(UInt8(ascii: "}")) { return }
    var names: [ArraySlice<UInt8>] = []
    repeat {
      let start = position
      try string()
      let name = bytes[start..<position]
      if names.contains(name) { throw fault("another name than \(String(decoding: name, as: UTF8.self))") }
      names.append(name)
      guard take(UInt8(ascii: ":")) else { throw fault("a colon") }
      try value()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("the end of an object") }
  }

  private mutating func array() throws {
    position += 1
    if take(UInt8(ascii: "]")) { return }
    repeat { try value() } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("the end of an array") }
  }

  private mutating func string() throws {
    guard take(UInt8(ascii: "\"")) else { throw fault("a string") }
    while position < bytes.count {
      let character = bytes[position]
      position += 1
      switch character {
      case UInt8(ascii: "\""): return
      case ..<0x20: throw fault("no control character")
      case UInt8(ascii: "\\"):
        guard position < bytes.count else { throw fault("an escape") }
        let kind = bytes[position]
        position += 1
        if kind == UInt8(ascii: "u") {
          guard position + 4 <= bytes.count, bytes[position..<position + 4].allSatisfy({ Hex.value($0) != nil }) else {
            throw fault("four digits")
          }
          position += 4
        } else if !"\"\\/bfnrt".utf8.contains(kind) {
          throw fault("an escape")
        }
      default: break
      }
    }
    throw fault("the end of a string")
  }

  private mutating func word(_ word: StaticString) throws {
    for character in "\(word)".utf8 where !take(character) { throw fault("\(word)") }
  }

  private mutating func number() throws {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
      try digits()
    }
  }

  private mutating func digits() throws {
    let start = position
    while position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] { position += 1 }
    if position == start { throw fault("a digit") }
  }
}
