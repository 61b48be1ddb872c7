/// A management frame without its frame check sequence (IEEE 802.11-2020 9.3.3).
///
/// Decoding and encoding are the opposite of each other for every frame that is accepted.
public struct ManagementFrame: Hashable, Sendable {
  /// What the frame is; its +HTC bit is set from ``htControl`` when written.
  public var control: FrameControl
  /// Duration, in µs.
  public var durationUs: UInt16
  /// Address 1: who it is for.
  public var receiver: MACAddress
  /// Address 2: who sent it.
  public var transmitter: MACAddress
  /// Address 3: the BSS.
  public var bssid: MACAddress
  /// Sequence Control: the fragment number in bits 0 to 3, the sequence number in 4 to 15.
  public var sequenceControl: UInt16
  /// HT Control, where the +HTC bit says so.
  public var htControl: UInt32?
  /// What is in it.
  public var body: Body

  /// What management frames of interest here say before their elements.
  public enum Body: Hashable, Sendable {
    case associationRequest(capabilities: UInt16, listenInterval: UInt16, elements: ElementList)
    case associationResponse(capabilities: UInt16, status: UInt16, aid: UInt16, elements: ElementList)
    case reassociationRequest(capabilities: UInt16, listenInterval: UInt16, currentAP: MACAddress, elements: ElementList)
    case reassociationResponse(capabilities: UInt16, status: UInt16, aid: UInt16, elements: ElementList)
    case probeRequest(elements: ElementList)
    case probeResponse(BeaconBody)
    case beacon(BeaconBody)
    /// Action, with its category and code; the bytes behind them are kept.
    case action([UInt8])
    /// Any other subtype, or a body that is encrypted or a later fragment; the bytes are kept.
    case other(subtype: UInt8, [UInt8])
  }

  /// Makes a frame from its parts; type and subtype follow from the body.
  public init(
    receiver: MACAddress, transmitter: MACAddress, bssid: MACAddress, sequenceControl: UInt16 = 0, body: Body
  ) {
    control = FrameControl(type: .management, subtype: body.subtype)
    durationUs = 0
    self.receiver = receiver
    self.transmitter = transmitter
    self.bssid = bssid
    self.sequenceControl = sequenceControl
    self.body = body
  }

  /// Reads a frame; `bytes` end before the frame check sequence.
  ///
  /// - Throws: ``WireError`` where it is no management frame or a fixed field is cut off. Elements never throw.
  public init(_ bytes: [UInt8]) throws(WireError) {
    var cursor = ByteCursor(bytes)
    try self.init(parsing: &cursor)
  }

  /// Reads a frame that takes the whole region of `cursor`.
  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    let start = cursor.position
    control = FrameControl(try cursor.readUInt16())
    guard control.type == .management, control.version == 0 else {
      throw WireError(offset: start, reason: .invalid("no management frame"))
    }
    durationUs = try cursor.readUInt16()
    receiver = try cursor.readMACAddress()
    transmitter = try cursor.readMACAddress()
    bssid = try cursor.readMACAddress()
    sequenceControl = try cursor.readUInt16()
    htControl = control.hasHTControl ? try cursor.readUInt32() : nil
    body = try Body(subtype: control.subtype, isOpaque: Self.isOpaque(control, sequenceControl), parsing: &cursor)
  }

  /// Whether the body cannot be read alone: it is encrypted, or a fragment behind the first (IEEE 802.11-2020 9.2.4.4).
  public var isOpaque: Bool { Self.isOpaque(control, sequenceControl) }

  private static func isOpaque(_ control: FrameControl, _ sequence: UInt16) -> Bool { control.isProtected || sequence & 15 > 0 }

  /// The bytes of the frame, without a frame check sequence.
  public var encoded: [UInt8] { ByteWriter.bytes(capacity: 512, encode) }

  /// Writes the frame, without a frame check sequence.
  public func encode(into writer: inout ByteWriter) {
    writer.write(control.rawValue & 0x7FFF | (htControl == nil ? 0 : 0x8000))
    writer.write(durationUs)
    writer.write(receiver)
    writer.write(transmitter)
    writer.write(bssid)
    writer.write(sequenceControl)
    if let htControl { writer.write(htControl) }
    body.encode(into: &writer)
  }

  /// The elements, or `nil` for a body that is kept as bytes.
  public var elements: ElementList? {
    switch body {
    case .associationRequest(_, _, let elements), .associationResponse(_, _, _, let elements),
      .reassociationRequest(_, _, _, let elements), .reassociationResponse(_, _, _, let elements), .probeRequest(let elements):
      elements
    case .probeResponse(let beacon), .beacon(let beacon): beacon.elements
    case .action, .other: nil
    }
  }
}

/// The body of a beacon or a probe response (IEEE 802.11-2020 9.3.3.2 and 9.3.3.10).
///
/// 12 bytes and elements.
public struct BeaconBody: Hashable, Sendable {
  /// The timer of the BSS, in µs.
  public var timestampUs: UInt64
  /// The time between two beacons, in TU.
  public var intervalTU: UInt16
  /// Capability Information, all bits.
  public var capabilities: UInt16
  /// The elements; their offsets are from the start of the frame that was read.
  public var elements: ElementList

  /// Makes a body from its fields.
  public init(timestampUs: UInt64, intervalTU: UInt16, capabilities: UInt16, elements: ElementList) {
    self.timestampUs = timestampUs
    self.intervalTU = intervalTU
    self.capabilities = capabilities
    self.elements = elements
  }

  init(parsing cursor: inout ByteCursor) throws(WireError) {
    timestampUs = try cursor.readUInt64()
    intervalTU = try cursor.readUInt16()
    capabilities = try cursor.readUInt16()
    elements = cursor.readElements()
  }

  func encode(into writer: inout ByteWriter) {
    writer.write(timestampUs)
    writer.write(intervalTU)
    writer.write(capabilities)
    writer.write(elements.encoded)
  }
}

extension ByteCursor {
  /// Reads what is left as elements; their offsets are from the start of the buffer.
  mutating func readElements() -> ElementList {
    let list = ElementList(parsing: bytes, in: position..<end)
    seek(to: end)
    return list
  }
}

extension ManagementFrame.Body {
  /// The subtype of the frame (IEEE 802.11-2020 table 9-1).
  public var subtype: UInt8 {
    switch self {
    case .associationRequest: 0
    case .associationResponse: 1
    case .reassociationRequest: 2
    case .reassociationResponse: 3
    case .probeRequest: 4
    case .probeResponse: 5
    case .beacon: 8
    case .action: 13
    case .other(let subtype, _): subtype
    }
  }

  init(subtype: UInt8, isOpaque: Bool, parsing cursor: inout ByteCursor) throws(WireError) {
    if isOpaque {
      self = .other(subtype: subtype, cursor.readRemaining())
      return
    }
    switch subtype {
    case 0:
      self = .associationRequest(
        capabilities: try cursor.readUInt16(), listenInterval: try cursor.readUInt16(), elements: cursor.readElements())
    case 1:
      self = .associationResponse(
        capabilities: try cursor.readUInt16(), status: try cursor.readUInt16(), aid: try cursor.readUInt16(),
        elements: cursor.readElements())
    case 2:
      self = .reassociationRequest(
        capabilities: try cursor.readUInt16(), listenInterval: try cursor.readUInt16(), currentAP: try cursor.readMACAddress(),
        elements: cursor.readElements())
    case 3:
      self = .reassociationResponse(
        capabilities: try cursor.readUInt16(), status: try cursor.readUInt16(), aid: try cursor.readUInt16(),
        elements: cursor.readElements())
    case 4: self = .probeRequest(elements: cursor.readElements())
    case 5: self = .probeResponse(try BeaconBody(parsing: &cursor))
    case 8: self = .beacon(try BeaconBody(parsing: &cursor))
    case 13: self = .action(cursor.readRemaining())
    default: self = .other(subtype: subtype, cursor.readRemaining())
    }
  }

  func encode(into writer: inout ByteWriter) {
    switch self {
    case .associationRequest(let capabilities, let listenInterval, let elements):
      writer.write(capabilities)
      writer.write(listenInterval)
      writer.write(elements.encoded)
    case .associationResponse(let capabilities, let status, let aid, let elements),
      .reassociationResponse(let capabilities, let status, let aid, let elements):
      writer.write(capabilities)
      writer.write(status)
      writer.write(aid)
      writer.write(elements.encoded)
    case .reassociationRequest(let capabilities, let listenInterval, let currentAP, let elements):
      writer.write(capabilities)
      writer.write(listenInterval)
      writer.write(currentAP)
      writer.write(elements.encoded)
    case .probeRequest(let elements): writer.write(elements.encoded)
    case .probeResponse(let body), .beacon(let body): body.encode(into: &writer)
    case .action(let bytes), .other(_, let bytes): writer.write(bytes)
    }
  }
}
