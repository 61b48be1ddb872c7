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
  package static let linuxCooked = 113
  /// Its second version (`LINKTYPE_LINUX_SLL2`).
  package static let linuxCooked2 = 276

  /// Apple's header, which names the interface and the link type of what is behind it (`DLT_PKTAP`).
  public static let packetTap = 258
  /// Messages of netlink, as an interface of the kind nlmon hears them; no frames.
  public static let netlink = 253

  /// Whether packets of a link type can be frames.
  public static func isKnown(_ type: Int) -> Bool {
    [ieee80211, linuxCooked, prism, radiotap, avs, ppi, linuxCooked2, packetTap].contains(type)
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
  /// The bytes of frame check sequence that the capture says the packet has.
  public var fcsLength: Int
  /// When it was captured, in ns since 1970 (UTC), or `nil` where the capture does not say.
  public var timestampNs: UInt64?
  /// Whether the capture says that the frame check sequence was wrong.
  public var hasBadFCS = false

  /// The most bytes that a frame is taken to have.
  ///
  /// Five times what the largest A-MSDU has (IEEE 802.11-2020 table 9-25), and no packet that libpcap keeps by default
  /// is longer by much.
  public static let maximumFrameLength = 65_535
}

extension CapturedPacket {
  /// A packet that is all of a buffer.
  package init(count: Int, linkType: Int) {
    self.init(range: 0..<count, linkType: linkType, originalLength: count, fcsLength: 0, timestampNs: nil)
  }

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
    case LinkType.prism, LinkType.avs: radiotap = try Radiotap(parsingPrism: &cursor)
    case LinkType.ppi: radiotap = try Radiotap(parsingPPI: &cursor)
    case LinkType.linuxCooked, LinkType.linuxCooked2: radiotap = try readCooked(&cursor)
    default: break
    }
    let start = cursor.position
    var parts = Parts(radiotap: radiotap, body: start..<range.upperBound, missing: max(0, originalLength - range.count))
    // Where there is no frame, there is no check sequence either, whatever the flags say.
    if parts.body.isEmpty, radiotap?.zeroLengthPSDU != nil { return parts }
    parts.fcs = max(radiotap?.hasFCS == true ? 4 : 0, fcsLength)
    if parts.fcs > 0 {
      parts.capturedFCS = max(0, parts.fcs - parts.missing)
      parts.missing = max(0, parts.missing - parts.fcs)
      try cursor.require(parts.capturedFCS)
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
    var parts = try parts(of: bytes)
    // Some receivers leave the sequence in the frame and do not say so: four bytes that are right are one.
    if parts.fcs == 0, parts.missing == 0, parts.body.count >= Self.shortestFrame + FrameCheckSequence.size,
      FrameCheckSequence.isRight(bytes, in: parts.body)
    {
      parts.capturedFCS = FrameCheckSequence.size
    }
    let (start, end) = (parts.body.lowerBound, parts.body.upperBound - parts.capturedFCS)
    var frame = CapturedFrame(timestampNs: timestampNs, radiotap: parts.radiotap, bytes: Array(bytes[start..<end]))
    frame.offset = start
    frame.missing = parts.missing
    frame.hasBadFCS = hasBadFCS || parts.radiotap?.hasBadFCS ?? false
    if parts.fcs == 4, parts.capturedFCS == 4, parts.missing == 0, !FrameCheckSequence.isRight(bytes, in: parts.body) {
      frame.hasBadFCS = true
    }
    return frame
  }

  /// The bytes of an acknowledgement, without its frame check sequence (IEEE 802.11-2020 9.3.1.4).
  private static let shortestFrame = 10

  // MARK: Messages of netlink

  /// Whether the packet is messages and no frame.
  public var isNetlink: Bool { linkType == LinkType.netlink }

  /// The family of the messages (`NETLINK_GENERIC` is 16), and where they are in the file.
  ///
  /// The header is that of a cooked packet, with the family in place of the protocol.
  ///
  /// - Throws: ``WireError`` where the header is cut off.
  public func netlinkMessages(of bytes: [UInt8]) throws(WireError) -> (family: Int, range: Range<Int>) {
    var cursor = ByteCursor(bytes, in: range)
    try cursor.skip(14)
    let family = Int(try cursor.readUInt16BigEndian())
    return (family, cursor.position..<range.upperBound)
  }

  // MARK: Apple's header

  /// The packet behind Apple's header: its length, the kind of what follows, and the link type, four bytes each, and
  /// more (`struct pktap_header` in `<net/pktap.h>`).
  ///
  /// - Throws: ``WireError`` where the header is cut off.
  func behindPacketTap(of bytes: [UInt8]) throws(WireError) -> CapturedPacket {
    var cursor = ByteCursor(bytes, in: range)
    let length = Int(try cursor.readUInt32())
    try cursor.skip(4)
    let linkType = Int(try cursor.readUInt32())
    guard length >= 12, length <= range.count else {
      throw WireError(offset: range.lowerBound, reason: .length(declared: length, allowed: 12...max(12, range.count)))
    }
    var packet = self
    packet.range = range.lowerBound + length..<range.upperBound
    packet.originalLength = max(0, originalLength - length)
    packet.linkType = linkType
    return packet
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

  /// Whether packets of a hardware type are IEEE 802.11 frames: plain (`ARPHRD_IEEE80211`), behind a Prism or AVS
  /// header, or behind radiotap (`<linux/if_arp.h>`).
  static func isIEEE80211(hardwareType: Int) -> Bool { (801...803).contains(hardwareType) }

  private func readCooked(_ cursor: inout ByteCursor) throws(WireError) -> Radiotap? {
    guard let layout = cookedLayout else { return nil }
    try cursor.skip(layout.size)
    switch cookedHardwareType(of: cursor.bytes) {
    case 802?: return try Radiotap(parsingPrism: &cursor)
    case 803?: return try Radiotap(parsing: &cursor)
    default: return nil
    }
  }
}
