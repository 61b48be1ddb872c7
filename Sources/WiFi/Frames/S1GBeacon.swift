/// An S1G Beacon, sent below 1 GHz, without its frame check sequence (IEEE 802.11-2020 9.3.4.3).
///
/// 15 bytes or more. Which optional fields there are is said in Frame Control.
public struct S1GBeacon: Hashable, Sendable {
  /// What the frame is; the bits that announce optional fields are set from those when written.
  public var control: FrameControl
  /// Duration, in µs.
  public var durationUs: UInt16
  /// The access point.
  public var source: MACAddress
  /// The low half of the timer of the BSS, in µs.
  public var timestampUs: UInt32
  /// Changes with the BSS.
  public var changeSequence: UInt8
  /// The time of the next full beacon, 24 bits; there in a short beacon.
  public var nextTBTT: UInt32?
  /// The CRC-32 of the SSID.
  public var compressedSSID: UInt32?
  /// Access Network Options.
  public var accessNetworkOptions: UInt8?
  /// The elements; their offsets are from the start of the frame that was read.
  public var elements: ElementList

  /// Makes a beacon from its fields.
  public init(
    source: MACAddress, timestampUs: UInt32, changeSequence: UInt8 = 0, nextTBTT: UInt32? = nil, compressedSSID: UInt32? = nil,
    accessNetworkOptions: UInt8? = nil, elements: ElementList
  ) {
    control = FrameControl(type: .extension, subtype: 1)
    durationUs = 0
    self.source = source
    self.timestampUs = timestampUs
    self.changeSequence = changeSequence
    self.nextTBTT = nextTBTT
    self.compressedSSID = compressedSSID
    self.accessNetworkOptions = accessNetworkOptions
    self.elements = elements
  }

  /// Reads a frame that takes the whole region of `cursor`.
  ///
  /// - Throws: ``WireError`` where it is no S1G Beacon or a fixed field is cut off. Elements never throw.
  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    control = FrameControl(try cursor.readUInt16())
    guard control.type == .extension, control.subtype == 1, control.version == 0 else {
      throw WireError(offset: start, reason: .invalid("no S1G beacon"))
    }
    durationUs = try cursor.readUInt16()
    source = try cursor.readMACAddress()
    timestampUs = try cursor.readUInt32()
    changeSequence = try cursor.readUInt8()
    nextTBTT = control.rawValue.has(8) ? try cursor.readUInt24() : nil
    compressedSSID = control.rawValue.has(9) ? try cursor.readUInt32() : nil
    accessNetworkOptions = control.rawValue.has(10) ? try cursor.readUInt8() : nil
    elements = cursor.readElements()
  }

  /// Writes the frame, without a frame check sequence.
  public func encode(into writer: inout ByteWriter) {
    var control = control.rawValue & ~0x0700
    if nextTBTT != nil { control |= 1 << 8 }
    if compressedSSID != nil { control |= 1 << 9 }
    if accessNetworkOptions != nil { control |= 1 << 10 }
    writer.write(control)
    writer.write(durationUs)
    writer.write(source)
    writer.write(timestampUs)
    writer.write(changeSequence)
    if let nextTBTT { writer.writeUInt24(nextTBTT) }
    if let compressedSSID { writer.write(compressedSSID) }
    if let accessNetworkOptions { writer.write(accessNetworkOptions) }
    writer.write(elements.encoded)
  }

  /// BSS BW: the least and the greatest width of the BSS, a number of IEEE 802.11-2020 table 9-9.
  public var bandwidth: Int { control.rawValue.bits(11, 3) }

  /// The least and the greatest width of the BSS in MHz; `nil` where both are that of the beacon, which it does not
  /// say.
  public var widthsMHz: ClosedRange<Int>? { [1...2, nil, 1...4, 2...4, 1...8, 2...8, 1...16, 2...16][bandwidth] }

  /// Whether joining needs a secret.
  public var isSecured: Bool { control.rawValue.has(14) }

  /// How the BSS is secured: as the elements say, which a short beacon leaves out.
  public var security: Security {
    let security = Security(elements: elements, capabilities: 0)
    return isSecured && security.family == .open ? .unknown : security
  }

  /// The bytes of the frame, without a frame check sequence.
  public var encoded: [UInt8] { ByteWriter.bytes(capacity: 256, encode) }
}

extension S1GBeacon: Describable {
  /// Writes the fixed part; the elements are described by their list.
  public func describe(into fields: inout FieldWriter) {
    fields.field("frame", "s1gBeacon")
    fields.field("source", source.description)
    fields.field("timestampUs", timestampUs)
    fields.field("changeSequence", changeSequence)
    fields.field("bandwidth", bandwidth)
    if let widthsMHz {
      fields.field("minimumWidthMHz", widthsMHz.lowerBound)
      fields.field("maximumWidthMHz", widthsMHz.upperBound)
    }
    fields.field("isSecured", isSecured)
    fields.field("apPowerManagement", control.rawValue.has(15))
    fields.object("security") { security.describe(into: &$0) }
    fields.fieldIfPresent("nextTBTT", nextTBTT)
    fields.fieldIfPresent("compressedSSID", compressedSSID)
    fields.fieldIfPresent("accessNetworkOptions", accessNetworkOptions)
  }
}
