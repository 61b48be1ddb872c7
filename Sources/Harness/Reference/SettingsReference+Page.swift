import Page
import WiFi

extension SettingsReference {
  /// What of a page's list is not as it should be, the first of it, a sentence.
  ///
  /// A page keeps rows that are lost for a while, and sorts them as its controls say.
  func difference(from page: PageState) -> String? {
    guard isOn else { return nil }
    let rows = page.rows + page.hiddenRows
    let byKey = Dictionary(grouping: rows, by: \.key)
    for row in list.rows {
      let shown = byKey[PageKey(row.id), default: []]
      guard shown.count == 1 else { return "the page has \(shown.count) rows of \(row.title)" }
      let isSelected = row.id == selected?.id
      if shown[0].isLinkLost != (isSelected && lost?.name == row.name) {
        return "the page says that the link to \(row) \(shown[0].isLinkLost ? "is lost, and it stands" : "stands, and it is lost")"
      }
      guard shown[0].signal.percent == Int((row.strength * 100).rounded()), shown[0].signal.bars == row.bars,
        shown[0].isSecured == row.isSecured, shown[0].isJoined == isSelected, !shown[0].isLost, shown[0].accessPointCount == row.count,
        shown[0].isNamed == !row.name.isEmpty, row.name.isEmpty || shown[0].isCalled(PrintableText.escape(row.name))
      else { return "where the page should show \(row)\(isSelected ? ", joined" : ""), it shows \(shown[0])" }
      let security = shown[0].security
      if security.hasPrefix("WPA"), security.hasSuffix(" Ent") != (row.family == .enterprise) {
        return "the page says that \(row) is secured by \(security)"
      }
    }
    let there = Set(list.rows.map { PageKey($0.id) })
    let extra = rows.first { !$0.isLost && !$0.isJoined && !there.contains($0.key) }
    return extra.map { "the page lists \($0.name), which is not there" } ?? layerDifference(page)
  }

  /// Everything that lies over the list is on the page as it should be, in order.
  private func layerDifference(_ page: PageState) -> String? {
    var layers = page.layers.map(\.content)[...]
    func asks(_ question: String) -> String? {
      if case .question(question, _, _)? = layers.popFirst() { return nil }
      return "the page should ask “\(question)”"
    }
    switch self.shown {
    case .list: break
    case .sheet(let sheet):
      guard case .sheet(let shown)? = layers.popFirst(), shown.key == PageKey(sheet.row.id), shown.isSecured == sheet.row.isSecured,
        shown.name == PrintableText.shown(sheet.row.name) || sheet.row.name.isEmpty && shown.name == "(unknown)",
        shown.passwordCount == sheet.password.count, shown.isConnecting == (sheet.attempt != nil),
        (shown.failure == nil) == (sheet.failure == nil), shown.failure?.hasPrefix(sheet.failure?.sentence ?? "") ?? true,
        shown.isLost == (list[sheet.row.id] == nil)
      else { return "the sheet of \(sheet.row) is not on the page as it should be" }
      if sheet.hasAlert, let difference = asks("Incorrect password") { return difference }
    case .page(let details):
      let isSelected = details.row.id == selected?.id
      guard layers.popFirst() == .detail(PageKey(details.row.id), canForget: isSelected, isLost: list[details.row.id] == nil) else {
        return "the page of \(details.row) is not on the page as it should be"
      }
      if details.asksToForget, let difference = asks("Forget \(details.row.quoted)?") { return difference }
    case .knownNetworks(let known):
      guard case .known(let list)? = layers.popFirst(), list.isLoading == (known.listing != nil), list.isSaved == known.isSaved,
        list.failure == known.failure.map({ "\($0)" })
      else { return "the list of known networks is not on the page as it should be" }
      if let difference = knownDifference(known, list.rows) { return difference }
      for form in known.pages {
        let shown = layers.popFirst()
        guard case .knownForm(let page)? = shown, form.isShown(by: page, isSheet: false) else {
          return "the page should show \(form) of a known network; it shows \(shown.map { "\($0)" } ?? "nothing")"
        }
        let name = PrintableText.escape(form.network?.ssid.bytes ?? [])
        if form.asksToForget, let difference = asks("Forget “\(name)”?") { return difference }
      }
      if let form = known.sheet {
        let shown = layers.popFirst()
        guard case .knownForm(let sheet)? = shown, form.isShown(by: sheet, isSheet: true) else {
          return "the page should show the sheet of \(form); it shows \(shown.map { "\($0)" } ?? "nothing")"
        }
      }
    }
    return layers.isEmpty ? nil : "more lies over the list of the page than should"
  }

  private func knownDifference(_ known: KnownReference, _ rows: [PageKnownList.Row]) -> String? {
    let isInRange = isInRange
    let expected = known.rows(inRange: isInRange)
    if rows.map(\.key) != expected.map({ PageKnownKey($0.id) }) { return "the known networks stand on the page in another order" }
    for (row, network) in zip(rows, expected) {
      guard row.name == PrintableText.shown(network.ssid.bytes), row.priority == network.priority, row.isHidden == network.isHidden,
        row.joinsAutomatically == network.joinsAutomatically, row.isJoined == network.isJoined, row.isInRange == isInRange(network)
      else { return "where the page should show \(network.ssid) among the known networks, it shows \(row)" }
    }
    return nil
  }
}

extension PageRow {
  /// Whether it shows a name; a page makes spaces at its ends visible.
  fileprivate func isCalled(_ text: String) -> Bool { name == text || name.replacing(#"\x20"#, with: " ") == text }
}

extension KnownReference.Form {
  /// Whether a form of a page shows what is in its fields, what it waits for, and what went wrong.
  fileprivate func isShown(by shown: PageKnownForm, isSheet: Bool) -> Bool {
    let name = network.map { PrintableText.shown($0.ssid.bytes) } ?? ""
    let title = !isSheet ? name : network == nil ? "Add a known network" : "Duplicate “\(name)”"
    let problem = failure.map { "\($0)" } ?? (isGone ? "This network is not known any more." : nil)
    return shown.isSheet == isSheet && shown.title == title && shown.passwordCount == fields.password.count
      && shown.security == fields.security && shown.priority == fields.priority && shown.isHidden == fields.isHidden
      && shown.joinsAutomatically == fields.joinsAutomatically && shown.name == (isSheet ? fields.name : nil)
      && shown.isSaving == (waiting != .nothing) && (waiting != .nothing || shown.status == problem)
  }
}
