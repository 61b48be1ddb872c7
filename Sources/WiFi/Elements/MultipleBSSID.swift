/// Multiple BSSID, element 71: other BSSs of the same radio, which send no beacons of their own (IEEE 802.11-2020
/// 9.4.2.45).
///
/// 1 byte or more. ``MultipleBSSIDExpansion`` makes a list of elements for each of those BSSs.
public struct MultipleBSSID: ElementBody {
  public static let elementID = ElementID(71)
  public static let name: StaticString = "Multiple BSSID"

  /// MaxBSSID Indicator: there are up to 2^n BSSs.
  public var maximumBSSIDIndicator: UInt8

  /// The subelements as they are sent.
  public var subelements: [UInt8]

  /// The subelement that holds elements of a nontransmitted BSS.
  static let profileID: UInt8 = 0

  /// Makes the element from its fields.
  public init(maximumBSSIDIndicator: UInt8, subelements: [UInt8]) {
    self.maximumBSSIDIndicator = maximumBSSIDIndicator
    self.subelements = subelements
  }

  /// Makes the element of nontransmitted BSSID profiles, each of elements as they are sent, of at most 255 bytes.
  public init(maximumBSSIDIndicator: UInt8, profiles: [[UInt8]]) {
    var writer = ByteWriter()
    for profile in profiles {
      writer.write(Self.profileID)
      writer.write(UInt8(clamping: profile.count))
      writer.write(profile.prefix(255))
    }
    self.init(maximumBSSIDIndicator: maximumBSSIDIndicator, subelements: writer.bytes)
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    maximumBSSIDIndicator = try cursor.readUInt8()
    subelements = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(maximumBSSIDIndicator)
    writer.write(subelements)
  }

  /// The nontransmitted BSSID profiles as they are sent; the first may continue the last of the element before.
  public var profiles: [[UInt8]] {
    ElementWalk(subelements, fragmentID: nil).filter { $0.id == Self.profileID }.map { Array(subelements[$0.body]) }
  }

  /// The elements of a profile, decoded.
  ///
  /// No profile holds Multiple BSSID, which speaks of the frame, so that keeps its bytes and is reported.
  static func elementList(ofProfile bytes: [UInt8]) -> ElementList {
    ElementList(profile: bytes, excluding: [elementID])
  }

  /// Whether the first profile continues the last profile of the element before: it does not start with
  /// Nontransmitted BSSID Capability (IEEE 802.11-2020 11.1.3.8.1).
  var continuesProfile: Bool {
    var walk = ElementWalk(subelements, fragmentID: nil)
    guard let first = walk.next(), first.id == Self.profileID, first.length >= 2 else { return false }
    return subelements[first.body.lowerBound] != NontransmittedBSSIDCapability.elementID.id
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("maximumBSSIDIndicator", maximumBSSIDIndicator)
    fields.field("maximumBSSIDs", 1 << min(Int(maximumBSSIDIndicator), 62))
    var walk = ElementWalk(subelements, fragmentID: nil)
    fields.array("subelements") { fields in
      while let header = walk.next() {
        fields.object { fields in
          fields.field("id", header.id)
          fields.field("length", header.length)
          if header.id == Self.profileID {
            if header.offset == 0, continuesProfile { fields.field("continuesProfile", true) }
            let profile = Array(subelements[header.body])
            Self.elementList(ofProfile: profile).describe(into: &fields, of: profile)
          } else {
            fields.field("hex", hex: subelements[header.body])
          }
        }
      }
    }
    if let rest = walk.rest { fields.field("trailingHex", hex: subelements[rest]) }
  }
}

/// Nontransmitted BSSID Capability, element 83: the capabilities of a BSS that sends no beacons
/// (IEEE 802.11-2020 9.4.2.71).
///
/// 2 bytes; more for a DMG BSS.
public struct NontransmittedBSSIDCapability: FixedElement {
  public static let elementID = ElementID(83)
  public static let name: StaticString = "Nontransmitted BSSID Capability"

  /// Capability Information, all bits.
  public var capabilities: UInt16 = 0

  /// The DMG part, or bytes behind the field above.
  public var trailing: [UInt8] = []

  /// Makes the element of its field.
  public init(capabilities: UInt16) { self.capabilities = capabilities }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&capabilities)
  }

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("capabilitiesHex", hexNumber: capabilities)
  }
}

/// Multiple BSSID-Index, element 85: which of the BSSs of a radio this is (IEEE 802.11-2020 9.4.2.73).
///
/// 1 byte, 3 in a beacon.
public struct MultipleBSSIDIndex: ElementBody {
  public static let elementID = ElementID(85)
  public static let name: StaticString = "Multiple BSSID-Index"

  /// The index of the BSS, 1 to 2^n − 1.
  public var index: UInt8

  /// DTIM Period and DTIM Count, in a beacon, and bytes behind them.
  public var rest: [UInt8]

  /// Makes the element from its fields.
  public init(index: UInt8, dtimPeriod: UInt8? = nil, dtimCount: UInt8 = 0) {
    self.index = index
    rest = dtimPeriod.map { [$0, dtimCount] } ?? []
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    index = try cursor.readUInt8()
    rest = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(index)
    writer.write(rest)
  }

  /// The beacon intervals between two DTIMs, or `nil` outside of a beacon.
  public var dtimPeriod: UInt8? { rest.count >= 2 ? rest[0] : nil }

  /// The beacon intervals before the next DTIM, or `nil` outside of a beacon.
  public var dtimCount: UInt8? { rest.count >= 2 ? rest[1] : nil }

  public func describe(into fields: inout FieldWriter) {
    fields.field("index", index)
    fields.fieldIfPresent("dtimPeriod", dtimPeriod)
    fields.fieldIfPresent("dtimCount", dtimCount)
    fields.fieldIfPresent("trailingHex", hex: rest.count >= 2 ? Array(rest.dropFirst(2)) : rest)
  }
}

/// Multiple BSSID Configuration, element 255/55 (IEEE 802.11ax-2021 9.4.2.260).
///
/// 2 bytes behind the Element ID Extension.
public struct MultipleBSSIDConfiguration: FixedElement {
  public static let elementID = ElementID(extension: 55)
  public static let name: StaticString = "Multiple BSSID Configuration"

  /// The BSSs of the radio that are active, the transmitted one among them.
  public var bssidCount: UInt8 = 0

  /// The beacons that it takes to send every nontransmitted profile.
  public var fullSetRxPeriodicity: UInt8 = 0

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(bssidCount: UInt8, fullSetRxPeriodicity: UInt8) {
    self.bssidCount = bssidCount
    self.fullSetRxPeriodicity = fullSetRxPeriodicity
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass("bssidCount", &bssidCount)
    try codec.pass("fullSetRxPeriodicity", &fullSetRxPeriodicity)
  }
}
