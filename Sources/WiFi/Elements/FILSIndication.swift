/// FILS Indication, element 240: how a station can join fast (IEEE 802.11-2020 9.4.2.182).
///
/// 2 bytes or more: which of the fields behind are there, then those fields.
public struct FILSIndication: ElementBody {
  public static let elementID = ElementID(240)
  public static let name: StaticString = "FILS Indication"

  /// The FILS Information field.
  public private(set) var filsInformation: UInt16

  /// The fields that the FILS Information field announces, and bytes behind them.
  public private(set) var bytes: [UInt8]

  /// A public key, or what names one.
  public struct PublicKeyIdentifier: Hashable, Sendable {
    /// The Key Type: 1 is an X.509 certificate, 2 an uncertified key, 3 an ECDSA key.
    public var keyType: UInt8
    /// The identifier.
    public var identifier: [UInt8]
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    filsInformation = try cursor.readUInt16()
    let start = cursor.position
    try cursor.skip(Self.fixedSize(filsInformation))
    for _ in 0..<filsInformation & 7 {
      try cursor.skip(1)
      try cursor.skip(Int(try cursor.readUInt8()))
    }
    cursor.seek(to: start)
    bytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(filsInformation)
    writer.write(bytes)
  }

  /// The bytes of Cache Identifier, HESSID and realm identifiers.
  private static func fixedSize(_ information: UInt16) -> Int {
    (information & 0x80 != 0 ? 2 : 0) + (information & 0x100 != 0 ? 6 : 0) + 2 * Int(information >> 3 & 7)
  }

  private var hessidOffset: Int { filsInformation & 0x80 != 0 ? 2 : 0 }
  private var realmsOffset: Int { hessidOffset + (filsInformation & 0x100 != 0 ? 6 : 0) }

  /// A number for the keys that the access point remembers, or `nil` where it is left out.
  public var cacheIdentifier: ArraySlice<UInt8>? { filsInformation & 0x80 != 0 ? bytes.prefix(2) : nil }

  /// The address that networks with the same services share, or `nil` where it is left out.
  public var hessid: MACAddress? {
    filsInformation & 0x100 != 0 ? MACAddress(bytes.dropFirst(hessidOffset).prefix(6)) : nil
  }

  /// Hashes of the realms whose users can join, two bytes each (IEEE 802.11-2020 9.4.2.183).
  public var realmIdentifiers: [ArraySlice<UInt8>] {
    (0..<Int(filsInformation >> 3 & 7)).map { bytes.dropFirst(realmsOffset + 2 * $0).prefix(2) }
  }

  /// The public keys by which the network can be known.
  public var publicKeyIdentifiers: [PublicKeyIdentifier] { split().keys }

  private func split() -> (keys: [PublicKeyIdentifier], trailing: ArraySlice<UInt8>) {
    var keys: [PublicKeyIdentifier] = []
    var rest = bytes.dropFirst(Self.fixedSize(filsInformation))
    for _ in 0..<filsInformation & 7 {
      guard let type = rest.first, let length = rest.dropFirst().first else { break }
      keys.append(PublicKeyIdentifier(keyType: type, identifier: Array(rest.dropFirst(2).prefix(Int(length)))))
      rest = rest.dropFirst(2 + Int(length))
    }
    return (keys, rest)
  }

  static let names: NumberNames = [
    6: "ipAddressConfiguration", 7: "cacheIdentifierIncluded", 8: "hessidIncluded",
    9: "sharedKeyAuthenticationWithoutPFS", 10: "sharedKeyAuthenticationWithPFS", 11: "publicKeyAuthentication",
  ]

  public func describe(into fields: inout FieldWriter) {
    let (keys, trailing) = split()
    fields.flags("filsInformation", "filsInformationHex", filsInformation, Self.names)
    if let cacheIdentifier { fields.field("cacheIdentifierHex", hex: cacheIdentifier) }
    if let hessid { fields.field("hessid", hessid.description) }
    fields.field("realmIdentifiersHex", realmIdentifiers.map { Hex.string($0) })
    fields.objects("publicKeyIdentifiers", keys) { fields, key in
      fields.field("keyType", key.keyType)
      fields.field("identifierHex", hex: key.identifier)
    }
    fields.fieldIfPresent("trailingHex", hex: Array(trailing))
  }
}
