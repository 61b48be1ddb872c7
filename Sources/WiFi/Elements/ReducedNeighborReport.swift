/// Reduced Neighbor Report, element 201: access points near or in the same device (IEEE 802.11-2020 9.4.2.170,
/// with the MLD parameters of IEEE 802.11be 9.4.2.169).
public struct ReducedNeighborReport: ElementBody {
  public static let elementID = ElementID(201)
  public static let name: StaticString = "Reduced Neighbor Report"

  /// The Neighbor AP Information fields as they are sent; they were checked when this was made.
  public let bytes: [UInt8]

  /// The access points of one channel.
  public struct Neighbor: Hashable, Sendable {
    /// TBTT Information Header: field type in bits 0 and 1, filtered in 2, count less one in 4 to 7, length in 8 to 15.
    public var header: UInt16
    /// Operating class (annex E) and channel number.
    public var operatingClass: UInt8, channel: UInt8
    /// The TBTT information fields as they are sent.
    public var bytes: [UInt8]

    /// Makes the field from its parts; `bytes` are as many as count and length of the header say.
    public init(header: UInt16, operatingClass: UInt8, channel: UInt8, bytes: [UInt8]) {
      self.header = header
      self.operatingClass = operatingClass
      self.channel = channel
      self.bytes = bytes
    }

    /// TBTT Information Field Type: 0 for access points, 1 for MLD parameters alone.
    public var type: Int { header.bits(0, 2) }

    /// Whether the access points were chosen to match the request.
    public var isFiltered: Bool { header.has(2) }

    /// How many bytes each TBTT information takes.
    public var informationLength: Int { header.bits(8, 8) }

    /// The access points.
    public var accessPoints: [TBTTInformation] {
      guard informationLength > 0 else { return [] }
      return stride(from: 0, to: bytes.count - informationLength + 1, by: informationLength).map {
        TBTTInformation(bytes[$0..<$0 + informationLength], type: type)
      }
    }

    /// The centre of the channel in kHz, or `nil` where class or number are not known.
    public var frequencyKHz: Int? {
      ReducedNeighborReport.band(operatingClass: operatingClass)?.frequencyKHz(channel: Int(channel))
    }
  }

  /// What is said of one access point; what is not said is `nil`.
  public struct TBTTInformation: Hashable, Sendable {
    /// When its beacon comes, after the one of this access point, in TU; 255 for not known.
    public var tbttOffsetTU: UInt8?
    /// Its address.
    public var bssid: MACAddress?
    /// The CRC-32 of its SSID.
    public var shortSSID: UInt32?
    /// BSS Parameters, all bits.
    public var parameters: UInt8?
    /// The greatest power spectral density in a 20 MHz channel, in half dBm/MHz; 127 for no limit.
    public var psdHalfDBmPerMHz: Int8?
    /// MLD Parameters, 24 bits: AP MLD ID in 0 to 7, Link ID in 8 to 11, change count in 12 to 19, all updates included
    /// in 20, disabled link in 21.
    public var mldParameters: UInt32?
    /// Bytes behind those that are defined, or of a layout that is not known.
    public var trailing: [UInt8]

    /// The multi-link device in this report that the access point belongs to; 0 for the one of this access point.
    public var mldID: Int? { mldParameters.map { $0.bits(0, 8) } }

    /// The link of the multi-link device; 15 for not known.
    public var linkID: Int? { mldParameters.map { $0.bits(8, 4) } }

    init(_ slice: ArraySlice<UInt8>, type: Int) {
      trailing = []
      var cursor = ByteCursor(Array(slice))
      do throws(WireError) {
        switch (type, slice.count) {
        case (0, 1), (0, 2), (0, 5), (0, 6), (0, 7), (0, 8), (0, 9), (0, 10), (0, 11), (0, 12), (0, 13...):
          let count = slice.count
          tbttOffsetTU = try cursor.readUInt8()
          if count >= 7 { bssid = try cursor.readMACAddress() }
          if count == 5 || count == 6 || count >= 11 { shortSSID = try cursor.readUInt32() }
          if count == 2 || count == 6 || count == 8 || count == 9 || count >= 12 { parameters = try cursor.readUInt8() }
          if count == 9 || count >= 13 { psdHalfDBmPerMHz = try cursor.readInt8() }
          if count == 10 || count >= 16 { mldParameters = try cursor.readUInt24() }
        case (1, 3...):
          mldParameters = try cursor.readUInt24()
        default: break
        }
      } catch {
        // The lengths above are those of the fields, so that reading them does not fail.
      }
      trailing = cursor.readRemaining()
    }

    func describe(into fields: inout FieldWriter) {
      fields.fieldIfPresent("tbttOffsetTU", tbttOffsetTU)
      if let bssid { fields.field("bssid", bssid.description) }
      if let shortSSID { fields.field("shortSSIDHex", hexNumber: shortSSID) }
      if let parameters { fields.flags("parameters", "parametersHex", parameters, Self.parameterNames) }
      if let psdHalfDBmPerMHz { fields.field("psdDBmPerMHz", hundredths: Int(psdHalfDBmPerMHz) * 50) }
      if let mldParameters {
        fields.field("apMLDID", mldParameters.bits(0, 8))
        fields.field("linkID", mldParameters.bits(8, 4))
        fields.field("bssParametersChangeCount", mldParameters.bits(12, 8))
        fields.field("allUpdatesIncluded", mldParameters.has(20))
        fields.field("disabledLink", mldParameters.has(21))
      }
      fields.fieldIfPresent("trailingHex", hex: trailing)
    }

    private static let parameterNames: NumberNames = [
      0: "octRecommended", 1: "sameSSID", 2: "multipleBSSID", 3: "transmittedBSSID",
      4: "memberOfESSWith2.4And5GHzColocatedAP", 5: "unsolicitedProbeResponsesActive", 6: "colocatedAP",
    ]
  }

  /// Makes the element from its fields.
  public init(neighbors: [Neighbor]) {
    var writer = ByteWriter()
    for neighbor in neighbors {
      writer.write(neighbor.header)
      writer.write(neighbor.operatingClass)
      writer.write(neighbor.channel)
      writer.write(neighbor.bytes)
    }
    bytes = writer.bytes
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    while !cursor.isAtEnd {
      let header = try cursor.readUInt16()
      try cursor.skip(2 + (header.bits(4, 4) + 1) * header.bits(8, 8))
    }
    cursor.seek(to: start)
    bytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) { writer.write(bytes) }

  /// The channels, each with its access points.
  public var neighbors: [Neighbor] {
    var result: [Neighbor] = []
    var cursor = ByteCursor(bytes)
    do throws(WireError) {
      while !cursor.isAtEnd {
        let header = try cursor.readUInt16()
        result.append(
          Neighbor(
            header: header, operatingClass: try cursor.readUInt8(), channel: try cursor.readUInt8(),
            bytes: try cursor.readBytes((header.bits(4, 4) + 1) * header.bits(8, 8))))
      }
    } catch {
      // Checked when this was made.
    }
    return result
  }

  public func describe(into fields: inout FieldWriter) {
    fields.objects("neighbors", neighbors) { fields, neighbor in
      fields.field("operatingClass", neighbor.operatingClass)
      fields.field("channel", neighbor.channel)
      if let frequency = neighbor.frequencyKHz { fields.field("frequencyMHz", frequency / 1000) }
      fields.field("filtered", neighbor.isFiltered)
      fields.field("tbttInformationType", neighbor.type)
      fields.field("tbttInformationLength", neighbor.informationLength)
      fields.objects("accessPoints", neighbor.accessPoints) { $1.describe(into: &$0) }
    }
  }

  /// The band of a global operating class (IEEE 802.11-2020 table E-4).
  static func band(operatingClass: UInt8) -> Band? {
    switch operatingClass {
    case 81...84: .ghz2_4
    case 112...130: .ghz5
    case 131...137: .ghz6
    case 180...182: .ghz60
    default: nil
    }
  }
}
