public import Determinism

/// Bytes of the elements of a frame are wrong, lengths among them.
public struct CorruptElementsFault: FaultRule {
  public let name = "corrupt elements"
  /// How many of a thousand frames.
  public var permille: Int

  /// Makes a rule for so many of a thousand frames.
  public init(permille: Int = 50) { self.permille = permille }

  public mutating func change(_ frames: inout [HeardFrame], _ random: inout RandomStream) {
    for index in frames.indices where !frames[index].elements.isEmpty && random.bool(UInt64(permille), in: 1000) {
      for _ in 0...random.next(below: 4) {
        let place = Int(random.next(below: UInt64(frames[index].elements.count)))
        frames[index].elements[place] ^= UInt8(1 + random.next(below: 255))
      }
    }
  }
}
