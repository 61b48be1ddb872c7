package import Determinism

extension SplitMix64 {
  /// A number below a limit.
  package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// So many bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// The body of an element that begins with a prefix.
  package mutating func body(prefix: [UInt8]) -> [UInt8] {
    // Short bodies and small bytes reach more of a decoder than noise does.
    let choice = next()
    let count = Int(choice & 0xFF) >> Int(choice >> 8 & 3)
    let mask: UInt8 = choice >> 10 & 1 == 0 ? 0xFF : 0x0F
    var body = prefix
    for _ in 0..<count where body.count < 255 { body.append(UInt8(truncatingIfNeeded: next() >> 32) & mask) }
    return body
  }
}
