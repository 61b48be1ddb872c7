public import WiFi

/// What a source heard over time, as text: NDJSON, a header line, then one scan a line.
///
/// A BSS is kept as the bytes of its `NL80211_ATTR_BSS`, in hexadecimal, so a replay goes through the same decoder as
/// a live scan and nothing is lost that this version does not understand. `bssid` and `ssid` stand beside it for
/// people and are not read.
///
/// In a compressed recording a scan only says what changed since the one before (`compactFormat`).
public enum Recording {
  /// The format and its version; the schema is `schemas/recording-1.json`.
  public static let format = "wifi-harness/recording/1"

  /// The format of compressed recordings, which is some 40 times shorter; the schema is `schemas/recording-2.json`.
  static let compactFormat = "wifi-harness/recording/2"

  /// The first line: what is recorded.
  public struct Header: Hashable, Sendable {
    /// The source, such as `interface wlan0`.
    public var source: String
    /// When the recording began, or `nil` where that is unknown.
    public var began: UTCTime?
    /// The time since the boot of the machine at ``began``; `nil` for that of the first scan's start.
    public var beganBootTime: Duration?

    /// Makes a header from its parts.
    public init(source: String, began: UTCTime? = nil, beganBootTime: Duration? = nil) {
      self.source = source
      self.began = began
      self.beganBootTime = beganBootTime
    }
  }

  // MARK: Writing

  /// The header line, with its line end.
  public static func line(_ header: Header) -> [UInt8] { line(header, isCompact: false) }

  /// The header line of a recording of either format.
  package static func line(_ header: Header, isCompact: Bool) -> [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("format", isCompact ? compactFormat : format)
      fields.field("source", header.source)
      if let began = header.began { fields.field("began", "\(began)") }
      if let time = header.beganBootTime { fields.field("beganBootNs", time.wholeNanoseconds) }
    }
  }

  /// The line of one scan, with its line end.
  public static func line(_ scan: Scan) -> [UInt8] {
    FieldWriter.bytes { fields in
      fields.field("interface", scan.interface)
      fields.field("startNs", scan.start.wholeNanoseconds)
      fields.field("endNs", scan.end.wholeNanoseconds)
      describeOutcome(of: scan, into: &fields)
      fields.objects("bss", scan.bss) { fields, bss in
        fields.field("bssid", bss.bssid.description)
        fields.field("ssid", ssid(bss).description)
        fields.field("attributes", hex: bss.encode())
      }
    }
  }

  /// How a scan ended and what it covered.
  static func describeOutcome(of scan: Scan, into fields: inout FieldWriter) {
    fields.field("completion", ScanReport.name(scan.completion))
    if let frequencies = scan.frequenciesKHz { fields.field("frequenciesKHz", frequencies) }
    if !scan.lost.isEmpty { fields.field("lost", scan.lost.map(\.description)) }
    if scan.unreadable > 0 { fields.field("unreadable", scan.unreadable) }
    if let position = scan.position { fields.object("position") { position.describe(into: &$0) } }
  }

  /// The name that the elements of a BSS hold.
  static func ssid(_ bss: BSS) -> SSID {
    let header = ElementWalk(bss.informationElements).first { $0.id == 0 }
    return header.flatMap { SSID(Array(bss.informationElements[$0.body])) } ?? .wildcard
  }

  // MARK: Reading

  /// Why a recording could not be read, and where.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public var line: Int
    /// What is wrong with it.
    public var reason: String
    /// There is nothing in the file.
    public static let empty = Failure(line: 1, reason: "the file is empty")

    /// Such as `line 3: not a scan: …`.
    public var description: String { "line \(line): \(reason)" }
  }

  /// What a whole recording holds.
  public struct Contents: Hashable, Sendable {
    /// What was appended under a header of its own.
    public struct Part: Hashable, Sendable {
      /// The index of its first scan.
      public var firstScan: Int
      /// Its header.
      public var header: Header
    }

    /// The header.
    public var header: Header
    /// The scans, in the order of the file.
    public var scans: [Scan]
    /// The number of lines that were cut off while they were written: at most one for each time the recording ended.
    public var cutLines: Int
    /// What was appended to it later.
    package var laterParts: [Part]
    /// What could not be read of a capture.
    public var complaints: [CaptureComplaint] = []
    /// The frames of a capture that were left out.
    public var leftOut = LeftOutFrames()
    /// Whether a scan, or a frame of a capture, has a time before that of one in front of it.
    public var stepsBack = false

    /// Makes contents of their parts.
    public init(header: Header, scans: [Scan], cutLines: Int = 0, laterParts: [Part] = []) {
      self.header = header
      self.scans = scans
      self.cutLines = cutLines
      self.laterParts = laterParts
    }

    /// When a time since boot was that stands in the scan with this index; `nil` where the recording does not say when
    /// it began, or is one of a capture without times.
    public func utc(ofScan index: Int, _ bootTime: Duration) -> UTCTime? {
      let part = laterParts.last { $0.firstScan <= index } ?? Part(firstScan: 0, header: header)
      guard let began = part.header.began, scans.indices.contains(part.firstScan) else { return nil }
      return began.advanced(by: bootTime - (part.header.beganBootTime ?? scans[part.firstScan].start)).known
    }
  }

  /// Reads a whole recording, a capture of beacons and probe responses (pcap, pcapng), of which each second is a scan,
  /// or scans that were saved as JSON, compressed or not.
  ///
  /// A last line without its end, or a line in front of another header, was cut off when its writer was killed: it is
  /// skipped and counted. ``RecordingStream`` reads in little memory.
  ///
  /// - Throws: ``Failure`` with the first line that is no header or no scan.
  public static func read(_ bytes: [UInt8]) throws(Failure) -> Contents {
    guard Zstandard.isCompressed(bytes) else { return try read(expanded: bytes, isCut: false) }
    let (content, isCut): ([UInt8], Bool)
    do throws(Zstandard.Failure) { (content, isCut, _) = try Zstandard.expanded(bytes, limit: Zstandard.wholeLimit) } catch {
      throw Failure(line: 1, reason: "\(error)")
    }
    return try read(expanded: content, isCut: isCut)
  }

  private static func read(expanded bytes: [UInt8], isCut: Bool) throws(Failure) -> Contents {
    if Capture.format(bytes) != nil { return try read(capture: bytes) }
    if SavedScan.isSavedScan(bytes) { return try SavedScan.read(bytes) }
    var reader = RecordingReader()
    var contents: Contents?
    // A few bytes of a compressed recording are many access points.
    var length = 0
    var rest = bytes[...]
    while true {
      while let item = try reader.next() {
        switch (item, contents) {
        case (.header(let header), nil): contents = Contents(header: header, scans: [])
        case (.header(let header), let there?):
          contents?.laterParts.append(.init(firstScan: there.scans.count, header: header))
        case (.scan, _):
          let scan = try reader.scan()
          length += scan.bss.reduce(0) { $0 + $1.informationElements.count + ($1.beaconElements?.count ?? 0) + MemoryLayout<BSS>.stride }
          guard length <= Zstandard.wholeLimit else {
            throw Failure(
              line: reader.scanLine,
              reason: "up to here its scans take \(Zstandard.wholeLimit >> 20) MiB, which is as much as is held at once")
          }
          if let there = contents, let before = there.scans.last, there.laterParts.last?.firstScan != there.scans.count {
            contents?.stepsBack = there.stepsBack || scan.end < before.end
          }
          contents?.scans.append(scan)
        }
      }
      if reader.isAtEnd { break }
      if rest.isEmpty { reader.finish() } else { reader.append(rest.prefix(1 << 16)) }
      rest = rest.dropFirst(1 << 16)
    }
    guard var contents else { throw .empty }
    if isCut { reader.countCutEnd() }
    contents.cutLines = reader.cutLines
    return contents
  }

  /// The most bytes that a header line has.
  static let maximumHeaderLength = 65_536

  /// The header that the first line of a recording is, of which its first ``maximumHeaderLength`` bytes are enough.
  static func header(in bytes: [UInt8]) throws(Failure) -> Header {
    guard !bytes.isEmpty else { throw .empty }
    guard let header = try header(bytes.prefix(maximumHeaderLength).prefix { $0 != 0x0A }, line: 1)?.header else {
      throw noHeader
    }
    return header
  }

  static let noHeader = Failure(line: 1, reason: "not a recording: the first line has no \"format\" of wifi-harness/recording")

  /// Whether the first bytes of a file, of which 256 are enough, are those of a recording of any version.
  public static func isRecording(_ head: some Collection<UInt8>) -> Bool {
    let line = head.prefix(256).prefix { $0 != 0x0A }
    return line.indices.contains { line[$0...].starts(with: "wifi-harness/recording/".utf8) }
  }

  /// The header that a line is, or `nil` where it is something else.
  static func header(_ line: ArraySlice<UInt8>, line number: Int) throws(Failure) -> (header: Header, isCompact: Bool)? {
    // A scan line is long; do not parse it twice only to learn that it is none.
    guard line.prefix(64).indices.contains(where: { line[$0...].starts(with: "\"format\"".utf8) }),
      let parsed = JSONValue(line), let written = parsed["format"]?.text
    else { return nil }
    guard written.hasPrefix("wifi-harness/recording/") else {
      throw Failure(line: number, reason: "not a recording, but \(PrintableText.escape(written))")
    }
    guard written == format || written == compactFormat else {
      let version = PrintableText.escape(written.dropFirst("wifi-harness/recording/".count))
      throw Failure(line: number, reason: "a recording of version \(version); this program reads versions 1 and 2")
    }
    let header = Header(
      source: parsed["source"]?.text ?? "", began: parsed["began"]?.text.flatMap { UTCTime($0) },
      beganBootTime: parsed["beganBootNs"]?.integer.map { .nanoseconds($0) })
    return (header, written == compactFormat)
  }

  /// How a scan ended, by the name that files give it; `nil` where there is no such name.
  static func completion(named name: String) -> Scan.Completion? {
    switch name {
    case "complete": .complete
    case "cached": .cached
    default: Scan.Interruption(rawValue: name).map { .partial($0) }
    }
  }

  /// The scan that a line is.
  ///
  /// - Parameter changes: what the lines before it said, where it only says what changed; `nil` where it says all.
  static func scan(
    _ line: ArraySlice<UInt8>, number: Int, changes: inout CompactScanReader?
  ) throws(Failure) -> Scan {
    guard let value = JSONValue(line), case .object = value else { throw Failure(line: number, reason: "not a scan: it is not JSON") }
    let parsed = ScanLine(value: value, number: number)
    let interface = try parsed.required("interface", \.text)
    let start = try parsed.required("startNs", \.integer)
    let end = try parsed.required("endNs", \.integer)
    let name = try parsed.required("completion", \.text)
    guard let completion = completion(named: name) else {
      throw Failure(line: number, reason: "no such completion: \(PrintableText.escape(name))")
    }
    let items = try parsed.required("bss", \.items)
    let isFull = try parsed.optional("full", \.truth) ?? false
    let list: [[UInt8]]
    if changes == nil {
      list = try attributes(of: items, line: number)
    } else {
      list = try changes?.attributes(of: items, isFull: isFull, scanEnd: Int64(end), line: number) ?? []
    }
    var scan = Scan(
      interface: interface, start: .nanoseconds(start), end: .nanoseconds(end), completion: completion,
      frequenciesKHz: try parsed.optional("frequenciesKHz") { $0.list { $0.integer.flatMap { UInt32(exactly: $0) } } },
      bss: try bss(list, line: number))
    scan.lost = (try parsed.optional("lost") { $0.list(\.text) } ?? []).compactMap { MACAddress($0) }
    scan.unreadable = try parsed.optional("unreadable", \.integer) ?? 0
    scan.position = try parsed.optional("position") { Position($0) }
    return scan
  }

  private static func attributes(of items: [JSONValue], line: Int) throws(Failure) -> [[UInt8]] {
    var list: [[UInt8]] = []
    for (index, item) in items.enumerated() {
      guard let content = item["attributes"]?.text.flatMap({ Hex.bytes($0) }) else {
        throw Failure(line: line, reason: "bss \(index): \"attributes\" is not hexadecimal")
      }
      list.append(content)
    }
    return list
  }

  private static func bss(_ attributes: [[UInt8]], line: Int) throws(Failure) -> [BSS] {
    var list: [BSS] = []
    for (index, content) in attributes.enumerated() {
      do throws(WireError) { list.append(try BSS(attributes: content)) } catch {
        throw Failure(line: line, reason: "bss \(index): \(error)")
      }
    }
    return list
  }
}

/// The members of a scan's line, and why one cannot be read.
private struct ScanLine {
  let value: JSONValue
  let number: Int

  func required<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(Recording.Failure) -> Value {
    guard let value = try optional(name, read) else {
      throw Recording.Failure(line: number, reason: "not a scan: \"\(name)\" is missing")
    }
    return value
  }

  func optional<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(Recording.Failure) -> Value? {
    guard let member = value[name], member != .null else { return nil }
    guard let value = read(member) else {
      throw Recording.Failure(line: number, reason: "not a scan: \"\(name)\" has the wrong type")
    }
    return value
  }
}

extension JSONValue {
  /// The values of an array, where it is one and all of them can be read.
  fileprivate func list<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
    guard let items else { return nil }
    let values = items.compactMap(read)
    return values.count == items.count ? values : nil
  }
}
