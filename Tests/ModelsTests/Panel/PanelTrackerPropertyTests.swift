import Determinism
import Models
import Simulator
import Testing
import WiFi

/// Differences applied one by one are always the whole projection.
@Suite struct PanelTrackerPropertyTests {
  struct Run: Sendable, CustomTestStringConvertible {
    var seed: UInt64
    var order: NetworkOrder
    var grouping: Grouping
    var testDescription: String { "seed \(seed), \(order), by \(grouping)" }
  }

  static let runs = (0..<4 as Range<UInt64>).flatMap { seed in
    NetworkOrder.allCases.flatMap { order in Grouping.allCases.map { Run(seed: seed, order: order, grouping: $0) } }
  }

  /// Random scans, taps, selections, forgettings and switches; 500 steps each, 8,000 in all.
  @Test(arguments: runs)
  func `applied one by one they are the panel`(run: Run) {
    var stream = RandomStream(seed: run.seed, name: "panel")
    let model = WiFiSettingsModel(
      foundNetworks: FoundNetworksModel(grouping: run.grouping, order: run.order), source: ListSource(),
      joiner: QuickJoiner(), onIssue: { _ in })
    let tracker = PanelTracker(model)
    var panel = Panel()
    for change in tracker.update() { panel.apply(change) }
    var seen = tracker.revision
    for step in 0..<500 {
      // Now and then much happens between two looks, more than the journal keeps.
      let count = stream.bool(1, in: 200) ? 250 : 1 + stream.next(below: 3)
      for part in 0..<count { act(on: model, at: 100_000 * step + 50 * Int(part), &stream) }
      let revision = tracker.revision
      let changes = tracker.update()
      #expect(changes.isEmpty || revision != seen)
      seen = revision
      check(changes, from: panel, to: Panel(model))
      for change in changes { panel.apply(change) }
      guard panel == Panel(model) else {
        Issue.record("step \(step):\n\(panel)\nis not\n\(Panel(model))\nafter \(changes)")
        return
      }
    }
  }

  private func act(on model: WiFiSettingsModel, at time: Int, _ stream: inout RandomStream) {
    let ids = model.foundNetworks.ids
    let some = ids.isEmpty ? nil : ids[Int(stream.next(below: UInt64(ids.count)))]
    switch stream.next(below: 16) {
    case 0: model.wifiToggled(to: !model.isOn)
    case 1: model.selectedNetworkID = some
    case 2: if let some { model.networkTapped(some) }
    case 3: model.destination?.detail?.confirmForgetButtonTapped()
    case 4: model.selectedNetworkID = .network(SSID(Array("N1".utf8)) ?? .wildcard, .personal)
    default:
      var bss: [BSS] = []
      var lost: [MACAddress] = []
      for number in 0..<30 as Range<UInt64> {
        switch stream.next(below: 6) {
        case 0:
          let signal = -100 + Int32(stream.next(below: 70))
          bss.append(makeBSS("N\(number % 11)", number, secured: number % 3 > 0, signalDBm: signal, heard: .seconds(100 + time)))
        case 1: lost.append(MACAddress(0x0200_0000_0000 | number))
        default: break
        }
      }
      var scan = makeScan(bss, end: .seconds(100 + time), completion: .partial(.aborted))
      scan.lost = lost
      model.apply(scan)
    }
  }

  /// No row that is there before and after is removed or inserted, and no row is touched without a change.
  private func check(_ changes: [PanelDiff], from old: Panel, to new: Panel) {
    let before = Dictionary(uniqueKeysWithValues: (old.top + old.networks).map { ($0.id, $0) })
    let after = Dictionary(uniqueKeysWithValues: (new.top + new.networks).map { ($0.id, $0) })
    for change in changes {
      switch change {
      case .insert(let row, _): #expect(before[row.id] == nil && after[row.id] == row)
      case .remove(let id): #expect(before[id] != nil && after[id] == nil)
      case .move(let id, _): #expect(before[id] != nil && after[id] != nil)
      case .update(let row): #expect(before[row.id] != row && after[row.id] == row)
      }
    }
  }
}
