/// Goes through a file of the pcapng format (draft-ietf-opsawg-pcapng): sections of blocks, each section in a byte
/// order of its own.
struct PCAPNGWalk: Sendable {
  /// The bytes of a section header without options.
  static let headerSize = 28

  /// What an Interface Description Block says, in few bytes: a file may have nothing else.
  private struct Interface {
    /// Where its description starts in the file.
    var offset: Int
    var linkType: UInt16
    /// Whether the next packet of it is the first.
    var isUnused = true
    var snapLength: UInt32
    /// if_tsresol: the negative power of 10, or of 2 where the most significant bit is set.
    var resolution: UInt8 = 6
    /// if_tsoffset, in seconds.
    var offsetSeconds: Int64 = 0
    var fcsLength: UInt8 = 0

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
      if offsetSeconds == 0 { return value }
      let offset = offsetSeconds.multipliedReportingOverflow(by: 1_000_000_000)
      guard !offset.overflow, let whole = Int64(exactly: value) else { return nil }
      let sum = whole.addingReportingOverflow(offset.partialValue)
      return sum.overflow ? nil : UInt64(exactly: sum.partialValue)
    }
  }

  private var bytes: [UInt8]
  private(set) var isBigEndian = false
  private var interfaces: [Interface] = []
  private var position = 0
  /// Where `bytes` start in the file.
  private var base = 0

  /// Checks the first section header of a file whose first four bytes are those of the format.
  init(_ bytes: [UInt8]) throws(CaptureError) {
    guard bytes.count >= Self.headerSize else { throw CaptureError.header(needed: Self.headerSize, available: bytes.count) }
    self.bytes = bytes
    switch beginSection() {
    case nil: break
    case .version(let major, let minor)?: throw CaptureError.version(major: major, minor: minor)
    case .byteOrder(let magic)?: throw CaptureError.foreign(magic)
    }
  }

  /// Why a section cannot be read.
  private enum SectionDefect {
    case byteOrder([UInt8])
    case version(UInt16, UInt16)
  }

  /// Takes over the byte order of the section header at `position`, of which 12 bytes are there.
  private mutating func beginSection() -> SectionDefect? {
    switch Array(bytes[position + 8..<position + 12]) {
    case [0x1A, 0x2B, 0x3C, 0x4D]: isBigEndian = true
    case [0x4D, 0x3C, 0x2B, 0x1A]: isBigEndian = false
    case let magic: return .byteOrder(magic)
    }
    interfaces = []
    guard bytes.count - position >= 16 else { return nil }
    var version = CaptureCursor(bytes, in: position + 12..<position + 16, isBigEndian: isBigEndian)
    let (major, minor) = (version.readUInt16(), version.readUInt16())
    return major == 1 ? nil : .version(major, minor)
  }

  /// Goes on with whole blocks, of which `bytes` has nothing but; they start at `base` in the file.
  mutating func goOn(with bytes: [UInt8], at base: Int) {
    self.bytes = bytes
    self.base = base
    position = 0
  }

  /// Reads the next block; `false` at the end.
  mutating func step(into queue: inout CaptureQueue) -> Bool {
    guard position < bytes.count else { return false }
    guard queue.has(12, of: bytes.count - position, at: position) else { return false }
    if bytes[position..<position + 4].elementsEqual([0x0A, 0x0D, 0x0D, 0x0A]) {
      switch beginSection() {
      case nil: break
      case .byteOrder(let magic)?:
        queue.complain(position + 8, .sectionByteOrder(magic))
        return false
      case .version(let major, let minor)?:
        queue.complain(position + 12, .sectionVersion(major: major, minor: minor))
        return false
      }
    }
    var block = CaptureCursor(bytes, in: position..<position + 8, isBigEndian: isBigEndian)
    let type = block.readUInt32()
    let length = block.readCount()
    guard length >= 12, length % 4 == 0 else {
      queue.complain(position + 4, .blockLength(length))
      return false
    }
    guard queue.has(length, of: bytes.count - position, at: position) else { return false }
    let end = position + length
    var trailer = CaptureCursor(bytes, in: end - 4..<end, isBigEndian: isBigEndian)
    let repeated = trailer.readCount()
    if repeated != length { queue.complain(position, .blockTrailer(repeated)) }
    let body = CaptureCursor(bytes, in: position + 8..<end - 4, isBigEndian: isBigEndian)
    switch type {
    case 1: describeInterface(body, &queue)
    case 2: packet(body, .obsolete, &queue)
    case 3: packet(body, .simple, &queue)
    case 6: packet(body, .enhanced, &queue)
    default: break
    }
    position = end
    return true
  }

  private mutating func describeInterface(_ body: CaptureCursor, _ queue: inout CaptureQueue) {
    var body = body
    let start = body.cursor.position
    guard queue.has(8, of: body.cursor.remaining, at: start) else { return }
    let linkType = body.readUInt16()
    _ = body.readUInt16()
    var interface = Interface(offset: base + start, linkType: linkType, snapLength: body.readUInt32())
    while body.cursor.remaining >= 4 {
      let code = body.readUInt16()
      let size = Int(body.readUInt16())
      let value = body.cursor.position
      guard code != 0, body.cursor.remaining >= size else { break }
      switch (code, size) {
      case (9, 1): interface.resolution = body.cursor.peekUInt8() ?? 6
      case (13, 1):
        switch body.cursor.peekUInt8() ?? 0 {
        case 0: break
        // In bits, as the draft has it; in bytes, as some programs write it.
        case 4, 32: interface.fcsLength = 4
        case let other: queue.complain(value, .fcsLength(other))
        }
      case (14, 8):
        let first = UInt64(body.readUInt32())
        let second = UInt64(body.readUInt32())
        interface.offsetSeconds = Int64(bitPattern: body.isBigEndian ? first << 32 | second : second << 32 | first)
      default: break
      }
      body.cursor.seek(to: min(value + (size + 3) / 4 * 4, body.cursor.end))
    }
    interfaces.append(interface)
  }

  private enum PacketKind {
    case enhanced
    case simple
    case obsolete

    var fixedSize: Int { self == .simple ? 4 : 20 }
  }

  private mutating func packet(_ body: CaptureCursor, _ kind: PacketKind, _ queue: inout CaptureQueue) {
    var body = body
    let start = body.cursor.position
    guard queue.has(kind.fixedSize, of: body.cursor.remaining, at: start) else { return }
    var number = 0
    switch kind {
    case .enhanced: number = body.readCount()
    case .obsolete:
      number = Int(body.readUInt16())
      _ = body.readUInt16()
    case .simple: break
    }
    guard number < interfaces.count else {
      queue.complain(start, .interface(number))
      return
    }
    let interface = interfaces[number]
    // Many programs describe interfaces of which they keep no packet: only one that is used is worth a report.
    if interface.isUnused {
      interfaces[number].isUnused = false
      if !queue.isKnown(Int(interface.linkType)) { queue.complain(interface.offset - base, .linkType(Int(interface.linkType))) }
    }
    var timestampNs: UInt64?
    var captured: Int
    let original: Int
    if kind == .simple {
      original = body.readCount()
      captured = min(original, body.cursor.remaining)
      if interface.snapLength > 0 { captured = min(captured, Int(interface.snapLength)) }
    } else {
      let high = UInt64(body.readUInt32())
      timestampNs = interface.nanoseconds(high << 32 | UInt64(body.readUInt32()))
      captured = body.readCount()
      original = body.readCount()
    }
    let from = body.cursor.position
    guard queue.has(captured, of: body.cursor.remaining, at: from) else { return }
    var packet = CapturedPacket(
      range: from..<from + captured, linkType: Int(interface.linkType), originalLength: original,
      fcsLength: Int(interface.fcsLength), timestampNs: timestampNs)
    body.cursor.seek(to: min(from + (captured + 3) / 4 * 4, body.cursor.end))
    if kind != .simple, let flags = Self.flags(&body) {
      // epb_flags: the length of the sequence in bytes, 0 where that is not known, and the errors of the link, of which
      // bit 24 is that of the checksum.
      if flags.bits(5, 4) > 0 { packet.fcsLength = flags.bits(5, 4) }
      packet.hasBadFCS = flags.has(24)
    }
    queue.add(packet, of: bytes)
  }

  /// The value of epb_flags or pack_flags, option 2 of four bytes, or `nil` where there is none.
  private static func flags(_ options: inout CaptureCursor) -> UInt32? {
    while options.cursor.remaining >= 4 {
      let code = options.readUInt16()
      let size = Int(options.readUInt16())
      guard code != 0, options.cursor.remaining >= size else { return nil }
      if code == 2, size == 4 { return options.readUInt32() }
      options.cursor.seek(to: min(options.cursor.position + (size + 3) / 4 * 4, options.cursor.end))
    }
    return nil
  }
}
