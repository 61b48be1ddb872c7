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
      guard shown[0].signal.percent == Int((row.strength * 100).rounded()), shown[0].signal.bars == row.bars,
        shown[0].isSecured == row.isSecured, shown[0].isJoined == isSelected, !shown[0].isLost, shown[0].accessPointCount == row.count,
        shown[0].isNamed == !row.name.isEmpty, row.name.isEmpty || shown[0].isCalled(PrintableText.escape(row.name))
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
    let there = Set(list.rows.map { PageKey($0.id) })
    let extra = rows.first { !$0.isLost && !$0.isJoined && !there.contains($0.key) }
    return extra.map { "the page lists \($0.name), which is not there" }
  }
}

extension PageRow {
  /// Whether it shows a name; a page makes spaces at its ends visible.
  fileprivate func isCalled(_ text: String) -> Bool { name == text || name.replacing(#"\x20"#, with: " ") == text }
}
