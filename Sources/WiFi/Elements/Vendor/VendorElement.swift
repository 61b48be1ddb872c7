extension ElementValue {
  /// Reads the body of a vendor element, 221, by the OUI and the type it starts with (IEEE 802.11-2020 9.4.2.25).
  init(vendorParsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    guard cursor.remaining >= 4 else {
      self = .other(ElementID(221), cursor.readRemaining())
      return
    }
    let type = try cursor.readUInt32BigEndian()
    cursor.seek(to: start)
    switch type {
    case VendorType.wpa: self = .wpa(try WPA(parsing: &cursor))
    case VendorType.osen: self = .osen(try OSEN(parsing: &cursor))
    case VendorType.oweTransition: self = .oweTransition(try OWETransition(parsing: &cursor))
    default: self = .other(ElementID(221), cursor.readRemaining())
    }
  }
}
