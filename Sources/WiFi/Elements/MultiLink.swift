/// Multi-Link, element 255/107: the links of a multi-link device (IEEE 802.11be 9.4.2.322).
///
/// 3 bytes or more behind the Element ID Extension. ``MultiLinkExpansion`` makes a list of elements for each link.
public struct MultiLink: ElementBody {
  public static let elementID = ElementID(extension: 107)
  public static let name: StaticString = "Multi-Link"

  /// Multi-Link Control: the variant in bits 0 to 2, what is present in 4 to 15.
  public var control: UInt16

  /// Common Info without its length, at most 254 bytes.
  public var commonInfo: [UInt8]

  /// Link Info: subelements as they are sent.
  public var linkInfo: [UInt8]

  /// The variants of the element.
  public enum Variant: String, Hashable, Sendable {
    case basic
    case probeRequest
    case reconfiguration
    case tdls
    case priorityAccess
  }

  /// The Common Info of the basic variant; what is not said is `nil`.
  public struct Basic: Hashable, Sendable {
    /// The address of the multi-link device.
    public var mldAddress: MACAddress
    /// The link that the frame was sent on.
    public var linkID: UInt8?
    /// Changes with the parameters of the BSS that sent the frame.
    public var bssParametersChangeCount: UInt8?
    /// Medium Synchronization Delay Information: duration in units of 32 µs in bits 0 to 7, threshold in 8 to 11, TXOPs
    /// in 12 to 15.
    public var mediumSynchronizationDelay: UInt16?
    /// EML Capabilities, all bits.
    public var emlCapabilities: UInt16?
    /// MLD Capabilities And Operations, all bits.
    public var mldCapabilities: UInt16?
    /// The AP MLD ID.
    public var mldID: UInt8?
    /// Extended MLD Capabilities And Operations, all bits.
    public var extendedMLDCapabilities: UInt16?
    /// Bytes behind the fields above.
    public var trailing: [UInt8] = []

    /// Makes the Common Info of an address; the other fields are set afterwards.
    public init(mldAddress: MACAddress) { self.mldAddress = mldAddress }

    init(parsing cursor: inout ByteCursor, control: UInt16) throws(WireError) {
      mldAddress = try cursor.readMACAddress()
      linkID = control.has(4) ? try cursor.readUInt8() : nil
      bssParametersChangeCount = control.has(5) ? try cursor.readUInt8() : nil
      mediumSynchronizationDelay = control.has(6) ? try cursor.readUInt16() : nil
      emlCapabilities = control.has(7) ? try cursor.readUInt16() : nil
      mldCapabilities = control.has(8) ? try cursor.readUInt16() : nil
      mldID = control.has(9) ? try cursor.readUInt8() : nil
      extendedMLDCapabilities = control.has(10) ? try cursor.readUInt16() : nil
      trailing = cursor.readRemaining()
    }

    /// Writes the fields and returns the control that announces them.
    func encode(into writer: inout ByteWriter) -> UInt16 {
      var control: UInt16 = 0
      writer.write(mldAddress)
      writer.write(linkID, noting: 4, in: &control)
      writer.write(bssParametersChangeCount, noting: 5, in: &control)
      writer.write(mediumSynchronizationDelay, noting: 6, in: &control)
      writer.write(emlCapabilities, noting: 7, in: &control)
      writer.write(mldCapabilities, noting: 8, in: &control)
      writer.write(mldID, noting: 9, in: &control)
      writer.write(extendedMLDCapabilities, noting: 10, in: &control)
      writer.write(trailing)
      return control
    }
  }

  /// Per-STA Profile: one other station of the device.
  public struct Profile: Hashable, Sendable {
    /// STA Control: Link ID in bits 0 to 3, complete profile in 4, what is present in 5 to 11.
    public var control: UInt16
    /// The address of the station on its link.
    public var address: MACAddress?
    /// The beacon interval, in TU.
    public var beaconIntervalTU: UInt16?
    /// The difference of the timestamps, in 2 µs.
    public var tsfOffset2us: Int64?
    /// DTIM Count.
    public var dtimCount: UInt8?
    /// DTIM Period.
    public var dtimPeriod: UInt8?
    /// NSTR Indication Bitmap: the links that this one cannot send on while the other receives.
    public var nstrBitmap: UInt16?
    /// Changes with the parameters of this BSS.
    public var bssParametersChangeCount: UInt8?
    /// Bytes of STA Info behind the fields above.
    public var infoTrailing: [UInt8] = []
    /// STA Profile: in a complete profile Capability Information and elements.
    public var profile: [UInt8]

    /// Makes the profile of a link; the other fields are set afterwards.
    public init(linkID: UInt8, isComplete: Bool, profile: [UInt8]) {
      control = UInt16(linkID & 15) | (isComplete ? 16 : 0)
      self.profile = profile
    }

    /// Which link of the device it is on.
    public var linkID: Int { control.bits(0, 4) }

    /// Whether the profile holds, with what it inherits, all elements of the station.
    public var isComplete: Bool { control.has(4) }

    /// Capability Information of a complete profile.
    public var capabilities: UInt16? {
      isComplete && profile.count >= 2 ? UInt16(profile[0]) | UInt16(profile[1]) << 8 : nil
    }

    /// The elements of the profile as they are sent.
    public var elements: [UInt8] { capabilities == nil ? profile : Array(profile.dropFirst(2)) }

    /// The elements of the profile, decoded.
    ///
    /// No profile of a link holds Multi-Link or Multiple BSSID, which speak of the frame (IEEE 802.11be D3.1 35.3.3.4),
    /// so those keep their bytes and are reported.
    public var elementList: ElementList {
      ElementList(profile: elements, excluding: [MultiLink.elementID, MultipleBSSID.elementID])
    }

    init(parsing cursor: inout ByteCursor) throws(WireError) {
      control = try cursor.readUInt16()
      let control = control
      let start = cursor.position
      let length = try cursor.readUInt8()
      guard length > 0 else { throw WireError(offset: start, reason: .length(declared: 0, allowed: 1...255)) }
      profile = []
      var value = Profile(linkID: 0, isComplete: false, profile: [])
      try cursor.withRegion(Int(length) - 1) { (cursor) throws(WireError) in
        value.address = control.has(5) ? try cursor.readMACAddress() : nil
        value.beaconIntervalTU = control.has(6) ? try cursor.readUInt16() : nil
        value.tsfOffset2us = control.has(7) ? Int64(bitPattern: try cursor.readUInt64()) : nil
        value.dtimCount = control.has(8) ? try cursor.readUInt8() : nil
        value.dtimPeriod = control.has(8) ? try cursor.readUInt8() : nil
        if control.has(9) { value.nstrBitmap = control.has(10) ? try cursor.readUInt16() : UInt16(try cursor.readUInt8()) }
        value.bssParametersChangeCount = control.has(11) ? try cursor.readUInt8() : nil
        value.infoTrailing = cursor.readRemaining()
      }
      value.control = control
      value.profile = cursor.readRemaining()
      self = value
    }

    func encode(into writer: inout ByteWriter) {
      var info = ByteWriter()
      var control = control & ~0x0BE0
      if let address {
        control |= 1 << 5
        info.write(address)
      }
      info.write(beaconIntervalTU, noting: 6, in: &control)
      info.write(tsfOffset2us, noting: 7, in: &control)
      if dtimPeriod != nil { info.write(dtimCount ?? 0) }
      info.write(dtimPeriod, noting: 8, in: &control)
      if let nstrBitmap, !control.has(10), nstrBitmap < 256 {
        info.write(UInt8(truncatingIfNeeded: nstrBitmap), noting: 9, in: &control)
      } else {
        if nstrBitmap != nil { control |= 1 << 10 }
        info.write(nstrBitmap, noting: 9, in: &control)
      }
      info.write(bssParametersChangeCount, noting: 11, in: &control)
      info.write(infoTrailing)
      writer.write(control)
      writer.write(UInt8(clamping: info.count + 1))
      writer.write(info.bytes.prefix(254))
      writer.write(profile)
    }

    func describe(into fields: inout FieldWriter) {
      fields.field("linkID", linkID)
      fields.field("completeProfile", isComplete)
      fields.field("controlHex", hexNumber: control)
      if let address { fields.field("staAddress", address.description) }
      fields.fieldIfPresent("beaconIntervalTU", beaconIntervalTU)
      fields.fieldIfPresent("tsfOffset2us", tsfOffset2us)
      fields.fieldIfPresent("dtimCount", dtimCount)
      fields.fieldIfPresent("dtimPeriod", dtimPeriod)
      if let nstrBitmap { fields.field("nstrLinks", (0..<16).lazy.filter { nstrBitmap.has($0) }) }
      fields.fieldIfPresent("bssParametersChangeCount", bssParametersChangeCount)
      fields.fieldIfPresent("staInfoTrailingHex", hex: infoTrailing)
      if let capabilities { fields.field("capabilitiesHex", hexNumber: capabilities) }
      elementList.describe(into: &fields, of: elements)
    }
  }

  /// The subelement that holds the profile of a station.
  private static let profileID: UInt8 = 0

  /// The subelement that continues another one of 255 bytes.
  private static let fragmentID: UInt8 = 254

  /// Makes the element from its fields.
  public init(control: UInt16, commonInfo: [UInt8], linkInfo: [UInt8]) {
    self.control = control
    self.commonInfo = Array(commonInfo.prefix(254))
    self.linkInfo = linkInfo
  }

  /// Makes the basic variant from its parts; profiles too long for one subelement are continued in fragments.
  public init(basic: Basic, profiles: [Profile] = []) {
    var common = ByteWriter()
    let control = basic.encode(into: &common)
    var links = ByteWriter()
    for profile in profiles {
      ElementFragments.write(ByteWriter.bytes(profile.encode), id: Self.profileID, fragmentID: Self.fragmentID, into: &links)
    }
    self.init(control: control, commonInfo: common.bytes, linkInfo: links.bytes)
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    control = try cursor.readUInt16()
    let start = cursor.position
    let length = try cursor.readUInt8()
    guard length > 0 else { throw WireError(offset: start, reason: .length(declared: 0, allowed: 1...255)) }
    if control & 7 == 0 {
      let needed = 7 + control.bits(4, 7).basicInfoLength
      if Int(length) < needed { throw WireError(offset: start, reason: .length(declared: Int(length), allowed: needed...255)) }
    }
    commonInfo = try cursor.readBytes(Int(length) - 1)
    linkInfo = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(control)
    writer.write(UInt8(clamping: commonInfo.count + 1))
    writer.write(commonInfo.prefix(254))
    writer.write(linkInfo)
  }

  /// Which variant it is, or `nil` for a number that is not known.
  public var variant: Variant? {
    let variants: [Variant] = [.basic, .probeRequest, .reconfiguration, .tdls, .priorityAccess]
    let number = control.bits(0, 3)
    return number < variants.count ? variants[number] : nil
  }

  /// The Common Info of the basic variant, or `nil` for any other.
  public var basic: Basic? {
    guard variant == .basic else { return nil }
    var cursor = ByteCursor(commonInfo)
    return try? Basic(parsing: &cursor, control: control)
  }

  /// The Per-STA Profile subelements of the basic variant, their fragments joined; those that break their definition
  /// are left out.
  public var profiles: [Profile] {
    guard variant == .basic else { return [] }
    return ElementWalk(linkInfo, fragmentID: Self.fragmentID).compactMap { Self.profile($0, linkInfo) }
  }

  private static func profile(_ header: ElementHeader, _ linkInfo: [UInt8]) -> Profile? {
    guard header.id == profileID else { return nil }
    var cursor = ByteCursor(header.defragmentedBody(of: linkInfo))
    return try? Profile(parsing: &cursor)
  }

  public func describe(into fields: inout FieldWriter) {
    if let variant { fields.field("variant", variant.rawValue) } else { fields.field("variant", control.bits(0, 3)) }
    fields.field("controlHex", hexNumber: control)
    if let basic {
      describe(basic, into: &fields)
    } else {
      fields.field("commonInfoHex", hex: commonInfo)
    }
    if variant != .basic {
      fields.field("linkInfoHex", hex: linkInfo)
      return
    }
    var walk = ElementWalk(linkInfo, fragmentID: Self.fragmentID)
    fields.array("links") { fields in
      while let header = walk.next() {
        fields.object { fields in
          if let profile = Self.profile(header, linkInfo) {
            profile.describe(into: &fields)
          } else {
            fields.field("subelementID", header.id)
            fields.field("hex", hex: header.defragmentedBody(of: linkInfo))
          }
        }
      }
    }
    if let rest = walk.rest { fields.field("trailingHex", hex: linkInfo[rest]) }
  }

  private func describe(_ basic: Basic, into fields: inout FieldWriter) {
    fields.field("mldAddress", basic.mldAddress.description)
    if let linkID = basic.linkID { fields.field("linkID", linkID & 15) }
    fields.fieldIfPresent("bssParametersChangeCount", basic.bssParametersChangeCount)
    if let delay = basic.mediumSynchronizationDelay {
      fields.object("mediumSynchronizationDelay") { fields in
        fields.field("durationUs", delay.bits(0, 8) * 32)
        fields.field("ofdmEDThresholdDBm", delay.bits(8, 4) - 72)
        fields.field("maximumTXOPs", delay.bits(12, 4) + 1)
      }
    }
    if let eml = basic.emlCapabilities {
      fields.object("emlCapabilities") { fields in
        fields.field("emlsr", eml.has(0))
        fields.field("emlsrPaddingDelayUs", [0, 32, 64, 128, 256, -1, -1, -1][eml.bits(1, 3)])
        fields.field("emlsrTransitionDelayUs", [0, 16, 32, 64, 128, 256, -1, -1][eml.bits(4, 3)])
        fields.field("emlmr", eml.has(7))
        fields.field("emlmrDelayUs", [0, 32, 64, 128, 256, -1, -1, -1][eml.bits(8, 3)])
        let timeout = eml.bits(11, 4)
        fields.field("transitionTimeoutUs", timeout == 0 ? 0 : timeout > 11 ? -1 : 64 << timeout)
        fields.field("hex", hexNumber: eml)
      }
    }
    if let mld = basic.mldCapabilities {
      fields.object("mldCapabilities") { fields in
        fields.field("maximumSimultaneousLinks", mld.bits(0, 4) + 1)
        fields.field("srs", mld.has(4))
        fields.field("tidToLinkMappingNegotiation", ["none", "same", "reserved", "any"][mld.bits(5, 2)])
        fields.field("frequencySeparation", mld.bits(7, 5))
        fields.field("aar", mld.has(12))
        fields.field("linkReconfiguration", mld.has(13))
        fields.field("alignedTWT", mld.has(14))
        fields.field("hex", hexNumber: mld)
      }
    }
    fields.fieldIfPresent("apMLDID", basic.mldID)
    if let extended = basic.extendedMLDCapabilities {
      fields.object("extendedMLDCapabilities") { fields in
        fields.field("operationParameterUpdate", extended.has(0))
        fields.field("recommendedMaximumSimultaneousLinks", extended.bits(1, 4))
        fields.field("nstrStatusUpdate", extended.has(5))
        fields.field("emlsrEnablementOnOneLink", extended.has(6))
        fields.field("btmMLDRecommendationForMultipleAPs", extended.has(7))
        fields.field("hex", hexNumber: extended)
      }
    }
    fields.fieldIfPresent("commonInfoTrailingHex", hex: basic.trailing)
  }
}

extension ByteWriter {
  /// Writes a number, where there is one, and sets the bit that announces it.
  fileprivate mutating func write<Value: FixedWidthInteger>(_ value: Value?, noting bit: Int, in control: inout UInt16) {
    guard var value else { return }
    control |= 1 << bit
    pass("", &value)
  }
}

extension Int {
  /// The bytes of the optional Common Info fields that seven presence bits announce.
  fileprivate var basicInfoLength: Int {
    let lengths = [1, 1, 2, 2, 2, 1, 2]
    return lengths.indices.reduce(0) { self >> $1 & 1 == 1 ? $0 + lengths[$1] : $0 }
  }
}
