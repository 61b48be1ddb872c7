/// The pcap format of libpcap (draft-ietf-opsawg-pcap): a header and records, in either order of octets.
enum PCAP {
  private static let headerSize = 24

  /// Reads a file whose first four octets are those of the format.
  static func read(_ bytes: [UInt8], into capture: inout Capture) throws(CaptureError) {
    guard bytes.count >= headerSize else { throw CaptureError.header(needed: headerSize, available: bytes.count) }
    var header = CaptureCursor(bytes, in: 0..<headerSize, isBigEndian: bytes[0] == 0xA1)
    let magic = header.readUInt32()
    let (major, minor) = (header.readUInt16(), header.readUInt16())
    guard major == 2, minor <= 4 else { throw CaptureError.version(major: major, minor: minor) }
    _ = (header.readUInt32(), header.readUInt32(), header.readUInt32())
    let network = header.readUInt32()
    // The link type shares its field with the length of the frame check sequence, in units of two octets.
    let linkType = network.bits(0, 16)
    let fcsLength = network.has(26) ? network.bits(28, 4) * 2 : 0
    if !LinkType.isKnown(linkType) { capture.complain(20, .linkType(linkType)) }
    let isNanoseconds = magic == 0xA1B2_3C4D
    // The format of some old kernels has eight octets more in front of each packet.
    let recordSize = magic == 0xA1B2_CD34 ? 24 : 16

    var position = headerSize
    while position < bytes.count {
      guard bytes.count - position >= recordSize else {
        capture.complain(position, .truncated(needed: recordSize, available: bytes.count - position))
        return
      }
      var record = CaptureCursor(bytes, in: position..<position + recordSize, isBigEndian: header.isBigEndian)
      let seconds = UInt64(record.readUInt32())
      let fraction = UInt64(record.readUInt32())
      let captured = record.readCount()
      let original = record.readCount()
      position += recordSize
      guard bytes.count - position >= captured else {
        capture.complain(position, .truncated(needed: captured, available: bytes.count - position))
        return
      }
      capture.take(
        bytes, in: position..<position + captured, linkType: linkType, originalLength: original, fcsLength: fcsLength,
        timestampNs: seconds * 1_000_000_000 + (isNanoseconds ? fraction : fraction * 1000))
      position += captured
    }
  }
}
