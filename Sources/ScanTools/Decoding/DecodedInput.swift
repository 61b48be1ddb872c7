public import WiFi

/// Bytes of a detected type: elements, a frame, a capture, or nl80211 messages.
public struct DecodedInput: Sendable {
  /// The version of the JSON that describes it; its schema is `schemas/decode-1.json`.
  public static let schema = "wifi-harness/decode/1"

  /// What bytes can be.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Information elements one behind the other.
    case elements
    /// One 802.11 frame without its frame check sequence.
    case frame
    /// One 802.11 frame behind a radiotap header.
    case radiotap
    /// One 802.11 frame behind a Per-Packet Information header.
    case ppi
    /// One 802.11 frame behind a Prism or an AVS header.
    case prism
    /// A pcap or pcapng file.
    case capture
    /// Netlink messages one behind the other.
    case nl80211
  }

  /// Why bytes could not be decoded at all.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One clause.
    public var description: String
  }

  /// What the bytes were taken for.
  public let kind: Kind
  /// The bytes, after hexadecimal text was read.
  public let bytes: [UInt8]
  /// What spoke for ``kind``, where it was found out.
  public let evidence: String?
  /// What ended the decoding early, or could not be read on the way, if anything.
  public let truncation: String?

  /// The most bytes that elements or one frame are taken from: what an attribute of netlink can hold (`nla_len`, u16).
  public static let maximumLength = 65_535

  private let content: Content
  /// Selects access points: frames and messages of a capture that announce no matching one are omitted.
  public var query = BSSQuery()

  /// The families that messages of the controller name.
  private var families = GenericFamilies()

  private enum Content: Sendable {
    case elements(ElementList)
    case frame(SingleFrame)
    case capture(Capture.Format, CaptureComplaints)
    case messages
  }

  /// One frame, and what stands around it.
  private struct SingleFrame: Sendable {
    var radiotap: Radiotap?
    var frame: Frame
    var bytes: [UInt8]
    /// Where it starts in the input.
    var offset: Int
    /// Its frame check sequence, where it is known to have one, and whether that is wrong.
    var fcs: [UInt8] = []
    var hasBadFCS = false
  }

  /// What could not be read of a file: all of it while that is little.
  private struct CaptureComplaints: Sendable {
    static let maximumKept = 1000
    var first: [CaptureComplaint] = []
    var last: CaptureComplaint?
    var count = 0

    mutating func add(_ complaint: CaptureComplaint) {
      count += 1
      last = complaint
      if first.count < Self.maximumKept { first.append(complaint) }
    }
  }

  /// Decodes `input`, which may be hexadecimal text.
  ///
  /// Costs the memory of the input, and of the bytes that hexadecimal text stands for; frames of a capture and messages
  /// are decoded one by one when they are described.
  ///
  /// - Parameter kind: what it is, or `nil` to detect it by the evidence for each reading.
  /// - Throws: ``Failure`` where it is empty or nothing that is known; then it says what was tried.
  public init(_ input: [UInt8], as kind: Kind? = nil) throws(Failure) {
    let inputs = try Self.list(input, as: kind)
    guard let first = inputs.first, inputs.count == 1 else {
      throw Failure(description: "the input holds \(inputs.count) dumps, and one is read")
    }
    self = first
  }

  /// Decodes `input`, which may be hexadecimal text with several dumps, of which each is decoded by itself.
  public static func list(_ input: [UInt8], as kind: Kind? = nil) throws(Failure) -> [DecodedInput] {
    guard !input.isEmpty else { throw Failure(description: "there is nothing to decode: the input is empty") }
    if input.starts(with: #"{"format":"wifi-harness/recording/"#.utf8) {
      throw Failure(description: "it is a recording; use `wifi-harness replay`, or `wifi-harness scan --replay` for one of its scans")
    }
    switch HexText.read(input) {
    case .bytes(let content): return [try DecodedInput(content, as: kind, isText: true)]
    case .binary: return [try DecodedInput(input, as: kind, isText: false)]
    case .dumps(let dumps):
      var inputs: [DecodedInput] = []
      for (index, dump) in dumps.enumerated() {
        do throws(Failure) { inputs.append(try DecodedInput(dump, as: kind, isText: true)) } catch {
          throw Failure(description: "dump \(index + 1) of \(dumps.count): \(error)")
        }
      }
      return inputs
    case .text(let problem):
      // Words are letters of base64, too: what they stand for has to be something.
      if let bytes = HexText.base64(input), kind != nil || InputDetection(bytes, isText: true).kind != nil {
        return [try DecodedInput(bytes, as: kind, isText: true)]
      }
      throw Failure(description: "the input is text, but not hexadecimal: \(problem)")
    }
  }

  private init(_ bytes: [UInt8], as kind: Kind?, isText: Bool) throws(Failure) {
    self.bytes = bytes
    if let kind {
      self.kind = kind
      evidence = nil
    } else {
      let detection = InputDetection(bytes, isText: isText)
      guard let found = detection.kind else { throw Failure(detection) }
      self.kind = found
      evidence = detection.evidence
    }
    if ![.capture, .nl80211].contains(self.kind), bytes.count > Self.maximumLength {
      throw Failure(
        description: "the input has \(bytes.count) bytes, and elements or a frame have at most \(Self.maximumLength)")
    }
    switch self.kind {
    case .elements:
      content = .elements(ElementList(parsing: bytes))
      truncation = nil
    case .frame:
      content = .frame(try Self.frame(bytes, behind: nil, at: 0))
      truncation = nil
    case .radiotap:
      var cursor = ByteCursor(bytes)
      let header = try Self.reading("a radiotap header", at: 0) { () throws(WireError) in try Radiotap(parsing: &cursor) }
      content = .frame(try Self.frame(Array(bytes[cursor.position...]), behind: header, at: cursor.position))
      truncation = header.defect.map { "\($0)" }
    case .ppi:
      let single = try Self.frame(bytes, linkType: LinkType.ppi, "a PPI header")
      content = .frame(single)
      truncation = single.radiotap?.defect.map { "\($0)" }
    case .prism:
      content = .frame(try Self.frame(bytes, linkType: LinkType.prism, "a Prism header"))
      truncation = nil
    case .capture:
      let (format, complaints) = try Self.survey(capture: bytes, &families)
      content = .capture(format, complaints)
      truncation = complaints.last.map { "\($0)" }
    case .nl80211:
      content = .messages
      truncation = try Self.survey(messages: bytes, &families).map { "\($0)" }
    }
  }

  private static func reading<Value>(
    _ what: String, at offset: Int, _ body: () throws(WireError) -> Value
  ) throws(Failure) -> Value {
    do throws(WireError) { return try body() } catch {
      throw Failure(description: "no \(what.dropFirst(2)): \(WireError(offset: error.offset + offset, reason: error.reason))")
    }
  }

  /// Reads a frame, and takes off its frame check sequence where radiotap announces one or the checksum is right.
  private static func frame(_ bytes: [UInt8], behind radiotap: Radiotap?, at offset: Int) throws(Failure) -> SingleFrame {
    let isRight = FrameCheckSequence.isRight(bytes, in: 0..<bytes.count)
    let hasFCS = bytes.count >= FrameCheckSequence.size && (isRight || radiotap?.hasFCS ?? false)
    let content = hasFCS ? Array(bytes.dropLast(FrameCheckSequence.size)) : bytes
    return SingleFrame(
      radiotap: radiotap, frame: try reading("a frame", at: offset) { () throws(WireError) in try Frame(content, behind: radiotap) },
      bytes: content,
      offset: offset, fcs: Array(bytes[content.count...]), hasBadFCS: radiotap?.hasBadFCS ?? false || hasFCS && !isRight)
  }

  /// Reads a frame behind a header that a link type of captures has.
  private static func frame(_ bytes: [UInt8], linkType: Int, _ header: String) throws(Failure) -> SingleFrame {
    let packet = CapturedPacket(count: bytes.count, linkType: linkType)
    let captured = try reading(header, at: 0) { () throws(WireError) in try packet.frame(of: bytes) }
    return try frame(Array(bytes[captured.offset...]), behind: captured.radiotap, at: captured.offset)
  }

  /// Goes through a file once, for what cannot be read of it.
  private static func survey(
    capture bytes: [UInt8], _ families: inout GenericFamilies
  ) throws(Failure) -> (Capture.Format, CaptureComplaints) {
    var complaints = CaptureComplaints()
    var walk: CaptureWalk
    do throws(CaptureError) { walk = try CaptureWalk(bytes, withMessages: true) } catch {
      throw Failure(description: "\(error)".hasSuffix(".") ? String("\(error)".dropLast()) : "\(error)")
    }
    while let complaint = walk.nextComplaint(in: bytes, &families) { complaints.add(complaint) }
    return (walk.format, complaints)
  }

  /// Goes through the messages once, for what cannot be read of them: what ends them early, or else the first defect of
  /// one.
  private static func survey(messages bytes: [UInt8], _ families: inout GenericFamilies) throws(Failure) -> WireError? {
    for header in NetlinkWalk(bytes) { families.hear(header, of: bytes) }
    var walk = NetlinkWalk(bytes)
    var isEmpty = true
    var defect: WireError?
    while let header = walk.next() {
      isEmpty = false
      if defect == nil { defect = MessageDescription(bytes: bytes, header: header, families: families).defect }
    }
    guard !isEmpty else { throw Failure(description: "no netlink message: \(walk.error.map { "\($0)" } ?? "")") }
    return walk.error ?? defect
  }

  /// Describes everything that was decoded.
  ///
  /// - Parameter pass: is called after each frame or message, and may take away what was written so far: the text of a
  ///   capture is many times as long as the capture.
  /// - Returns: how many frames and messages ``query`` let through; what cannot be read of a file is none.
  @discardableResult
  public func describe(into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void = { _ in }) -> Int {
    var shown = 1
    fields.field("schema", Self.schema)
    fields.field("kind", kind.rawValue)
    fields.field("length", bytes.count)
    if let evidence { fields.field("evidence", evidence) }
    if let truncation { fields.field("truncation", truncation) }
    switch content {
    case .elements(let list):
      list.describe(into: &fields, of: bytes)
      list.describeProfiles(bssid: nil, into: &fields, pass: pass)
    case .frame(let single): Self.describe(single, into: &fields, pass: pass)
    case .capture(let format, let complaints):
      fields.field("format", format.rawValue)
      fields.array("frames") { shown = describeFrames(into: &$0, pass: pass) }
      fields.array("fileComplaints") { describe(complaints, into: &$0, pass: pass) }
    case .messages: fields.array("messages") { shown = describeMessages(in: 0..<bytes.count, into: &$0, pass: pass) }
    }
    return shown
  }

  /// Describes each frame or message by itself, as an object on a line, and then what cannot be read of a file; all of
  /// it as one where there is one.
  ///
  /// - Parameter pass: as for ``describe(into:pass:)``.
  /// - Returns: as ``describe(into:pass:)``.
  @discardableResult
  public func describeLines(into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void = { _ in }) -> Int {
    var shown = 1
    switch content {
    case .capture(_, let complaints):
      shown = describeFrames(into: &fields, isLine: true, pass: pass)
      if complaints.count > 0 {
        fields.object { fields in fields.array("fileComplaints") { describe(complaints, into: &$0, pass: pass) } }
        fields.newline()
      }
    case .messages: shown = describeMessages(in: 0..<bytes.count, into: &fields, isLine: true, pass: pass)
    case .elements, .frame:
      fields.object { describe(into: &$0, pass: pass) }
      fields.newline()
    }
    return shown
  }

  /// Whether there are frames or messages of access points, among which ``query`` can choose.
  public var hasAccessPoints: Bool { [.capture, .nl80211].contains(kind) }

  private static func describe(_ single: SingleFrame, into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    if let radiotap = single.radiotap {
      fields.object("radiotap") { radiotap.describe(into: &$0) }
      fields.field("offset", single.offset)
    }
    fields.fieldIfPresent("fcsHex", hex: single.fcs)
    if single.hasBadFCS { fields.field("badFCS", true) }
    FrameDescription(frame: single.frame, bytes: single.bytes, frequencyMHz: single.radiotap?.frequencyMHz).describe(
      into: &fields, pass: pass)
  }

  /// Whether the filter wants what announces an access point, if it does.
  private func accepts(_ bss: @autoclosure () -> BSS?) -> Bool { query.isEmpty || bss().map { query.accepts(BSSFacts($0)) } ?? false }

  private static func bss(_ frame: CapturedFrame) -> BSS? {
    var table = CaptureTable()
    table.hear(frame)
    return table.bss.first
  }

  private func describeFrames(into fields: inout FieldWriter, isLine: Bool = false, pass: (inout FieldWriter) -> Void) -> Int {
    guard var walk = try? CaptureWalk(bytes, withMessages: true) else { return 0 }
    var shown = 0
    while let item = walk.next() {
      guard case .packet(let packet) = item else { continue }
      if packet.isNetlink {
        shown += describeMessages(packet, into: &fields, isLine: isLine, pass: pass)
        continue
      }
      guard let captured = try? packet.frame(of: bytes), accepts(Self.bss(captured)) else { continue }
      fields.object { Self.describe(captured, into: &$0, pass: pass) }
      if isLine { fields.newline() }
      shown += 1
      pass(&fields)
    }
    return shown
  }

  private func describeMessages(
    in range: Range<Int>, into fields: inout FieldWriter, isLine: Bool = false, pass: (inout FieldWriter) -> Void
  ) -> Int {
    var walk = NetlinkWalk(bytes, in: range)
    var shown = 0
    while let header = walk.next() {
      let message = MessageDescription(bytes: bytes, header: header, families: families)
      guard accepts(message.entry?.bss) else { continue }
      fields.object { message.describe(into: &$0, pass: pass) }
      if isLine { fields.newline() }
      shown += 1
      pass(&fields)
    }
    return shown
  }

  private func describe(_ complaints: CaptureComplaints, into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    if complaints.count == complaints.first.count {
      for complaint in complaints.first { fields.item("\(complaint)") }
      return
    }
    guard var walk = try? CaptureWalk(bytes, withMessages: true) else { return }
    var families = families
    while let complaint = walk.nextComplaint(in: bytes, &families) {
      fields.item("\(complaint)")
      pass(&fields)
    }
  }

  /// The generic family of netlink (`NETLINK_GENERIC`), of which nl80211 is a part.
  fileprivate static let genericFamily = 16

  /// Writes the messages of a packet of netlink.
  private func describeMessages(
    _ packet: CapturedPacket, into fields: inout FieldWriter, isLine: Bool, pass: (inout FieldWriter) -> Void
  ) -> Int {
    guard let (family, range) = try? packet.netlinkMessages(of: bytes), query.isEmpty || family == Self.genericFamily else { return 0 }
    var walk = NetlinkWalk(bytes, in: range)
    var isWanted = query.isEmpty
    while !isWanted, let header = walk.next() {
      isWanted = accepts(MessageDescription(bytes: bytes, header: header, families: families).entry?.bss)
    }
    guard isWanted else { return 0 }
    var shown = 1
    fields.object { fields in
      fields.field("offset", range.lowerBound)
      if let time = packet.timestampNs { fields.field("timestampNs", time) }
      fields.field("netlinkFamily", family)
      guard family == Self.genericFamily else {
        fields.field("hex", hex: bytes[range])
        return
      }
      fields.array("messages") { shown = describeMessages(in: range, into: &$0, pass: pass) }
    }
    if isLine { fields.newline() }
    pass(&fields)
    return shown
  }

  private static func describe(_ captured: CapturedFrame, into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    fields.field("offset", captured.offset)
    if let time = captured.timestampNs { fields.field("timestampNs", time) }
    if captured.missing > 0 { fields.field("missing", captured.missing) }
    if captured.hasBadFCS { fields.field("badFCS", true) }
    if let radiotap = captured.radiotap { fields.object("radiotap") { radiotap.describe(into: &$0) } }
    do throws(WireError) {
      FrameDescription(
        frame: try Frame(captured.bytes, behind: captured.radiotap), bytes: captured.bytes, frequencyMHz: captured.radiotap?.frequencyMHz
      ).describe(
        into: &fields, pass: pass)
    } catch {
      fields.field("unreadable", "\(error)")
      fields.field("hex", hex: captured.bytes)
    }
  }
}

extension DecodedInput.Failure {
  /// What was tried, and why it failed: a line each.
  fileprivate init(_ detection: InputDetection) {
    var text = "the input is nothing that is known"
    if let format = detection.foreignFormat { text = "the input starts like a file of \(format), which is not read" }
    text += "; as each of these it fails:\n"
    for failure in detection.failures { text += "  \(failure.kind.rawValue): \(failure.reason)\n" }
    description = text + "choose one with --as to see how far it goes"
  }
}

extension Frame {
  /// Reads a frame, which may have no bytes where the receiver says that it has none to give.
  fileprivate init(_ bytes: [UInt8], behind radiotap: Radiotap?) throws(WireError) {
    if bytes.isEmpty, radiotap?.zeroLengthPSDU != nil { self = .other([]) } else { try self.init(bytes) }
  }
}

extension CaptureWalk {
  /// The next thing that cannot be read.
  ///
  /// - Parameter families: takes in the messages that stand before it.
  fileprivate mutating func nextComplaint(in bytes: [UInt8], _ families: inout GenericFamilies) -> CaptureComplaint? {
    while let item = next() {
      switch item {
      case .complaint(let complaint): return complaint
      case .packet(let packet):
        if packet.isNetlink {
          do throws(WireError) {
            let (family, range) = try packet.netlinkMessages(of: bytes)
            var walk = NetlinkWalk(bytes, in: range)
            while family == DecodedInput.genericFamily, let header = walk.next() { families.hear(header, of: bytes) }
            if let error = walk.error { return CaptureComplaint(offset: error.offset, reason: .header(error.reason)) }
          } catch {
            return CaptureComplaint(offset: error.offset, reason: .header(error.reason))
          }
          continue
        }
        if let defect = packet.defect(in: bytes) { return CaptureComplaint(offset: defect.offset, reason: .header(defect.reason)) }
      }
    }
    return nil
  }
}
