public import Observation
import Observing
public import WiFi

/// The networks that are there now, in order, kept up to date by scans.
///
/// A plain class that belongs to its creator: not `Sendable`, and its methods run in the caller's isolation. The
/// list is observed apart from its rows: a reader of ``ids`` is notified of rows that come, go and move; a reader of
/// ``FoundNetwork/network`` of that network alone. A change costs time in proportion to what changed, however
/// long the list is.
@Observable
public final class FoundNetworksModel {
  /// The order of the rows.
  public let order: NetworkOrder

  /// The number of row changes so far: a reader in `observe` is notified of every change, whatever it is.
  public private(set) var revision = 0

  private var rows = SortedRows<ListedRow>()
  @ObservationIgnored private var networks: [NetworkID: FoundNetwork] = [:]
  @ObservationIgnored private var tracker: NetworkTracker
  /// What is there and too weak for a filter, by the same rule.
  @ObservationIgnored private var tooWeak: NetworkTracker
  @ObservationIgnored private var foundCount = 0
  @ObservationIgnored private var given: GivenNetworks
  @ObservationIgnored private var journal = RowJournal()

  /// Starts with the networks that are given, in this order where the order is ``NetworkOrder/found``.
  ///
  /// No scan has heard them yet: each stays until a scan hears it, and is then like any other; until its source says
  /// that it is lost; or until the rule, counted from the first scan, says so.
  public init(networks: [Network] = [], grouping: Grouping = .network, order: NetworkOrder = .strength, rule: LossRule = LossRule()) {
    self.order = order
    tracker = NetworkTracker(grouping: grouping, rule: rule)
    tooWeak = tracker
    given = GivenNetworks(networks)
    for network in networks where self.networks[network.id] == nil { _ = show(.found(network)) }
    revision = journal.end
  }

  /// Starts with what a first scan heard.
  public convenience init(scan: Scan, grouping: Grouping = .network, order: NetworkOrder = .strength, rule: LossRule = LossRule()) {
    self.init(grouping: grouping, order: order, rule: rule)
    apply(scan)
  }

  /// The number of rows.
  public var count: Int { rows.count }

  /// The identities of the rows, in order.
  ///
  /// Costs time in proportion to their number.
  public var ids: [NetworkID] { rows.map(\.row.id) }

  /// The networks, in order.
  ///
  /// Costs time in proportion to their number; a reader in `observe` is notified of every change.
  public var all: [Network] { rows.map(\.row.network) }

  /// A row by its identity, or `nil` where there is none.
  ///
  /// The row is observed, whether it is there is not: read ``ids`` or ``revision`` for that.
  public subscript(id: NetworkID) -> FoundNetwork? { networks[id] }

  /// What is known of the BSSs of a network, strongest first.
  public func facts(of id: NetworkID) -> [BSSFacts] { tracker.facts(of: id) }

  /// When a network was last heard, as time since boot.
  public func lastHeard(_ id: NetworkID) -> Duration? { tracker.lastHeard(id) }

  /// What happened to the list: enough to bring a picture of it up to date without looking at the rest.
  public enum RowChange: Hashable, Sendable {
    /// A row came, in front of another or at the end.
    case insert(NetworkID, before: NetworkID?)
    /// A row went.
    case remove(NetworkID)
    /// A row changed its place, and perhaps its content.
    case move(NetworkID, before: NetworkID?)
    /// A row changed its content and kept its place.
    case update(NetworkID)
  }

  /// Processes one scan, in place, and says what changed of the networks and of the rows.
  ///
  /// A network that is there and only too weak for a filter (`Scan.tooWeak`) leaves the list as a lost one does,
  /// and is none.
  @discardableResult
  public func apply(_ scan: Scan) -> (networks: [NetworkChange], rows: [RowChange]) {
    var changes = tracker.apply(scan)
    if !given.isEmpty { changes = withGiven(changes, scan) }
    let rows = changes.map(show)
    revision = journal.end
    return (withoutTooWeak(changes, scan), rows)
  }

  /// The changes without the losses of networks that a filter alone leaves out.
  private func withoutTooWeak(_ changes: [NetworkChange], _ scan: Scan) -> [NetworkChange] {
    if scan.tooWeak.isEmpty, tooWeak.count == 0 { return changes }
    var weak = scan
    weak.bss = scan.tooWeak
    _ = tooWeak.apply(weak)
    return changes.filter { if case .lost(let network) = $0 { !isTooWeak(network) } else { true } }
  }

  /// Whether a network that is not listed is there, and only too weak for a filter.
  func isTooWeak(_ network: Network) -> Bool {
    tooWeak[network.id] != nil || network.members.contains { tooWeak.hears($0.bssid) }
  }

  /// The rows that were touched since `revision`, or `nil` where that is too long ago to know.
  func touched(since revision: Int) -> ArraySlice<NetworkID>? { journal.entries(since: revision) }

  /// Where a row stands, or `nil` where there is none.
  func orderKey(of id: NetworkID) -> NetworkOrderKey? { networks[id].map { ListedRow($0, order).key } }

  /// A given network that is heard was there before; one that is not heard may be lost.
  private func withGiven(_ changes: [NetworkChange], _ scan: Scan) -> [NetworkChange] {
    var all: [NetworkChange] = []
    for change in changes {
      guard case .found(let network) = change, given.remove(network.id), let row = networks[network.id] else {
        all.append(change)
        continue
      }
      if row.network != network { all.append(.changed(network, from: row.network)) }
    }
    return all + given.losses(scan, rule: tracker.rule).compactMap { id in networks[id].map { .lost($0.network) } }
  }

  /// Processes every scan of `source` until there are no more.
  ///
  /// - Parameter onChange: called after each scan that changed something.
  /// - Throws: what the source throws.
  public func follow(_ source: any NetworkSource, onChange: ([NetworkChange]) -> Void = { _ in }) async throws {
    while let scan = try await source.nextScan() {
      let changes = apply(scan).networks
      if !changes.isEmpty { onChange(changes) }
    }
  }

  private func show(_ change: NetworkChange) -> RowChange {
    journal.append(change.network.id, count: networks.count)
    switch change {
    case .found(let network):
      let row = FoundNetwork(network, foundIndex: foundCount)
      foundCount += 1
      networks[network.id] = row
      return .insert(network.id, before: rows.insert(ListedRow(row, order))?.row.id)
    case .lost(let network):
      if let row = networks.removeValue(forKey: network.id) { rows.remove(ListedRow(row, order)) }
      return .remove(network.id)
    case .changed(let network, _):
      guard let row = networks[network.id] else { return .update(network.id) }
      let old = ListedRow(row, order)
      row.network = network
      let new = ListedRow(row, order)
      if old == new { return .update(network.id) }
      rows.remove(old)
      return .move(network.id, before: rows.insert(new)?.row.id)
    }
  }
}

/// A row and where it stands.
private struct ListedRow: Comparable {
  let key: NetworkOrderKey
  let row: FoundNetwork

  init(_ row: FoundNetwork, _ order: NetworkOrder) {
    key = NetworkOrderKey(row.network, order: order, foundIndex: row.foundIndex)
    self.row = row
  }

  static func == (left: Self, right: Self) -> Bool { left.key == right.key }
  static func < (left: Self, right: Self) -> Bool { left.key < right.key }
}
