/// Supported Operating Classes, element 59 (IEEE 802.11-2020 9.4.2.53).
///
/// 1 byte or more: the current class, the classes, then behind a delimiter of 130 the extensions of the current
/// class, or behind one of 0 pairs of classes.
public struct SupportedOperatingClasses: ElementBody {
  public static let elementID = ElementID(59)
  public static let name: StaticString = "Supported Operating Classes"

  /// The operating class that is in use.
  public var currentOperatingClass: UInt8

  /// The classes, delimiters and what is behind them.
  public var bytes: ByteList

  /// Makes the element from its fields.
  public init(currentOperatingClass: UInt8, bytes: ByteList) {
    self.currentOperatingClass = currentOperatingClass
    self.bytes = bytes
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    currentOperatingClass = try cursor.readUInt8()
    bytes = ByteList(remainingOf: &cursor)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(currentOperatingClass)
    bytes.encode(into: &writer)
  }

  /// The classes up to the first delimiter.
  public var operatingClasses: Slice<ByteList> { bytes.prefix { $0 != 130 && $0 != 0 } }

  /// The delimiter, 130 or 0, and what is behind it.
  private var rest: Slice<ByteList> { bytes.drop { $0 != 130 && $0 != 0 } }

  /// The classes that extend the current one, behind the delimiter 130.
  public var currentOperatingClassExtensions: Slice<ByteList> {
    rest.first == 130 ? rest.dropFirst().prefix { $0 != 0 } : rest.suffix(0)
  }

  /// Pairs of classes, behind the delimiter 0.
  public var operatingClassDuples: [(UInt8, UInt8)] {
    let duples = rest.drop { $0 != 0 }.dropFirst()
    return (0..<duples.count / 2).map { (duples[duples.startIndex + 2 * $0], duples[duples.startIndex + 2 * $0 + 1]) }
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("currentOperatingClass", currentOperatingClass)
    fields.field("operatingClasses", operatingClasses)
    if rest.first == 130 { fields.field("currentOperatingClassExtensions", currentOperatingClassExtensions) }
    if rest.contains(0) {
      fields.objects("operatingClassDuples", operatingClassDuples) { $0.field("classes", [$1.0, $1.1]) }
    }
    if !rest.isEmpty { fields.field("octetsHex", hex: bytes) }
  }
}
