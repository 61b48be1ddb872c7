/// Why a file is no capture that can be read.
public enum CaptureError: Error, Hashable, Sendable {
  /// The file has no bytes.
  case empty
  /// The file starts like no capture; the bytes are the first four, or fewer.
  case foreign([UInt8])
  /// The format is known, but not this version of it.
  case version(major: UInt16, minor: UInt16)
  /// The file ends within its own header of `needed` bytes.
  case header(needed: Int, available: Int)
}

extension CaptureError: CustomStringConvertible {
  /// One sentence on what the file is instead.
  public var description: String {
    switch self {
    case .empty: "The file is empty."
    case .foreign(let bytes): "The file is neither pcap nor pcapng: it starts with \(Hex.string(bytes))."
    case .version(let major, let minor): "The capture has version \(major).\(minor), which is not known."
    case .header(let needed, let available): "The capture ends after \(available) of the \(needed) bytes of its header."
    }
  }
}

/// Something in a capture that could not be read, and where it was.
public struct CaptureComplaint: Hashable, Sendable {
  /// Bytes from the start of the file.
  public var offset: Int
  /// What was wrong.
  public var reason: Reason

  /// What can be wrong.
  public enum Reason: Hashable, Sendable {
    /// The file ends within a record or a block.
    case truncated(needed: Int, available: Int)
    /// A block has a length that no block can have; what follows cannot be found.
    case blockLength(Int)
    /// The two lengths of a block differ.
    case blockTrailer(Int)
    /// A packet names an interface that the section does not have.
    case interface(Int)
    /// An interface declares a length of check sequences that IEEE 802.11 does not have; it is ignored.
    case fcsLength(UInt8)
    /// A link type that carries no frames of IEEE 802.11; packets of it are left out.
    case linkType(Int)
    /// A hardware type (`ARPHRD_`) in a Linux cooked capture that carries no frames of IEEE 802.11; packets of it are
    /// left out, and only the first is reported.
    case hardwareType(Int)
    /// A section header whose byte-order magic is none; what follows cannot be read.
    case sectionByteOrder([UInt8])
    /// A section of a version that is not known; what follows cannot be read.
    case sectionVersion(major: UInt16, minor: UInt16)
    /// The header before a frame could not be read; the packet is left out.
    case header(WireError.Reason)
  }

  /// Makes a complaint from its parts.
  public init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  /// Whether the cause is packets of another link type, which may occur beside those of IEEE 802.11, and not damage.
  public var isOfForeignPackets: Bool {
    switch reason {
    case .linkType, .hardwareType: true
    default: false
    }
  }
}

extension CaptureComplaint: CustomStringConvertible {
  /// One clause with the place.
  public var description: String {
    switch reason {
    case .truncated(let needed, let available):
      "cut off at byte \(offset): \(needed) bytes needed, \(available) available"
    case .blockLength(let length):
      "the block or packet at byte \(offset) declares \(length) bytes, which none can have; what follows is lost"
    case .blockTrailer(let length): "block at byte \(offset) ends with another length, \(length)"
    case .interface(let number): "packet at byte \(offset) of interface \(number), which is not described"
    case .fcsLength(let length): "if_fcslen at byte \(offset) is \(length), not 4 bytes or 32 bits, and is ignored"
    case .linkType(let type): "link type \(type) at byte \(offset) carries no 802.11 frames"
    case .hardwareType(let type): "hardware type \(type) at byte \(offset) carries no 802.11 frames"
    case .sectionByteOrder(let magic): "section with the byte-order magic \(Hex.string(magic)) at byte \(offset)"
    case .sectionVersion(let major, let minor): "section of version \(major).\(minor), which is not known, at byte \(offset)"
    case .header(let reason): WireError(offset: offset, reason: reason).description
    }
  }
}
