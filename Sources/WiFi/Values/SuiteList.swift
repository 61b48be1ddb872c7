/// A list of cipher or key management suites that allocates nothing in the usual case: up to four of one OUI.
///
/// 9 bytes. Longer and mixed lists cost one allocation.
public struct SuiteList<Suite: SuiteSelector>: Hashable, Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private enum Storage: Hashable, Sendable {
    /// The types in the four low bytes, the first in the lowest, then the OUI in three, then the count in one.
    case packed(UInt64)
    /// More than four selectors, or of different OUIs.
    case array([UInt32])
  }

  private var storage = Storage.packed(0)

  /// Makes a list of `suites`, in their order.
  public init(_ suites: some Sequence<Suite>) {
    for suite in suites { append(suite) }
  }

  public init(arrayLiteral elements: Suite...) { self.init(elements) }

  /// Reads `count` selectors.
  public init(parsing cursor: inout ByteCursor, count: Int) throws(WireError) {
    try cursor.require(count * 4)
    if count > 4 {
      var selectors: [UInt32] = []
      selectors.reserveCapacity(count)
      for _ in 0..<count { selectors.append(try cursor.readUInt32BigEndian()) }
      storage = .array(selectors)
      return
    }
    for _ in 0..<count { append(Suite(selector: try cursor.readUInt32BigEndian())) }
  }

  /// Writes the selectors, without a count.
  public func encode(into writer: inout ByteWriter) {
    for suite in self { writer.writeBigEndian(suite.selector) }
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int {
    switch storage {
    case .packed(let word): Int(word >> 56)
    case .array(let selectors): selectors.count
    }
  }

  public subscript(position: Int) -> Suite {
    switch storage {
    case .packed(let word):
      precondition(position >= 0 && position < Int(word >> 56), "suite \(position) of \(word >> 56)")
      let type = UInt32(truncatingIfNeeded: word >> UInt64(8 * position)) & 0xFF
      return Suite(selector: UInt32(truncatingIfNeeded: word >> 24) & 0xFFFF_FF00 | type)
    case .array(let selectors):
      return Suite(selector: selectors[position])
    }
  }

  /// Adds a suite at the end.
  public mutating func append(_ suite: Suite) {
    let selector = UInt64(suite.selector)
    switch storage {
    case .packed(0):
      storage = .packed(1 << 56 | (selector >> 8) << 32 | selector & 0xFF)
    case .packed(let word):
      let count = word >> 56
      if count < 4, word >> 32 & 0xFF_FFFF == selector >> 8 {
        storage = .packed((word + 1 << 56) | (selector & 0xFF) << (8 * count))
      } else {
        storage = .array(map(\.selector) + [suite.selector])
      }
    case .array(var selectors):
      storage = .packed(0)
      selectors.append(suite.selector)
      storage = .array(selectors)
    }
  }

  /// Adds a suite at the end unless it is there already.
  package mutating func appendIfNew(_ suite: Suite) {
    if !contains(suite) { append(suite) }
  }

  /// The names of the suites.
  public var names: [String] { map(\.name) }
}
