/// Reads integers and regions from a buffer, front to back, never past the end of the region it was given.
///
/// A cursor is passed `inout`. A parent bounds a child's region by its declared length *before* the child reads:
/// ``withRegion(_:_:)`` narrows the cursor, so that a child that declares a wrong size cannot reach its neighbours.
/// Positions are absolute offsets in the buffer, so an error says where in the whole message it was found.
public struct ByteCursor: Sendable {
  /// The whole buffer.
  public let bytes: [UInt8]

  /// The offset of the next byte to read.
  public private(set) var position: Int

  /// The offset just past the last byte that may be read.
  public private(set) var end: Int

  /// Reads the whole of `bytes`.
  @inlinable
  public init(_ bytes: [UInt8]) {
    self.init(unchecked: bytes, position: 0, end: bytes.count)
  }

  /// Reads `range` of `bytes`.
  ///
  /// - Precondition: `range` lies within `bytes`.
  @inlinable
  public init(_ bytes: [UInt8], in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "region outside the buffer")
    self.init(unchecked: bytes, position: range.lowerBound, end: range.upperBound)
  }

  @usableFromInline
  init(unchecked bytes: [UInt8], position: Int, end: Int) {
    self.bytes = bytes
    self.position = position
    self.end = end
  }

  /// The number of bytes left in the region.
  public var remaining: Int { end - position }

  /// Whether every byte of the region has been read.
  public var isAtEnd: Bool { position == end }

  /// Throws unless `count` bytes are left.
  @inline(__always)
  package func require(_ count: Int) throws(WireError) {
    guard count >= 0, count <= end - position else {
      throw WireError(offset: position, reason: .truncated(needed: count, available: end - position))
    }
  }

  /// Consumes `count` bytes and returns the offset of the first.
  mutating func advance(_ count: Int) throws(WireError) -> Int {
    try require(count)
    defer { position += count }
    return position
  }

  /// Passes over `count` bytes.
  public mutating func skip(_ count: Int) throws(WireError) {
    _ = try advance(count)
  }

  /// Moves back or forth to an absolute offset within the region's end.
  ///
  /// - Precondition: `offset` is not past the end of the region.
  public mutating func seek(to offset: Int) {
    precondition(offset >= 0 && offset <= end, "seek to \(offset) outside a region that ends at \(end)")
    position = offset
  }

  /// Turns to another region of the same buffer, which costs less than a cursor of its own.
  ///
  /// - Precondition: `range` lies within the buffer.
  mutating func turn(to range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "region outside the buffer")
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next byte, which stays unread, or `nil` at the end of the region.
  package func peekUInt8() -> UInt8? {
    position < end ? bytes[position] : nil
  }

  /// Reads one byte.
  public mutating func readUInt8() throws(WireError) -> UInt8 {
    bytes[try advance(1)]
  }

  /// Reads one byte as a signed number.
  package mutating func readInt8() throws(WireError) -> Int8 {
    Int8(bitPattern: try readUInt8())
  }

  /// Reads two bytes, least significant first (the order of IEEE 802.11 and of nl80211 on little-endian hosts).
  public mutating func readUInt16() throws(WireError) -> UInt16 {
    let offset = try advance(2)
    return unsafe UInt16(littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// Reads three bytes, least significant first.
  package mutating func readUInt24() throws(WireError) -> UInt32 {
    let offset = try advance(3)
    return UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
  }

  /// Reads four bytes, least significant first.
  public mutating func readUInt32() throws(WireError) -> UInt32 {
    let offset = try advance(4)
    return unsafe UInt32(littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Reads six bytes, least significant first.
  package mutating func readUInt48() throws(WireError) -> UInt64 {
    let low = UInt64(try readUInt32())
    return low | UInt64(try readUInt16()) << 32
  }

  /// Reads eight bytes, least significant first.
  public mutating func readUInt64() throws(WireError) -> UInt64 {
    let offset = try advance(8)
    return unsafe UInt64(littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Reads two bytes, most significant first (network order: WPS attributes, selectors, pcap).
  public mutating func readUInt16BigEndian() throws(WireError) -> UInt16 {
    try readUInt16().byteSwapped
  }

  /// Reads four bytes, most significant first.
  public mutating func readUInt32BigEndian() throws(WireError) -> UInt32 {
    try readUInt32().byteSwapped
  }

  /// Reads three bytes, most significant first, such as an OUI.
  package mutating func readUInt24BigEndian() throws(WireError) -> UInt32 {
    let offset = try advance(3)
    return UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
  }

  /// Reads `count` bytes into an array of their own.
  ///
  /// Costs one allocation unless `count` is zero.
  public mutating func readBytes(_ count: Int) throws(WireError) -> [UInt8] {
    if count == 0 { return [] }
    let offset = try advance(count)
    return copy(offset, count)
  }

  /// Reads what is left of the region.
  ///
  /// Costs one allocation unless nothing is left.
  public mutating func readRemaining() -> [UInt8] {
    if position == end { return [] }
    let rest = copy(position, end - position)
    position = end
    return rest
  }

  /// An array of `count` bytes, of which a slice would retain and release the buffer.
  private func copy(_ offset: Int, _ count: Int) -> [UInt8] {
    precondition(offset >= 0 && count > 0 && count <= bytes.count - offset, "region outside the buffer")
    return unsafe bytes.withUnsafeBufferPointer { unsafe Array(UnsafeBufferPointer(rebasing: $0[offset..<offset + count])) }
  }

  /// Lets `body` read the next `count` bytes and no others, then continues just past them, however far `body` got.
  ///
  /// - Throws: ``WireError`` when fewer than `count` bytes are left, or what `body` throws; in the second case the
  ///   cursor also continues past the region.
  public mutating func withRegion<Result>(
    _ count: Int, _ body: (inout ByteCursor) throws(WireError) -> Result
  ) throws(WireError) -> Result {
    let start = try advance(count)
    let outerEnd = end
    let innerEnd = position
    position = start
    end = innerEnd
    defer {
      position = innerEnd
      end = outerEnd
    }
    return try body(&self)
  }
}
