extension ElementValue {
  /// Reads the body of a vendor element, 221, by the OUI and the type it starts with (IEEE 802.11-2020 9.4.2.25).
  ///
  /// - Throws: ``WireError`` where there is no OUI, or the body breaks the definition of an element that is known.
  init(vendorParsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    guard cursor.remaining >= 4 else {
      self = .vendor(try VendorSpecific(parsing: &cursor))
      return
    }
    let type = try cursor.readUInt32BigEndian()
    cursor.seek(to: start)
    switch type {
    case VendorType.wpa: self = .wpa(try WPA(parsing: &cursor))
    case VendorType.wmm: self = .wmm(try WMM(parsing: &cursor))
    case VendorType.wps: self = .wps(try WPS(parsing: &cursor))
    case VendorType.p2p: self = .p2p(try P2P(parsing: &cursor))
    case VendorType.mbo: self = .mbo(try MBO(parsing: &cursor))
    case VendorType.hotspot20: self = .hotspot20(try Hotspot20(parsing: &cursor))
    case VendorType.osen: self = .osen(try OSEN(parsing: &cursor))
    case VendorType.oweTransition: self = .oweTransition(try OWETransition(parsing: &cursor))
    case VendorType.rsnOverride, VendorType.rsnOverride2: self = .rsnOverride(try RSNOverride(parsing: &cursor))
    case VendorType.rsnxOverride: self = .rsnxOverride(try RSNXOverride(parsing: &cursor))
    case _ where APName.Vendor(rawValue: type) != nil:
      do throws(WireError) {
        self = .apName(try APName(parsing: &cursor))
      } catch {
        // Another element of the vendor's: its layouts are not published, so this is no fault of the element.
        cursor.seek(to: start)
        self = .vendor(try VendorSpecific(parsing: &cursor))
      }
    default: self = .vendor(try VendorSpecific(parsing: &cursor))
    }
  }
}
