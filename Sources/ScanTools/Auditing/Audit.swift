public import WiFi

/// Searches scans for weak or doubtful networks.
///
/// Everything it says follows from bytes; where they allow more than one reading, it says that something may be.
public struct Audit: Sendable {
  /// What was found, grouped by network: that with the most severe finding first, then by name, and of each the most
  /// severe first, then by rule and address; what concerns several access points of a name is one finding.
  public let findings: [AuditFinding]
  /// The number of addresses that were looked at; one that was heard on several channels, or announced several things,
  /// counts once.
  package let bssCount: Int

  /// Looks through BSSs.
  ///
  /// - Parameters:
  ///   - baseline: what is known.
  ///   - rules: what to look for.
  ///   - maker: who was assigned an address, where a registry is at hand; without, the first three octets are compared.
  public init(
    _ list: [AuditedBSS], baseline: AuditBaseline = AuditBaseline(), rules: Set<AuditRule> = Set(AuditRule.allCases),
    maker: ((MACAddress) -> String?)? = nil
  ) {
    bssCount = Set(list.map(\.bssid)).count
    var auditor = Auditor(baseline: baseline, maker: maker)
    var order: [SSID] = []
    var named: [SSID: [AuditedBSS]] = [:]
    for bss in list {
      auditor.examine(bss)
      guard let ssid = bss.ssid else { continue }
      if named[ssid] == nil { order.append(ssid) }
      named[ssid, default: []].append(bss)
    }
    for ssid in order { auditor.compare(named[ssid] ?? [], ssid) }
    let numbers = Dictionary(uniqueKeysWithValues: AuditRule.allCases.enumerated().map { ($1, $0) })
    let severities = Dictionary(uniqueKeysWithValues: AuditRule.Severity.allCases.enumerated().map { ($1, $0) })
    func severity(_ finding: AuditFinding) -> Int { severities[finding.rule.severity] ?? 0 }
    let found = auditor.merged.filter { rules.contains($0.rule) }
    let worst = Dictionary(found.map { ($0.ssid, severity($0)) }, uniquingKeysWith: min)
    findings = found.sorted { left, right in
      let (a, b) = (left.ssid?.bytes, right.ssid?.bytes)
      if let leftWorst = worst[left.ssid], let rightWorst = worst[right.ssid], leftWorst != rightWorst { return leftWorst < rightWorst }
      if (a == nil) != (b == nil) { return b == nil }
      if let a, let b, a != b { return a.lexicographicallyPrecedes(b) }
      if severity(left) != severity(right) { return severity(left) < severity(right) }
      let (first, second) = (numbers[left.rule] ?? 0, numbers[right.rule] ?? 0)
      return first != second ? first < second : left.bssids.lexicographicallyPrecedes(right.bssids)
    }
  }
}

/// An audit under construction.
private struct Auditor {
  let baseline: AuditBaseline
  let maker: ((MACAddress) -> String?)?
  var findings: [AuditFinding] = []

  private mutating func find(_ rule: AuditRule, _ ssid: SSID?, _ bssids: [MACAddress], _ why: String) {
    findings.append(AuditFinding(rule: rule, ssid: ssid, bssids: bssids, why: why))
  }

  /// The findings, those that say the same of several access points of a name as one.
  var merged: [AuditFinding] {
    struct Key: Hashable {
      var rule: AuditRule
      var ssid: SSID?
      var why: String
    }
    var places: [Key: Int] = [:]
    var result: [AuditFinding] = []
    for finding in findings {
      let key = Key(rule: finding.rule, ssid: finding.ssid, why: finding.why)
      // Hidden networks without a name are not one network.
      if finding.ssid != nil, let place = places[key] {
        result[place].bssids += finding.bssids
      } else {
        places[key] = result.count
        result.append(finding)
      }
    }
    for index in result.indices { result[index].bssids = Set(result[index].bssids).sorted() }
    return result
  }

  // MARK: One BSS

  mutating func examine(_ bss: AuditedBSS) {
    let security = bss.facts.security
    let own = [bss.bssid]
    if Set(bss.channels.map(\.primaryKHz)).count > 1 {
      let places = bss.channels.map { "\($0)" }.joined(separator: " and ")
      find(
        .twoChannels, bss.ssid, own,
        "One address was heard on channel \(places). The access point may have moved meanwhile, or another sender may use its address.")
    }
    if security.family == .open, !security.isOWETransition {
      find(.open, bss.ssid, own, "Announces no encryption. Anyone near can read what is sent and answer in its name.")
    }
    if security.protocols.contains(.wep) {
      find(
        .wep, bss.ssid, own,
        "Announces Privacy and neither RSN nor WPA, so that only WEP is left. Its key can be computed from what is sent.")
    }
    let wep: Set<CipherSuite> = [.wep40, .wep104]
    if security.groupCipher.map(wep.contains) == true || !wep.isDisjoint(with: security.pairwiseCiphers) {
      find(.wep, bss.ssid, own, "Allows WEP beside RSN or WPA. Its key can be computed from what is sent.")
    }
    let pairwise = security.pairwiseCiphers.contains(.tkip)
    let group = security.groupCipher == .tkip
    if pairwise || group {
      let what = pairwise ? group ? "frames to one station and to groups" : "frames to one station" : "frames to groups"
      find(.tkip, bss.ssid, own, "Allows TKIP for \(what). Its integrity check can be forged; the standard keeps it for old stations only.")
    }
    // WAPI has no protection of management frames that it could announce.
    if security.family != .open, security.family != .wep, !security.akms.isEmpty, security.protocols != .wapi {
      switch security.pmf {
      case .required: break
      case .disabled:
        find(
          .pmfDisabled, bss.ssid, own,
          security.protocols.subtracting(.wapi) == .wpa
            ? "Has no RSN element, without which management frames cannot be protected. Another sender can end connections in its name."
            : "Does not announce that it can protect management frames (MFPC is not set). Another sender can end connections in its name.")
      case .optional:
        find(
          .pmfOptional, bss.ssid, own,
          "Can protect management frames, but does not require it (MFPR is not set). Another sender can end connections of stations that do "
            + "without.")
      }
    }
    if bss.facts.hasWPS {
      find(
        .wps, bss.ssid, own,
        "Announces Wi-Fi Protected Setup. Where it takes a PIN, that can be found by trying; the beacons need not say whether it does.")
    }
    compareWithKnown(bss)
  }

  private mutating func compareWithKnown(_ bss: AuditedBSS) {
    guard let ssid = bss.ssid, let known = baseline.names[ssid] else { return }
    if let least = known.securities.min(), let strength = bss.facts.security.strength, strength < least {
      find(
        .weakerSecurity, ssid, [bss.bssid],
        "Announces \(strength.name), while the network of this name is known with \(least.name). It may have been set up anew, or may "
          + "imitate the network.")
    }
    guard let bssids = known.bssids, !bssids.contains(bss.bssid) else { return }
    let makers = Set(bssids.compactMap(name(ofMaker:)))
    let own = name(ofMaker: bss.bssid)
    let isOther = own.map { !makers.isEmpty && !makers.contains($0) } ?? false
    find(
      isOther ? .otherMaker : .unknownAccessPoint, ssid, [bss.bssid],
      isOther
        ? "Its address was assigned to \(own ?? ""), those of the known access points of this name to "
          + "\(sentenceEnd(makers.sorted().joined(separator: ", "))) It may be a new access point, or may imitate the network."
        : "Its address is not among those of the known access points of this name. It may be a new access point, or may imitate the network."
    )
  }

  /// Who an address was assigned to; `nil` where that is unknown, or it is locally administered.
  private func name(ofMaker address: MACAddress) -> String? {
    if address.isLocallyAdministered { return nil }
    if let maker { return maker(address) }
    return "the owner of " + MACAddress(address.value & 0xFFFF_FF00_0000).description.prefix(8)
  }

  // MARK: The BSSs of one name

  mutating func compare(_ list: [AuditedBSS], _ ssid: SSID) {
    guard list.count > 1 else { return }
    let open = list.filter { $0.facts.security.family == .open && !$0.facts.security.isOWETransition }
    let secured = list.filter { $0.facts.security.isSecured }
    if !open.isEmpty, !secured.isEmpty {
      find(
        .openAndSecured, ssid, open.map(\.bssid),
        "Open, while \(count(secured, "other")) of the same name \(secured.count == 1 ? "announces" : "announce") "
          + "\(names(secured)). It may be a network of its own, or may imitate the other; a station that joins by name alone takes either.")
    }
    // Of one that is open beside secured ones that is all that is to be said.
    compareStrengths(
      list.filter { $0.facts.security.family != .open || secured.isEmpty && !$0.facts.security.isOWETransition }, ssid)
    // Unknown BSSs have a finding of their own; this compares the others with each other.
    if baseline.names[ssid]?.bssids == nil { compareMakers(list, ssid) }
  }

  /// In the 6 GHz band only WPA3 and OWE are allowed, so that what is there is no measure for other bands.
  private mutating func compareStrengths(_ list: [AuditedBSS], _ ssid: SSID) {
    for is6GHz in [false, true] {
      let band = list.filter { ($0.channels.first?.band == .ghz6) == is6GHz }
      guard let best = band.compactMap({ $0.facts.security.strength }).max() else { continue }
      let strongest = band.filter { $0.facts.security.strength?.rank == best.rank }
      for bss in band {
        guard let own = bss.facts.security.strength, own < best else { continue }
        find(
          .weakerSecurity, ssid, [bss.bssid],
          "Announces \(own.name), while \(count(strongest, "other")) of the same name \(strongest.count == 1 ? "announces" : "announce") "
            + "\(names(strongest)). It may be set up differently, or may imitate the others.")
      }
    }
  }

  private mutating func compareMakers(_ list: [AuditedBSS], _ ssid: SSID) {
    var groups: [String: Set<MACAddress>] = [:]
    for bss in list { if let name = name(ofMaker: bss.bssid) { groups[name, default: []].insert(bss.bssid) } }
    guard groups.count > 1 else { return }
    let sizes = groups.map { ($0.value.count, $0.key) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
    let most = sizes[0].0
    let majority = sizes.filter { $0.0 == most }
    let hint = maker == nil ? " One maker may have several ranges of addresses." : ""
    if majority.count > 1 {
      find(
        .otherMaker, ssid, groups.values.flatMap { $0 },
        "Its access points have addresses that were assigned to \(sentenceEnd(sizes.map(\.1).sorted().joined(separator: ", "))) Some may imitate the "
          + "others.\(hint)")
      return
    }
    for (_, name) in sizes.dropFirst() {
      find(
        .otherMaker, ssid, Array(groups[name] ?? []),
        "Its address was assigned to \(name), those of \(most) others of the same name to \(sentenceEnd(majority[0].1)) It may be of another make, or may "
          + "imitate the others.\(hint)")
    }
  }

  /// With a full stop, which some companies bring along.
  private func sentenceEnd(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

  private func count(_ list: [AuditedBSS], _ thing: String) -> String {
    Set(list.map(\.bssid)).count.counted(thing)
  }

  private func names(_ list: [AuditedBSS]) -> String {
    Set(list.map(\.facts.security.summary)).sorted().joined(separator: " or ")
  }
}
