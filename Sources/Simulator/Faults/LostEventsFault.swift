public import Determinism

/// Events do not fit into the socket any more: they are lost, and the socket says so (`ENOBUFS`).
public struct LostEventsFault: FaultRule {
  public let name = "lost events"
  /// How many of a thousand events.
  public var permille: Int

  /// Makes a rule for so many of a thousand events.
  public init(permille: Int = 100) { self.permille = permille }

  public mutating func losesEvent(_ command: UInt8, at time: Duration, _ random: inout RandomStream) -> Bool {
    random.bool(UInt64(permille), in: 1000)
  }
}
