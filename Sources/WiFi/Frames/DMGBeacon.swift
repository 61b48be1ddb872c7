/// A DMG Beacon, sent in the 60 GHz band, without its frame check sequence (IEEE 802.11-2020 9.3.4.2).
///
/// 30 bytes or more. An extension frame with its own fixed part: no capability information, and often few elements or
/// none.
public struct DMGBeacon: Hashable, Sendable {
  /// What the frame is.
  public var control: FrameControl
  /// Duration, in µs.
  public var durationUs: UInt16
  /// The BSS.
  public var bssid: MACAddress
  /// The timer of the BSS, in µs.
  public var timestampUs: UInt64
  /// Sector Sweep, 24 bits: direction in bit 0, countdown in 1 to 9, sector in 10 to 15, antenna in 16 and 17, RXSS
  /// length in 18 to 23.
  public var sectorSweep: UInt32
  /// The time between two beacon intervals, in TU.
  public var intervalTU: UInt16
  /// Beacon Interval Control, 48 bits.
  public var intervalControl: UInt64
  /// DMG Parameters: BSS type in bits 0 and 1, CBAP only in 2, CBAP source in 3, privacy in 4.
  public var parameters: UInt8
  /// Clustering Control, where Beacon Interval Control announces it: 8 bytes in discovery mode 0, else as many.
  public var clusteringControl: UInt64?
  /// The elements; their offsets are from the start of the frame that was read.
  public var elements: ElementList

  /// Makes a beacon from its fields.
  public init(
    bssid: MACAddress, timestampUs: UInt64, sectorSweep: UInt32 = 0, intervalTU: UInt16, intervalControl: UInt64 = 0, parameters: UInt8,
    clusteringControl: UInt64? = nil, elements: ElementList
  ) {
    control = FrameControl(type: .extension, subtype: 0)
    durationUs = 0
    self.bssid = bssid
    self.timestampUs = timestampUs
    self.sectorSweep = sectorSweep
    self.intervalTU = intervalTU
    self.intervalControl = intervalControl
    self.parameters = parameters
    self.clusteringControl = clusteringControl
    self.elements = elements
  }

  /// Reads a frame that takes the whole region of `cursor`.
  ///
  /// - Throws: ``WireError`` where it is no DMG Beacon or a fixed field is cut off. Elements never throw.
  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    control = FrameControl(try cursor.readUInt16())
    guard control.type == .extension, control.subtype == 0, control.version == 0 else {
      throw WireError(offset: start, reason: .invalid("no DMG beacon"))
    }
    durationUs = try cursor.readUInt16()
    bssid = try cursor.readMACAddress()
    timestampUs = try cursor.readUInt64()
    sectorSweep = try cursor.readUInt24()
    intervalTU = try cursor.readUInt16()
    intervalControl = try cursor.readUInt48()
    parameters = try cursor.readUInt8()
    clusteringControl = intervalControl.has(0) ? try cursor.readUInt64() : nil
    elements = cursor.readElements()
  }

  /// Writes the frame, without a frame check sequence.
  public func encode(into writer: inout ByteWriter) {
    writer.write(control.rawValue)
    writer.write(durationUs)
    writer.write(bssid)
    writer.write(timestampUs)
    writer.writeUInt24(sectorSweep)
    writer.write(intervalTU)
    writer.writeUInt48(intervalControl & ~1 | (clusteringControl == nil ? 0 : 1))
    writer.write(parameters)
    if let clusteringControl { writer.write(clusteringControl) }
    writer.write(elements.encoded)
  }

  /// BSS Type: 1 IBSS, 2 PBSS, 3 infrastructure.
  public var bssType: Int { parameters.bits(0, 2) }

  /// Whether frames are encrypted.
  public var isPrivate: Bool { parameters.has(4) }

  /// How the BSS is secured.
  ///
  /// There is no WEP in this band, so that Privacy alone leaves open how.
  public var security: Security {
    let security = Security(elements: elements, capabilities: isPrivate ? 0x10 : 0)
    return security.family == .wep ? .unknown : security
  }

  /// The bytes of the frame, without a frame check sequence.
  public var encoded: [UInt8] { ByteWriter.bytes(capacity: 64, encode) }
}

extension DMGBeacon: Describable {
  /// Writes the fixed part; the elements are described by their list.
  public func describe(into fields: inout FieldWriter) {
    fields.field("frame", "dmgBeacon")
    fields.field("bssid", bssid.description)
    fields.field("timestampUs", timestampUs)
    fields.field("sectorSweep", sectorSweep)
    fields.field("beaconIntervalTU", intervalTU)
    fields.field("beaconIntervalControl", intervalControl)
    fields.field("bssType", bssType)
    fields.field("cbapOnly", parameters.has(2))
    fields.field("cbapSource", parameters.has(3))
    fields.field("privacy", isPrivate)
    fields.fieldIfPresent("clusteringControl", clusteringControl)
    fields.object("security") { security.describe(into: &$0) }
  }
}
