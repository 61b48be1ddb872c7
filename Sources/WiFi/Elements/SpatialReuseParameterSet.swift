/// Spatial Reuse Parameter Set, element 255/39 (IEEE 802.11ax-2021 9.4.2.252).
///
/// 1 to 20 bytes behind the Element ID Extension.
public struct SpatialReuseParameterSet: ElementBody {
  public static let elementID = ElementID(extension: 39)
  public static let name: StaticString = "Spatial Reuse Parameter Set"

  /// The information on the spatial reuse group.
  public struct Group: Hashable, Sendable {
    /// The least OBSS packet detect level, as an offset to −82 dBm, in dB.
    public var minimumOffsetDB: UInt8
    /// The greatest OBSS packet detect level, as an offset to −82 dBm, in dB.
    public var maximumOffsetDB: UInt8
    /// One bit for each BSS colour.
    public var colors: UInt64
    /// One bit for each partial BSSID.
    public var partialBSSIDs: UInt64
  }

  /// SR Control, all bits; what it says of optional fields is set from those when written.
  public var control: UInt8

  /// The greatest OBSS packet detect level outside the group, as an offset to −82 dBm, in dB.
  public var nonGroupMaximumOffsetDB: UInt8?

  /// The spatial reuse group.
  public var group: Group?

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(control: UInt8, nonGroupMaximumOffsetDB: UInt8? = nil, group: Group? = nil) {
    self.control = control
    self.nonGroupMaximumOffsetDB = nonGroupMaximumOffsetDB
    self.group = group
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    control = try cursor.readUInt8()
    nonGroupMaximumOffsetDB = control.has(2) ? try cursor.readUInt8() : nil
    if control.has(3) {
      group = Group(
        minimumOffsetDB: try cursor.readUInt8(), maximumOffsetDB: try cursor.readUInt8(), colors: try cursor.readUInt64(),
        partialBSSIDs: try cursor.readUInt64())
    }
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(control & ~0x0C | (nonGroupMaximumOffsetDB == nil ? 0 : 4) | (group == nil ? 0 : 8))
    if let nonGroupMaximumOffsetDB { writer.write(nonGroupMaximumOffsetDB) }
    if let group {
      writer.write(group.minimumOffsetDB)
      writer.write(group.maximumOffsetDB)
      writer.write(group.colors)
      writer.write(group.partialBSSIDs)
    }
    writer.write(trailing)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.flags(
      "control", "controlHex", control,
      [
        0: "psrDisallowed", 1: "nonSRGOBSSPDSRDisallowed", 2: "nonSRGOffsetPresent", 3: "srgInformationPresent",
        4: "hesigaSpatialReuseValue15Allowed",
      ])
    fields.fieldIfPresent("nonSRGMaximumOffsetDB", nonGroupMaximumOffsetDB)
    if let group {
      fields.field("srgMinimumOffsetDB", group.minimumOffsetDB)
      fields.field("srgMaximumOffsetDB", group.maximumOffsetDB)
      fields.field("srgBSSColors", (0..<64).lazy.filter { group.colors.has($0) })
      fields.field("srgPartialBSSIDHex", hexNumber: group.partialBSSIDs)
    }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
