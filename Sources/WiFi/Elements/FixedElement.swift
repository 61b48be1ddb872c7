/// An element of numbers, one behind the other: one list of them is its decoder and its encoder, and its description
/// where it writes no other.
public protocol FixedElement: ElementBody {
  /// Bytes behind the fields that are defined today.
  var trailing: [UInt8] { get set }

  /// Makes the element with every field zero.
  init()

  /// Passes the fields, in their order on the air, to what reads, writes or describes them.
  mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure)

  /// Writes the fields, without the bytes behind them.
  func describeFields(into fields: inout FieldWriter)
}

extension FixedElement {
  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    self.init()
    try pass(to: &cursor)
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    var element = self
    element.pass(to: &writer)
    writer.write(trailing)
  }

  public func describeFields(into fields: inout FieldWriter) { describeNamed(into: &fields) }

  /// Writes those fields whose name is passed with them.
  func describeNamed(into fields: inout FieldWriter) {
    var element = self
    element.pass(to: &fields)
  }

  public func describe(into fields: inout FieldWriter) {
    describeFields(into: &fields)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}

/// What reads, writes or describes the fields of an element.
public protocol FieldCodec {
  associatedtype Failure: Error

  /// Reads, writes or describes a number by its name, which is empty for one that is described otherwise.
  mutating func pass<Value: FixedWidthInteger>(_ name: StaticString, _ value: inout Value) throws(Failure)
}

extension FieldCodec {
  /// The same of a number that is described otherwise.
  mutating func pass<Value: FixedWidthInteger>(_ value: inout Value) throws(Failure) { try pass("", &value) }
}

extension ByteCursor: FieldCodec {
  public mutating func pass<Value: FixedWidthInteger>(_ name: StaticString, _ value: inout Value) throws(WireError) {
    value =
      switch Value.bitWidth {
      case 8: Value(truncatingIfNeeded: try readUInt8())
      case 16: Value(truncatingIfNeeded: try readUInt16())
      case 32: Value(truncatingIfNeeded: try readUInt32())
      default: Value(truncatingIfNeeded: try readUInt64())
      }
  }
}

extension ByteWriter: FieldCodec {
  public mutating func pass<Value: FixedWidthInteger>(_ name: StaticString, _ value: inout Value) {
    switch Value.bitWidth {
    case 8: write(UInt8(truncatingIfNeeded: value))
    case 16: write(UInt16(truncatingIfNeeded: value))
    case 32: write(UInt32(truncatingIfNeeded: value))
    default: write(UInt64(truncatingIfNeeded: value))
    }
  }
}

extension FieldWriter: FieldCodec {
  public mutating func pass<Value: FixedWidthInteger>(_ name: StaticString, _ value: inout Value) {
    if name.utf8CodeUnitCount > 0 { field(name, value) }
  }
}
