/// Goes through a file of the pcap format (draft-ietf-opsawg-pcap): a header and records, in either byte order.
struct PCAPWalk: Sendable {
  static let headerSize = 24

  private var bytes: [UInt8]
  let isBigEndian: Bool
  private let isNanoseconds: Bool
  let recordSize: Int
  private let linkType: Int
  private let fcsLength: Int
  /// Whether the two lengths of a record are in the other order, as before version 2.3; in 2.3 itself, some programs
  /// wrote them so.
  private let areLengthsSwapped: Bool?
  private var position: Int

  /// Reads the header of a file whose first four bytes are those of the format.
  init(_ bytes: [UInt8], into queue: inout CaptureQueue) throws(CaptureError) {
    guard bytes.count >= Self.headerSize else { throw CaptureError.header(needed: Self.headerSize, available: bytes.count) }
    var header = CaptureCursor(bytes, in: 0..<Self.headerSize, isBigEndian: bytes[0] == 0xA1)
    let magic = header.readUInt32()
    let (major, minor) = (header.readUInt16(), header.readUInt16())
    guard major == 2, minor <= 4 else { throw CaptureError.version(major: major, minor: minor) }
    areLengthsSwapped = minor == 3 ? nil : minor < 3
    _ = (header.readUInt32(), header.readUInt32(), header.readUInt32())
    let network = header.readUInt32()
    // The link type shares its field with the length of the frame check sequence, in units of two bytes.
    linkType = network.bits(0, 16)
    fcsLength = network.has(26) ? network.bits(28, 4) * 2 : 0
    if !queue.isKnown(linkType) { queue.complain(20, .linkType(linkType)) }
    isNanoseconds = magic == 0xA1B2_3C4D
    // The format of some old kernels has eight bytes more in front of each packet.
    recordSize = magic == 0xA1B2_CD34 ? 24 : 16
    isBigEndian = header.isBigEndian
    self.bytes = bytes
    position = Self.headerSize
  }

  /// Goes on with whole records, of which `bytes` has nothing but.
  mutating func goOn(with bytes: [UInt8]) {
    self.bytes = bytes
    position = 0
  }

  /// Reads the length of what was captured of a packet, and the length that it had.
  private func readLengths(_ record: inout CaptureCursor) -> (captured: Int, original: Int) {
    let (first, second) = (record.readCount(), record.readCount())
    return areLengthsSwapped ?? (first > second) ? (second, first) : (first, second)
  }

  /// The bytes that were captured of the record whose header is at `place`.
  func capturedLength(_ bytes: [UInt8], at place: Int) -> Int {
    var record = CaptureCursor(bytes, in: place + 8..<place + 16, isBigEndian: isBigEndian)
    return readLengths(&record).captured
  }

  /// Reads the next record; `false` at the end.
  mutating func step(into queue: inout CaptureQueue) -> Bool {
    guard position < bytes.count else { return false }
    guard queue.has(recordSize, of: bytes.count - position, at: position) else { return false }
    var record = CaptureCursor(bytes, in: position..<position + recordSize, isBigEndian: isBigEndian)
    // A fraction of a second or more is carried over; tshark shows it as it stands, with a note.
    let seconds = UInt64(record.readUInt32())
    let fraction = UInt64(record.readUInt32())
    let (captured, original) = readLengths(&record)
    position += recordSize
    guard queue.has(captured, of: bytes.count - position, at: position) else { return false }
    queue.add(
      CapturedPacket(
        range: position..<position + captured, linkType: linkType, originalLength: original, fcsLength: fcsLength,
        timestampNs: seconds * 1_000_000_000 + (isNanoseconds ? fraction : fraction * 1000)), of: bytes)
    position += captured
    return true
  }
}
