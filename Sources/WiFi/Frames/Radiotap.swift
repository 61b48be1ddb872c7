/// A radiotap header: what a receiver says of a frame (radiotap.org, linux/ieee80211_radiotap.h).
///
/// Of several present words, as receivers with several antennas write them, ``Radiotap/signalDBm`` is the first, which
/// speaks of the frame as a whole.
public struct Radiotap: Hashable, Sendable {
  /// The timer of the receiver when the first bit came, in µs.
  public var timestampUs: UInt64?
  /// Flags, all bits.
  public var flags: UInt8?
  /// The centre of the channel it was heard on, in MHz.
  public var frequencyMHz: UInt16?
  /// Channel flags, all bits.
  public var channelFlags: UInt16?
  /// The strength of the signal.
  public var signalDBm: Int8?
  /// The strength of the noise.
  public var noiseDBm: Int8?
  /// The antenna of the first present word that names one.
  public var antenna: UInt8?
  /// The legacy rate, in units of 500 kb/s.
  public var rate500kbps: UInt8?
  /// Why the receiver has no frame to give, where it says so (0-length PSDU, radiotap.org): 0 for sounding, 1 where it
  /// did not take the data, 255 for a reason of its vendor.
  public var zeroLengthPSDU: UInt8?
  /// The strength at each antenna that a further present word gives, in order.
  public var antennaSignalsDBm: [Int8] = []
  /// Why the fields from some place on were not read: one ends behind the header.
  ///
  /// It is not written.
  public var defect: WireError?

  /// Makes a header that says nothing; fields are set afterwards.
  public init() {}

  /// Makes a header for a frame that was heard.
  public init(timestampUs: UInt64? = nil, frequencyMHz: Int, signalDBm: Int8?) {
    self.timestampUs = timestampUs
    flags = 0
    // The field ends at 65535 MHz; the upper channels of the 60 GHz band cannot be said.
    if let frequency = UInt16(exactly: frequencyMHz) {
      self.frequencyMHz = frequency
      channelFlags = Self.channelFlags(frequencyMHz: frequencyMHz)
    }
    self.signalDBm = signalDBm
  }

  /// Whether four bytes of frame check sequence end the frame.
  public var hasFCS: Bool { flags?.has(4) ?? false }

  /// Whether the frame check sequence was wrong.
  public var hasBadFCS: Bool { flags?.has(6) ?? false }

  private static func channelFlags(frequencyMHz: Int) -> UInt16 {
    switch frequencyMHz {
    case ..<1000: 0
    case ..<3000: 0x00A0
    case ..<8000: 0x0140
    default: 0
    }
  }

  /// The size and the alignment of fields 0 to 27; those above are type-length-value fields (TLVs).
  private static let layout: [(size: Int, alignment: Int)] = [
    (8, 8), (1, 1), (1, 1), (4, 2), (2, 2), (1, 1), (1, 1), (2, 2), (2, 2), (2, 2), (1, 1), (1, 1), (1, 1), (1, 1), (2, 2), (2, 2),
    (1, 1), (1, 1), (8, 4), (3, 1), (8, 4), (12, 2), (12, 8), (12, 2), (12, 2), (6, 2), (1, 1), (4, 2),
  ]

  /// Reads a header and leaves `cursor` at the frame behind it.
  ///
  /// Fields behind one of unknown size are skipped, since the header has its length; so are those from one that
  /// ends behind the header on, and ``defect`` says where that is.
  ///
  /// - Throws: ``WireError`` where the version is not 0, or the length is not that of a header or more than there is.
  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    let length = try Self.readLength(&cursor)
    var header = Radiotap()
    try cursor.withRegion(length - 4) { (cursor) throws(WireError) in
      do throws(WireError) { _ = try header.readFields(&cursor, start: start) } catch { header.defect = error }
    }
    self = header
  }

  /// The length that the header at the start of `bytes` declares, and the bytes that its fields take of it.
  ///
  /// - Returns: no size of fields where one of them is not known.
  /// - Throws: as ``init(parsing:)``, and where a field ends behind the header.
  public static func sizes(in bytes: [UInt8]) throws(WireError) -> (declared: Int, fields: Int?) {
    var cursor = ByteCursor(bytes)
    var header = Radiotap()
    let length = try readLength(&cursor)
    let fields = try cursor.withRegion(length - 4) { (cursor) throws(WireError) in
      try header.readFields(&cursor, start: 0) ? cursor.position : nil
    }
    return (length, fields)
  }

  /// Reads version, padding and length.
  private static func readLength(_ cursor: inout ByteCursor) throws(WireError) -> Int {
    let start = cursor.position
    let version = try cursor.readUInt8()
    guard version == 0 else { throw WireError(offset: start, reason: .invalid("radiotap version \(version)")) }
    try cursor.skip(1)
    let length = Int(try cursor.readUInt16())
    guard length >= 8 else { throw WireError(offset: start + 2, reason: .length(declared: length, allowed: 8...Int(UInt16.max))) }
    return length
  }

  /// Reads the fields; `false` where one is not known, so that those behind it were skipped.
  private mutating func readFields(_ cursor: inout ByteCursor, start: Int) throws(WireError) -> Bool {
    var words: [UInt32] = []
    repeat { words.append(try cursor.readUInt32()) } while words.last?.has(31) ?? false
    var namespace = Namespace.radiotap
    var group = 0
    for word in words {
      switch namespace {
      case .vendor: break
      case .beyond: if word & 0x1FFF_FFFF != 0 { return false }
      case .radiotap:
        for bit in Self.layout.indices where word.has(bit) {
          try Self.align(&cursor, to: Self.layout[bit].alignment, from: start)
          try take(bit, &cursor, group: group)
        }
        if word.has(Self.tlvBit) { return try readTLVs(&cursor, start: start, group: group) }
        group += 1
      }
      if word.has(30) {
        // OUI, sub-namespace and the length of what follows; the bits of the next words are the vendor's own.
        try Self.align(&cursor, to: 2, from: start)
        try cursor.skip(4)
        try cursor.skip(Int(try cursor.readUInt16()))
        namespace = .vendor
      } else if word.has(29) {
        namespace = .radiotap
      } else if namespace == .radiotap {
        namespace = .beyond
      }
    }
    return true
  }

  /// Passes over the padding in front of a field.
  private static func align(_ cursor: inout ByteCursor, to alignment: Int, from start: Int) throws(WireError) {
    let misaligned = (cursor.position - start) % alignment
    if misaligned > 0 { try cursor.skip(alignment - misaligned) }
  }

  /// The bit that says that what follows the fields below it are TLVs (radiotap.org, TLV).
  private static let tlvBit = 28

  /// Reads TLVs to the end of the header: type and length of two bytes each, the content, and padding to four bytes.
  ///
  /// A field below 28 may be written in this way, too.
  private mutating func readTLVs(_ cursor: inout ByteCursor, start: Int, group: Int) throws(WireError) -> Bool {
    try Self.align(&cursor, to: 4, from: start)
    while !cursor.isAtEnd {
      let type = Int(try cursor.readUInt16())
      let length = Int(try cursor.readUInt16())
      try cursor.withRegion(length) { (cursor) throws(WireError) in
        if Self.layout.indices.contains(type) { try take(type, &cursor, group: group) }
      }
      try cursor.skip(min(paddingToFour(cursor.position - start), cursor.remaining))
    }
    return true
  }

  /// What the bits of a present word mean.
  private enum Namespace {
    case radiotap
    case vendor
    /// Radiotap fields from 32 on, of which none is defined.
    case beyond
  }

  private mutating func take(_ bit: Int, _ cursor: inout ByteCursor, group: Int) throws(WireError) {
    switch bit {
    case 0 where timestampUs == nil: timestampUs = try cursor.readUInt64()
    case 1 where flags == nil: flags = try cursor.readUInt8()
    case 2 where rate500kbps == nil: rate500kbps = try cursor.readUInt8()
    case 3 where frequencyMHz == nil:
      let (frequency, flags) = (try cursor.readUInt16(), try cursor.readUInt16())
      (frequencyMHz, channelFlags) = (frequency, flags)
    case 5:
      let signal = try cursor.readInt8()
      if signalDBm == nil { signalDBm = signal }
      if group > 0 { antennaSignalsDBm.append(signal) }
    case 6 where noiseDBm == nil: noiseDBm = try cursor.readInt8()
    case 11 where antenna == nil: antenna = try cursor.readUInt8()
    case 18 where frequencyMHz == nil:
      // XChannel: flags of 32 bits, of which the lower half is that of Channel, frequency, channel number, greatest
      // power.
      let (flags, frequency) = (try cursor.readUInt32(), try cursor.readUInt16())
      (frequencyMHz, channelFlags) = (frequency, UInt16(truncatingIfNeeded: flags))
      try cursor.skip(2)
    case 26: zeroLengthPSDU = try cursor.readUInt8()
    default: try cursor.skip(Self.layout[bit].size)
    }
  }

  /// Writes a header of one present word: timestamp, flags, channel, signal, noise and so on, as far as they are known.
  public func encode(into writer: inout ByteWriter) {
    let start = writer.count
    var present: UInt32 = 0
    func note(_ bit: UInt32, _ isPresent: Bool) { if isPresent { present |= 1 << bit } }
    note(0, timestampUs != nil)
    note(1, flags != nil)
    note(2, rate500kbps != nil)
    note(3, frequencyMHz != nil)
    note(5, signalDBm != nil)
    note(6, noiseDBm != nil)
    note(11, antenna != nil)
    note(26, zeroLengthPSDU != nil)
    writer.write(UInt16(0))
    writer.write(UInt16(0))
    writer.write(present)
    if let timestampUs { writer.write(timestampUs) }
    if let flags { writer.write(flags) }
    if let rate500kbps { writer.write(rate500kbps) }
    if let frequencyMHz {
      if (writer.count - start) % 2 == 1 { writer.write(UInt8(0)) }
      writer.write(frequencyMHz)
      writer.write(channelFlags ?? 0)
    }
    if let signalDBm { writer.write(signalDBm) }
    if let noiseDBm { writer.write(noiseDBm) }
    if let antenna { writer.write(antenna) }
    if let zeroLengthPSDU { writer.write(zeroLengthPSDU) }
    writer.patch(UInt16(truncatingIfNeeded: writer.count - start), at: start + 2)
  }
}

extension Radiotap: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.fieldIfPresent("timestampUs", timestampUs)
    fields.fieldIfPresent("flags", flags)
    fields.fieldIfPresent("frequencyMHz", frequencyMHz)
    fields.fieldIfPresent("signalDBm", signalDBm)
    fields.fieldIfPresent("noiseDBm", noiseDBm)
    fields.fieldIfPresent("antenna", antenna)
    if let rate500kbps { fields.field("rateKbps", Int(rate500kbps) * 500) }
    fields.fieldIfPresent("zeroLengthPSDU", zeroLengthPSDU)
    if !antennaSignalsDBm.isEmpty { fields.field("antennaSignalsDBm", antennaSignalsDBm) }
    if let defect { fields.field("truncation", "\(defect)") }
  }
}
