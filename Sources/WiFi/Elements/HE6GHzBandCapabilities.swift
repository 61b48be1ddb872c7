/// HE 6 GHz Band Capabilities, element 255/59 (IEEE 802.11ax-2021 9.4.2.263).
///
/// 2 bytes behind the Element ID Extension.
public struct HE6GHzBandCapabilities: FixedElement {
  public static let elementID = ElementID(extension: 59)
  public static let name: StaticString = "HE 6 GHz Band Capabilities"

  /// Capabilities Information, all bits.
  public var capabilities: UInt16 = 0

  /// Bytes behind the field above.
  public var trailing: [UInt8] = []

  /// Makes the element of its field.
  public init(capabilities: UInt16) { self.capabilities = capabilities }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&capabilities)
  }

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("capabilitiesHex", hexNumber: capabilities)
    let spacing = capabilities.bits(0, 3)
    fields.field("minimumMPDUStartSpacingNs", spacing == 0 ? 0 : 125 << spacing)
    fields.field("maximumAMPDULengthExponent", capabilities.bits(3, 3))
    fields.field("maximumAMPDULengthOctets", 1 << (13 + capabilities.bits(3, 3)) - 1)
    fields.fieldOrNull("maximumMPDULengthOctets", [3895, 7991, 11454, nil][capabilities.bits(6, 2)])
    fields.field("smPowerSave", ["static", "dynamic", "reserved", "disabled"][capabilities.bits(9, 2)])
    fields.flags(
      "capabilities", capabilities,
      [11: "rdResponder", 12: "rxAntennaPatternConsistency", 13: "txAntennaPatternConsistency"])
  }
}
