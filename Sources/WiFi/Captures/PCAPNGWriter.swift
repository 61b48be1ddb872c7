/// Writes frames as a pcapng file: one section, one interface with radiotap headers, timestamps in ns.
///
/// A pure function: the blocks can be taken at any time with ``takeBytes()`` and appended to a file, or at the end from
/// ``bytes``.
public struct PCAPNGWriter: Sendable {
  private var writer: ByteWriter

  /// Starts with the section header and the description of the interface.
  ///
  /// - Parameters:
  ///   - interfaceName: The name of the interface, such as `wlan0`.
  ///   - application: The program that writes.
  public init(interfaceName: String? = nil, application: String? = nil) {
    writer = ByteWriter(capacity: 4096)
    block(0x0A0D_0D0A) { writer in
      writer.write(0x1A2B_3C4D as UInt32)
      writer.write(1 as UInt16)
      writer.write(0 as UInt16)
      writer.write(UInt64.max)
      if let application {
        Self.option(4, Array(application.utf8), into: &writer)
        Self.option(0, [], into: &writer)
      }
    }
    block(1) { writer in
      writer.write(UInt16(LinkType.radiotap))
      writer.write(0 as UInt16)
      writer.write(0 as UInt32)
      if let interfaceName { Self.option(2, Array(interfaceName.utf8), into: &writer) }
      Self.option(9, [9], into: &writer)
      Self.option(0, [], into: &writer)
    }
  }

  /// Adds a frame.
  ///
  /// - Parameters:
  ///   - frame: The bytes of the frame; without its frame check sequence, unless `radiotap` says that it is there.
  ///   - radiotap: What was known of its reception.
  ///   - timestampNs: When it was heard, in ns since 1970 (UTC); without it the block is one that has no time (Simple
  ///     Packet Block).
  public mutating func append(frame: [UInt8], radiotap: Radiotap, timestampNs: UInt64?) {
    var packet = ByteWriter(capacity: frame.count + 32)
    radiotap.encode(into: &packet)
    packet.write(frame)
    let bytes = packet.bytes
    block(timestampNs == nil ? 3 : 6) { writer in
      if let timestampNs {
        writer.write(0 as UInt32)
        writer.write(UInt32(truncatingIfNeeded: timestampNs >> 32))
        writer.write(UInt32(truncatingIfNeeded: timestampNs))
        writer.write(UInt32(truncatingIfNeeded: bytes.count))
      }
      writer.write(UInt32(truncatingIfNeeded: bytes.count))
      writer.write(bytes)
      for _ in 0..<paddingToFour(bytes.count) { writer.write(0 as UInt8) }
    }
  }

  /// What was written since the start or since ``takeBytes()``.
  public var bytes: [UInt8] { writer.bytes }

  /// What was written since the start or since this was last called; forgets it.
  public mutating func takeBytes() -> [UInt8] {
    defer { writer = ByteWriter(capacity: 4096) }
    return writer.bytes
  }

  private mutating func block(_ type: UInt32, _ body: (inout ByteWriter) -> Void) {
    let content = ByteWriter.bytes(capacity: 256, body)
    let length = UInt32(truncatingIfNeeded: content.count + 12)
    writer.write(type)
    writer.write(length)
    writer.write(content)
    writer.write(length)
  }

  private static func option(_ code: UInt16, _ value: [UInt8], into writer: inout ByteWriter) {
    let value = value.prefix(Int(UInt16.max))
    writer.write(code)
    writer.write(UInt16(value.count))
    writer.write(value)
    for _ in 0..<paddingToFour(value.count) { writer.write(0 as UInt8) }
  }
}
