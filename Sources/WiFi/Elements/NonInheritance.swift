/// Non-Inheritance, element 255/56: which elements of a frame do not hold for a profile within it
/// (IEEE 802.11ax-2021 9.4.2.261).
///
/// 2 bytes or more behind the Element ID Extension.
public struct NonInheritance: ElementBody {
  public static let elementID = ElementID(extension: 56)
  public static let name: StaticString = "Non-Inheritance"

  /// The list of Element IDs, at most 255.
  public var elementIDs: [UInt8]

  /// The list of Element ID Extensions, at most 255.
  public var extensionIDs: [UInt8]

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element of its lists.
  public init(elementIDs: [UInt8], extensionIDs: [UInt8] = []) {
    self.elementIDs = Array(elementIDs.prefix(255))
    self.extensionIDs = Array(extensionIDs.prefix(255))
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    elementIDs = try cursor.readBytes(Int(try cursor.readUInt8()))
    extensionIDs = try cursor.readBytes(Int(try cursor.readUInt8()))
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    for list in [elementIDs, extensionIDs] {
      writer.write(UInt8(clamping: list.count))
      writer.write(list.prefix(255))
    }
    writer.write(trailing)
  }

  /// Whether element `id` does not hold for the profile.
  package func excludes(_ id: ElementID) -> Bool {
    if let number = id.extensionID { return extensionIDs.contains(number) }
    return elementIDs.contains(id.id)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("elementIDs", elementIDs)
    fields.field("extensionIDs", extensionIDs)
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
