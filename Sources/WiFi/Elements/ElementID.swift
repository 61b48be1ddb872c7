/// The number of an information element: the Element ID and, behind 255, the Element ID Extension
/// (IEEE 802.11-2020 9.4.2.1).
public struct ElementID: Hashable, Sendable {
  /// The Element ID in the low byte; for 255 the Element ID Extension in the high one.
  public let code: UInt16

  /// An element with an ID of its own.
  @inlinable
  public init(_ id: UInt8) { code = UInt16(id) }

  /// An element behind Element ID 255.
  @inlinable
  public init(extension number: UInt8) { code = 255 | UInt16(number) << 8 }

  /// The Element ID, 255 for an extension element.
  public var id: UInt8 { UInt8(truncatingIfNeeded: code) }

  /// The Element ID Extension, or `nil` where the Element ID is not 255.
  public var extensionID: UInt8? { id == 255 ? UInt8(truncatingIfNeeded: code >> 8) : nil }
}

extension ElementID: CustomStringConvertible {
  /// Such as `48` or `255/108`.
  public var description: String { extensionID.map { "255/\($0)" } ?? "\(id)" }
}
