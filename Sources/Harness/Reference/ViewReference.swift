import Models
import Page
import WiFi

/// What the views show beside the models: how many scans there were, the rows of lost networks, and events.
struct ViewReference {
  /// When each network was lost whose row is kept.
  private var lost: [NetworkID: Duration] = [:]
  /// The rows as they were seen last, also of the lost.
  private(set) var rows: [NetworkID: ReferenceRow] = [:]
  private var there: Set<NetworkID> = []
  /// The rows that were highlighted: each of them keeps its place until it changes.
  private var held: Set<NetworkID> = []
  /// The time of the viewer at the moment before.
  private var before: Duration = .zero
  private var eventCount = 0
  /// A second viewer of the same networks, which comes when a row is marked as lost.
  private var second: Viewer?

  /// What of a viewer is not as it should be, the first of it, a sentence.
  ///
  /// - Parameters:
  ///   - page: what the page shows, where there is one.
  ///   - switchWasMoved: whether Wi-Fi was switched since the moment before.
  mutating func difference(from viewer: Viewer, _ page: PageState?, _ reference: SettingsReference, switchWasMoved: Bool) -> String? {
    if viewer.status.count != reference.scanCount {
      return "the header counts \(viewer.status.count) scans; it should be \(reference.scanCount)"
    }
    let ids = page?.rows.map(\.key.id) ?? viewer.ids
    return eventDifference(viewer, reference) ?? lostRowDifference(viewer, reference, switchWasMoved) ?? secondDifference(viewer)
      ?? filterDifference(Set(ids), reference) ?? orderDifference(ids, viewer.cursor, reference)
  }

  /// What is called as the filter says is listed; what is not may have an access point with such an address.
  private func filterDifference(_ ids: Set<NetworkID>, _ reference: SettingsReference) -> String? {
    guard reference.isOn, !reference.filter.isEmpty else { return nil }
    let text = reference.filter.lowercased()
    for row in reference.list.rows where !row.name.isEmpty {
      let isCalled = String(decoding: row.name, as: UTF8.self).lowercased().contains(text)
      if isCalled, !ids.contains(row.id) { return "the view lists what contains “\(text)”, and not \(row)" }
      if !isCalled, text.contains(where: { !$0.isHexDigit && $0 != ":" }), ids.contains(row.id) {
        return "the view lists what contains “\(text)”, and \(row), which does not"
      }
    }
    return nil
  }

  /// The selected row is the first; of the others none stands above one that is stronger by 12 dB: it moves where its
  /// signal is another by 6 dB, and so does the other.
  mutating func orderDifference(_ ids: [NetworkID], _ cursor: NetworkID?, _ reference: SettingsReference) -> String? {
    if let cursor { held.insert(cursor) }
    for row in reference.list.rows { rows[row.id] = row }
    guard reference.isOn, reference.sort == .signal, reference.filter.isEmpty || !ids.isEmpty else { return nil }
    if let selected = reference.selected, reference.filter.isEmpty, ids.first != selected.id {
      return "\(selected.title) is selected, and its row is not the first"
    }
    var weakest: ReferenceRow?
    for id in ids where id != reference.selected?.id && !held.contains(id) {
      guard let row = reference.list[id] else { continue }
      if let weakest, row.strength - weakest.strength > 0.2 { return "\(row) stands below \(weakest)" }
      if row.strength < weakest?.strength ?? 2 { weakest = row }
    }
    return nil
  }

  private mutating func eventDifference(_ viewer: Viewer, _ reference: SettingsReference) -> String? {
    defer { eventCount = viewer.events.totalCount }
    let fresh = viewer.events.since(eventCount)
    let selected = reference.selected?.id
    if let joined = fresh.last(where: { $0.kind == .joined }), joined.network.id != selected, selected != nil {
      return "an event says that \(joined.network.ssid) was joined; selected is \(reference.selected?.title ?? "nothing")"
    }
    if let left = fresh.last(where: { $0.kind == .left }), left.network.id == selected {
      return "an event says that \(left.network.ssid) was left, which is selected"
    }
    for event in fresh {
      guard case .changed(let text) = event.kind, text.contains(" access points") else { continue }
      if !text.contains("→ \(event.network.members.count) access points") {
        return "an event says “\(text)”; \(event.network.ssid) has \(event.network.members.count)"
      }
    }
    return nil
  }

  /// The second viewer has the rows of the first, but for those of lost networks that only the first highlights or
  /// follows.
  private mutating func secondDifference(_ viewer: Viewer) -> String? {
    let rows = viewer.ids.compactMap { viewer[$0] } + viewer.hiddenRows
    if second == nil, rows.contains(where: \.isLost) { second = Viewer(beside: viewer) }
    guard let second else { return nil }
    if let row = second.ids.lazy.compactMap({ second[$0] }).first(where: { viewer[$0.id]?.isLost != $0.isLost }) {
      return "a second viewer lists \(row.network.ssid)\(row.isLost ? " as lost" : ""), and the first does not"
    }
    let missing = rows.first { !$0.isLost && second[$0.id] == nil }
    return missing.map { "a second viewer does not list \($0.network.ssid), and the first does" }
  }

  /// A row stays for a minute after its network was lost, and longer where it is highlighted, followed or selected.
  private mutating func lostRowDifference(_ viewer: Viewer, _ reference: SettingsReference, _ switchWasMoved: Bool) -> String? {
    let now = Set(reference.list.rows.map(\.id))
    defer { (there, before) = (now, viewer.now) }
    guard reference.isOn, !switchWasMoved else {
      lost = [:]
      return nil
    }
    for id in now { lost[id] = nil }
    // A user may have looked between the scan that lost it and this moment.
    for id in there.subtracting(now) { lost[id] = viewer[id]?.lostAt.map { max($0, before) } ?? viewer.now }
    for (id, time) in lost.sorted(by: { $0.key < $1.key }) {
      let isKept = viewer.now - time < .seconds(60) || [viewer.cursor, viewer.followed, reference.selected?.id].contains(id)
      if isKept != (viewer[id] != nil) { return "the row of \(id), which was lost, should \(isKept ? "" : "not ")be there" }
      if !isKept { lost[id] = nil }
    }
    return nil
  }
}
