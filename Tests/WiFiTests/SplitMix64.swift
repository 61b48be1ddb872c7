/// SplitMix64 (Steele, Lea, Flood 2014): the same bytes for the same seed everywhere.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  mutating func body(prefix: [UInt8]) -> [UInt8] {
    // Short bodies and small bytes reach more of a decoder than noise does.
    let choice = next()
    let count = Int(choice & 0xFF) >> Int(choice >> 8 & 3)
    let mask: UInt8 = choice >> 10 & 1 == 0 ? 0xFF : 0x0F
    var body = prefix
    for _ in 0..<count where body.count < 255 { body.append(UInt8(truncatingIfNeeded: next() >> 32) & mask) }
    return body
  }
}
