/// FNV-1a of 64 bits (Fowler, Noll and Vo), over the UTF-8 of texts: of traces, and of the names of streams.
package struct TraceHash: Hashable, Sendable, CustomStringConvertible {
  /// The hash of what was appended so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// Adds a text.
  package mutating func append(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// Adds a number, its lowest byte first.
  package mutating func append(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { value = (value ^ (number >> UInt64(shift) & 0xFF)) &* 0x100_0000_01B3 }
  }

  /// The part of a seed in a hash over many runs, whose parts are added so that their order does not matter.
  package static func mixed(_ seed: UInt64, _ hash: UInt64) -> UInt64 {
    var digest = TraceHash()
    digest.append(seed)
    digest.append(hash)
    return digest.value
  }

  package var description: String { Self.text(value) }

  /// Sixteen hexadecimal digits of a hash.
  package static func text(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
