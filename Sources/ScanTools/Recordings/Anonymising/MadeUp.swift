import WiFi

/// Addresses that stand for others.
struct MadeUpAddresses: Sendable {
  /// By the first five bytes: which one it is, and what its last bytes are counted from.
  private var families: [UInt64: (number: UInt64, base: UInt8)] = [:]

  /// The address that stands for `address`.
  mutating func address(_ address: MACAddress) -> MACAddress {
    if address.isGroup || address.value == 0 { return address }
    let key = address.value >> 8
    let last = UInt8(truncatingIfNeeded: address.value)
    let family = families[key] ?? (UInt64(families.count) + 1, last & 0xF0)
    families[key] = family
    return MACAddress(0x0A00_0000_0000 | family.number << 8 & 0xFFFF_FF00 | UInt64(last &- family.base))
  }

  /// Puts another address over the six bytes at `start`, if there are six.
  mutating func replace(in bytes: inout [UInt8], at start: Int) {
    guard start + 6 <= bytes.count, let old = MACAddress(bytes[start..<start + 6]) else { return }
    bytes.overwrite(at: start, with: address(old).bytes)
  }
}

/// Identifiers that stand for others.
struct MadeUpNumbers: Sendable {
  private var shortSSIDs: [UInt32: UInt32] = [:]
  private var domains: [UInt16: UInt16] = [:]
  private var identifiers: [[UInt8]: [UInt8]] = [:]

  /// Takes over what the checksum of a name is from now on.
  mutating func learn(shortSSID old: UInt32, as new: UInt32) {
    if shortSSIDs[old] == nil { shortSSIDs[old] = new }
  }

  /// The checksum that stands for one: that of the made-up name, or 0 for a name that was never sent.
  mutating func shortSSID(_ old: UInt32) -> UInt32 {
    learn(shortSSID: old, as: 0)
    return shortSSIDs[old] ?? 0
  }

  /// The mobility domain that stands for one.
  mutating func mobilityDomain(_ old: UInt16) -> UInt16 {
    let new = domains[old] ?? UInt16(truncatingIfNeeded: domains.count + 1)
    domains[old] = new
    return new
  }

  /// Puts another identifier, a number at the end of zeros, over the bytes of `range`; one of zeros stays.
  mutating func replace(in bytes: inout [UInt8], _ range: Range<Int>) {
    let old = Array(bytes[range])
    if old.allSatisfy({ $0 == 0 }) { return }
    var new = identifiers[old] ?? [UInt8](repeating: 0, count: old.count)
    if identifiers[old] == nil {
      var number = identifiers.count + 1
      for index in new.indices.reversed() {
        new[index] = UInt8(truncatingIfNeeded: number)
        number >>= 8
      }
      identifiers[old] = new
    }
    bytes.overwrite(at: range.lowerBound, with: new)
  }
}
