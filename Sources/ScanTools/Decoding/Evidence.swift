/// The evidence for one reading of an input.
///
/// In bits: of 2ⁿ random inputs of the same length, about one would have as much. A length that adds up is worth some
/// eight bits, a known identifier less, a checksum 32. That makes readings of different kinds comparable: where several
/// hold, the strictest wins, and what random bytes may well have is no evidence.
struct Evidence: Hashable, Sendable {
  /// The bits.
  var bits: Int
  /// What they are for: clauses, the strongest first.
  var reasons: [String]

  init(_ bits: Int = 0, _ reasons: String...) {
    self.bits = bits
    self.reasons = reasons
  }

  mutating func add(_ bits: Int, _ reason: String? = nil) {
    self.bits += bits
    if let reason { reasons.append(reason) }
  }

  mutating func add(_ other: Evidence) {
    bits += other.bits
    reasons += other.reasons
  }

  /// Such as `802.11 beacon; elements add up`.
  var description: String { reasons.joined(separator: "; ") }

  /// The bits that choosing one of `count` is worth.
  static func bits(of count: Int) -> Int {
    count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
  }
}

/// The result of one reading of an input.
enum ReadingVerdict: Hashable, Sendable {
  /// It is possible, with this evidence.
  case possible(Evidence)
  /// It is not possible; one clause.
  case impossible(String)
}
