/// What an information element says.
///
/// To add an element, write its type in a file of its own (``ElementBody``) and give it a case, a line in
/// ``init(id:parsing:)`` and a line in ``body`` here. Nothing else knows the list.
public enum ElementValue: Hashable, Sendable {
  case ssid(SSIDElement)
  case bssLoad(BSSLoad)
  // basic, security and vendor cases: begin
  case rsn(RSN)
  case rsnx(RSNX)
  case wpa(WPA)
  case osen(OSEN)
  case oweTransition(OWETransition)
  // basic, security and vendor cases: end
  // PHY and multi-link cases: begin
  // PHY and multi-link cases: end
  case fragment(Fragment)

  /// An element that is known but whose octets break its definition; they are kept.
  case malformed(ElementID, [UInt8], WireError.Reason)

  /// An element that is not known; its octets are kept.
  case other(ElementID, [UInt8])

  /// Reads the body of element `id`.
  ///
  /// - Throws: ``WireError`` where the body breaks the definition of an element that is known.
  public init(id: ElementID, parsing cursor: inout ByteCursor) throws(WireError) {
    switch id.code {
    case 0: self = .ssid(try SSIDElement(parsing: &cursor))
    case 11: self = .bssLoad(try BSSLoad(parsing: &cursor))
    // basic, security and vendor decoders: begin
    case 48: self = .rsn(try RSN(parsing: &cursor))
    case 221: self = try ElementValue(vendorParsing: &cursor)
    case 244: self = .rsnx(try RSNX(parsing: &cursor))
    // basic, security and vendor decoders: end
    // PHY and multi-link decoders: begin
    // PHY and multi-link decoders: end
    case 242: self = .fragment(try Fragment(parsing: &cursor))
    default: self = .other(id, cursor.readRemaining())
    }
  }

  /// The typed body, or `nil` for malformed and unknown elements.
  public var body: (any ElementBody)? {
    switch self {
    case .ssid(let body): body
    case .bssLoad(let body): body
    // basic, security and vendor bodies: begin
    case .rsn(let body): body
    case .rsnx(let body): body
    case .wpa(let body): body
    case .osen(let body): body
    case .oweTransition(let body): body
    // basic, security and vendor bodies: end
    // PHY and multi-link bodies: begin
    // PHY and multi-link bodies: end
    case .fragment(let body): body
    case .malformed, .other: nil
    }
  }

  /// The number of the element.
  public var id: ElementID {
    switch self {
    case .malformed(let id, _, _), .other(let id, _): id
    default: body.map { type(of: $0).elementID } ?? ElementID(0)
    }
  }

  /// The name of the element in the standard, or `Unknown`.
  public var name: String {
    switch self {
    case .malformed(let id, _, _): "Malformed (\(id))"
    case .other: "Unknown"
    default: body.map { "\(type(of: $0).name)" } ?? ""
    }
  }

  /// Writes the body, without the header and without the Element ID Extension.
  public func encode(into writer: inout ByteWriter) {
    switch self {
    case .malformed(_, let octets, _), .other(_, let octets): writer.write(octets)
    default: body?.encode(into: &writer)
    }
  }
}
