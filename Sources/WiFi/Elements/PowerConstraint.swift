/// Power Constraint, element 32: how far below the regulatory power stations must stay (IEEE 802.11-2020 9.4.2.13).
///
/// 1 byte.
public struct PowerConstraint: FixedElement {
  public static let elementID = ElementID(32)
  public static let name: StaticString = "Power Constraint"

  /// The reduction, in dB.
  public var localPowerConstraintDB: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(localPowerConstraintDB: UInt8) { self.localPowerConstraintDB = localPowerConstraintDB }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("localPowerConstraintDB", &localPowerConstraintDB)
  }
}
