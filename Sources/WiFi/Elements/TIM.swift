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

  /// Makes the element from its fields.
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

  /// The association identifiers whose frames are kept; not those of an S1G access point, which has
  /// ``s1gBufferedAIDs``.
  public var bufferedAIDs: [Int] {
    var result: [Int] = []
    for (index, byte) in partialVirtualBitmap.enumerated() where byte != 0 {
      for bit in 0..<8 where byte.has(bit) {
        let aid = (bitmapOffset + index) * 8 + bit
        if aid > 0 { result.append(aid) }
      }
    }
    return result
  }

  /// The association identifiers whose frames are kept, as an S1G access point writes them (IEEE 802.11-2020 9.4.2.5,
  /// annex L).
  ///
  /// The bitmap is encoded blocks of 64 identifiers: a byte of encoding mode (bits 0 and 1), inversion (2) and block (3
  /// to 7), then a bitmap of the subblocks that follow, a single identifier, or a length and as many subblocks, which
  /// may reach into the next blocks. What is not listed of an inverted block is set.
  ///
  /// - Returns: the identifiers, in the order of the blocks, and the bytes from the first block on that cannot be read:
  ///   one that is cut off or of differences of identifiers (ADE), whose length is in an encoding of its own.
  public var s1gBufferedAIDs: (aids: [Int], unreadable: [UInt8]) {
    var aids: [Int] = []
    var rest = Array(partialVirtualBitmap)[...]
    let page = (bitmapControl ?? 0).bits(6, 2) << 11
    while let control = rest.first {
      guard let block = Self.subblocks(rest.dropFirst(), mode: control & 3, isInverted: control & 4 != 0) else { break }
      let start = page | Int(control >> 3) << 6
      for (index, byte) in block.subblocks.enumerated() where byte != 0 {
        for bit in 0..<8 where byte.has(bit) && start + index * 8 + bit > 0 { aids.append(start + index * 8 + bit) }
      }
      rest = rest.dropFirst(1 + block.size)
    }
    return (aids, Array(rest))
  }

  /// The subblocks of an encoded block, eight for each block, and the bytes it takes behind its first; `nil` where it
  /// cannot be read.
  private static func subblocks(_ bytes: ArraySlice<UInt8>, mode: UInt8, isInverted: Bool) -> (subblocks: [UInt8], size: Int)? {
    guard let first = bytes.first else { return nil }
    var subblocks = [UInt8](repeating: 0, count: 8)
    var size = 1
    switch mode {
    case 0:
      var listed = bytes.dropFirst()
      for index in 0..<8 where first.has(index) {
        guard let byte = listed.popFirst() else { return nil }
        subblocks[index] = byte
        size += 1
      }
    case 1: subblocks[Int(first & 0x3F) >> 3] = 1 << (first & 7)
    case 2:
      size += Int(first)
      guard bytes.count >= size else { return nil }
      subblocks = Array(bytes.dropFirst().prefix(Int(first)))
      while subblocks.count % 8 != 0 { subblocks.append(0) }
    default: return nil
    }
    return (isInverted ? subblocks.map { ~$0 } : subblocks, size)
  }

  public func describe(into fields: inout FieldWriter) { describe(isS1G: false, into: &fields) }

  /// Writes every field, as they are in an S1G BSS or in another.
  func describe(isS1G: Bool, into fields: inout FieldWriter) {
    fields.field("dtimCount", dtimCount)
    fields.field("dtimPeriod", dtimPeriod)
    guard let bitmapControl else { return }
    fields.field("bitmapControlHex", hexNumber: bitmapControl)
    fields.field("isGroupTrafficBuffered", isGroupTrafficBuffered)
    if isS1G {
      fields.field("pageSlice", bitmapControl.bits(1, 5))
      fields.field("pageIndex", bitmapControl.bits(6, 2))
    } else {
      fields.field("bitmapOffset", bitmapOffset)
    }
    fields.field("partialVirtualBitmapHex", hex: partialVirtualBitmap)
    let (aids, unreadable) = isS1G ? s1gBufferedAIDs : (aids: bufferedAIDs, unreadable: [])
    fields.field("bufferedAIDs", aids)
    fields.fieldIfPresent("unreadableBlocksHex", hex: unreadable)
  }
}
