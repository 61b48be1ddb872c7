public import Determinism

/// The elements of a frame end in the middle.
public struct TruncatedElementsFault: FaultRule {
  public let name = "truncated elements"
  /// How many of a thousand frames.
  public var permille: Int

  /// Makes a rule for so many of a thousand frames.
  public init(permille: Int = 50) { self.permille = permille }

  public mutating func change(_ frames: inout [HeardFrame], _ random: inout RandomStream) {
    for index in frames.indices where random.bool(UInt64(permille), in: 1000) {
      let count = frames[index].elements.count
      frames[index].elements = Array(frames[index].elements.prefix(Int(random.next(below: UInt64(max(count, 1))))))
    }
  }
}
