/// Mesh ID, element 114: the name of a mesh (IEEE 802.11-2020 9.4.2.97).
///
/// 0 to 32 bytes.
public struct MeshID: ElementBody {
  public static let elementID = ElementID(114)
  public static let name: StaticString = "Mesh ID"

  /// The name, of the same kind as an SSID; empty for any mesh.
  public var meshID: SSID

  /// Makes the element of a name.
  public init(meshID: SSID) { self.meshID = meshID }

  public init(parsing cursor: inout ByteCursor) throws(WireError) { meshID = try cursor.readSSID() }

  public func encode(into writer: inout ByteWriter) { writer.write(meshID.bytes) }

  public func describe(into fields: inout FieldWriter) {
    fields.field("meshID", meshID.description)
    fields.field("meshIDHex", hex: meshID.bytes)
  }
}
