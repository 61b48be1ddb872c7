import Models
import Page
import WiFi

extension SettingsReference {
  /// What of a page's list is not as it should be, the first of it, a sentence.
  ///
  /// A page keeps rows that are lost for a while, and sorts them as its controls say.
  func difference(from page: PageState) -> String? {
    guard isOn else { return nil }
    let rows = page.rows + page.hiddenRows
    for row in list.rows {
      let shown = rows.filter { $0.key == PageKey(row.id) }
      guard shown.count == 1 else { return "the page has \(shown.count) rows of \(row.title)" }
      let isSelected = row.id == selected?.id
      guard shown[0].signal.percent == Int((row.strength * 100).rounded()), shown[0].signal.bars == row.bars,
        shown[0].isSecured == row.isSecured, shown[0].isJoined == isSelected, !shown[0].isLost, shown[0].accessPointCount == row.count,
        shown[0].isNamed == !row.name.isEmpty, row.name.isEmpty || shown[0].name == PrintableText.escape(row.name)
      else { return "where the page should show \(row)\(isSelected ? ", joined" : ""), it shows \(shown[0])" }
      let security = shown[0].security
      if security.hasPrefix("WPA"), security.hasSuffix(" Ent") != row.isEnterprise {
        return "the page says that \(row) is secured by \(security)"
      }
    }
    if case .sheet(let sheet) = self.shown {
      guard case .sheet(let shown)? = page.layers.first?.content, shown.key == PageKey(sheet.row.id),
        shown.passwordCount == sheet.password.count, shown.isConnecting == (sheet.attempt != nil),
        (shown.failure == nil) == (sheet.failure == nil), shown.isLost == (list[sheet.row.id] == nil)
      else { return "the sheet of \(sheet.row) is not on the page as it should be" }
    }
    let extra = rows.first { row in !row.isLost && !list.rows.contains { row.key == PageKey($0.id) } && !row.isJoined }
    return extra.map { "the page lists \($0.name), which is not there" }
  }
}

/// What the views show beside the models: how many scans there were, the rows of lost networks, and events.
struct ViewReference {
  /// When each network was lost whose row is kept.
  private var lost: [NetworkID: Duration] = [:]
  private var there: Set<NetworkID> = []
  /// The time of the viewer at the moment before.
  private var before: Duration = .zero
  private var eventCount = 0

  /// What of a viewer is not as it should be, the first of it, a sentence.
  ///
  /// - Parameter switchWasMoved: whether Wi-Fi was switched since the moment before.
  mutating func difference(from viewer: Viewer, _ reference: SettingsReference, switchWasMoved: Bool) -> String? {
    if viewer.status.count != reference.scanCount {
      return "the header counts \(viewer.status.count) scans; it should be \(reference.scanCount)"
    }
    return eventDifference(viewer, reference) ?? lostRowDifference(viewer, reference, switchWasMoved)
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
