/// The IEEE 802.11 frames of a capture file, pcap or pcapng, and what could not be read of it.
///
/// A pure function of the bytes of the file. A file that ends within a packet gives what was before that packet, and a
/// complaint.
public struct Capture: Hashable, Sendable {
  /// The frames, in the order of the file.
  public var frames: [CapturedFrame] = []

  /// What could not be read, in the order of the file.
  public var complaints: [CaptureComplaint] = []

  /// The formats of capture files.
  public enum Format: String, Hashable, Sendable {
    case pcap
    case pcapng
  }

  /// What the file is.
  public let format: Format

  /// Reads a whole file.
  ///
  /// Keeps every frame: costs some six times the memory of a file of small packets; ``CaptureWalk`` keeps none.
  ///
  /// - Throws: ``CaptureError`` for a file that is no capture at all.
  public init(_ bytes: [UInt8]) throws(CaptureError) {
    var walk = try CaptureWalk(bytes)
    format = walk.format
    while let item = walk.next() {
      switch item {
      case .complaint(let complaint): complaints.append(complaint)
      case .packet(let packet):
        do throws(WireError) { frames.append(try packet.frame(of: bytes)) } catch {
          complaints.append(CaptureComplaint(offset: error.offset, reason: .header(error.reason)))
        }
      }
    }
  }

  /// What a file is by its first four bytes, or `nil` for none of the formats.
  public static func format(_ bytes: some Collection<UInt8>) -> Format? {
    switch Array(bytes.prefix(4)) {
    case [0x0A, 0x0D, 0x0D, 0x0A]: .pcapng
    case [0xA1, 0xB2, 0xC3, 0xD4], [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D], [0x4D, 0x3C, 0xB2, 0xA1],
      [0xA1, 0xB2, 0xCD, 0x34], [0x34, 0xCD, 0xB2, 0xA1]:
      .pcap
    default: nil
    }
  }
}

/// Reads numbers in the order of the machine that wrote a capture.
struct CaptureCursor {
  var cursor: ByteCursor
  var isBigEndian: Bool

  init(_ bytes: [UInt8], in range: Range<Int>, isBigEndian: Bool) {
    cursor = ByteCursor(bytes, in: range)
    self.isBigEndian = isBigEndian
  }

  /// The next two bytes; 0 past the end, which the caller has checked.
  mutating func readUInt16() -> UInt16 {
    let value = (try? cursor.readUInt16()) ?? 0
    return isBigEndian ? value.byteSwapped : value
  }

  /// The next four bytes; 0 past the end, which the caller has checked.
  mutating func readUInt32() -> UInt32 {
    let value = (try? cursor.readUInt32()) ?? 0
    return isBigEndian ? value.byteSwapped : value
  }

  /// The next four bytes as a count; 0 past the end, which the caller has checked.
  mutating func readCount() -> Int { Int(readUInt32()) }
}
