import Models
import Observation
import Synchronization
import Testing
import WiFi

/// A viewer over scans that a test gives.
final class ViewerFixture {
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
    let fixture = ViewerFixture()
    fixture.hear([("Weak", 1, -80), ("Strong", 2, -40), ("Fair", 3, -60)])
    #expect(fixture.names == ["Strong", "Fair", "Weak"])
    #expect(fixture.viewer.rowCount == 3)
    #expect(fixture.viewer[row: 0].network.ssid.description == "Strong")
  }

  @Test func `a row changes its place only where its signal differs by 6 dB from where it was placed`() {
    let fixture = ViewerFixture()
    fixture.hear([("A", 1, -50), ("B", 2, -52)])
    fixture.hear([("A", 1, -55), ("B", 2, -52)])
    #expect(fixture.names == ["A", "B"])
    #expect(fixture.viewer[row: 0].network.signalMBm == -5500)
    // Steps that are small each add up.
    fixture.hear([("A", 1, -56), ("B", 2, -52)])
    #expect(fixture.names == ["B", "A"])
  }

  /// A row that stands below one that is weaker by 3 dB.
  private func displaced() -> ViewerFixture {
    let fixture = ViewerFixture()
    fixture.hear([("A", 1, -50), ("B", 2, -52)])
    fixture.hear([("A", 1, -55), ("B", 2, -52)])
    #expect(fixture.names == ["A", "B"])
    return fixture
  }

  @Test func `rows stand by what is shown while the picture is paused, the highlighted one too, and in every browser`() {
    let fixture = displaced()
    fixture.viewer.highlight(fixture.id("A"))
    let other = Viewer(beside: fixture.viewer)
    fixture.viewer.pauseTapped()
    #expect(fixture.names == ["B", "A"])
    #expect(other.ids == fixture.viewer.ids)
    // What changes nonetheless, as by a step in a recording, is placed at once.
    fixture.hear([("A", 1, -51), ("B", 2, -52)])
    #expect(fixture.names == ["A", "B"])
    #expect(other.ids == fixture.viewer.ids)
    // While figures move the list holds still again.
    fixture.viewer.pauseTapped()
    fixture.viewer.highlight(nil)
    fixture.hear([("A", 1, -54), ("B", 2, -52)])
    #expect(fixture.names == ["A", "B"])
  }

  @Test func `choosing the order, even the same, places rows by what is shown`() {
    let fixture = displaced()
    fixture.viewer.sort = NetworkSort()
    #expect(fixture.names == ["B", "A"])
  }

  @Test func `when nothing has changed for three intervals rows stand by what is shown`() {
    let fixture = displaced()
    fixture.viewer.interval = .seconds(12)
    fixture.viewer.ticked(at: fixture.time + .seconds(35))
    #expect(fixture.names == ["A", "B"])
    fixture.viewer.ticked(at: fixture.time + .seconds(36))
    #expect(fixture.names == ["B", "A"])
    // Scans that hear the same do not put it off.
    let next = displaced()
    for _ in 0..<2 { next.hear([("A", 1, -55), ("B", 2, -52)]) }
    #expect(next.names == ["A", "B"])
    next.hear([("A", 1, -55), ("B", 2, -52)])
    #expect(next.names == ["B", "A"])
  }

  @Test func `with a filter by band a row shows and is placed by its strongest BSS on that band`() throws {
    let fixture = ViewerFixture()
    fixture.time += .seconds(10)
    let heard = fixture.time
    fixture.take([
      makeBSS("Two", 1, signalDBm: -30, heard: heard), makeBSS("Two", 2, signalDBm: -80, frequencyMHz: 5180, heard: heard),
      makeBSS("Two", 3, signalDBm: -85, frequencyMHz: 5500, heard: heard),
      makeBSS("One", 4, signalDBm: -60, frequencyMHz: 5240, heard: heard),
    ])
    #expect(fixture.names == ["Two", "One"])
    fixture.viewer.filter.bands = .ghz5
    #expect(fixture.names == ["One", "Two"])
    let row = fixture.viewer[row: 1]
    #expect(row.listed.signalMBm == -8000 && row.listed.members.map(\.channel.number) == [36, 100] && row.listed.bands == [.ghz5])
    #expect(row.listed.bars == 2 && row.listed.connectivity < row.network.connectivity)
    // What it is stays whole.
    #expect(row.network.signalMBm == -3000 && row.network.members.count == 3)
    #expect(fixture.viewer.signals(of: row.id, last: .seconds(10), count: 1) == [-80])
    fixture.viewer.filter.minimumSignalDBm = -70
    #expect(fixture.names == ["One"])
    // What is heard next is narrowed, too.
    fixture.time += .seconds(10)
    fixture.take([
      makeBSS("Two", 1, signalDBm: -31, heard: fixture.time), makeBSS("Two", 2, signalDBm: -50, frequencyMHz: 5180, heard: fixture.time),
      makeBSS("One", 4, signalDBm: -60, frequencyMHz: 5240, heard: fixture.time),
    ])
    #expect(fixture.names == ["Two", "One"])
    fixture.viewer.filter = NetworkFilter()
    #expect(fixture.viewer[row: 0].listed == fixture.viewer[row: 0].network)
  }

  @Test func `the highlighted row is never moved by its signal, and moves again when it is not`() {
    let fixture = ViewerFixture()
    fixture.hear([("A", 1, -50), ("B", 2, -60)])
    fixture.viewer.highlight(fixture.id("A"))
    fixture.hear([("A", 1, -90), ("B", 2, -60)])
    #expect(fixture.names == ["A", "B"])
    fixture.viewer.highlight(nil)
    fixture.hear([("A", 1, -89), ("B", 2, -60)])
    #expect(fixture.names == ["B", "A"])
  }

  @Test func `the highlight stays on its network whatever comes and goes, and on its line`() {
    let fixture = ViewerFixture()
    fixture.hear((1...20).map { ("N\($0)", UInt64($0), Int32(-40 - $0 * 2)) })
    fixture.viewer.highlightRow(9, height: 10)
    let id = fixture.viewer.cursor
    #expect(fixture.viewer.window(height: 10) == 0..<10)
    // Three stronger ones come above it.
    fixture.hear((1...20).map { ("N\($0)", UInt64($0), Int32(-40 - $0 * 2)) } + [("X", 31, -20), ("Y", 32, -20), ("Z", 33, -20)])
    #expect(fixture.viewer.cursor == id)
    #expect(fixture.viewer.window(height: 10) == 3..<13)
    #expect(fixture.viewer[row: 12].id == id)
  }

  @Test func `moving the highlight scrolls at the edges only`() {
    let fixture = ViewerFixture()
    fixture.hear((1...20).map { ("N\($0 + 10)", UInt64($0), Int32(-40 - $0 * 2)) })
    let viewer = fixture.viewer
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

  @Test func `a network that leaves the filter of the scans leaves the list, and a highlight goes to the next row`() {
    let fixture = ViewerFixture()
    fixture.hear([("A", 1, -40), ("B", 2, -65), ("C", 3, -69)])
    fixture.viewer.highlight(fixture.id("B"))
    for _ in 0..<5 {
      fixture.time += .seconds(10)
      var scan = makeScan([makeBSS("A", 1, signalDBm: -40, heard: fixture.time)], end: fixture.time)
      scan.tooWeak = [makeBSS("B", 2, signalDBm: -71, heard: fixture.time)]
      fixture.viewer.take(scan)
      fixture.viewer.settings.apply(scan)
      fixture.viewer.update()
    }
    #expect(fixture.names == ["A", "C"])
    #expect(fixture.viewer[fixture.id("C")]?.isLost == true)
    #expect(fixture.viewer.cursor == fixture.id("C"))
    #expect(fixture.viewer.events.all.map { "\($0.kind) \($0.network.ssid)" } == ["found A", "found B", "found C", "lost C"])
  }

  @Test func `a lost network keeps its row for a minute, marked as lost, and longer while it is highlighted`() throws {
    let fixture = ViewerFixture()
    fixture.hear([("Here", 1, -50), ("Gone", 2, -60), ("Watched", 3, -70)])
    fixture.viewer.highlight(fixture.id("Watched"))
    for _ in 0..<4 { fixture.hear([("Here", 1, -50)]) }
    #expect(fixture.names == ["Here", "Gone", "Watched"])
    #expect(fixture.viewer[fixture.id("Gone")]?.isLost == true)
    #expect(fixture.viewer.networks.map(\.ssid.description) == ["Here"])
    let lostAt = try #require(fixture.viewer[fixture.id("Gone")]?.lostAt)
    fixture.viewer.ticked(at: lostAt + Viewer.lostRowTime - .seconds(1))
    #expect(fixture.names == ["Here", "Gone", "Watched"])
    fixture.viewer.ticked(at: lostAt + Viewer.lostRowTime)
    #expect(fixture.names == ["Here", "Watched"])
    fixture.viewer.highlight(nil)
    #expect(fixture.names == ["Here"])
  }

  @Test func `a network that is heard again keeps its row`() {
    let fixture = ViewerFixture()
    fixture.hear([("A", 1, -50)])
    for _ in 0..<4 { fixture.hear([("B", 2, -50)]) }
    #expect(fixture.viewer[fixture.id("A")]?.isLost == true)
    fixture.hear([("A", 1, -50), ("B", 2, -50)])
    #expect(fixture.viewer[fixture.id("A")]?.isLost == false)
    #expect(
      fixture.viewer.events.all.map { "\($0.kind) \($0.network.ssid)" } == ["found A", "found B", "lost A", "found A"])
  }

  @Test func `the joined network is first, and joining and leaving it are events`() {
    let fixture = ViewerFixture()
    fixture.hear([("A", 1, -50), ("B", 2, -80)])
    fixture.viewer.settings.selectedNetworkID = fixture.id("B")
    fixture.viewer.update()
    #expect(fixture.names == ["B", "A"])
    #expect(fixture.viewer[row: 0].isJoined)
    fixture.viewer.settings.selectedNetworkID = nil
    fixture.viewer.update()
    #expect(fixture.names == ["A", "B"])
    #expect(fixture.viewer.events.suffix(2).map { "\($0.kind) \($0.network.ssid)" } == ["joined B", "left B"])
  }

  @Test func `while Wi-Fi is off there are no rows, and nothing is news when it is on again`() {
    let fixture = ViewerFixture()
    fixture.hear([("A", 1, -50)])
    fixture.viewer.settings.isOn = false
    fixture.viewer.update()
    #expect(fixture.viewer.rowCount == 0)
    #expect(fixture.viewer.subject == nil)
    fixture.viewer.settings.isOn = true
    fixture.viewer.update()
    #expect(fixture.names == ["A"])
    #expect(fixture.viewer.events.totalCount == 1)
  }

  @Test func `calling update once too often changes nothing, and a viewer of any state shows it at once`() {
    let fixture = ViewerFixture(
      selected: makeNetwork("B").id, networks: [makeNetwork("A", 1), makeNetwork("B", 2)], filter: NetworkFilter(text: "b"),
      sort: NetworkSort(.name), cursor: makeNetwork("B").id)
    #expect(fixture.names == ["B"])
    #expect(fixture.viewer.cursor == makeNetwork("B").id)
    let told = Mutex(false)
    withObservationTracking {
      _ = fixture.viewer.rowCount
      _ = fixture.viewer.events
    } onChange: {
      told.withLock { $0 = true }
    }
    fixture.viewer.update()
    #expect(!told.withLock { $0 })
    #expect(fixture.viewer.events.totalCount == 0)
  }

  @Test func `times of day follow a clock that was set, and another look at the same clock changes nothing`() {
    let style = TimeStyle(midnight: .seconds(1000))
    // Whole seconds of the clock, and the midnight of another day.
    for other in [1_000_900, 999_100, 87_399_200, 87_400_800] {
      #expect(style.following(TimeStyle(midnight: .milliseconds(other))) == style, "\(other)")
    }
    let summer = TimeStyle(midnight: .seconds(1000 - 3600))
    #expect(style.text(.seconds(1000)) == "00:00:00" && style.following(summer).text(.seconds(1000)) == "01:00:00")
    #expect(summer.following(style) == style)
  }

  @Test func `details are of the followed network, then of the highlighted, the joined and the first one`() {
    let fixture = ViewerFixture()
    fixture.hear([("A", 1, -50), ("B", 2, -60), ("C", 3, -70)])
    let viewer = fixture.viewer
    #expect(viewer.subject == fixture.id("A"))
    viewer.settings.selectedNetworkID = fixture.id("C")
    viewer.update()
    #expect(viewer.subject == fixture.id("C"))
    viewer.highlight(fixture.id("B"))
    #expect(viewer.subject == fixture.id("B"))
    viewer.followTapped()
    viewer.highlight(fixture.id("A"))
    #expect(viewer.subject == fixture.id("B"))
    // What the filter hides is not detailed, unless it is followed.
    viewer.followTapped()
    #expect(viewer.followed == nil)
    viewer.filter.text = "c"
    #expect(viewer.subject == fixture.id("C"))
  }

  @Test func `a thousand networks are found, filtered and sorted in order`() {
    let fixture = ViewerFixture()
    fixture.hear((1...1000).map { ("Net \($0)", UInt64($0), Int32(-30 - $0 % 60)) })
    #expect(fixture.viewer.rowCount == 1000)
    fixture.viewer.filter.text = "net 99"
    #expect(fixture.viewer.rowCount == 11)
    fixture.viewer.filter.text = ""
    fixture.viewer.sort = NetworkSort(.name)
    #expect(fixture.names.prefix(3) == ["Net 1", "Net 10", "Net 100"])
    fixture.viewer.sort.isReversed = true
    #expect(fixture.names.first == "Net 999")
    for (index, id) in fixture.viewer.ids.enumerated() { #expect(fixture.viewer.index(of: id) == index) }
  }
}
