import WiFi

/// One BSS as the kernel reports it, read in the plainest way: nothing of the decoder is used.
struct PlainBSS: Hashable {
  /// Its address, as a number.
  var address: UInt64
  /// The centre of its primary channel.
  var frequencyKHz: Int
  /// The Capability Information field.
  var capability: UInt16
  /// Its strength in 1/100 dBm.
  var signalMBm: Int32?
  /// Its strength from 0 to 100, where the driver gives no dBm.
  var signalPercent: UInt8?
  /// The elements of the frame heard last.
  var elements: [UInt8]
  /// When it was heard, in nanoseconds since boot.
  var heardNanoseconds: UInt64?
  /// How long ago it was heard, in milliseconds.
  var heardMillisecondsAgo: UInt32?

  /// What a source says that has no kernel.
  init(_ bss: BSS) {
    address = bss.bssid.value
    frequencyKHz = Int(bss.frequencyMHz) * 1000 + Int(bss.frequencyOffsetKHz ?? 0)
    capability = bss.capability
    (signalMBm, signalPercent) = (bss.signalMBm, bss.signalUnspecified)
    elements = bss.informationElements
    (heardNanoseconds, heardMillisecondsAgo) = (bss.lastSeenBootTimeNs, bss.seenMsAgo)
  }

  /// Reads the payload of `NL80211_ATTR_BSS` (`enum nl80211_bss`); `nil` where anything in it is not as the kernel
  /// writes it.
  init?(attributes bytes: ArraySlice<UInt8>) {
    var fields = [ArraySlice<UInt8>?](repeating: nil, count: 32)
    guard Self.read(bytes, { if $0 < 32, fields[$0] == nil { fields[$0] = $1 } }), let address = fields[1], address.count == 6,
      let frequency = Self.number(fields[2], 4), let elements = fields[6], let capability = Self.number(fields[5], 2)
    else { return nil }
    self.address = address.reduce(0) { $0 << 8 | UInt64($1) }
    frequencyKHz = Int(frequency) * 1000 + Int(Self.number(fields[20], 4) ?? 0)
    self.capability = UInt16(capability)
    signalMBm = Self.number(fields[7], 4).map { Int32(truncatingIfNeeded: $0) }
    signalPercent = Self.number(fields[8], 1).map { UInt8($0) }
    self.elements = Array(elements)
    heardNanoseconds = Self.number(fields[15], 8)
    heardMillisecondsAgo = Self.number(fields[10], 4).map { UInt32($0) }
  }

  /// The BSSs of the answers to `NL80211_CMD_GET_SCAN`, in order; `nil` where any message of them is not whole.
  static func all(in datagrams: [[UInt8]]) -> [PlainBSS]? {
    var all: [PlainBSS] = []
    for bytes in datagrams {
      var rest = bytes[...]
      while !rest.isEmpty {
        guard let length = number(rest.prefix(4), 4), length >= 16, length <= rest.count, let type = number(rest.dropFirst(4).prefix(2), 2)
        else { return nil }
        let message = rest.prefix(Int(length))
        // Below 16 are messages of netlink itself, such as the end of a dump.
        if type >= 16 {
          // The header of generic netlink follows: NL80211_CMD_NEW_SCAN_RESULTS with NL80211_ATTR_BSS.
          guard message.count >= 20 else { return nil }
          if message.dropFirst(16).first == 34 {
            var bss: PlainBSS?
            guard read(message.dropFirst(20), { if $0 == 47, bss == nil { bss = PlainBSS(attributes: $1) } }), let bss else { return nil }
            all.append(bss)
          }
        }
        rest = rest.dropFirst((Int(length) + 3) / 4 * 4)
      }
    }
    return all
  }

  /// Goes through attributes by their types; `false` where one is cut off.
  private static func read(_ bytes: ArraySlice<UInt8>, _ take: (Int, ArraySlice<UInt8>) -> Void) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard let length = number(rest.prefix(2), 2), length >= 4, length <= rest.count, let type = number(rest.dropFirst(2).prefix(2), 2)
      else { return false }
      take(Int(type & 0x3FFF), rest.prefix(Int(length)).dropFirst(4))
      rest = rest.dropFirst((Int(length) + 3) / 4 * 4)
    }
    return true
  }

  /// A number of so many bytes, the least significant first.
  private static func number(_ bytes: ArraySlice<UInt8>?, _ count: Int) -> UInt64? {
    guard let bytes, bytes.count == count else { return nil }
    var value: UInt64 = 0
    for byte in bytes.reversed() { value = value << 8 | UInt64(byte) }
    return value
  }

  /// When it was heard, as time since boot, in a list that was read at `end`.
  func heard(_ end: Duration) -> Duration {
    if let heardNanoseconds, heardNanoseconds > 0, heardNanoseconds < 1 << 63 { return .nanoseconds(Int64(heardNanoseconds)) }
    return heardMillisecondsAgo.map { end - .milliseconds(Int64($0)) } ?? end
  }

  /// Strength from 0 to 1: −100 dBm is 0, −40 dBm is 1.
  var strength: Double {
    if let signalMBm { return min(max((Double(signalMBm) + 10_000) / 6_000, 0), 1) }
    return signalPercent.map { min(Double($0) / 100, 1) } ?? 0
  }

  /// Takes the next element off what is left of a frame; `nil` at its end, and where it is cut off.
  static func nextElement(_ rest: inout ArraySlice<UInt8>) -> (id: UInt8, body: ArraySlice<UInt8>)? {
    guard rest.count >= 2, rest.count >= 2 + Int(rest[rest.startIndex + 1]) else { return nil }
    let (id, body) = (rest[rest.startIndex], rest.dropFirst(2).prefix(Int(rest[rest.startIndex + 1])))
    rest = rest.dropFirst(2 + body.count)
    return (id, body)
  }

  /// The centre of a channel of 40 MHz, which the HT Operation element says where no newer one does (IEEE 802.11-2020
  /// 9.4.2.56); `nil` of any other.
  var centerKHz: Int? {
    var offset: Int?
    var rest = elements[...]
    while let (id, body) = Self.nextElement(&rest) {
      if id == 192 || id == 255 { return nil }
      // What says another primary channel than it was heard on is cut up.
      let primary = id == 61 ? Int(body.first ?? 0) * 5_000 + (frequencyKHz < 3_000_000 ? 2_407_000 : 5_000_000) : 0
      if body.count == 22, primary == frequencyKHz { offset = [1: 10_000, 3: -10_000][body[body.startIndex + 1] & 3] }
    }
    return offset.map { frequencyKHz + $0 }
  }

  /// What its elements say, in the plainest reading.
  var reading: PlainReading { PlainReading(self) ?? PlainReading(believing: self) }
}
