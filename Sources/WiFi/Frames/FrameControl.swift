/// Frame Control: what a frame is (IEEE 802.11-2020 9.2.4.1).
///
/// 2 bytes.
public struct FrameControl: Hashable, Sendable {
  /// The field as a number.
  public var rawValue: UInt16

  /// A field of its number.
  @inlinable
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// A field of type and subtype, every flag zero.
  public init(type: FrameType, subtype: UInt8) {
    rawValue = UInt16(type.rawValue) << 2 | UInt16(subtype & 15) << 4
  }

  /// The types of frame.
  public enum FrameType: UInt8, Hashable, Sendable {
    case management
    case control
    case data
    case `extension`
  }

  /// Protocol Version, 0 in every frame of this library.
  public var version: Int { rawValue.bits(0, 2) }

  /// Type.
  public var type: FrameType { FrameType(rawValue: UInt8(rawValue.bits(2, 2))) ?? .extension }

  /// Subtype, 0 to 15; its meaning depends on the type.
  public var subtype: UInt8 { UInt8(rawValue.bits(4, 4)) }

  /// Whether the body is encrypted.
  public var isProtected: Bool { rawValue.has(14) }

  /// +HTC: whether a management frame carries HT Control.
  public var hasHTControl: Bool { rawValue.has(15) }
}
