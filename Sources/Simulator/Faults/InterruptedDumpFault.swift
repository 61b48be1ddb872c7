public import Determinism

/// The list of BSSs changes while it is read (`NLM_F_DUMP_INTR`).
public struct InterruptedDumpFault: FaultRule {
  public let name = "interrupted dump"
  /// How many of a thousand lists.
  public var permille: Int

  /// Makes a rule for so many of a thousand lists.
  public init(permille: Int = 100) { self.permille = permille }

  public mutating func interruptsDump(at time: Duration, _ random: inout RandomStream) -> Bool {
    random.bool(UInt64(permille), in: 1000)
  }
}
