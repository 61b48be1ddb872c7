/// The OUI and the type that a vendor element starts with (IEEE 802.11-2020 9.4.2.25).
enum VendorType {
  /// Wi-Fi Protected Access, 00-50-F2:1.
  static let wpa: UInt32 = 0x0050_F201
  /// Wi-Fi Multimedia, 00-50-F2:2.
  static let wmm: UInt32 = 0x0050_F202
  /// Wi-Fi Protected Setup, 00-50-F2:4.
  static let wps: UInt32 = 0x0050_F204
  /// Wi-Fi Direct, 50-6F-9A:9.
  static let p2p: UInt32 = 0x506F_9A09
  /// Hotspot 2.0 Indication, 50-6F-9A:16.
  static let hotspot20: UInt32 = 0x506F_9A10
  /// Online sign-up with server-only authentication, 50-6F-9A:18.
  static let osen: UInt32 = 0x506F_9A12
  /// Multiband Operation and Optimized Connectivity Experience, 50-6F-9A:22.
  static let mbo: UInt32 = 0x506F_9A16
  /// The other half of an open network that can also encrypt, 50-6F-9A:28.
  static let oweTransition: UInt32 = 0x506F_9A1C
  /// RSN Element Override, 50-6F-9A:41.
  static let rsnOverride: UInt32 = 0x506F_9A29
  /// RSN Element Override 2, 50-6F-9A:42.
  static let rsnOverride2: UInt32 = 0x506F_9A2A
  /// RSN Extension Element Override, 50-6F-9A:43.
  static let rsnxOverride: UInt32 = 0x506F_9A2B
}

extension ByteCursor {
  /// Reads the OUI and the type of a vendor element, which must be `expected`.
  mutating func readVendorType(_ expected: UInt32) throws(WireError) {
    let offset = position
    guard try readUInt32BigEndian() == expected else {
      throw WireError(offset: offset, reason: .invalid("OUI and type of another vendor element"))
    }
  }
}
