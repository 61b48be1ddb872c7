/// RSN Extension, element 244: more security capabilities (IEEE 802.11-2020 9.4.2.241, IEEE 802.11-2024 table 9-373).
///
/// 1 to 16 bytes of capabilities; the four low bits of the first count the others.
public struct RSNX: ElementBody {
  public static let elementID = ElementID(244)
  public static let name: StaticString = "RSN Extension"

  /// The Extended RSN Capabilities field, and bytes behind it.
  public var bytes: ByteList

  /// Makes the element of its bytes, the length in the four low bits of the first one.
  public init(bytes: ByteList) { self.bytes = bytes }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.require(1)
    try cursor.require(Int(cursor.bytes[cursor.position] & 0xF) + 1)
    bytes = ByteList(remainingOf: &cursor)
  }

  public func encode(into writer: inout ByteWriter) { bytes.encode(into: &writer) }

  /// The number of bytes that the Extended RSN Capabilities field has.
  public var length: Int { bytes.isEmpty ? 0 : Int(bytes[0] & 0xF) + 1 }

  /// The Extended RSN Capabilities field.
  public var capabilities: Slice<ByteList> { bytes.prefix(length) }

  /// Whether SAE may derive its element by hashing (B5).
  public var supportsSAEHashToElement: Bool { capabilities.bit(5) }

  /// Whether SAE may use a password that is bound to the network's public key (B6; Wi-Fi Alliance WPA3 6).
  public var supportsSAEPublicKey: Bool { capabilities.bit(6) }

  static let names: NumberNames = [
    4: "protectedTWTOperations", 5: "saeHashToElement", 6: "saePK", 7: "protectedWURFrames", 8: "secureLTF",
    9: "secureRTT", 10: "urnmMFPRX20", 11: "protectedAnnounce", 12: "pbac", 13: "extendedS1GActionProtection",
    14: "sppAMSDUCapable", 15: "urnmMFPR", 18: "kekInPASN", 21: "ssidProtection", 27: "associationFrameEncryption",
    28: "ieee8021XInAuthenticationFrames", 29: "pmksaCachingPrivacy", 34: "saePasswordIdentifierChange",
    36: "unauthenticatedEPPKE",
  ]

  public func describe(into fields: inout FieldWriter) {
    fields.flags("capabilities", in: capabilities, Self.names)
    fields.field("capabilitiesHex", hex: capabilities)
    if bytes.count > length { fields.field("trailingHex", hex: bytes.dropFirst(length)) }
  }
}
