public import Observation
public import WiFi

/// All that a viewer of the Wi-Fi settings has chosen and seen, and that a view must not hold: filter, order,
/// highlighted row, what is followed and shown, and the history behind the list.
///
/// A plain class that belongs to its creator and knows no view: a terminal and a page can share one. It is brought
/// up to date by ``update()``, which ``ViewedSource`` calls after each scan; its time is that of the scans. A change of
/// one network costs the same however long the list is, but for the shift of an array.
///
/// - The list holds still while signals change: see ``rowCount``.
/// - The highlighted row is a network, not a place: whatever comes, goes or moves, it stays highlighted.
/// - A lost network keeps its row, marked as lost, for ``lostRowTime``; the highlighted, the followed and the joined
///   one for as long as they are that.
@Observable
public final class Viewer {
  /// What can be shown beside or over the list.
  public enum Layer: String, Hashable, Sendable, CaseIterable {
    /// Which part of each band is occupied.
    case channels
    /// What happened.
    case events
    /// The keys.
    case help
  }

  /// How long a lost network keeps its row.
  public static let lostRowTime: Duration = .seconds(60)
  /// The limits of ``interval``.
  public static let intervalRange: ClosedRange<Duration> = .milliseconds(100) ... .seconds(3600)

  /// The models behind the list; other ones begin a new list and a new history, as when a recording is wound back.
  public private(set) var settings: WiFiSettingsModel
  /// What is shown beside or over the list; `nil` is the list.
  public var layer: Layer?
  /// What is known of the last attempt to join beyond what its sheet says: how far it has come, or why it failed.
  public var joinNote: String?
  /// The network whose details stay, whichever row is highlighted.
  public private(set) var followed: NetworkID?
  /// The highlighted row; it may be hidden by the filter.
  public private(set) var cursor: NetworkID?
  /// The line of the list that the highlighted row is on, counted from the first visible one.
  package internal(set) var cursorLine: Int
  /// The known network that was highlighted last; see ``knownCursor(in:)``.
  var chosenKnown: KnownNetwork.ID?
  /// What all viewers of these networks share.
  let scans: ViewedScans

  var rows: ViewedRows
  /// Whether it records what happens; the viewers beside it look at that.
  @ObservationIgnored private let isRecorder: Bool
  @ObservationIgnored private var foundRevision: Int?
  @ObservationIgnored private var joined: NetworkID?
  /// What is known of rows, and since when.
  @ObservationIgnored private var rest: (version: Int, since: Duration) = (0, .zero)
  /// The rows of lost networks, in the order they were lost.
  @ObservationIgnored private var lost: [NetworkID] = []
  @ObservationIgnored private var wasOn = false
  /// The joined network, and the access point of it that the kernel was with last.
  @ObservationIgnored private var association: (id: NetworkID, address: MACAddress)?
  /// Whether the association was lost, and not joined again.
  @ObservationIgnored private var hasLostAssociation = false
  @ObservationIgnored private var knownOccupancies: (version: Int, occupancies: [ChannelOccupancy])?

  /// Makes a viewer in any state.
  ///
  /// - Parameters:
  ///   - now: the time now, as time since boot, which ``ticked(at:)`` and scans bring forward.
  public init(
    _ settings: WiFiSettingsModel, filter: NetworkFilter = NetworkFilter(), sort: NetworkSort = NetworkSort(),
    cursor: NetworkID? = nil, followed: NetworkID? = nil, layer: Layer? = nil, isPaused: Bool = false,
    interval: Duration = .seconds(10), status: ScanStatus = ScanStatus(), history: SignalHistory = SignalHistory(),
    events: NetworkEvents = NetworkEvents(), now: Duration = .zero, timeStyle: TimeStyle = TimeStyle(),
    joinsOpenNetworks: Bool = false
  ) {
    self.settings = settings
    self.layer = layer
    scans = ViewedScans(
      isPaused: isPaused, interval: interval, status: status, history: history, events: events, now: now, timeStyle: timeStyle,
      joinsOpenNetworks: joinsOpenNetworks)
    isRecorder = true
    self.cursor = cursor
    self.followed = followed
    cursorLine = 0
    rows = ViewedRows(filter: filter, sort: sort)
    rows.held = cursor
    rows.isAtRest = isPaused
    scans.add(self)
    update()
  }

  /// Makes another viewer of the same networks: what its user chooses and opens is its own; scans, history and events
  /// are those of `other`, which is kept up to date.
  public init(beside other: Viewer) {
    settings = WiFiSettingsModel(beside: other.settings)
    scans = other.scans
    isRecorder = false
    cursorLine = 0
    rows = other.rows
    rows.held = nil
    rows.setFilter(NetworkFilter())
    rows.setSort(NetworkSort())
    (foundRevision, joined, lost, wasOn) = (other.foundRevision, other.joined, other.lost, other.wasOn)
    scans.add(self)
    update()
  }

  // MARK: Filter and order

  /// Which networks are listed.
  public var filter: NetworkFilter {
    get { rows.filter }
    set { if newValue != rows.filter { rows.setFilter(newValue) } }
  }

  /// What the rows are sorted by; choosing it, even once more, places every row by what is shown of it.
  public var sort: NetworkSort {
    get { rows.sort }
    set { if newValue != rows.sort || rows.isDisplaced { rows.setSort(newValue) } }
  }

  /// Places every row by what is shown of it, as for a picture that stays.
  public func settle() { if rows.isDisplaced { rows.settle() } }

  // MARK: The list

  /// The number of rows that pass the filter.
  ///
  /// The joined network is the first. Another row changes its place only where its signal differs by 6 dB or more from
  /// that by which it was placed, and never while it is highlighted. While the picture is paused, and when nothing has
  /// changed for three intervals, or 30 s where that is longer, all rows stand by what is shown of them.
  public var rowCount: Int { rows.count }

  /// The rows that the filter hides, in the order they were found; costs time in proportion to their number.
  public var hiddenRows: [ViewedRow] { rows.hiddenRows }

  /// Another number after each change of what is known of a row, listed or not.
  public var rowsRevision: Int { rows.version }

  /// The number of rows, filtered or not.
  public var totalCount: Int { rows.totalCount }

  /// A row by its place among those that pass the filter.
  ///
  /// - Precondition: there is one.
  public subscript(row index: Int) -> ViewedRow { rows[index] }

  /// A row by its network, listed or not.
  public subscript(id: NetworkID) -> ViewedRow? { rows[id] }

  /// Where a network stands; `nil` where it is not listed.
  public func index(of id: NetworkID) -> Int? { rows.index(of: id) }

  /// The identities of the rows, in order; costs time in proportion to their number.
  public var ids: [NetworkID] { rows.ids }

  /// Every network that is there, listed or not, in order of identity; costs time in proportion to their number.
  public var networks: [Network] { presentNetworks().sorted { $0.id < $1.id } }

  /// What the networks that are there occupy of 2.4, 5 and 6 GHz; a band without any access point is left out.
  ///
  /// Costs time in proportion to the networks where one of them changed since the last time.
  public var occupancies: [ChannelOccupancy] {
    let version = rows.version
    if let known = knownOccupancies, known.version == version { return known.occupancies }
    let networks = presentNetworks()
    let occupancies = [Band.ghz2_4, .ghz5, .ghz6].map { ChannelOccupancy(networks, band: $0) }.filter { !$0.bars.isEmpty }
    knownOccupancies = (version, occupancies)
    return occupancies
  }

  /// Unordered.
  private func presentNetworks() -> [Network] { rows.allRows.filter { !$0.isLost }.map(\.network) }

  // MARK: What a user does

  /// Highlights a row.
  public func highlight(_ id: NetworkID?) {
    guard id != cursor else { return }
    cursor = id
    rows.held = id
    // The row that was held is placed by what it is now as soon as it changes; until then it keeps its place.
    dropLost()
  }

  /// Keeps the details of the highlighted network, or lets them go where they are kept.
  public func followTapped() {
    let wanted = subject
    followed = followed == nil || followed != wanted ? wanted : nil
    dropLost()
  }

  /// Taps the row of a network: joins it, or shows the joined one.
  ///
  /// - Returns: why it cannot be joined, ``joinHint``, where it cannot; `nil` where it can.
  @discardableResult
  public func rowTapped(_ id: NetworkID) -> String? {
    if let joinHint, id != settings.selectedNetworkID { return joinHint }
    joinNote = nil
    if joinsOpenNetworks, settings.isOn, id != settings.selectedNetworkID, let network = settings.foundNetworks[id]?.network,
      !network.isSecured
    {
      settings.destination = .connect(settings.connectModel(to: network))
    } else {
      settings.networkTapped(id)
    }
    return nil
  }

  /// Pauses, or continues.
  public func pauseTapped() { isPaused.toggle() }

  /// Shows a layer, or hides it where it is shown.
  public func layerTapped(_ layer: Layer) { self.layer = self.layer == layer ? nil : layer }

  /// Whether there is a switch to move: Wi-Fi is not on without an adapter.
  public var hasAdapter: Bool { !settings.isOn || status.phase != .absent }

  /// Why no scan begins though one is wanted now; `nil` where one does.
  package var scanHint: String? {
    if !settings.isOn { return "Wi-Fi is off; nothing is scanned until it is on." }
    return isPaused ? "Paused: nothing is scanned until it goes on." : nil
  }

  /// What limits the view though it works: of the radio, of scanning, and of what is heard of the association.
  public var note: String? {
    let notes = [settings.radioProblem?.description, status.note, associationNote].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: " ")
  }

  /// The network that details are shown of: the followed, or of those that are listed the highlighted, the joined, the
  /// first.
  public var subject: NetworkID? {
    if let followed, rows[followed] != nil { return followed }
    for id in [cursor, settings.selectedNetworkID] { if let id, rows.index(of: id) != nil { return id } }
    return rows.count > 0 ? rows[0].id : nil
  }

  // MARK: What happens

  /// Processes what a scan says of signals and of scanning; its networks come with ``update()``.
  public func take(_ scan: Scan) {
    scans.history.record(scan)
    scans.status.take(scan)
    scans.now = scan.end
  }

  /// The time is `now`, as time since boot; an earlier one than known is ignored.
  public func ticked(at time: Duration) {
    guard time > now else { return }
    scans.now = time
    for viewer in scans.viewers {
      viewer.dropLost()
      viewer.settleAtRest()
    }
  }

  /// Processes what an observer reports of the association, and shows it among the events, until the task is cancelled.
  public func followAssociation(_ observer: any AssociationObserver) async {
    await observer.follow { [weak self] event in
      if !Task.isCancelled { self?.take(event) }
    }
  }

  /// Processes one thing that happened to the association.
  public func take(_ event: AssociationEvent) {
    let before = events.totalCount
    let selected = settings.selectedNetworkID
    settings.apply(event)
    update()
    guard settings.isOn else { return }
    // The joined network is meant where several have the name.
    let named = settings.selectedNetwork.flatMap { $0.ssid == event.ssid ? $0 : nil }
    guard let network = named ?? settings.foundNetworks.all.first(where: { $0.ssid == event.ssid }) else { return }
    switch event {
    case .joined:
      // A network that this selects, or the sheet that joins it, is an event of its own; the first report of an
      // association that is observed from now on is none.
      if events.totalCount == before, settings.selectedNetworkID == selected, hasLostAssociation, named != nil { append(.joined, network) }
      hasLostAssociation = false
    case .roamed(_, let from, let to, let reason): append(.roamed(from: from, to: to, reason), network)
    case .lost(_, let loss):
      hasLostAssociation = true
      append(.disconnected(loss), network)
    }
  }

  /// Records the access point of the joined network that the kernel is associated with, or none; another one than
  /// before is a roam, unless an observer has reported it.
  public func associated(with address: MACAddress?, isWatched: Bool) {
    let before = association
    association = settings.selectedNetworkID.flatMap { id in address.map { (id, $0) } }
    guard !isWatched, let before, let now = association, before.id == now.id, before.address != now.address,
      let ssid = settings.selectedNetwork?.ssid
    else { return }
    take(.roamed(ssid, from: before.address, to: now.address, .unknown))
  }

  private func append(_ kind: NetworkEvents.Event.Kind, _ network: Network) { scans.events.append(.init(kind, network, at: now)) }

  /// Starts again with other models, and keeps what the user has chosen.
  public func restart(_ settings: WiFiSettingsModel, at time: Duration) {
    for viewer in scans.viewers {
      viewer.settings = viewer === self ? settings : WiFiSettingsModel(beside: settings)
      viewer.rows.removeAll()
      viewer.lost = []
      viewer.foundRevision = nil
      viewer.joined = nil
      viewer.wasOn = false
    }
    scans.history = SignalHistory(capacity: history.capacity, maximumCount: history.maximumCount)
    scans.events = NetworkEvents(capacity: events.capacity)
    scans.now = time
    status = ScanStatus(interface: status.interface, source: status.source, country: status.country)
    update()
  }

  /// Processes what changed of the models since the last time, here and in every viewer of the same networks.
  ///
  /// Costs time in proportion to what changed. Calling it once too often changes nothing.
  public func update() { for viewer in scans.viewers { viewer.updateRows() } }

  private func updateRows() {
    let found = settings.foundNetworks
    let isOn = settings.isOn
    defer { wasOn = isOn }
    guard isOn else {
      if wasOn || rows.totalCount > 0 { rows.removeAll() }
      lost = []
      foundRevision = nil
      return
    }
    let revision = found.revision
    if let known = foundRevision, let touched = found.touched(since: known) {
      for id in touched { place(id, isNews: true) }
    } else {
      // A list that was there before the first update has no news.
      let isNews = foundRevision != nil
      for id in rows.allRows.map(\.id).sorted() where found[id] == nil { place(id, isNews: isNews) }
      for id in found.ids { place(id, isNews: isNews) }
    }
    foundRevision = revision
    let selection = settings.selectedNetworkID
    if selection != joined {
      let old = joined
      joined = selection
      for (id, kind) in [(old, NetworkEvents.Event.Kind.left), (selection, .joined)] {
        guard let id else { continue }
        place(id, isNews: true)
        if wasOn, isRecorder, let row = rows[id] { append(kind, row.network) }
      }
    } else if let selection {
      place(selection, isNews: false)
    }
    dropLost()
    settleAtRest()
  }

  /// Settles the order as soon as nothing has changed for long enough.
  private func settleAtRest() {
    if rest.version != rows.version { rest = (rows.version, now) }
    if now - rest.since >= max(.seconds(30), interval * 3) { settle() }
  }

  private func place(_ id: NetworkID, isNews: Bool) {
    let isNews = isNews && isRecorder
    let old = rows[id]
    let isJoined = id == settings.selectedNetworkID
    let associationLoss = isJoined ? settings.associationLoss : nil
    if let network = settings.foundNetworks[id]?.network {
      let row = ViewedRow(network, isJoined: isJoined, associationLoss: associationLoss)
      guard row != old else { return }
      rows.set(row)
      if old?.isLost != false { lost.removeAll { $0 == id } }
      guard isNews else { return }
      if let old, !old.isLost {
        if let difference = NetworkEvents.difference(from: old.network, to: network) { append(.changed(difference), network) }
      } else {
        append(.found, network)
      }
    } else if let network = old?.network ?? (isJoined ? settings.selectedNetwork : nil) {
      let isTooWeak = settings.foundNetworks.isTooWeak(network)
      if isTooWeak, !isJoined { return leaveOut(id) }
      let row = ViewedRow(
        network, isJoined: isJoined, associationLoss: associationLoss, lostAt: isTooWeak ? nil : old?.lostAt ?? now)
      guard row != old else { return }
      rows.set(row)
      guard row.isLost, old?.isLost != true else { return }
      lost.append(id)
      if isNews { append(.lost, network) }
    }
  }

  /// Removes the row of a network that is there and not to be listed; a highlight goes to the next row.
  private func leaveOut(_ id: NetworkID) {
    let index = rows.index(of: id)
    rows.remove(id)
    lost.removeAll { $0 == id }
    if id == cursor, let index, rows.count > 0 { highlight(rows[min(index, rows.count - 1)].id) }
  }

  /// Removes the rows of networks that were lost long enough ago and whose details are not shown.
  private func dropLost() {
    guard !lost.isEmpty else { return }
    let (now, selection) = (now, settings.selectedNetworkID)
    let gone = lost.filter { id in
      guard let lostAt = rows[id]?.lostAt else { return true }
      return now - lostAt >= Self.lostRowTime && id != cursor && id != followed && id != selection
    }
    guard !gone.isEmpty else { return }
    for id in gone { rows.remove(id) }
    lost.removeAll { gone.contains($0) }
  }
}
