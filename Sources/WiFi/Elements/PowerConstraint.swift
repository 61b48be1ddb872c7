/// Power Constraint, element 32: how far below the regulatory power stations must stay (IEEE 802.11-2020 9.4.2.13).
///
/// 1 byte.
public struct PowerConstraint: ElementBody {
  public static let elementID = ElementID(32)
  public static let name: StaticString = "Power Constraint"

  /// The reduction, in dB.
  public var localPowerConstraintDB: UInt8

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(localPowerConstraintDB: UInt8) { self.localPowerConstraintDB = localPowerConstraintDB }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    localPowerConstraintDB = try cursor.readUInt8()
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(localPowerConstraintDB)
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("localPowerConstraintDB", localPowerConstraintDB)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
