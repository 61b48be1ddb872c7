import Determinism
import Harness
import Models
import Simulator
import Testing
import WiFi

/// The list that looks rows up is the one that goes through them.
@Suite struct HeadlessPanelTests {
  /// Fewer in debug, where each takes seconds.
  #if DEBUG
    private static let seeds: Range<UInt64> = 0..<2
  #else
    private static let seeds: Range<UInt64> = 0..<8
  #endif

  /// Random differences of a list that grows to some thousand rows and shrinks again.
  @Test(arguments: seeds)
  func `differences make the same list as in a plain panel`(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "headless panel")
    var screen = HeadlessPanel()
    var panel = Panel()
    for step in 0..<4000 {
      let change = difference(panel, number: UInt64(step), grows: step < 2500, &stream)
      screen.apply(change)
      panel.apply(change)
      guard step % 50 == 0 || step > 3900 else { continue }
      #expect(screen.panel == panel, "step \(step)")
      for row in panel.networks.prefix(3) + panel.networks.suffix(3) + panel.top { #expect(screen[row.id] == row) }
    }
    #expect(screen[.network(.bss(MACAddress(1 << 40)))] == nil)
  }

  /// That there is a row twice is for a property to see, so the list must bear it.
  @Test func `a row may come twice`() {
    var screen = HeadlessPanel()
    var panel = Panel()
    let twice = row(1, bars: 2)
    let changes: [PanelDiff] = [
      .insert(.wifi(isOn: true), at: .init(.top)), .insert(twice, at: .init(.networks)),
      .insert(row(2, bars: 1), at: .init(.networks)), .insert(twice, at: .init(.networks)), .insert(twice, at: .init(.top)),
      .update(row(1, bars: 4)), .remove(twice.id), .move(twice.id, to: .init(.networks)), .insert(row(3, bars: 0), at: .init(.networks)),
    ]
    for change in changes {
      screen.apply(change)
      panel.apply(change)
      #expect(screen.panel == panel)
      #expect(screen[twice.id] == (panel.top + panel.networks).first { $0.id == twice.id })
    }
  }

  @Test func `a row stands before the next one, and no move before itself changes that`() {
    var screen = HeadlessPanel()
    let rows = (1...3).map { row(UInt64($0), bars: 4 - $0) }
    for row in rows { screen.apply(.insert(row, at: .init(.networks))) }
    #expect(screen.stands(rows[0].id, at: .init(.networks, before: rows[1].id)))
    #expect(screen.stands(rows[0].id, at: .init(.networks, before: rows[0].id)))
    #expect(screen.stands(rows[2].id, at: .init(.networks)))
    #expect(!screen.stands(rows[0].id, at: .init(.networks, before: rows[2].id)))
    #expect(!screen.stands(rows[0].id, at: .init(.networks)))
  }

  private func difference(_ panel: Panel, number: UInt64, grows: Bool, _ stream: inout RandomStream) -> PanelDiff {
    let rows = panel.top + panel.networks
    func some() -> PanelRow? { rows.isEmpty ? nil : rows[Int(stream.next(below: UInt64(rows.count)))] }
    /// A place that is not before the row itself.
    func place(_ id: PanelRow.ID?) -> PanelDiff.Place {
      let isTop = panel.top.count < 3 && stream.bool(1, in: 20)
      let others = (isTop ? panel.top : panel.networks).filter { $0.id != id }
      let before = others.isEmpty || stream.bool(1, in: 4) ? nil : others[Int(stream.next(below: UInt64(others.count)))].id
      return .init(isTop ? .top : .networks, before: before)
    }
    guard let row = some(), !stream.bool(grows ? 3 : 1, in: 5) else {
      return .insert(self.row(number, bars: 0), at: place(nil))
    }
    switch stream.next(below: grows ? 3 : 5) {
    case 0: return .move(row.id, to: place(row.id))
    case 1:
      guard case .network(let old) = row, case .bss(let bssid) = old.id else { return .update(row) }
      return .update(self.row(bssid.value, bars: (old.bars + 1) % 5))
    default: return .remove(row.id)
    }
  }

  private func row(_ number: UInt64, bars: Int) -> PanelRow {
    let bssid = MACAddress(number)
    let facts = BSSFacts(BSS(bssid: bssid, frequencyMHz: 2412, capability: 0, informationElements: []))
    var row = NetworkRow(Network(id: .bss(bssid), of: [facts]))
    row.bars = bars
    return .network(row)
  }
}
