public import WiFi

/// Octets of unknown origin, taken for what they are: elements, a frame, a capture, or nl80211 messages.
public struct DecodedInput: Sendable {
  /// The version of the JSON that describes it; its schema is `schemas/decode-1.json`.
  public static let schema = "wifi-harness/decode/1"

  /// What octets can be.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Information elements one behind the other.
    case elements
    /// One 802.11 frame without its frame check sequence.
    case frame
    /// One 802.11 frame behind a radiotap header.
    case radiotap
    /// A pcap or pcapng file.
    case capture
    /// Netlink messages one behind the other.
    case nl80211
  }

  /// Why octets could not be decoded at all.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One clause.
    public var description: String
  }

  /// What the octets were taken for.
  public let kind: Kind
  /// The octets, after hexadecimal text was read.
  public let bytes: [UInt8]
  /// What ended the decoding early, if anything did.
  public let truncation: String?

  /// The most octets that elements or one frame are taken from: what an attribute of netlink can hold (`nla_len`, u16).
  public static let maximumLength = 65_535

  private let content: Content

  private enum Content: Sendable {
    case elements(ElementList)
    case frame(Radiotap?, Frame, octets: [UInt8])
    case capture(Capture)
    case messages([(offset: Int, message: NetlinkMessage)])
  }

  /// Decodes `input`, which may be hexadecimal text.
  ///
  /// - Parameter kind: what it is, or `nil` to find out.
  /// - Throws: ``Failure`` where it is empty or nothing that is known.
  public init(_ input: [UInt8], as kind: Kind? = nil) throws(Failure) {
    guard !input.isEmpty else { throw Failure(description: "there is nothing to decode: the input is empty") }
    let bytes: [UInt8]
    switch HexText.read(input) {
    case .octets(let octets): bytes = octets
    case .binary: bytes = input
    case .text(let problem): throw Failure(description: "the input is text, but not hexadecimal: \(problem)")
    }
    self.bytes = bytes
    guard let kind = kind ?? Self.guess(bytes) else {
      throw Failure(
        description: "the input is neither hexadecimal text nor elements, an 802.11 frame, a pcap or pcapng file, or "
          + "nl80211 messages; say which with --as to see how far it goes")
    }
    self.kind = kind
    if [.elements, .frame, .radiotap].contains(kind), bytes.count > Self.maximumLength {
      throw Failure(
        description: "the input has \(bytes.count) octets, and elements or a frame have at most \(Self.maximumLength)")
    }
    switch kind {
    case .elements:
      content = .elements(ElementList(parsing: bytes))
      truncation = nil
    case .frame:
      content = .frame(nil, try Self.reading("a frame") { () throws(WireError) in try Frame(bytes) }, octets: bytes)
      truncation = nil
    case .radiotap:
      let (header, octets) = try Self.reading("a radiotap header") { () throws(WireError) in try Self.splitRadiotap(bytes) }
      content = .frame(header, try Self.reading("a frame") { () throws(WireError) in try Frame(octets) }, octets: octets)
      truncation = nil
    case .capture:
      let capture: Capture
      do throws(CaptureError) { capture = try Capture(bytes) } catch {
        throw Failure(description: "\(error)".hasSuffix(".") ? String("\(error)".dropLast()) : "\(error)")
      }
      content = .capture(capture)
      truncation = capture.complaints.last.map { "\($0)" }
    case .nl80211:
      let (messages, error) = Self.messages(bytes)
      guard !messages.isEmpty else { throw Failure(description: "no netlink message: \(error.map { "\($0)" } ?? "")") }
      content = .messages(messages)
      truncation = error.map { "\($0)" }
    }
  }

  private static func reading<Value>(_ what: String, _ body: () throws(WireError) -> Value) throws(Failure) -> Value {
    do throws(WireError) { return try body() } catch { throw Failure(description: "no \(what.dropFirst(2)): \(error)") }
  }

  private static func splitRadiotap(_ bytes: [UInt8]) throws(WireError) -> (Radiotap, [UInt8]) {
    var cursor = ByteCursor(bytes)
    let header = try Radiotap(parsing: &cursor)
    var octets = cursor.readRemaining()
    if header.hasFCS, octets.count >= 4 { octets.removeLast(4) }
    return (header, octets)
  }

  private static func messages(_ bytes: [UInt8]) -> (messages: [(offset: Int, message: NetlinkMessage)], error: WireError?) {
    var walk = NetlinkWalk(bytes)
    var messages: [(Int, NetlinkMessage)] = []
    while let header = walk.next() {
      messages.append((header.payload.lowerBound - NetlinkMessage.headerSize, header.message(of: bytes)))
    }
    return (messages, walk.error)
  }

  /// What octets are most likely to be.
  private static func guess(_ bytes: [UInt8]) -> Kind? {
    if Capture.format(bytes) != nil { return .capture }
    let (messages, error) = messages(bytes)
    if error == nil, let first = messages.first?.message, isLikely(first.type) { return .nl80211 }
    // More than elements or a frame can be: messages that were cut off, or nothing that is known.
    guard bytes.count <= maximumLength else { return isCutMessages(bytes) ? .nl80211 : nil }
    let elements = ElementList(parsing: bytes)
    let isCleanFrame = isClean(try? Frame(bytes))
    // A beacon, a probe request or response, and their length in octets, are unlikely as Element ID and Length.
    if isCleanFrame, [0x80, 0x50, 0x40].contains(bytes[0]) || !elements.trailing.isEmpty { return .frame }
    if let (_, octets) = try? splitRadiotap(bytes), isClean(try? Frame(octets)) { return .radiotap }
    if elements.trailing.isEmpty { return .elements }
    if isCutMessages(bytes) { return .nl80211 }
    return elements.elements.isEmpty ? nil : .elements
  }

  private static func isLikely(_ type: UInt16) -> Bool { type >= 16 || (2...3).contains(type) }

  /// Whether octets begin as netlink messages do, and end within one.
  private static func isCutMessages(_ bytes: [UInt8]) -> Bool {
    var cursor = ByteCursor(bytes)
    guard let length = try? cursor.readUInt32(), let type = try? cursor.readUInt16(), let flags = try? cursor.readUInt16()
    else { return false }
    return (16..<1 << 20).contains(length) && isLikely(type) && flags < 0x1000
  }

  private static func isClean(_ frame: Frame?) -> Bool {
    frame?.elements.map { $0.trailing.isEmpty && !$0.elements.isEmpty } ?? false
  }

  /// Describes everything that was decoded.
  ///
  /// - Parameter pass: is called after each frame or message, and may take away what was written so far: the text of a
  ///   capture is many times as long as the capture.
  public func describe(into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void = { _ in }) {
    fields.field("schema", Self.schema)
    fields.field("kind", kind.rawValue)
    fields.field("length", bytes.count)
    if let truncation { fields.field("truncation", truncation) }
    switch content {
    case .elements(let list): list.describe(into: &fields, of: bytes)
    case .frame(let radiotap, let frame, let octets):
      if let radiotap { fields.object("radiotap") { radiotap.describe(into: &$0) } }
      FrameDescription(frame: frame, octets: octets).describe(into: &fields)
    case .capture(let capture): describe(capture, into: &fields, pass: pass)
    case .messages(let messages):
      fields.array("messages", messages) { fields, entry in
        fields.object { MessageDescription(message: entry.message, offset: entry.offset).describe(into: &$0) }
        pass(&fields)
      }
    }
  }

  private func describe(_ capture: Capture, into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    fields.field("format", capture.format.rawValue)
    fields.array("frames", capture.frames) { fields, captured in
      fields.object { fields in
        fields.field("offset", captured.offset)
        if let time = captured.timestampNs { fields.field("timestampNs", time) }
        if captured.missing > 0 { fields.field("missing", captured.missing) }
        if captured.hasBadFCS { fields.field("badFCS", true) }
        if let radiotap = captured.radiotap { fields.object("radiotap") { radiotap.describe(into: &$0) } }
        do throws(WireError) {
          FrameDescription(frame: try Frame(captured.octets), octets: captured.octets).describe(into: &fields)
        } catch {
          fields.field("unreadable", "\(error)")
          fields.field("hex", hex: captured.octets)
        }
      }
      pass(&fields)
    }
    fields.field("fileComplaints", capture.complaints.map { "\($0)" })
  }
}
