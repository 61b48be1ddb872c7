import Models
import Observation
import Synchronization
import Testing
import WiFi

/// A viewer over scans that a test gives.
final class ViewerStage {
  let viewer: Viewer
  var time: Duration = .seconds(100)

  init(
    isOn: Bool = true, selected: NetworkID? = nil, networks: [Network] = [], filter: NetworkFilter = NetworkFilter(),
    sort: NetworkSort = NetworkSort(), cursor: NetworkID? = nil
  ) {
    let settings = WiFiSettingsModel(
      isOn: isOn, foundNetworks: FoundNetworksModel(networks: networks), selectedNetworkID: selected, source: ListSource(),
      joiner: QuickJoiner(), onIssue: { _ in })
    viewer = Viewer(settings, filter: filter, sort: sort, cursor: cursor, now: time)
  }

  /// A complete scan some seconds later.
  func hear(_ heard: [(name: String, number: UInt64, signalDBm: Int32)], after seconds: Int = 10, secured: Bool = true) {
    time += .seconds(seconds)
    take(heard.map { makeBSS($0.name, $0.number, secured: secured, signalDBm: $0.signalDBm, heard: time - .seconds(1)) })
  }

  func take(_ heard: [BSS]) {
    let scan = makeScan(heard, end: time)
    viewer.take(scan)
    viewer.settings.apply(scan)
    viewer.update()
  }

  var names: [String] { viewer.ids.compactMap { viewer[$0]?.network.ssid.description } }

  func id(_ name: String) -> NetworkID { makeNetwork(name).id }
}

@Suite struct ViewerTests {
  @Test func `rows are sorted by signal, the strongest first`() {
    let stage = ViewerStage()
    stage.hear([("Weak", 1, -80), ("Strong", 2, -40), ("Fair", 3, -60)])
    #expect(stage.names == ["Strong", "Fair", "Weak"])
    #expect(stage.viewer.rowCount == 3)
    #expect(stage.viewer[row: 0].network.ssid.description == "Strong")
  }

  @Test func `a row changes its place only where its signal differs by 6 dB from where it was placed`() {
    let stage = ViewerStage()
    stage.hear([("A", 1, -50), ("B", 2, -52)])
    stage.hear([("A", 1, -55), ("B", 2, -52)])
    #expect(stage.names == ["A", "B"])
    #expect(stage.viewer[row: 0].network.signalMBm == -5500)
    // Steps that are small each add up.
    stage.hear([("A", 1, -56), ("B", 2, -52)])
    #expect(stage.names == ["B", "A"])
  }

  /// A row that stands below one that is weaker by 3 dB.
  private func displaced() -> ViewerStage {
    let stage = ViewerStage()
    stage.hear([("A", 1, -50), ("B", 2, -52)])
    stage.hear([("A", 1, -55), ("B", 2, -52)])
    #expect(stage.names == ["A", "B"])
    return stage
  }

  @Test func `rows stand by what is shown while the picture is paused, the highlighted one too, and in every browser`() {
    let stage = displaced()
    stage.viewer.highlight(stage.id("A"))
    let other = Viewer(beside: stage.viewer)
    stage.viewer.pauseTapped()
    #expect(stage.names == ["B", "A"])
    #expect(other.ids == stage.viewer.ids)
    // What changes nonetheless, as by a step in a recording, is placed at once.
    stage.hear([("A", 1, -51), ("B", 2, -52)])
    #expect(stage.names == ["A", "B"])
    #expect(other.ids == stage.viewer.ids)
    // While figures move the list holds still again.
    stage.viewer.pauseTapped()
    stage.viewer.highlight(nil)
    stage.hear([("A", 1, -54), ("B", 2, -52)])
    #expect(stage.names == ["A", "B"])
  }

  @Test func `choosing the order, even the same, places rows by what is shown`() {
    let stage = displaced()
    stage.viewer.sort = NetworkSort()
    #expect(stage.names == ["B", "A"])
  }

  @Test func `when nothing has changed for three intervals rows stand by what is shown`() {
    let stage = displaced()
    stage.viewer.interval = .seconds(12)
    stage.viewer.ticked(at: stage.time + .seconds(35))
    #expect(stage.names == ["A", "B"])
    stage.viewer.ticked(at: stage.time + .seconds(36))
    #expect(stage.names == ["B", "A"])
    // Scans that hear the same do not put it off.
    let next = displaced()
    for _ in 0..<2 { next.hear([("A", 1, -55), ("B", 2, -52)]) }
    #expect(next.names == ["A", "B"])
    next.hear([("A", 1, -55), ("B", 2, -52)])
    #expect(next.names == ["B", "A"])
  }

  @Test func `with a filter by band a row shows and is placed by its strongest BSS on that band`() throws {
    let stage = ViewerStage()
    stage.time += .seconds(10)
    let heard = stage.time
    stage.take([
      makeBSS("Two", 1, signalDBm: -30, heard: heard), makeBSS("Two", 2, signalDBm: -80, frequencyMHz: 5180, heard: heard),
      makeBSS("Two", 3, signalDBm: -85, frequencyMHz: 5500, heard: heard),
      makeBSS("One", 4, signalDBm: -60, frequencyMHz: 5240, heard: heard),
    ])
    #expect(stage.names == ["Two", "One"])
    stage.viewer.filter.bands = .ghz5
    #expect(stage.names == ["One", "Two"])
    let row = stage.viewer[row: 1]
    #expect(row.listed.signalMBm == -8000 && row.listed.members.map(\.channel.number) == [36, 100] && row.listed.bands == [.ghz5])
    #expect(row.listed.bars == 2 && row.listed.connectivity < row.network.connectivity)
    // What it is stays whole.
    #expect(row.network.signalMBm == -3000 && row.network.members.count == 3)
    #expect(stage.viewer.signals(of: row.id, last: .seconds(10), count: 1) == [-80])
    stage.viewer.filter.minimumSignalDBm = -70
    #expect(stage.names == ["One"])
    // What is heard next is narrowed, too.
    stage.time += .seconds(10)
    stage.take([
      makeBSS("Two", 1, signalDBm: -31, heard: stage.time), makeBSS("Two", 2, signalDBm: -50, frequencyMHz: 5180, heard: stage.time),
      makeBSS("One", 4, signalDBm: -60, frequencyMHz: 5240, heard: stage.time),
    ])
    #expect(stage.names == ["Two", "One"])
    stage.viewer.filter = NetworkFilter()
    #expect(stage.viewer[row: 0].listed == stage.viewer[row: 0].network)
  }

  @Test func `the highlighted row is never moved by its signal, and moves again when it is not`() {
    let stage = ViewerStage()
    stage.hear([("A", 1, -50), ("B", 2, -60)])
    stage.viewer.highlight(stage.id("A"))
    stage.hear([("A", 1, -90), ("B", 2, -60)])
    #expect(stage.names == ["A", "B"])
    stage.viewer.highlight(nil)
    stage.hear([("A", 1, -89), ("B", 2, -60)])
    #expect(stage.names == ["B", "A"])
  }

  @Test func `the highlight stays on its network whatever comes and goes, and on its line`() {
    let stage = ViewerStage()
    stage.hear((1...20).map { ("N\($0)", UInt64($0), Int32(-40 - $0 * 2)) })
    stage.viewer.highlightRow(9, height: 10)
    let id = stage.viewer.cursor
    #expect(stage.viewer.window(height: 10) == 0..<10)
    // Three stronger ones come above it.
    stage.hear((1...20).map { ("N\($0)", UInt64($0), Int32(-40 - $0 * 2)) } + [("X", 31, -20), ("Y", 32, -20), ("Z", 33, -20)])
    #expect(stage.viewer.cursor == id)
    #expect(stage.viewer.window(height: 10) == 3..<13)
    #expect(stage.viewer[row: 12].id == id)
  }

  @Test func `moving the highlight scrolls at the edges only`() {
    let stage = ViewerStage()
    stage.hear((1...20).map { ("N\($0 + 10)", UInt64($0), Int32(-40 - $0 * 2)) })
    let viewer = stage.viewer
    viewer.moveCursor(by: 1, height: 5)
    #expect(viewer.cursor == viewer[row: 0].id)
    viewer.moveCursor(by: 4, height: 5)
    #expect(viewer.window(height: 5) == 0..<5)
    viewer.moveCursor(by: 1, height: 5)
    #expect(viewer.window(height: 5) == 1..<6)
    viewer.moveCursor(by: -4, height: 5)
    #expect(viewer.window(height: 5) == 1..<6)
    viewer.moveCursor(by: -1, height: 5)
    #expect(viewer.window(height: 5) == 0..<5)
    viewer.moveCursor(by: 100, height: 5)
    #expect(viewer.window(height: 5) == 15..<20)
    viewer.highlightEnd(first: true, height: 5)
    #expect(viewer.window(height: 5) == 0..<5)
    // A smaller window keeps the highlighted row in sight.
    viewer.moveCursor(by: 4, height: 5)
    #expect(viewer.window(height: 2).contains(4))
  }

  @Test func `a lost network keeps its row for a minute, marked as lost, and longer while it is highlighted`() throws {
    let stage = ViewerStage()
    stage.hear([("Here", 1, -50), ("Gone", 2, -60), ("Watched", 3, -70)])
    stage.viewer.highlight(stage.id("Watched"))
    for _ in 0..<4 { stage.hear([("Here", 1, -50)]) }
    #expect(stage.names == ["Here", "Gone", "Watched"])
    #expect(stage.viewer[stage.id("Gone")]?.isLost == true)
    #expect(stage.viewer.networks.map(\.ssid.description) == ["Here"])
    let lostAt = try #require(stage.viewer[stage.id("Gone")]?.lostAt)
    stage.viewer.ticked(at: lostAt + Viewer.lostRowTime - .seconds(1))
    #expect(stage.names == ["Here", "Gone", "Watched"])
    stage.viewer.ticked(at: lostAt + Viewer.lostRowTime)
    #expect(stage.names == ["Here", "Watched"])
    stage.viewer.highlight(nil)
    #expect(stage.names == ["Here"])
  }

  @Test func `a network that is heard again keeps its row`() {
    let stage = ViewerStage()
    stage.hear([("A", 1, -50)])
    for _ in 0..<4 { stage.hear([("B", 2, -50)]) }
    #expect(stage.viewer[stage.id("A")]?.isLost == true)
    stage.hear([("A", 1, -50), ("B", 2, -50)])
    #expect(stage.viewer[stage.id("A")]?.isLost == false)
    #expect(
      stage.viewer.events.all.map { "\($0.kind) \($0.network.ssid)" } == ["found A", "found B", "lost A", "found A"])
  }

  @Test func `the joined network is first, and joining and leaving it are events`() {
    let stage = ViewerStage()
    stage.hear([("A", 1, -50), ("B", 2, -80)])
    stage.viewer.settings.selectedNetworkID = stage.id("B")
    stage.viewer.update()
    #expect(stage.names == ["B", "A"])
    #expect(stage.viewer[row: 0].isJoined)
    stage.viewer.settings.selectedNetworkID = nil
    stage.viewer.update()
    #expect(stage.names == ["A", "B"])
    #expect(stage.viewer.events.suffix(2).map { "\($0.kind) \($0.network.ssid)" } == ["joined B", "left B"])
  }

  @Test func `while Wi-Fi is off there are no rows, and nothing is news when it is on again`() {
    let stage = ViewerStage()
    stage.hear([("A", 1, -50)])
    stage.viewer.settings.isOn = false
    stage.viewer.update()
    #expect(stage.viewer.rowCount == 0)
    #expect(stage.viewer.subject == nil)
    stage.viewer.settings.isOn = true
    stage.viewer.update()
    #expect(stage.names == ["A"])
    #expect(stage.viewer.events.totalCount == 1)
  }

  @Test func `calling update once too often changes nothing, and a viewer of any state shows it at once`() {
    let stage = ViewerStage(
      selected: makeNetwork("B").id, networks: [makeNetwork("A", 1), makeNetwork("B", 2)], filter: NetworkFilter(text: "b"),
      sort: NetworkSort(.name), cursor: makeNetwork("B").id)
    #expect(stage.names == ["B"])
    #expect(stage.viewer.cursor == makeNetwork("B").id)
    let told = Mutex(false)
    withObservationTracking {
      _ = stage.viewer.rowCount
      _ = stage.viewer.events
    } onChange: {
      told.withLock { $0 = true }
    }
    stage.viewer.update()
    #expect(!told.withLock { $0 })
    #expect(stage.viewer.events.totalCount == 0)
  }

  @Test func `details are of the followed network, then of the highlighted, the joined and the first one`() {
    let stage = ViewerStage()
    stage.hear([("A", 1, -50), ("B", 2, -60), ("C", 3, -70)])
    let viewer = stage.viewer
    #expect(viewer.subject == stage.id("A"))
    viewer.settings.selectedNetworkID = stage.id("C")
    viewer.update()
    #expect(viewer.subject == stage.id("C"))
    viewer.highlight(stage.id("B"))
    #expect(viewer.subject == stage.id("B"))
    viewer.followTapped()
    viewer.highlight(stage.id("A"))
    #expect(viewer.subject == stage.id("B"))
    // What the filter hides is not detailed, unless it is followed.
    viewer.followTapped()
    #expect(viewer.followed == nil)
    viewer.filter.text = "c"
    #expect(viewer.subject == stage.id("C"))
  }

  @Test func `a thousand networks are found, filtered and sorted in order`() {
    let stage = ViewerStage()
    stage.hear((1...1000).map { ("Net \($0)", UInt64($0), Int32(-30 - $0 % 60)) })
    #expect(stage.viewer.rowCount == 1000)
    stage.viewer.filter.text = "net 99"
    #expect(stage.viewer.rowCount == 11)
    stage.viewer.filter.text = ""
    stage.viewer.sort = NetworkSort(.name)
    #expect(stage.names.prefix(3) == ["Net 1", "Net 10", "Net 100"])
    stage.viewer.sort.isReversed = true
    #expect(stage.names.first == "Net 999")
    for (index, id) in stage.viewer.ids.enumerated() { #expect(stage.viewer.index(of: id) == index) }
  }
}
