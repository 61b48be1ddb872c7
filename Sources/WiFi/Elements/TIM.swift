/// TIM, element 5: for which sleeping stations the access point keeps frames (IEEE 802.11-2020 9.4.2.5).
///
/// 2 bytes (S1G, when nothing is kept) or 4 and more.
public struct TIM: ElementBody {
  public static let elementID = ElementID(5)
  public static let name: StaticString = "TIM"

  /// Beacons until the next DTIM, this one included; zero in a DTIM.
  public var dtimCount: UInt8

  /// Beacons from one DTIM to the next.
  public var dtimPeriod: UInt8

  /// The Bitmap Control field and the Partial Virtual Bitmap.
  public var bitmap: ByteList

  /// Makes the element of its fields.
  public init(dtimCount: UInt8, dtimPeriod: UInt8, bitmap: ByteList = [0, 0]) {
    self.dtimCount = dtimCount
    self.dtimPeriod = dtimPeriod
    self.bitmap = bitmap
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    dtimCount = try cursor.readUInt8()
    dtimPeriod = try cursor.readUInt8()
    bitmap = ByteList(remainingOf: &cursor)
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(dtimCount)
    writer.write(dtimPeriod)
    bitmap.encode(into: &writer)
  }

  /// The Bitmap Control field, or `nil` where it is left out.
  public var bitmapControl: UInt8? { bitmap.first }

  /// Whether frames to groups follow the DTIM (B0 of Bitmap Control).
  public var isGroupTrafficBuffered: Bool { bitmap.bit(0) }

  /// The number of the first byte of the virtual bitmap that is sent (twice B1–B7 of Bitmap Control).
  public var bitmapOffset: Int { Int((bitmapControl ?? 0) & 0xFE) }

  /// The bytes of the virtual bitmap that are sent.
  public var partialVirtualBitmap: Slice<ByteList> { bitmap.dropFirst() }

  /// The association identifiers whose frames are kept.
  public var bufferedAIDs: [Int] {
    var result: [Int] = []
    for (index, byte) in partialVirtualBitmap.enumerated() where byte != 0 {
      for bit in 0..<8 where byte >> UInt8(bit) & 1 == 1 {
        let aid = (bitmapOffset + index) * 8 + bit
        if aid > 0 { result.append(aid) }
      }
    }
    return result
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("dtimCount", dtimCount)
    fields.field("dtimPeriod", dtimPeriod)
    guard let bitmapControl else { return }
    fields.field("bitmapControlHex", hexNumber: bitmapControl)
    fields.field("isGroupTrafficBuffered", isGroupTrafficBuffered)
    fields.field("bitmapOffset", bitmapOffset)
    fields.field("partialVirtualBitmapHex", hex: partialVirtualBitmap)
    fields.field("bufferedAIDs", bufferedAIDs)
  }
}
