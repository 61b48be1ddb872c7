/// Where the frames and blocks of compressed content end, without expanding any (RFC 8878 3.1).
struct ZstandardFrames {
  /// What is expected next.
  private enum Expected {
    /// The first four bytes of a frame.
    case magic
    /// The size of a frame that is to be skipped, 4 bytes.
    case skippableSize
    /// The descriptor of a frame, which says what else its header has (3.1.1.1.1).
    case descriptor
    /// The header of a block, 3 bytes (3.1.1.2).
    case blockHeader
    /// So many bytes whose content does not matter; the last one of a block or a frame is `last`.
    case content(Int, then: After)
  }

  private enum After { case blockHeader, checksum, frame }

  private var expected = Expected.magic
  private var collected: [UInt8] = []
  private var hasChecksum = false
  private var position = 0

  /// Where the last whole block or frame ends, in bytes from the beginning.
  private(set) var boundary = 0
  /// Whether a frame is open at ``boundary``.
  private(set) var isWithinFrame = false
  /// Whether the open frame ends with a checksum of its content, which cannot be made up.
  var needsChecksum: Bool { isWithinFrame && hasChecksum }
  /// Whether what was given ends where a block or a frame does.
  var isAtBoundary: Bool { boundary == position }
  /// Where bytes stand that begin no frame, if any do.
  private(set) var damage: Int?

  /// An empty last block, which ends an open frame without a checksum.
  static let end: [UInt8] = [1, 0, 0]

  /// Processes the next bytes.
  mutating func walk(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count, damage == nil {
      if case .content(let count, let after) = expected {
        let taken = min(count, bytes.count - index)
        index += taken
        position += taken
        if taken == count { passed(after) } else { expected = .content(count - taken, then: after) }
        continue
      }
      collected.append(bytes[index])
      index += 1
      position += 1
      take()
    }
    if damage != nil { position += bytes.count - index }
  }

  private var number: UInt32 { collected.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

  private mutating func take() {
    switch (expected, collected.count) {
    case (.magic, 4):
      if number == Zstandard.magic {
        expected = .descriptor
      } else if Zstandard.isSkippable(number) {
        expected = .skippableSize
      } else {
        damage = position - 4
      }
    case (.skippableSize, 4): expect(content: Int(number), then: .frame)
    case (.descriptor, 1):
      let descriptor = collected[0]
      hasChecksum = descriptor & 4 != 0
      let isSingleSegment = descriptor & 0x20 != 0
      let sizeLength = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
      expect(content: (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][Int(descriptor & 3)] + sizeLength, then: .blockHeader)
    case (.blockHeader, 3):
      let (isLast, kind, size) = (number & 1 == 1, number >> 1 & 3, Int(number >> 3))
      // A block of kind 1 is one byte that is repeated.
      expect(content: kind == 1 ? 1 : size, then: isLast ? hasChecksum ? .checksum : .frame : .blockHeader)
    default: return
    }
    collected = []
  }

  private mutating func expect(content count: Int, then after: After) {
    if count == 0 { passed(after) } else { expected = .content(count, then: after) }
  }

  private mutating func passed(_ after: After) {
    switch after {
    case .blockHeader:
      (boundary, isWithinFrame, expected) = (position, true, .blockHeader)
    case .checksum: expected = .content(4, then: .frame)
    case .frame:
      (boundary, isWithinFrame, expected) = (position, false, .magic)
    }
  }
}
