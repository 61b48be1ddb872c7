// What older programs and drivers write before a frame, as far as radiotap can say the same.

extension Radiotap {
  // MARK: Prism and AVS

  /// Reads the header of a Prism or an AVS driver, and leaves `cursor` at the frame behind it.
  ///
  /// A Prism header has its length in bytes 4 to 7, in the order of the machine that wrote it, as all of it is; an AVS
  /// header has it there most significant first, behind a magic number.
  ///
  /// - Returns: `nil` where it says nothing that radiotap says.
  init?(parsingPrism cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    let available = cursor.remaining
    let code = try cursor.readUInt32BigEndian()
    let length = try cursor.readUInt32()
    let isAVS = Self.isAVS(code)
    let sizes = isAVS ? [length.byteSwapped] : [length, length.byteSwapped]
    guard let size = sizes.map({ Int($0) }).first(where: { (8...max(8, available)).contains($0) }) else {
      throw WireError(
        offset: start + 4, reason: .invalid("a Prism header that declares \(length) bytes where \(available) are left"))
    }
    self.init()
    var fields = ByteCursor(cursor.bytes, in: start + 8..<start + size)
    // What is shorter says less.
    if isAVS { try? readAVS(&fields) } else { try? readPrism(&fields) }
    cursor.seek(to: start + size)
    if self == Radiotap() { return nil }
  }

  /// Whether the first four bytes, the most significant first, are the magic number of an AVS header of version 1 or 2.
  package static func isAVS(_ code: UInt32) -> Bool { code == 0x8021_1001 || code == 0x8021_1002 }

  /// Reads the name of the device and items of 12 bytes: number, status, length and value.
  ///
  /// Items are numbered in bits 16 on where the header starts with 0x44, and in bits 12 on where it starts with 0x41.
  /// Status 0 is one that has a value. The code of an item says in which order its bytes are.
  private mutating func readPrism(_ cursor: inout ByteCursor) throws(WireError) {
    var isSwapped = false
    func ordered<Value: FixedWidthInteger>(_ value: Value) -> Value { isSwapped ? value.byteSwapped : value }
    try cursor.skip(16)
    while cursor.remaining >= 12 {
      let raw = try cursor.readUInt32()
      isSwapped = !Self.isPrismCode(raw & 0xFFF)
      let number = ordered(raw)
      let status = ordered(try cursor.readUInt16())
      try cursor.skip(2)
      let value = ordered(try cursor.readUInt32())
      guard status == 0, Self.isPrismCode(number & 0xFFF) else { continue }
      switch number >> 16 > 0 ? number >> 16 : number >> 12 {
      case 2: timestampUs = UInt64(value)
      case 3: setChannel(value)
      // In dBm where it is negative, else in a unit of the driver's own.
      case 6: signalDBm = Self.negative(value)
      case 7: noiseDBm = Self.negative(value)
      case 8: setRate(value)
      default: break
      }
    }
  }

  /// Whether a header starts with this code, which the numbers of its items end with: 0x44 of linux-wlan-ng, 0x41 of
  /// others.
  package static func isPrismCode(_ code: UInt32) -> Bool { code == 0x44 || code == 0x41 }

  /// Reads the fields of an AVS header: time of the receiver and of the host, kind of PHY, channel, rate in units of
  /// 100 kb/s, antenna, priority, kind of strength (2 is dBm), signal and noise.
  private mutating func readAVS(_ cursor: inout ByteCursor) throws(WireError) {
    let time = UInt64(try cursor.readUInt32BigEndian()) << 32 | UInt64(try cursor.readUInt32BigEndian())
    if time > 0 { timestampUs = time }
    try cursor.skip(12)
    setChannel(try cursor.readUInt32BigEndian())
    let rate = try cursor.readUInt32BigEndian()
    if rate % 5 == 0 { setRate(rate / 5) }
    antenna = UInt8(exactly: try cursor.readUInt32BigEndian())
    try cursor.skip(4)
    guard try cursor.readUInt32BigEndian() == 2 else { return }
    signalDBm = Self.negative(try cursor.readUInt32BigEndian())
    noiseDBm = Self.negative(try cursor.readUInt32BigEndian())
  }

  /// A strength in dBm, which is below zero.
  private static func negative(_ value: UInt32) -> Int8? { Int8(exactly: Int32(bitPattern: value)).flatMap { $0 < 0 ? $0 : nil } }

  /// Takes a rate in units of 500 kb/s, 0 where it is not known.
  private mutating func setRate(_ rate: UInt32) { rate500kbps = rate == 0 ? nil : UInt8(exactly: rate) }

  /// Takes the number of a channel, or its centre in MHz or in kHz.
  private mutating func setChannel(_ channel: UInt32) {
    switch channel {
    case 1...14: frequencyMHz = Band.ghz2_4.frequencyKHz(channel: Int(channel)).map { UInt16($0 / 1000) }
    case 15...196: frequencyMHz = Band.ghz5.frequencyKHz(channel: Int(channel)).map { UInt16($0 / 1000) }
    case 2_000..<100_000: frequencyMHz = UInt16(exactly: channel)
    case 2_000_000..<100_000_000: frequencyMHz = UInt16(exactly: channel / 1000)
    default: break
    }
  }

  // MARK: PPI

  /// Reads a Per-Packet Information header, and leaves `cursor` at the frame behind it.
  ///
  /// Version, flags, length and link type, then fields of type, length and content, of which type 2 is IEEE 802.11
  /// Common. Flag 1 says that each field begins at a multiple of four bytes (PPI 1.0.7, 3 and 4.1.2). Type 4, 802.11n
  /// MAC+PHY, fills in what type 2 leaves out. A radiotap header may follow; then its fields are taken.
  ///
  /// - Returns: `nil` where it says nothing that radiotap says.
  init?(parsingPPI cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    let version = try cursor.readUInt8()
    let isAligned = try cursor.readUInt8().has(0)
    let length = Int(try cursor.readUInt16())
    let linkType = Int(try cursor.readUInt32())
    guard version == 0 else { throw WireError(offset: start, reason: .invalid("PPI version \(version), not 0,")) }
    guard [LinkType.ieee80211, LinkType.radiotap].contains(linkType) else {
      throw WireError(offset: start + 4, reason: .invalid("link type \(linkType) in a PPI header, which carries no 802.11 frames,"))
    }
    guard length >= 8 else { throw WireError(offset: start + 2, reason: .length(declared: length, allowed: 8...Int(UInt16.max))) }
    self.init()
    try cursor.withRegion(length - 8) { (cursor) throws(WireError) in
      do throws(WireError) { try readPPIFields(&cursor, start: start, isAligned: isAligned) } catch { defect = error }
    }
    if linkType == LinkType.radiotap {
      let before = defect
      let inner = try Radiotap(parsing: &cursor)
      if inner != Radiotap() { self = inner }
      defect = before ?? defect
    }
    if self == Radiotap() { return nil }
  }

  private mutating func readPPIFields(_ cursor: inout ByteCursor, start: Int, isAligned: Bool) throws(WireError) {
    var extended = Radiotap()
    defer {
      if signalDBm == nil { (signalDBm, noiseDBm) = (extended.signalDBm, extended.noiseDBm) }
    }
    while cursor.remaining >= 4 {
      let at = cursor.position
      let type = try cursor.readUInt16()
      let size = Int(try cursor.readUInt16())
      let needed = type == 2 ? 20 : type == 4 ? 48 : size
      if size != needed, defect == nil { defect = WireError(offset: at + 2, reason: .length(declared: size, allowed: needed...needed)) }
      try cursor.withRegion(size) { (cursor) throws(WireError) in
        if type == 2, size == needed { try readCommon(&cursor) }
        if type == 4, size == needed { try extended.readExtension(&cursor) }
      }
      let padding = isAligned ? paddingToFour(cursor.position - start) : 0
      cursor.seek(to: min(cursor.position + padding, cursor.end))
    }
  }

  /// Reads 802.11n MAC+PHY Extension, 48 bytes: of the antennas the one with the strongest signal (PPI 1.0.7, 4.1.4).
  ///
  /// Its channel is the extension channel, on which no beacon is sent.
  private mutating func readExtension(_ cursor: inout ByteCursor) throws(WireError) {
    try cursor.skip(24)
    for _ in 0..<4 {
      let (signal, noise) = (try cursor.readInt8(), try cursor.readInt8())
      guard signal != -128, signal > signalDBm ?? -128 else { continue }
      (signalDBm, noiseDBm) = (signal, noise == -128 ? nil : noise)
    }
  }

  /// Reads IEEE 802.11 Common, 20 bytes: a frequency, a rate and a time of 0 and a strength of −128 dBm are not known.
  private mutating func readCommon(_ cursor: inout ByteCursor) throws(WireError) {
    let time = try cursor.readUInt64()
    let flags = try cursor.readUInt16()
    let inMicroseconds = flags.has(1) ? time.multipliedReportingOverflow(by: 1000) : (time, false)
    if time > 0, !inMicroseconds.1 { timestampUs = inMicroseconds.0 }
    self.flags = (flags.has(0) ? 0x10 : 0) | (flags.has(2) ? 0x40 : 0)
    setRate(UInt32(try cursor.readUInt16()))
    let frequency = try cursor.readUInt16()
    let channelFlags = try cursor.readUInt16()
    if frequency > 0 { (frequencyMHz, self.channelFlags) = (frequency, channelFlags) }
    try cursor.skip(2)
    let (signal, noise) = (try cursor.readInt8(), try cursor.readInt8())
    if signal != -128 { signalDBm = signal }
    if noise != -128 { noiseDBm = noise }
  }
}
