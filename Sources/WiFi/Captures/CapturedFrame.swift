/// A frame out of a capture, without what the receiver wrote before it and without its frame check sequence.
public struct CapturedFrame: Hashable, Sendable {
  /// When it was captured, in ns since 1970 (UTC), or `nil` where the capture does not say.
  public var timestampNs: UInt64?

  /// What the receiver said of it; from a PPI header as far as it says the same.
  public var radiotap: Radiotap?

  /// The bytes of the frame.
  public var bytes: [UInt8]

  /// Whether the frame check sequence is known to be wrong.
  public var hasBadFCS: Bool

  /// The bytes of the frame that were not captured.
  public var missing: Int

  /// The offset of the frame, from the start of the file.
  public var offset: Int

  /// Makes a frame that was captured whole.
  public init(timestampNs: UInt64?, radiotap: Radiotap?, bytes: [UInt8]) {
    self.timestampNs = timestampNs
    self.radiotap = radiotap
    self.bytes = bytes
    hasBadFCS = false
    missing = 0
    offset = 0
  }
}

/// The numbers of what comes before a frame in a capture (tcpdump.org/linktypes.html).
public enum LinkType {
  /// IEEE 802.11 frames and nothing before them.
  public static let ieee80211 = 105
  /// A Prism or AVS header.
  public static let prism = 119
  /// A radiotap header.
  public static let radiotap = 127
  /// An AVS header.
  public static let avs = 163
  /// A Per-Packet Information header.
  public static let ppi = 192
  /// The header of a Linux "cooked" capture, of all interfaces at once (`LINKTYPE_LINUX_SLL`).
  public static let linuxCooked = 113
  /// Its second version (`LINKTYPE_LINUX_SLL2`).
  public static let linuxCooked2 = 276

  /// Whether packets of a link type can be read.
  public static func isKnown(_ type: Int) -> Bool {
    [ieee80211, linuxCooked, prism, radiotap, avs, ppi, linuxCooked2].contains(type)
  }
}

/// A packet of a capture, before it was taken apart.
public struct CapturedPacket: Hashable, Sendable {
  /// Where it is in the file, behind the header of its record.
  public var range: Range<Int>
  /// What comes before the frame; see ``LinkType``.
  public var linkType: Int
  /// The bytes that it had when it was sent.
  public var originalLength: Int
  /// The bytes of frame check sequence that the capture says every packet has.
  public var fcsLength: Int
  /// When it was captured, in ns since 1970 (UTC), or `nil` where the capture does not say.
  public var timestampNs: UInt64?

  /// The most bytes that a frame is taken to have.
  ///
  /// Five times what the largest A-MSDU has (IEEE 802.11-2020 table 9-25), and no packet that libpcap keeps by default is
  /// longer by much.
  public static let maximumFrameLength = 65_535
}

extension CapturedPacket {
  /// What stands before the frame, and where the frame is.
  private struct Parts {
    var radiotap: Radiotap?
    /// The frame and as much as was captured of its frame check sequence.
    var body: Range<Int>
    /// The bytes of the frame check sequence, and how many of them were captured.
    var fcs = 0
    var capturedFCS = 0
    var missing: Int
  }

  private func parts(of bytes: [UInt8]) throws(WireError) -> Parts {
    var cursor = ByteCursor(bytes, in: range)
    var radiotap: Radiotap?
    switch linkType {
    case LinkType.radiotap: radiotap = try Radiotap(parsing: &cursor)
    case LinkType.prism, LinkType.avs: try Self.skipPrism(&cursor)
    case LinkType.ppi: radiotap = try Self.readPPI(&cursor)
    case LinkType.linuxCooked, LinkType.linuxCooked2: radiotap = try readCooked(&cursor)
    default: break
    }
    let start = cursor.position
    var parts = Parts(radiotap: radiotap, body: start..<range.upperBound, missing: max(0, originalLength - range.count))
    parts.fcs = max(radiotap?.hasFCS == true ? 4 : 0, fcsLength)
    if parts.fcs > 0 {
      parts.capturedFCS = max(0, parts.fcs - parts.missing)
      parts.missing = max(0, parts.missing - parts.fcs)
      guard parts.body.count >= parts.capturedFCS else {
        throw WireError(offset: start, reason: .truncated(needed: parts.capturedFCS, available: parts.body.count))
      }
    }
    guard parts.body.count <= Self.maximumFrameLength else {
      throw WireError(offset: start, reason: .length(declared: parts.body.count, allowed: 0...Self.maximumFrameLength))
    }
    return parts
  }

  /// What is wrong with the headers before the frame, or `nil` where they can be read.
  ///
  /// Copies and checks nothing of the frame itself.
  public func defect(in bytes: [UInt8]) -> WireError? {
    do throws(WireError) {
      _ = try parts(of: bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Takes the packet apart.
  ///
  /// - Parameter bytes: The whole capture.
  /// - Throws: ``WireError`` where a header before the frame cannot be read, or the frame is longer than
  ///   ``maximumFrameLength``; its offset is from the start of the file.
  public func frame(of bytes: [UInt8]) throws(WireError) -> CapturedFrame {
    let parts = try parts(of: bytes)
    let (start, end) = (parts.body.lowerBound, parts.body.upperBound - parts.capturedFCS)
    var frame = CapturedFrame(timestampNs: timestampNs, radiotap: parts.radiotap, bytes: Array(bytes[start..<end]))
    frame.offset = start
    frame.missing = parts.missing
    frame.hasBadFCS = parts.radiotap?.hasBadFCS ?? false
    if parts.fcs == 4, parts.capturedFCS == 4, parts.missing == 0, !FrameCheckSequence.isRight(bytes, in: parts.body) {
      frame.hasBadFCS = true
    }
    return frame
  }

  // MARK: Linux cooked captures

  /// Where the hardware type (`ARPHRD_`, big-endian) is in the header of a cooked packet, and the size of that header.
  private var cookedLayout: (hardwareType: Int, size: Int)? {
    switch linkType {
    case LinkType.linuxCooked: (2, 16)
    case LinkType.linuxCooked2: (8, 20)
    default: nil
    }
  }

  /// The hardware type of the interface of a cooked packet, or `nil` where the packet is none or too short.
  func cookedHardwareType(of bytes: [UInt8]) -> Int? {
    guard let layout = cookedLayout, range.count >= layout.size else { return nil }
    let at = range.lowerBound + layout.hardwareType
    return Int(bytes[at]) << 8 | Int(bytes[at + 1])
  }

  /// Whether packets of a hardware type are IEEE 802.11 frames: plain (`ARPHRD_IEEE80211`), behind a Prism or AVS header,
  /// or behind radiotap (`<linux/if_arp.h>`).
  static func isIEEE80211(hardwareType: Int) -> Bool { (801...803).contains(hardwareType) }

  private func readCooked(_ cursor: inout ByteCursor) throws(WireError) -> Radiotap? {
    guard let layout = cookedLayout else { return nil }
    try cursor.skip(layout.size)
    switch cookedHardwareType(of: cursor.bytes) {
    case 802?:
      try Self.skipPrism(&cursor)
      return nil
    case 803?: return try Radiotap(parsing: &cursor)
    default: return nil
    }
  }

  // MARK: Headers of old drivers

  /// A Prism header has its length in bytes 4 to 7, in the order of the machine that wrote it; an AVS header has it there
  /// most significant first, behind a magic number.
  private static func skipPrism(_ cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    let available = cursor.remaining
    try cursor.skip(4)
    let length = try cursor.readUInt32()
    let size = [Int(length), Int(length.byteSwapped)].first { (8...max(8, available)).contains($0) }
    guard let size else {
      throw WireError(
        offset: start + 4, reason: .invalid("a Prism header that declares \(length) bytes where \(available) are left"))
    }
    cursor.seek(to: start + size)
  }

  /// A PPI header: version, flags, length, link type, and fields of which 2 is IEEE 802.11 Common.
  private static func readPPI(_ cursor: inout ByteCursor) throws(WireError) -> Radiotap? {
    let start = cursor.position
    let version = try cursor.readUInt8()
    try cursor.skip(1)
    let length = Int(try cursor.readUInt16())
    let linkType = Int(try cursor.readUInt32())
    guard version == 0, linkType == LinkType.ieee80211 else {
      throw WireError(offset: start, reason: .invalid("PPI version \(version) with link type \(linkType)"))
    }
    guard length >= 8 else { throw WireError(offset: start + 2, reason: .length(declared: length, allowed: 8...Int(UInt16.max))) }
    return try cursor.withRegion(length - 8) { (cursor) throws(WireError) in
      var result: Radiotap?
      while cursor.remaining >= 4 {
        let type = try cursor.readUInt16()
        let size = Int(try cursor.readUInt16())
        if type == 2, size == 20 {
          var header = Radiotap()
          header.timestampUs = try cursor.readUInt64()
          let flags = try cursor.readUInt16()
          header.flags = (flags.has(0) ? 0x10 : 0) | (flags.has(2) ? 0x40 : 0)
          try cursor.skip(2)
          header.frequencyMHz = try cursor.readUInt16()
          header.channelFlags = try cursor.readUInt16()
          try cursor.skip(2)
          header.signalDBm = try cursor.readInt8()
          header.noiseDBm = try cursor.readInt8()
          result = header
        } else {
          try cursor.skip(min(size, cursor.remaining))
        }
      }
      return result
    }
  }
}
