/// A frame of IEEE 802.11 without its frame check sequence, as far as it speaks of networks.
public enum Frame: Hashable, Sendable {
  case management(ManagementFrame)
  case dmgBeacon(DMGBeacon)
  case s1gBeacon(S1GBeacon)
  /// Control, data and other extension frames; the bytes are kept.
  case other([UInt8])

  /// Reads a frame; `bytes` end before the frame check sequence.
  ///
  /// - Throws: ``WireError`` where a fixed field of a known frame is cut off. Elements never throw.
  public init(_ bytes: [UInt8]) throws(WireError) {
    var cursor = ByteCursor(bytes)
    let control = FrameControl(try cursor.readUInt16())
    cursor.seek(to: 0)
    switch (control.version, control.type, control.subtype) {
    case (0, .management, _): self = .management(try ManagementFrame(parsing: &cursor))
    case (0, .extension, 0): self = .dmgBeacon(try DMGBeacon(parsing: &cursor))
    case (0, .extension, 1): self = .s1gBeacon(try S1GBeacon(parsing: &cursor))
    default: self = .other(bytes)
    }
  }

  /// The bytes of the frame, without a frame check sequence.
  public var encoded: [UInt8] {
    switch self {
    case .management(let frame): frame.encoded
    case .dmgBeacon(let frame): frame.encoded
    case .s1gBeacon(let frame): frame.encoded
    case .other(let bytes): bytes
    }
  }

  /// The elements, or `nil` where there are none to read.
  public var elements: ElementList? {
    switch self {
    case .management(let frame): frame.elements
    case .dmgBeacon(let frame): frame.elements
    case .s1gBeacon(let frame): frame.elements
    case .other: nil
    }
  }

  /// The BSS that a frame is of, or `nil` where that is not known.
  public var bssid: MACAddress? {
    switch self {
    case .management(let frame): frame.bssid
    case .dmgBeacon(let frame): frame.bssid
    case .s1gBeacon(let frame): frame.source
    case .other: nil
    }
  }
}
