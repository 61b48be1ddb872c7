/// Goes through attributes without copying them.
///
/// An attribute that declares more bytes than there are ends the walk and is reported in ``error``.
public struct AttributeWalk: Sequence, IteratorProtocol, Sendable {
  /// The buffer that the ranges are of.
  public let bytes: [UInt8]
  private var position: Int
  private let end: Int

  /// Why the walk ended early, if it did.
  public private(set) var error: WireError?

  /// Goes through all of `bytes`.
  public init(_ bytes: [UInt8]) { self.init(bytes, in: 0..<bytes.count) }

  /// Goes through `range` of `bytes`.
  public init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Why `trailing`, what a walk left over, is no attribute; `nil` where nothing was left.
  static func defect(of trailing: [UInt8]) -> WireError? {
    var walk = AttributeWalk(trailing)
    while walk.next() != nil {}
    return walk.error
  }

  /// The next attribute, or `nil` at the end.
  public mutating func next() -> AttributeHeader? {
    guard end - position >= 4 else {
      if position < end { error = WireError(offset: position, reason: .truncated(needed: 4, available: end - position)) }
      position = end
      return nil
    }
    let word = unsafe UInt32(littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt32.self))
    let (length, type) = (Int(word & 0xFFFF), UInt16(truncatingIfNeeded: word >> 16))
    guard length >= 4 else {
      error = WireError(offset: position, reason: .length(declared: length, allowed: 4...Int.max))
      position = end
      return nil
    }
    guard length <= end - position else {
      error = WireError(offset: position, reason: .truncated(needed: length, available: end - position))
      position = end
      return nil
    }
    let header = AttributeHeader(
      type: type & 0x3FFF, isNested: type & 0x8000 != 0, payload: position + 4..<position + length)
    position = Swift.min(position + length + paddingToFour(length), end)
    return header
  }
}
