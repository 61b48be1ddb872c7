/// Fast BSS Transition, element 55: the proofs of a fast roam (IEEE 802.11-2020 9.4.2.47, IEEE 802.11-2024 9.4.2.46).
///
/// 82 bytes or more: MIC Control, a MIC of 16, 24 or 32 bytes, two nonces of 32 bytes, then subelements.
public struct FastBSSTransition: ElementBody {
  public static let elementID = ElementID(55)
  public static let name: StaticString = "Fast BSS Transition"

  /// The MIC Control field.
  public var micControl: UInt16

  /// The MIC, ANonce, SNonce and the subelements.
  public private(set) var bytes: [UInt8]

  /// A subelement.
  public struct Subelement: Hashable, Sendable {
    /// What it is, 1 to 9.
    public var id: UInt8
    /// Its body.
    public var body: [UInt8]
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    micControl = try cursor.readUInt16()
    try cursor.require(Self.micLength(micControl) + 64)
    bytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(micControl)
    writer.write(bytes)
  }

  private static func micLength(_ micControl: UInt16) -> Int {
    switch micControl >> 1 & 7 {
    case 1: 24
    case 2: 32
    default: 16
    }
  }

  /// The number of bytes of the MIC, from B1–B3 of MIC Control.
  public var micLength: Int { Self.micLength(micControl) }

  /// Whether an RSN Extension element is used (B0 of MIC Control).
  public var isRSNXEUsed: Bool { micControl & 1 == 1 }

  /// The number of elements that the MIC covers (B8–B15 of MIC Control).
  public var elementCount: Int { Int(micControl >> 8) }

  /// The message integrity code.
  public var mic: ArraySlice<UInt8> { bytes.prefix(micLength) }

  /// The number that the authenticator made up.
  public var anonce: ArraySlice<UInt8> { bytes.dropFirst(micLength).prefix(32) }

  /// The number that the supplicant made up.
  public var snonce: ArraySlice<UInt8> { bytes.dropFirst(micLength + 32).prefix(32) }

  /// The subelements, up to the first that is cut off.
  public var subelements: [Subelement] {
    let start = min(micLength + 64, bytes.count)
    return ElementWalk(bytes, in: start..<bytes.count, fragmentID: nil).map { Subelement(id: $0.id, body: Array(bytes[$0.body])) }
  }

  private static let names: NumberNames = [
    1: "r1khID", 2: "gtk", 3: "r0khID", 4: "igtk", 5: "oci", 6: "bigtk", 8: "mloGTK", 9: "mloIGTK", 10: "mloBIGTK",
  ]

  public func describe(into fields: inout FieldWriter) {
    fields.field("micControlHex", hexNumber: micControl)
    fields.field("isRSNXEUsed", isRSNXEUsed)
    fields.field("elementCount", elementCount)
    fields.field("micHex", hex: mic)
    fields.field("anonceHex", hex: anonce)
    fields.field("snonceHex", hex: snonce)
    var size = micLength + 64
    fields.objects("subelements", subelements) { fields, subelement in
      size += 2 + subelement.body.count
      fields.field("id", subelement.id)
      fields.field("name", Self.names.text(subelement.id) ?? "\(subelement.id)")
      fields.field("bodyHex", hex: subelement.body)
    }
    fields.fieldIfPresent("trailingHex", hex: Array(bytes.dropFirst(size)))
  }
}
