import WiFi

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
    // Of two elements of one kind, which is that of its maker, the first counts.
    func add(_ found: [UInt32]) {
      if !suites.contains(where: { $0 & 0xFFFF_FF00 == found[0] & 0xFFFF_FF00 }) { suites += found }
    }
    var rest = bss.elements[...]
    guard bss.frequencyKHz > 2_000_000, bss.frequencyKHz < 8_000_000 else { return nil }
    while let (id, body) = PlainBSS.nextElement(&rest) {
      switch id {
      case 0:
        guard name == nil, body.count <= 32 else { return nil }
        name = body
      case 48:
        guard let found = Self.keyManagements(body, of: 0x000F_AC00) else { return nil }
        add(found)
      case 221 where body.starts(with: [0x00, 0x50, 0xF2, 0x01]):
        guard let found = Self.keyManagements(body.dropFirst(4), of: 0x0050_F200) else { return nil }
        add(found)
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
