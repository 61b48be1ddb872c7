/// A frame out of a capture, without what the receiver wrote before it and without its frame check sequence.
public struct CapturedFrame: Hashable, Sendable {
  /// When it was captured, in ns since 1970 (UTC), or `nil` where the capture does not say.
  public var timestampNs: UInt64?

  /// What the receiver said of it; from a PPI header as far as it says the same.
  public var radiotap: Radiotap?

  /// The octets of the frame.
  public var octets: [UInt8]

  /// Whether the frame check sequence is known to be wrong.
  public var hasBadFCS: Bool

  /// The octets of the frame that were not captured.
  public var missing: Int

  /// The offset of the frame, from the start of the file.
  public var offset: Int

  /// Makes a frame that was captured whole.
  public init(timestampNs: UInt64?, radiotap: Radiotap?, octets: [UInt8]) {
    self.timestampNs = timestampNs
    self.radiotap = radiotap
    self.octets = octets
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

  /// Whether packets of a link type can be read.
  public static func isKnown(_ type: Int) -> Bool { [ieee80211, prism, radiotap, avs, ppi].contains(type) }
}

extension CapturedFrame {
  /// Takes a packet apart.
  ///
  /// - Parameters:
  ///   - bytes: The whole capture.
  ///   - range: Where the packet is in it.
  ///   - missing: The octets at the end of the packet that were not captured.
  ///   - fcsLength: The octets of frame check sequence that the capture says every packet has.
  init(
    _ bytes: [UInt8], in range: Range<Int>, linkType: Int, missing: Int, fcsLength: Int, timestampNs: UInt64?
  ) throws(WireError) {
    var cursor = ByteCursor(bytes, in: range)
    var radiotap: Radiotap?
    switch linkType {
    case LinkType.radiotap: radiotap = try Radiotap(parsing: &cursor)
    case LinkType.prism, LinkType.avs: try Self.skipPrism(&cursor)
    case LinkType.ppi: radiotap = try Self.readPPI(&cursor)
    default: break
    }
    self.timestampNs = timestampNs
    self.radiotap = radiotap
    self.missing = missing
    offset = cursor.position
    hasBadFCS = radiotap?.hasBadFCS ?? false
    let body = cursor.position..<range.upperBound
    let fcs = max(radiotap?.hasFCS == true ? 4 : 0, fcsLength)
    guard fcs > 0 else {
      octets = Array(bytes[body])
      return
    }
    let captured = max(0, fcs - missing)
    self.missing = max(0, missing - fcs)
    guard body.count >= captured else {
      throw WireError(offset: body.lowerBound, reason: .truncated(needed: captured, available: body.count))
    }
    octets = Array(bytes[body.lowerBound..<body.upperBound - captured])
    if captured == 4, fcs == 4, missing == 0 {
      let sum = FrameCheckSequence.of(octets)
      for index in 0..<4 where bytes[body.upperBound - 4 + index] != UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) {
        hasBadFCS = true
      }
    }
  }

  /// A Prism header has its length in octets 4 to 7, in the order of the machine that wrote it; an AVS header has it there
  /// most significant first, behind a magic number.
  private static func skipPrism(_ cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    let available = cursor.remaining
    try cursor.skip(4)
    let length = try cursor.readUInt32()
    let size = [Int(length), Int(length.byteSwapped)].first { (8...available).contains($0) }
    guard available >= 8, let size else {
      throw WireError(offset: start + 4, reason: .invalid("length of a Prism header"))
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
