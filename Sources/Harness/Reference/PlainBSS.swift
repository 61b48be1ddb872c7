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
  fileprivate static func nextElement(_ rest: inout ArraySlice<UInt8>) -> (id: UInt8, body: ArraySlice<UInt8>)? {
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

/// The name of a BSS and how joining it is.
struct PlainReading: Hashable {
  /// The bytes of the name; none where it is hidden.
  var name: [UInt8]
  /// How joining is.
  var family: Security.Family
  /// The key managements; `nil` where they are not read.
  var suites: [UInt32]?

  /// Reads the elements; `nil` where they leave a doubt.
  ///
  /// Only the words of IEEE 802.11-2020 9.4.2.2 (SSID) and 9.4.2.24 (RSN) and of Microsoft's WPA element are known.
  init?(_ bss: PlainBSS) {
    var name: ArraySlice<UInt8>?
    var suites: [UInt32] = []
    var hasRSN = false
    var rest = bss.elements[...]
    guard bss.frequencyKHz > 2_000_000, bss.frequencyKHz < 8_000_000 else { return nil }
    while let (id, body) = PlainBSS.nextElement(&rest) {
      switch id {
      case 0:
        guard name == nil, body.count <= 32 else { return nil }
        name = body
      case 48:
        // Of two it is not said which counts.
        guard !hasRSN, let found = Self.keyManagements(body, of: 0x000F_AC00) else { return nil }
        (suites, hasRSN) = (suites + found, true)
      case 221 where body.starts(with: [0x00, 0x50, 0xF2, 0x01]):
        guard let found = Self.keyManagements(body.dropFirst(4), of: 0x0050_F200) else { return nil }
        suites += found
      // What overrides an RSN element, WAPI, and OSEN.
      case 68: return nil
      case 221 where body.starts(with: [0x50, 0x6F, 0x9A]) && body.count > 3 && [0x12, 0x29, 0x2A].contains(body[body.startIndex + 3]):
        return nil
      default: break
      }
    }
    // What is cut off may be what says how joining is: then it counts as enterprise, as more than a password may be
    // needed.
    let isUnreadable = !rest.isEmpty && suites.isEmpty && bss.capability & 0x10 != 0
    guard rest.isEmpty || isUnreadable, let name else { return nil }
    self.name = name.contains { $0 != 0 } ? Array(name) : []
    // Microsoft numbers its first two as IEEE 802.11 does; those are all that it has.
    self.suites = suites.map { [0x0050_F201, 0x0050_F202].contains($0) ? 0x000F_AC00 | $0 & 0xFF : $0 }
    let isPersonal = suites.contains { [0x000F_AC02, 0x000F_AC04, 0x000F_AC06, 0x000F_AC08, 0x000F_AC09, 0x0050_F202].contains($0) }
    let isEnterprise = suites.contains { [0x000F_AC01, 0x000F_AC03, 0x000F_AC05, 0x000F_AC0B, 0x000F_AC0C, 0x0050_F201].contains($0) }
    switch (isPersonal, isEnterprise || isUnreadable) {
    case (true, _): family = .personal
    case (_, true): family = .enterprise
    case _ where suites == [0x000F_AC12]: family = .owe
    case _ where suites.isEmpty: family = bss.capability & 0x10 == 0 ? .open : .wep
    default: return nil
    }
  }

  /// What the decoder reads, which is believed of what is malformed or rare: it has tests of its own.
  init(believing bss: PlainBSS) {
    var read = BSS(
      bssid: MACAddress(bss.address), frequencyMHz: UInt32(bss.frequencyKHz / 1000), capability: bss.capability,
      informationElements: bss.elements)
    read.frequencyOffsetKHz = UInt32(bss.frequencyKHz % 1000)
    let facts = BSSFacts(read)
    (name, family) = (facts.isHidden ? [] : facts.ssid.bytes, facts.security.family)
  }

  /// The key managements of a version, a group cipher, ciphers and key managements, all of one maker; `nil` where it is
  /// anything else.
  private static func keyManagements(_ body: ArraySlice<UInt8>, of maker: UInt32) -> [UInt32]? {
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
    guard body.count >= 8, number(body.prefix(2)) == 1 else { return nil }
    var rest = body.dropFirst(6)
    var lists: [[UInt32]] = []
    for _ in 0..<2 {
      let count = number(rest.prefix(2))
      rest = rest.dropFirst(2)
      guard count >= 1, rest.count >= 4 * count else { return nil }
      lists.append(
        (0..<count).map { index in rest.dropFirst(4 * index).prefix(4).reduce(0) { $0 << 8 | UInt32($1) } })
      rest = rest.dropFirst(4 * count)
    }
    guard lists.joined().allSatisfy({ $0 & 0xFFFF_FF00 == maker }) else { return nil }
    // Then nothing, or capabilities, and no PMKID, and a cipher for management frames.
    guard [0, 2, 4, 8].contains(rest.count), rest.dropFirst(2).prefix(2).allSatisfy({ $0 == 0 }) else { return nil }
    return lists[1]
  }
}
