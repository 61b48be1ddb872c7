/// Wi-Fi Multimedia, vendor element 00-50-F2:2: who may send when (Wi-Fi Alliance, WMM 1.2, 2.2).
///
/// 7 bytes (information, subtype 0) or 24 (parameter, subtype 1); other subtypes keep their bytes.
public struct WMM: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "WMM"

  /// 0 is the information element, 1 the parameter element.
  public private(set) var subtype: UInt8
  /// The version, 1.
  public private(set) var version: UInt8
  /// The QoS Info field.
  public private(set) var qosInfo: UInt8
  private var reserved: UInt8 = 0
  private var bestEffortAndBackground: UInt64 = 0
  private var videoAndVoice: UInt64 = 0
  /// Bytes behind the fields above.
  public private(set) var trailing: [UInt8]

  /// How one category of traffic contends for the medium.
  public struct AccessCategory: Hashable, Sendable {
    /// The record as it is on the air, the first byte in the least significant place.
    public var record: UInt32

    /// Which category: 0 best effort, 1 background, 2 video, 3 voice.
    public var index: UInt8 { UInt8(record >> 5 & 3) }
    /// Two letters of the category.
    public var name: StaticString { (["BE", "BK", "VI", "VO"] as [StaticString])[Int(index)] }
    /// Whether a station must ask before it sends.
    public var isAdmissionControlMandatory: Bool { record & 0x10 != 0 }
    /// How many slots to wait after a frame.
    public var aifsn: UInt8 { UInt8(record & 0xF) }
    /// The smallest contention window, in slots.
    public var cwMin: Int { 1 << Int(record >> 8 & 0xF) - 1 }
    /// The largest contention window, in slots.
    public var cwMax: Int { 1 << Int(record >> 12 & 0xF) - 1 }
    /// How long a station may go on sending, in µs; zero for one frame.
    public var txopLimitUs: Int { Int(record >> 16) * 32 }
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.wmm)
    subtype = try cursor.readUInt8()
    version = try cursor.readUInt8()
    qosInfo = try cursor.readUInt8()
    if subtype == 1 {
      reserved = try cursor.readUInt8()
      bestEffortAndBackground = try cursor.readUInt64()
      videoAndVoice = try cursor.readUInt64()
    }
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.wmm)
    writer.write(subtype)
    writer.write(version)
    writer.write(qosInfo)
    if subtype == 1 {
      writer.write(reserved)
      writer.write(bestEffortAndBackground)
      writer.write(videoAndVoice)
    }
    writer.write(trailing)
  }

  /// Whether sleeping stations may fetch frames by sending one (U-APSD, B7 of QoS Info).
  public var supportsUAPSD: Bool { qosInfo & 0x80 != 0 }

  /// A number that changes with the parameters (B0–B3 of QoS Info).
  public var parameterSetCount: UInt8 { qosInfo & 0xF }

  /// The four categories in the order they were sent; none in an information element.
  public var accessCategories: [AccessCategory] {
    guard subtype == 1 else { return [] }
    return [bestEffortAndBackground, bestEffortAndBackground >> 32, videoAndVoice, videoAndVoice >> 32].map {
      AccessCategory(record: UInt32(truncatingIfNeeded: $0))
    }
  }

  public func describe(into fields: inout FieldWriter) {
    switch subtype {
    case 0: fields.field("subtype", "information")
    case 1: fields.field("subtype", "parameter")
    default: fields.field("subtype", subtype)
    }
    fields.field("version", version)
    fields.field("qosInfoHex", hexNumber: qosInfo)
    fields.field("supportsUAPSD", supportsUAPSD)
    fields.field("parameterSetCount", parameterSetCount)
    if subtype == 1 {
      fields.field("reservedHex", hexNumber: reserved)
      fields.objects("accessCategories", accessCategories) { fields, category in
        fields.field("category", plain: category.name)
        fields.field("admissionControlMandatory", category.isAdmissionControlMandatory)
        fields.field("aifsn", category.aifsn)
        fields.field("cwMin", category.cwMin)
        fields.field("cwMax", category.cwMax)
        fields.field("txopLimitUs", category.txopLimitUs)
      }
    }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
