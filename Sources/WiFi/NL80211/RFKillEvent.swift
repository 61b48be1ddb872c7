/// One event of the kernel's radio switches, as `/dev/rfkill` gives and takes it (`struct rfkill_event` of
/// `<linux/rfkill.h>`).
public struct RFKillEvent: Hashable, Sendable {
  /// What it says or asks for (`enum rfkill_operation`).
  public enum Operation: UInt8, Hashable, Sendable {
    case add, remove, change
    /// To be written: all switches of a type.
    case changeAll
  }

  /// Wireless LANs (`RFKILL_TYPE_WLAN`).
  public static let wlan: UInt8 = 1
  /// The bytes of an event; newer kernels give more, which older programs do not read.
  public static let size = 8

  /// The number of the switch.
  public var index: UInt32
  /// The kind of radio (`enum rfkill_type`).
  public var type: UInt8
  /// What it says or asks for.
  public var operation: Operation
  /// Whether software keeps the radio silent.
  public var isSoftBlocked: Bool
  /// Whether a switch of the machine does, which no program can move.
  public var isHardBlocked: Bool

  /// Makes an event from its parts.
  public init(
    index: UInt32 = 0, type: UInt8 = RFKillEvent.wlan, _ operation: Operation, isSoftBlocked: Bool, isHardBlocked: Bool = false
  ) {
    self.index = index
    self.type = type
    self.operation = operation
    self.isSoftBlocked = isSoftBlocked
    self.isHardBlocked = isHardBlocked
  }

  /// Parses an event in the byte order of this machine's family, little endian.
  ///
  /// - Throws: ``WireError`` where it is too short, or its operation is not known.
  public init(_ bytes: [UInt8]) throws(WireError) {
    guard bytes.count >= Self.size else { throw WireError(offset: 0, reason: .truncated(needed: Self.size, available: bytes.count)) }
    guard let operation = Operation(rawValue: bytes[5]) else { throw WireError(offset: 5, reason: .invalid("operation \(bytes[5])")) }
    index = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16 | UInt32(bytes[3]) << 24
    type = bytes[4]
    self.operation = operation
    isSoftBlocked = bytes[6] != 0
    isHardBlocked = bytes[7] != 0
  }

  /// The bytes.
  public var encoded: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * UInt32($0))) }
      + [type, operation.rawValue, isSoftBlocked ? 1 : 0, isHardBlocked ? 1 : 0]
  }
}
