public import Determinism

/// The kernel takes its time to answer.
public struct LateAnswerFault: FaultRule {
  public let name = "late answer"
  /// How many of a thousand requests.
  public var permille: Int
  /// The longest an answer takes, in ms; each time up to it is equally likely.
  package var maximumMs: UInt64

  /// Makes a rule from its parts.
  public init(permille: Int = 100, maximumMs: UInt64 = 2000) {
    self.permille = permille
    self.maximumMs = maximumMs
  }

  public mutating func verdict(onRequest request: FaultedRequest, _ random: inout RandomStream) -> RequestVerdict {
    guard random.bool(UInt64(permille), in: 1000) else { return .pass }
    return .delay(.milliseconds(Int64(1 + random.next(below: maximumMs))))
  }
}
