/// The pcapng format (draft-ietf-opsawg-pcapng): sections of blocks, each section in an order of octets of its own.
enum PCAPNG {
  private static let sectionHeader: UInt32 = 0x0A0D_0D0A

  /// What an Interface Description Block says.
  private struct Interface {
    var linkType: Int
    var snapLength: Int
    /// if_tsresol: the negative power of 10, or of 2 where the most significant bit is set.
    var resolution: UInt8 = 6
    /// if_tsoffset, in seconds.
    var offsetSeconds: Int64 = 0
    var fcsLength = 0

    /// A timestamp in ns, or `nil` where it does not fit.
    func nanoseconds(_ timestamp: UInt64) -> UInt64? {
      var value: UInt64
      let exponent = Int(resolution & 0x7F)
      if resolution & 0x80 != 0 {
        let product = timestamp.multipliedFullWidth(by: 1_000_000_000)
        guard exponent < 64, product.high >> UInt64(exponent) == 0 else { return nil }
        value = exponent == 0 ? product.low : product.low >> UInt64(exponent) | product.high << UInt64(64 - exponent)
      } else if exponent <= 9 {
        var factor: UInt64 = 1
        for _ in exponent..<9 { factor *= 10 }
        let product = timestamp.multipliedReportingOverflow(by: factor)
        if product.overflow { return nil }
        value = product.partialValue
      } else {
        value = timestamp
        for _ in 9..<exponent { value /= 10 }
      }
      let offset = offsetSeconds.multipliedReportingOverflow(by: 1_000_000_000)
      if offset.overflow { return nil }
      let sum = Int64(exactly: value).map { $0.addingReportingOverflow(offset.partialValue) }
      if offsetSeconds == 0 { return value }
      guard let sum, !sum.overflow else { return nil }
      return UInt64(exactly: sum.partialValue)
    }
  }

  /// Reads a file whose first four octets are those of the format.
  static func read(_ bytes: [UInt8], into capture: inout Capture) throws(CaptureError) {
    guard bytes.count >= 28 else { throw CaptureError.header(needed: 28, available: bytes.count) }
    var isBigEndian = false
    var interfaces: [Interface] = []
    var position = 0
    while position < bytes.count {
      guard bytes.count - position >= 12 else {
        capture.complain(position, .truncated(needed: 12, available: bytes.count - position))
        return
      }
      if Array(bytes[position..<position + 4]) == [0x0A, 0x0D, 0x0D, 0x0A] {
        switch Array(bytes[position + 8..<position + 12]) {
        case [0x1A, 0x2B, 0x3C, 0x4D]: isBigEndian = true
        case [0x4D, 0x3C, 0x2B, 0x1A]: isBigEndian = false
        case let magic:
          if position == 0 { throw CaptureError.foreign(magic) }
          capture.complain(position + 8, .blockLength(0))
          return
        }
        interfaces = []
        var version = CaptureCursor(bytes, in: position + 12..<min(position + 16, bytes.count), isBigEndian: isBigEndian)
        let (major, minor) = (version.readUInt16(), version.readUInt16())
        if major != 1 {
          if position == 0 { throw CaptureError.version(major: major, minor: minor) }
          capture.complain(position + 12, .blockLength(0))
          return
        }
      }
      var block = CaptureCursor(bytes, in: position..<position + 8, isBigEndian: isBigEndian)
      let type = block.readUInt32()
      let length = block.readCount()
      guard length >= 12, length % 4 == 0 else {
        capture.complain(position + 4, .blockLength(length))
        return
      }
      guard bytes.count - position >= length else {
        capture.complain(position, .truncated(needed: length, available: bytes.count - position))
        return
      }
      let end = position + length
      var trailer = CaptureCursor(bytes, in: end - 4..<end, isBigEndian: isBigEndian)
      let repeated = trailer.readCount()
      if repeated != length { capture.complain(position, .blockTrailer(repeated)) }
      let body = CaptureCursor(bytes, in: position + 8..<end - 4, isBigEndian: isBigEndian)
      switch type {
      case 1: describeInterface(body, &interfaces, &capture)
      case 2: packet(body, .obsolete, interfaces, &capture)
      case 3: packet(body, .simple, interfaces, &capture)
      case 6: packet(body, .enhanced, interfaces, &capture)
      default: break
      }
      position = end
    }
  }

  private static func describeInterface(_ body: CaptureCursor, _ interfaces: inout [Interface], _ capture: inout Capture) {
    var body = body
    let start = body.cursor.position
    guard body.cursor.remaining >= 8 else {
      capture.complain(start, .truncated(needed: 8, available: body.cursor.remaining))
      return
    }
    let linkType = Int(body.readUInt16())
    _ = body.readUInt16()
    var interface = Interface(linkType: linkType, snapLength: body.readCount())
    while body.cursor.remaining >= 4 {
      let code = body.readUInt16()
      let size = Int(body.readUInt16())
      let value = body.cursor.position
      guard code != 0, body.cursor.remaining >= size else { break }
      switch (code, size) {
      case (9, 1): interface.resolution = body.cursor.peekUInt8() ?? 6
      case (13, 1): interface.fcsLength = Int(body.cursor.peekUInt8() ?? 0)
      case (14, 8):
        let first = UInt64(body.readUInt32())
        let second = UInt64(body.readUInt32())
        interface.offsetSeconds = Int64(bitPattern: body.isBigEndian ? first << 32 | second : second << 32 | first)
      default: break
      }
      body.cursor.seek(to: min(value + (size + 3) / 4 * 4, body.cursor.end))
    }
    if !LinkType.isKnown(linkType) { capture.complain(start, .linkType(linkType)) }
    interfaces.append(interface)
  }

  private enum PacketKind {
    case enhanced
    case simple
    case obsolete

    var fixedSize: Int { self == .simple ? 4 : 20 }
  }

  private static func packet(_ body: CaptureCursor, _ kind: PacketKind, _ interfaces: [Interface], _ capture: inout Capture) {
    var body = body
    let start = body.cursor.position
    guard body.cursor.remaining >= kind.fixedSize else {
      capture.complain(start, .truncated(needed: kind.fixedSize, available: body.cursor.remaining))
      return
    }
    var number = 0
    switch kind {
    case .enhanced: number = body.readCount()
    case .obsolete:
      number = Int(body.readUInt16())
      _ = body.readUInt16()
    case .simple: break
    }
    guard number < interfaces.count else {
      capture.complain(start, .interface(number))
      return
    }
    let interface = interfaces[number]
    var timestampNs: UInt64?
    var captured: Int
    let original: Int
    if kind == .simple {
      original = body.readCount()
      captured = min(original, body.cursor.remaining)
      if interface.snapLength > 0 { captured = min(captured, interface.snapLength) }
    } else {
      let high = UInt64(body.readUInt32())
      timestampNs = interface.nanoseconds(high << 32 | UInt64(body.readUInt32()))
      captured = body.readCount()
      original = body.readCount()
    }
    let from = body.cursor.position
    guard body.cursor.remaining >= captured else {
      capture.complain(from, .truncated(needed: captured, available: body.cursor.remaining))
      return
    }
    capture.take(
      body.cursor.bytes, in: from..<from + captured, linkType: interface.linkType, originalLength: original,
      fcsLength: interface.fcsLength, timestampNs: timestampNs)
  }
}
