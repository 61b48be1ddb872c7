/// Measurement Pilot Transmission, element 66 (IEEE 802.11-2020 9.4.2.41).
///
/// 1 byte or more: an interval, then subelements, of which only vendor specific ones are defined.
public struct MeasurementPilotTransmission: ElementBody {
  public static let elementID = ElementID(66)
  public static let name: StaticString = "Measurement Pilot Transmission"

  /// How often the frame is sent, in TU.
  public var measurementPilotIntervalTU: UInt8

  /// The subelements: an identifier, a length and a body each.
  public var subelementBytes: [UInt8]

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    measurementPilotIntervalTU = try cursor.readUInt8()
    subelementBytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(measurementPilotIntervalTU)
    writer.write(subelementBytes)
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("measurementPilotIntervalTU", measurementPilotIntervalTU)
    var walk = ElementWalk(subelementBytes, fragmentID: nil)
    fields.array("subelements") { fields in
      while let header = walk.next() {
        fields.object {
          $0.field("id", header.id)
          $0.field("bodyHex", hex: subelementBytes[header.body])
        }
      }
    }
    if let rest = walk.rest { fields.field("trailingHex", hex: subelementBytes[rest]) }
  }
}
