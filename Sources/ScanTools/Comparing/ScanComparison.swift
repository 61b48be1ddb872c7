public import WiFi

/// Differences between what two sources heard: access points, matched by their addresses, and the networks they form.
///
/// Where scans of a source heard an address on several channels at once, each channel is compared by itself.
///
/// That an access point was heard in one source only may be chance where it is at the edge of hearing. It counts as
/// added or gone only where Fisher's exact test says so (the whole scans of either source that visited its channel, and
/// those of them that heard it), at a level of 0.01 divided by the number of access points that are compared
/// (Bonferroni), and where it was heard in at least half of the scans of its source, or is one of two that replace each
/// other, of which the other was. A signal counts as changed where the medians differ by at least 3 dB and the
/// Mann–Whitney U test says so at the same level. What falls short is listed, but is not established.
///
/// The tests take scans for independent. Those of a station that moves are not quite: give them time, not number.
public struct ScanComparison: Sendable {
  /// The level of significance of all tests together.
  public static let level = 0.01
  /// The least change of the median signal, in dB.
  public static let leastSignalChangeDB = 3
  /// The fewest signals of either source that are tested.
  package static let leastSignals = 5

  /// The source that is compared with.
  public let before: ScanSummary
  /// The source that is compared.
  public let after: ScanSummary
  /// What differs, in the order of names and addresses; kinds that are ignored are left out.
  public let differences: [Difference]
  /// The number of access points that were compared.
  public let accessPointCount: Int

  /// What can differ.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Heard in the second source only.
    case added
    /// Heard in the first source only.
    case gone
    /// Gone, and another access point of the same name is there on the same band.
    case replaced
    /// Has another name.
    case name
    /// Sends on another channel, or one of another width.
    case moved
    /// Is secured in another way.
    case security
    /// Announces other capabilities.
    case capabilities
    /// Its median signal is another.
    case signal
  }

  /// Something that differs.
  public struct Difference: Sendable {
    /// What differs.
    public var kind: Kind
    /// The access point; of one that was replaced, the one that is gone.
    public var bssid: MACAddress
    /// The access point that replaced it.
    package var successor: MACAddress?
    /// The channel in kHz, where one scan heard the address on several, each of which is compared by itself.
    public var frequencyKHz: Int?
    /// The name of its network, or `nil` where it is not known; the later, where it differs.
    public var ssid: SSID?
    /// Whether its network was heard in one source only.
    package var isWholeNetwork = false
    /// What it was and is, in the first source and in the second; of an access point that was replaced, also how the
    /// two differ.
    public var changes: [AccessPointFacts.Change] = []
    /// The p-value of the test, where there was one.
    public var pValue: Double?
    /// Why it is not established; `nil` where it is.
    package var doubt: Doubt?

    /// Whether it counts as a difference.
    package var isEstablished: Bool { doubt == nil }
  }

  /// Why a difference may be none.
  package enum Doubt: String, Hashable, Sendable, CaseIterable {
    /// No whole scan of the other source visited the channel.
    case notCovered
    /// There are too few scans for the test to decide.
    case tooFewScans
    /// It was heard too seldom to be distinguished from one at the edge of reception.
    case seldomHeard
  }

  /// Compares two sources.
  ///
  /// - Parameter ignored: kinds of differences that are of no interest. What was replaced is reported as gone and added
  ///   where only ``Kind/replaced`` is ignored.
  public init(_ before: ScanSummary, _ after: ScanSummary, ignoring ignored: Set<Kind> = []) {
    self.before = before
    self.after = after
    let wanted = Set(before.accessPoints.map(\.bssid)).union(after.accessPoints.map(\.bssid)).sorted()
    accessPointCount = wanted.count
    let level = Self.level / Double(max(wanted.count, 1))
    var comparing = Comparing(before: before, after: after, level: level)
    for bssid in wanted { comparing.compare(bssid) }
    if !ignored.contains(.replaced) { comparing.pairReplaced() }
    differences = comparing.differences.filter { !ignored.contains($0.kind) }.sorted { left, right in
      let (a, b) = (left.order, right.order)
      if a.isUnnamed != b.isUnnamed { return b.isUnnamed }
      if a.name != b.name { return a.name.lexicographicallyPrecedes(b.name) }
      return (a.bssid, a.frequencyKHz, a.kind) < (b.bssid, b.frequencyKHz, b.kind)
    }
  }

  /// Whether anything differs for sure.
  public var differs: Bool { differences.contains(where: \.isEstablished) }
}

extension ScanComparison.Difference {
  fileprivate var order: (isUnnamed: Bool, name: [UInt8], bssid: MACAddress, frequencyKHz: Int, kind: Int) {
    (ssid == nil, ssid?.bytes ?? [], bssid, frequencyKHz ?? 0, ScanComparison.Kind.allCases.firstIndex(of: kind) ?? 0)
  }
}

/// A comparison under construction.
private struct Comparing {
  let before: ScanSummary
  let after: ScanSummary
  let level: Double
  var differences: [ScanComparison.Difference] = []

  private let networksBefore: Set<NetworkID>
  private let networksAfter: Set<NetworkID>

  init(before: ScanSummary, after: ScanSummary, level: Double) {
    self.before = before
    self.after = after
    self.level = level
    networksBefore = Set(before.all.filter { before.isThere($0) }.map(\.networkID))
    networksAfter = Set(after.all.filter { after.isThere($0) }.map(\.networkID))
  }

  /// Compares what was heard of an address; by channel, where several send it at once.
  mutating func compare(_ bssid: MACAddress) {
    guard before.hasRivals(bssid) || after.hasRivals(bssid) else { return compare(bssid, frequencyKHz: nil) }
    for frequencyKHz in before.frequenciesKHz(of: bssid).union(after.frequenciesKHz(of: bssid)).sorted() {
      let count = differences.count
      compare(bssid, frequencyKHz: frequencyKHz)
      for index in count..<differences.count { differences[index].frequencyKHz = frequencyKHz }
    }
  }

  private mutating func compare(_ bssid: MACAddress, frequencyKHz: Int?) {
    let old = before.accessPoint(bssid, frequencyKHz: frequencyKHz).flatMap { before.isThere($0) ? $0 : nil }
    let new = after.accessPoint(bssid, frequencyKHz: frequencyKHz).flatMap { after.isThere($0) ? $0 : nil }
    switch (old, new) {
    case (let old?, let new?): compare(old, new)
    case (let old?, nil): miss(old, .gone, there: before, missing: after, others: networksAfter)
    case (nil, let new?): miss(new, .added, there: after, missing: before, others: networksBefore)
    case (nil, nil): break
    }
  }

  private mutating func miss(
    _ accessPoint: ObservedAccessPoint, _ kind: ScanComparison.Kind, there: ScanSummary, missing: ScanSummary, others: Set<NetworkID>
  ) {
    var difference = ScanComparison.Difference(kind: kind, bssid: accessPoint.bssid, ssid: accessPoint.ssid)
    difference.isWholeNetwork = !others.contains(accessPoint.networkID)
    let heard = there.presence(of: accessPoint)
    let missed = missing.coveringScanCount(of: accessPoint)
    let pValue = FisherExactTest.pValue((heard.heard, heard.scans), (0, missed))
    difference.pValue = pValue
    // What the test could say at best of so many scans.
    let best = FisherExactTest.pValue((heard.scans, heard.scans), (0, missed))
    if missed == 0 {
      difference.doubt = .notCovered
      difference.pValue = nil
    } else if best >= level {
      difference.doubt = .tooFewScans
    } else if pValue >= level || heard.heard * 2 < heard.scans {
      difference.doubt = .seldomHeard
    }
    differences.append(difference)
  }

  private mutating func compare(_ old: ObservedAccessPoint, _ new: ObservedAccessPoint) {
    func add(_ kind: ScanComparison.Kind, _ changes: [AccessPointFacts.Change]) {
      guard !changes.isEmpty else { return }
      var difference = ScanComparison.Difference(kind: kind, bssid: old.bssid, ssid: new.ssid ?? old.ssid)
      difference.changes = changes
      differences.append(difference)
    }
    add(.name, Self.nameChanges(old, new))
    add(.moved, Self.channelChanges(old, new))
    let (securityChanges, capabilityChanges) = Self.factChanges(old, new)
    add(.security, securityChanges)
    add(.capabilities, capabilityChanges)
    compareSignals(old, new)
  }

  private static func nameChanges(_ old: ObservedAccessPoint, _ new: ObservedAccessPoint) -> [AccessPointFacts.Change] {
    guard let before = old.ssid, let after = new.ssid, before != after else { return [] }
    return [.init(.ssid, DisplayName.of(before), DisplayName.of(after))]
  }

  static func channelChanges(_ old: ObservedAccessPoint, _ new: ObservedAccessPoint) -> [AccessPointFacts.Change] {
    guard let before = old.announcement?.channel, let after = new.announcement?.channel else { return [] }
    if before.primaryKHz != after.primaryKHz { return [.init(.channel, "\(before)", "\(after)")] }
    if before.width.megahertz != after.width.megahertz || before.width == .mhz80Plus80 || after.width == .mhz80Plus80 {
      if (before.width, before.center0KHz, before.center1KHz) == (after.width, after.center0KHz, after.center1KHz) { return [] }
      return [.init(.widthMHz, "\(before)", "\(after)")]
    }
    return []
  }

  /// What differs of security and capabilities, preferably between frames of one kind.
  static func factChanges(
    _ old: ObservedAccessPoint, _ new: ObservedAccessPoint
  ) -> ([AccessPointFacts.Change], [AccessPointFacts.Change]) {
    for frame in ObservedAccessPoint.Frame.allCases {
      if let before = old.announcement(frame)?.facts, let after = new.announcement(frame)?.facts {
        return (
          AccessPointFacts.securityChanges(before, after),
          AccessPointFacts.capabilityChanges(before, after, fromSameFrames: true)
        )
      }
    }
    guard let before = old.announcement?.facts, let after = new.announcement?.facts else { return ([], []) }
    return (
      AccessPointFacts.securityChanges(before, after), AccessPointFacts.capabilityChanges(before, after, fromSameFrames: false)
    )
  }

  private mutating func compareSignals(_ old: ObservedAccessPoint, _ new: ObservedAccessPoint) {
    guard let before = old.signals.medianMBm, let after = new.signals.medianMBm,
      (after - before).magnitude >= UInt(ScanComparison.leastSignalChangeDB) * 100
    else { return }
    var difference = ScanComparison.Difference(kind: .signal, bssid: old.bssid, ssid: new.ssid ?? old.ssid)
    if min(old.signals.count, new.signals.count) < ScanComparison.leastSignals {
      difference.doubt = .tooFewScans
    } else {
      let pValue = MannWhitneyTest.pValue(old.signals, new.signals)
      difference.pValue = pValue
      // A change that the test does not confirm is what signals do all the time.
      if pValue >= level { return }
    }
    differences.append(difference)
  }

  /// Whether the test says so, however seldom the access point was heard.
  private func isSignificant(_ index: Int) -> Bool { differences[index].pValue.map { $0 < level } ?? false }

  /// Puts together what is gone and what was added under the same name on the same band, the nearest channels first.
  mutating func pairReplaced() {
    // One of several senders of an address is no other access point.
    func named(_ kind: ScanComparison.Kind) -> [Int] {
      differences.indices.filter { differences[$0].kind == kind && differences[$0].ssid != nil && differences[$0].frequencyKHz == nil }
    }
    let (gone, added) = (named(.gone), named(.added))
    func channel(_ index: Int, _ summary: ScanSummary) -> Channel? {
      summary.accessPoint(differences[index].bssid)?.announcement?.channel
    }
    var pairs: [(distance: Int, gone: Int, added: Int)] = []
    for old in gone {
      for new in added where differences[old].ssid == differences[new].ssid {
        guard differences[old].isEstablished == differences[new].isEstablished || isSignificant(old) && isSignificant(new),
          let from = channel(old, before), let to = channel(new, after), let band = from.band, band == to.band
        else { continue }
        pairs.append((Int((from.primaryKHz - to.primaryKHz).magnitude), old, new))
      }
    }
    var taken: Set<Int> = []
    for pair in pairs.sorted(by: { ($0.distance, $0.gone, $0.added) < ($1.distance, $1.gone, $1.added) })
    where !taken.contains(pair.gone) && !taken.contains(pair.added) {
      taken.formUnion([pair.gone, pair.added])
      let bssid = differences[pair.added].bssid
      differences[pair.gone].kind = .replaced
      // What was heard in less than half of its scans is gone anyway where its successor is there for sure.
      if differences[pair.added].isEstablished { differences[pair.gone].doubt = nil }
      differences[pair.gone].successor = bssid
      differences[pair.gone].isWholeNetwork = false
      if let old = before.accessPoint(differences[pair.gone].bssid), let new = after.accessPoint(bssid) {
        let (security, capabilities) = Self.factChanges(old, new)
        differences[pair.gone].changes = Self.channelChanges(old, new) + security + capabilities
      }
    }
    let replacing = Set(pairs.filter { taken.contains($0.added) }.map(\.added))
    differences = differences.indices.filter { !replacing.contains($0) }.map { differences[$0] }
  }
}

extension ScanSummary {
  /// Whether an access point was there: what only earlier scans had heard counts where there is one scan alone.
  func isThere(_ accessPoint: ObservedAccessPoint) -> Bool {
    accessPoint.heardScanCount > 0 || accessPoint.partialScanCount > 0 || scanCount == 1
  }

  /// In how many of the whole scans that visited its channel an access point was heard.
  public func presence(of accessPoint: ObservedAccessPoint) -> (heard: Int, scans: Int) {
    let covering = coveringScanCount(of: accessPoint)
    let heard = scanCount == 1 && partialScanCount == 0 ? max(accessPoint.heardScanCount, 1) : accessPoint.heardScanCount
    return (heard, max(covering, heard))
  }
}
