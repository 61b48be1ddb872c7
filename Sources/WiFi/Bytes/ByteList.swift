/// A short run of bytes that allocates nothing up to 16 of them: rates, bitmaps, capability bits.
///
/// 18 bytes. A longer run costs one allocation.
public struct ByteList: Hashable, Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private enum Storage: Hashable, Sendable {
    /// Sixteen bytes, the first in the low byte of the first word, zero behind the count.
    case inline(UInt64, UInt64, UInt8)
    /// More than sixteen bytes.
    case array([UInt8])
  }

  private var storage = Storage.inline(0, 0, 0)

  /// Makes a run of `bytes`.
  public init(_ bytes: [UInt8]) { self.init(bytes, in: 0..<bytes.count) }

  public init(arrayLiteral elements: UInt8...) { self.init(elements) }

  /// Reads what is left of the region.
  public init(remainingOf cursor: inout ByteCursor) {
    let range = cursor.position..<cursor.end
    storage = Self.storage(of: cursor.bytes, in: range)
    cursor.seek(to: cursor.end)
  }

  private init(_ bytes: [UInt8], in range: Range<Int>) { storage = Self.storage(of: bytes, in: range) }

  /// A function, which borrows the bytes, where an initialiser would retain them.
  private static func storage(of bytes: [UInt8], in range: Range<Int>) -> Storage {
    if range.count > 16 { return .array(Array(bytes[range])) }
    var low: UInt64 = 0
    var high: UInt64 = 0
    let middle = Swift.min(range.lowerBound + 8, range.upperBound)
    var shift: UInt64 = 0
    for index in range.lowerBound..<middle {
      low |= UInt64(bytes[index]) << shift
      shift &+= 8
    }
    shift = 0
    for index in middle..<range.upperBound {
      high |= UInt64(bytes[index]) << shift
      shift &+= 8
    }
    return .inline(low, high, UInt8(truncatingIfNeeded: range.count))
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int {
    switch storage {
    case .inline(_, _, let count): Int(count)
    case .array(let bytes): bytes.count
    }
  }

  public subscript(position: Int) -> UInt8 {
    switch storage {
    case .inline(let low, let high, let count):
      precondition(position >= 0 && position < Int(count), "byte \(position) of \(count)")
      return UInt8(truncatingIfNeeded: (position < 8 ? low : high) >> UInt64(8 * (position & 7)))
    case .array(let bytes):
      return bytes[position]
    }
  }

  /// Writes the bytes.
  public func encode(into writer: inout ByteWriter) {
    switch storage {
    case .inline: for byte in self { writer.write(byte) }
    case .array(let bytes): writer.write(bytes)
    }
  }
}
