/// A vendor element, 221, that carries the name of the access point.
///
/// The vendors publish none of these; the layouts are what their devices send and what Wireshark reads.
public struct APName: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "AP Name"

  /// The vendor of the element, by its OUI and type.
  public enum Vendor: UInt32, Hashable, Sendable, CaseIterable {
    /// 00-19-77:33, version and subtype 0, a length and the name with a zero byte.
    case aerohive = 0x0019_7721
    /// DC-08-56:1, the name.
    case alcatelLucent = 0xDC08_5601
    /// 00-0B-86:1, subtype 3 and a byte, the name.
    case aruba = 0x000B_8601
    /// 00-40-96:47, the name.
    case cisco = 0x0040_962F
    /// 00-A0-F8:1, seven bytes, a length and the name; WiNG, once Motorola's and Zebra's.
    case extreme = 0x00A0_F801
    /// 00-09-0F:10, zero, type 1, a length and the name.
    case fortinet = 0x0009_0F0A
    /// 84-80-94:0, the name.
    case meter = 0x8480_9400
    /// 00-0C-42:0, two bytes, then subelements; the one of type 1 has ten bytes and the name with zeros behind it.
    case mikrotik = 0x000C_4200
    /// 5C-5B-35:1, the name.
    case mist = 0x5C5B_3501
    /// 00-13-92:3, the name.
    case ruckus = 0x0013_9203
    /// 00-15-6D:1, the name.
    case ubiquiti = 0x0015_6D01

    /// The name of the vendor.
    public var name: String {
      switch self {
      case .aerohive: "Aerohive"
      case .alcatelLucent: "Alcatel-Lucent"
      case .aruba: "Aruba"
      case .cisco: "Cisco"
      case .extreme: "Extreme"
      case .fortinet: "Fortinet"
      case .meter: "Meter"
      case .mikrotik: "MikroTik"
      case .mist: "Mist"
      case .ruckus: "Ruckus"
      case .ubiquiti: "Ubiquiti"
      }
    }
  }

  /// The vendor of the element.
  public private(set) var vendor: Vendor
  private var nameOffset: UInt8
  private var nameLength: UInt8
  private var bytes: [UInt8]

  /// Reads the body.
  ///
  /// - Throws: ``WireError`` also for an element of the vendor's that carries something else.
  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    guard let vendor = Vendor(rawValue: try cursor.readUInt32BigEndian()) else {
      throw WireError(offset: start, reason: .invalid("no element with the name of an access point"))
    }
    self.vendor = vendor
    let length = try Self.findName(of: vendor, &cursor)
    nameOffset = UInt8(truncatingIfNeeded: cursor.position - start)
    nameLength = UInt8(truncatingIfNeeded: length)
    guard cursor.position - start + length <= 255 else {
      throw WireError(offset: start, reason: .invalid("a vendor element of more than 255 bytes"))
    }
    try cursor.skip(length)
    cursor.seek(to: start)
    bytes = cursor.readRemaining()
  }

  /// Moves to the first byte of the name and returns how many bytes it may have.
  private static func findName(of vendor: Vendor, _ cursor: inout ByteCursor) throws(WireError) -> Int {
    switch vendor {
    case .alcatelLucent, .cisco, .meter, .mist, .ruckus, .ubiquiti: return cursor.remaining
    case .aerohive:
      try cursor.skip(1)
      try cursor.expect(0)
      return Int(try cursor.readUInt8())
    case .aruba:
      try cursor.expect(3)
      try cursor.skip(1)
      return cursor.remaining
    case .extreme:
      try cursor.skip(7)
      return Int(try cursor.readUInt8())
    case .fortinet:
      try cursor.expect(0)
      try cursor.expect(1)
      return Int(try cursor.readUInt8())
    case .mikrotik:
      try cursor.skip(2)
      while true {
        let type = try cursor.readUInt8()
        let length = Int(try cursor.readUInt8())
        if type == 1, length >= 10 {
          try cursor.skip(10)
          return length - 10
        }
        try cursor.skip(length)
      }
    }
  }

  public func encode(into writer: inout ByteWriter) { writer.write(bytes) }

  /// The bytes of the name, without the zeros behind it.
  public var nameBytes: ArraySlice<UInt8> {
    bytes.dropFirst(Int(nameOffset)).prefix(Int(nameLength)).prefix { $0 != 0 }
  }

  /// The name, escaped.
  public var name: String { PrintableText.escape(nameBytes) }

  public func describe(into fields: inout FieldWriter) {
    fields.field("vendor", vendor.name)
    fields.field("apName", name)
    fields.field("apNameHex", hex: nameBytes)
    fields.field("octetsHex", hex: bytes)
  }
}

extension ByteCursor {
  /// Reads one byte, which must be `value`.
  fileprivate mutating func expect(_ value: UInt8) throws(WireError) {
    let offset = position
    guard try readUInt8() == value else {
      throw WireError(offset: offset, reason: .invalid("a byte that is not \(value)"))
    }
  }
}
