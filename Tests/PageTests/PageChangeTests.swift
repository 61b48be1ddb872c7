import Determinism
import Models
import Observing
import Simulator
import Testing
import ViewFixture
import WiFi

@testable import Page

@Suite struct PageChangeTests {
  /// Fewer in debug, where each takes long.
  #if DEBUG
    private static let seeds: ClosedRange<UInt64> = 1...10
  #else
    private static let seeds: ClosedRange<UInt64> = 1...40
  #endif

  @Test(arguments: seeds)
  func `a change makes of each state the next one`(seed: UInt64) {
    var random = RandomStream(seed: seed, name: "page")
    let fixture = PageFixture()
    var old = fixture.state
    let airs = [SampleAir.home, SampleAir.hostile, SampleAir.many(40), [], Array(SampleAir.many(40).dropFirst(15).reversed())]
    for _ in 0..<40 {
      switch random.next(below: 8) {
      case 0...2:
        let air = airs[Int(random.next(below: UInt64(airs.count)))]
        fixture.hear(air.map { ($0.0, $0.1 - Double(random.next(below: 20))) }, after: Int(random.next(below: 40)) + 1)
      case 3: fixture.act(.filter(["", "blob", "net", "<"][Int(random.next(below: 4))]))
      case 4:
        let criteria = NetworkSort.Criterion.allCases
        fixture.act(.sort(NetworkSort(criteria[Int(random.next(below: UInt64(criteria.count)))], isReversed: random.next(below: 2) == 0)))
      case 5:
        let networks = fixture.viewer.networks
        if !networks.isEmpty { fixture.act(.tap(networks[Int(random.next(below: UInt64(networks.count)))].id)) }
      case 6: fixture.top([.password("abc"), .cancel, .join, .back, .answer(0), .forget][Int(random.next(below: 6))])
      default: fixture.act(.wifi(random.next(below: 4) != 0))
      }
      let new = fixture.state
      var made = old
      PageChange(from: old, to: new).apply(to: &made)
      #expect(made.shows(theSameAs: new), "seed \(seed)")
      #expect(PageChange(from: new, to: new).isEmpty)
      old = new
    }
  }

  @Test func `one signal is one small change, and no row moves for it`() throws {
    let fixture = PageFixture(hearing: SampleAir.many(500))
    let old = fixture.state
    var air = SampleAir.many(500)
    air[7].1 -= 2
    fixture.hear([air[7]], after: 1)
    let change = PageChange(from: old, to: fixture.state)
    #expect(change.rows.count == 1)
    guard case .signal(_, let signal)? = change.rows.first else {
      Issue.record("\(change.rows)")
      return
    }
    #expect(signal.dBm == -39)
    #expect(change.bars.count == 1)
  }

  @Test func `what a filter hides and shows again is not sent again`() {
    let fixture = PageFixture(hearing: SampleAir.many(200))
    let whole = fixture.state
    fixture.act(.filter("network 19"))
    let filtered = fixture.state
    #expect(filtered.rows.count == 11)
    #expect(filtered.hiddenRows.count == 189)
    let hides = PageChange(from: whole, to: filtered).rows
    guard case .hide(let keys)? = hides.first, hides.count == 1 else {
      Issue.record("\(hides)")
      return
    }
    #expect(keys.count == 189)
    // While they are hidden, one changes and one comes.
    var air = SampleAir.many(201)
    air[5].1 -= 3
    fixture.hear([air[5], air[200]], after: 1)
    let later = fixture.state
    let changes = PageChange(from: filtered, to: later).rows
    #expect(changes.count { if case .keep = $0 { true } else { false } } == 1)
    #expect(changes.count { if case .signal = $0 { true } else { false } } == 1)
    #expect(changes.count == 2)
    fixture.act(.filter(""))
    let again = PageChange(from: later, to: fixture.state).rows
    var shown = 0
    for change in again {
      guard case .show(let keys, _) = change else {
        Issue.record("\(change)")
        continue
      }
      shown += keys.count
    }
    #expect(shown == 190)
    #expect(again.count <= 12)
  }

  @Test func `a row that moves is moved alone`() {
    let rows = (0..<9).map { index in row("\(index)") }
    var moved = rows
    moved.insert(moved.remove(at: 7), at: 2)
    #expect(RowChange.changes(from: PageRows(listed: rows), to: PageRows(listed: moved)) == [.move(rows[7].key, before: rows[2].key)])
  }

  private func row(_ name: String) -> PageRow {
    let fixture = PageFixture(hearing: [(.init(name, bssid: 1), -50)])
    return fixture.state.rows[0]
  }

  @Test func `points of a curve are added at its end and dropped at its beginning`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    let old = fixture.state
    fixture.hear(SampleAir.home)
    let change = try #require(PageChange(from: old, to: fixture.state).details)
    guard case .parts(_, .grown(let growths)?, nil) = change else {
      Issue.record("\(change)")
      return
    }
    #expect(growths.map(\.added.count) == [1, 1])
    #expect(growths.map(\.dropped) == [0, 0])
  }

  @Test func `the animation of a transaction goes with its change`() throws {
    let fixture = PageFixture()
    #expect(fixture.feed.event(of: fixture.state, Transaction()) == nil)
    fixture.hear(SampleAir.home)
    var transaction = Transaction(animation: Animation(name: "scan", duration: .milliseconds(600)))
    transaction.cause = "scan"
    let event = try #require(fixture.feed.event(of: fixture.state, transaction))
    let data = try #require(JSONValue(event.data))
    #expect(data["animation"]?["durationMs"]?.integer == 600)
    #expect(data["cause"]?.text == "scan")
    #expect(data["revision"]?.integer == 2)
    #expect(fixture.feed.event(of: fixture.state, transaction) == nil)
  }
}
