import WiFi

/// What distinguishes one BSS from others: one address on two channels is two, as for the kernel (`cmp_bss` of
/// net/wireless/scan.c).
struct BSSKey: Hashable, Sendable {
  /// Its address.
  var bssid: MACAddress
  /// The centre of its primary channel in kHz.
  var primaryKHz: Int

  /// Makes a key from its parts.
  init(_ bssid: MACAddress, primaryKHz: Int) {
    self.bssid = bssid
    self.primaryKHz = primaryKHz
  }
}

extension BSSFacts {
  /// What distinguishes it from other BSSs.
  var key: BSSKey { BSSKey(bss.bssid, primaryKHz: channel.primaryKHz) }
}

extension Network.Member {
  /// What distinguishes it from other BSSs.
  var key: BSSKey { BSSKey(bssid, primaryKHz: channel.primaryKHz) }
}

/// A BSS as a member of one network: one that changed its name is heard as a member of two.
struct ListedBSS: Hashable {
  private let network: NetworkID
  private let bss: BSSKey

  init(_ facts: BSSFacts, _ grouping: Grouping) { (network, bss) = (facts.networkID(grouping), facts.key) }

  init(_ member: Network.Member, of network: Network) { (self.network, bss) = (network.id, member.key) }
}
