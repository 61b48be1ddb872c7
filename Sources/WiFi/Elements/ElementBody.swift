/// A wire structure that is the body of one information element: decoder, encoder and description side by side.
///
/// The contract that every conforming type keeps, and a test checks for all of them:
///
/// - `encode` writes the very bytes that `init(parsing:)` read. Reserved bits are kept in the raw integers, and
///   bytes behind the fields that are defined today are kept in a `trailing` property.
/// - `init(parsing:)` reads only its region and throws ``WireError`` for bytes that its definition does not allow;
///   the list then keeps the raw bytes, so nothing is lost.
/// - It allocates nothing for the fixed part; lists of variable length cost one allocation each.
public protocol ElementBody: Hashable, Sendable, Describable {
  /// The number of the element; vendor elements have 221.
  static var elementID: ElementID { get }

  /// The name in the standard's table 9-92, such as `Supported Rates and BSS Membership Selectors`.
  static var name: StaticString { get }

  /// Reads the body: the bytes behind the Length field and behind the Element ID Extension, if there is one.
  ///
  /// - Parameter cursor: bounded to exactly the body.
  init(parsing cursor: inout ByteCursor) throws(WireError)

  /// Writes the body, the exact opposite of ``init(parsing:)``.
  func encode(into writer: inout ByteWriter)

  /// Bytes behind the fields that are known; empty in an element that has no place for any.
  var trailing: [UInt8] { get }
}

extension ElementBody {
  public var trailing: [UInt8] { [] }

  /// Reads a body that stands by itself; its offsets start at zero.
  public init(body: [UInt8]) throws(WireError) {
    var cursor = ByteCursor(body)
    try self.init(parsing: &cursor)
  }

  /// The bytes of the body.
  public var body: [UInt8] { ByteWriter.bytes(encode) }
}
