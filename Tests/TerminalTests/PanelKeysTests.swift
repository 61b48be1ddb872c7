import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewFixture
import WiFi

@Suite struct PanelKeysTests {
  func makeFixture(_ size: Size = Size(columns: 100, rows: 30)) -> PanelFixture {
    let fixture = PanelFixture(size: size, hearing: SampleAir.home)
    return fixture
  }

  func name(_ fixture: PanelFixture) -> String? { fixture.viewer.cursor.flatMap { fixture.viewer[$0]?.network.ssid.description } }

  @Test func `the first return highlights and joins nothing`() {
    let fixture = makeFixture()
    fixture.press(.enter)
    #expect(name(fixture) == "Blob House")
    #expect(fixture.presenter.shown.isEmpty)
    fixture.press(.enter)
    #expect(fixture.presenter.shown.map(\.name) == ["connect"])
    #expect(fixture.state.focus == .password)
  }

  @Test func `a password is typed, shown, and given to the attempt`() throws {
    let fixture = makeFixture()
    fixture.press(.down, .enter)
    fixture.type("blöb")
    #expect(fixture.sheet?.password == "blöb")
    #expect(fixture.shows("••••") && !fixture.shows("blöb"))
    fixture.press(.tab, .character(" "))
    #expect(fixture.shows("blöb"))
    fixture.press(.backTab, .backspace, .left, .character("x"), .enter)
    #expect(fixture.sheet?.password == "blxö")
    #expect(fixture.attempts.count == 1)
    #expect(fixture.sheet?.isConnecting == true)
    #expect(fixture.shows("Joining"))
    // A second return while it joins begins nothing.
    fixture.press(.enter)
    #expect(fixture.attempts.count == 1)
  }

  @Test func `the key for the switch asks before it ends a connection, once`() throws {
    let fixture = makeFixture()
    fixture.press(.character("w"))
    #expect(!fixture.viewer.settings.isOn)
    fixture.press(.character("w"))
    #expect(fixture.viewer.settings.isOn)
    fixture.hear(SampleAir.home)
    let home = try #require(fixture.viewer.ids.first)
    fixture.turn { fixture.viewer.settings.selectedNetworkID = home }
    fixture.press(.character("w"))
    #expect(fixture.viewer.settings.isOn && fixture.shows("press w again to turn Wi-Fi off"))
    // Any other key is no answer.
    fixture.press(.down)
    #expect(!fixture.shows("press w again"))
    fixture.press(.character("w"))
    #expect(fixture.viewer.settings.isOn)
    fixture.press(.character("w"))
    #expect(!fixture.viewer.settings.isOn)
    fixture.press(.character("w"))
    #expect(fixture.viewer.settings.isOn)
  }

  @Test func `a wrong password is an alert, and the field is kept and replaced by what is typed next`() throws {
    let fixture = makeFixture()
    fixture.press(.down, .enter)
    fixture.type("nope")
    fixture.turn { fixture.sheet?.incorrectPasswordAlertIsPresented = true }
    #expect(fixture.presenter.shown.map(\.name) == ["connect", "incorrectPassword"])
    #expect(fixture.shows("does not accept this password"))
    fixture.type("x")
    #expect(fixture.sheet?.password == "nope")
    fixture.press(.enter)
    #expect(fixture.presenter.shown.map(\.name) == ["connect"])
    #expect(fixture.sheet?.incorrectPasswordAlertIsPresented == false)
    fixture.type("b")
    #expect(fixture.sheet?.password == "b")
  }

  @Test func `escape cancels an attempt first, then the sheet`() {
    let fixture = makeFixture()
    fixture.press(.down, .enter, .enter)
    #expect(fixture.sheet?.isConnecting == true)
    fixture.press(.escape)
    #expect(fixture.sheet?.isConnecting == false)
    #expect(fixture.cancelled == 1)
    fixture.press(.escape)
    #expect(fixture.presenter.shown.isEmpty)
    #expect(fixture.state.focus == .list)
  }

  @Test func `the tabulator goes round the sheet, and the focused button is pressed`() {
    let fixture = makeFixture()
    fixture.press(.down, .enter)
    var order: [Focus] = []
    for _ in 0..<5 {
      order.append(fixture.state.focus)
      fixture.press(.tab)
    }
    #expect(order == [.password, .show, .join, .cancel, .password])
    fixture.press(.tab, .tab, .enter)
    #expect(fixture.presenter.shown.isEmpty)
    #expect(fixture.attempts.isEmpty)
  }

  @Test func `the joined network is forgotten with a question`() {
    let fixture = makeFixture()
    fixture.press(.down)
    let id = fixture.viewer.cursor
    fixture.turn { fixture.viewer.settings.selectedNetworkID = id }
    fixture.press(.enter)
    #expect(fixture.presenter.shown.map(\.name) == ["detail"])
    fixture.press(.character("x"))
    #expect(fixture.presenter.shown.map(\.name) == ["detail", "forget"])
    // The safe answer is the one that a return gives.
    fixture.press(.enter)
    #expect(fixture.viewer.settings.selectedNetworkID == id)
    fixture.press(.character("x"), .left, .enter)
    #expect(fixture.viewer.settings.selectedNetworkID == nil)
    #expect(fixture.presenter.shown.isEmpty)
    #expect(fixture.issues.isEmpty)
  }

  @Test func `the filter is typed, used, and cleared`() {
    let fixture = makeFixture()
    fixture.type("/blob")
    #expect(fixture.viewer.filter.text == "blob")
    #expect(fixture.viewer.rowCount == 1)
    #expect(fixture.picture.cursor != nil)
    // Letters that are commands elsewhere are letters here.
    fixture.type("q")
    #expect(fixture.viewer.filter.text == "blobq")
    #expect(fixture.shows("No network matches the filter"))
    fixture.press(.backspace, .enter)
    #expect(fixture.state.focus == .list)
    // The row that passes is highlighted, so that the next press is for it.
    #expect(fixture.viewer.cursor.flatMap { fixture.viewer.index(of: $0) } != nil)
    fixture.press(.escape)
    #expect(fixture.viewer.filter.isEmpty)
  }

  @Test func `every part of the filter has a key`() {
    let fixture = makeFixture()
    fixture.type("b")
    #expect(fixture.viewer.filter.bands == .ghz2_4)
    fixture.type("bbb")
    #expect(fixture.viewer.filter.bands.isEmpty)
    fixture.type("]]")
    #expect(fixture.viewer.filter.minimumSignalDBm == -90)
    fixture.type("[[[")
    #expect(fixture.viewer.filter.minimumSignalDBm == nil)
    fixture.type("pp")
    #expect(fixture.viewer.filter.protection == .secured)
    fixture.type("g")
    #expect(fixture.viewer.filter.minimumGeneration == 4)
    fixture.type("sS")
    #expect(fixture.viewer.sort == NetworkSort(.name, isReversed: true))
  }

  @Test func `the controls are reached with the tabulator and moved with the arrows`() {
    let fixture = makeFixture()
    fixture.press(.tab, .tab, .right)
    #expect(fixture.viewer.filter.bands == .ghz2_4)
    fixture.press(.tab, .right, .right)
    #expect(fixture.viewer.filter.minimumSignalDBm == -90)
    fixture.press(.tab, .left)
    #expect(fixture.viewer.interval == .seconds(5))
    fixture.press(.tab, .enter)
    #expect(fixture.viewer.isPaused)
    fixture.press(.tab, .character(" "))
    #expect(!fixture.viewer.settings.isOn)
    #expect(fixture.shows("Wi-Fi is off."))
    fixture.press(.tab)
    #expect(fixture.state.focus == .list)
  }

  @Test func `layers are shown and hidden by their keys`() {
    let fixture = makeFixture()
    fixture.type("c")
    #expect(fixture.viewer.layer == .channels)
    #expect(fixture.shows("6 GHz"))
    fixture.type("e")
    #expect(fixture.viewer.layer == .events)
    fixture.type("e")
    #expect(fixture.viewer.layer == nil)
    fixture.type("?")
    #expect(fixture.shows("KEYS"))
    fixture.press(.escape)
    #expect(fixture.viewer.layer == nil)
  }

  @Test(arguments: ["e", "?"] as [Character])
  func `Home and End go through the events and the help, not through the list behind them`(layer: Character) {
    let fixture = PanelFixture(size: Size(columns: 80, rows: 15), hearing: SampleAir.many(40))
    fixture.press(.home, .character(layer))
    let start = fixture.picture.lines
    // The latest of the events are at their end, and the help begins at its start.
    fixture.press(layer == "e" ? .home : .end)
    #expect(fixture.picture.lines != start)
    fixture.press(layer == "e" ? .end : .home)
    #expect(fixture.picture.lines == start)
    #expect(fixture.viewer.cursor == fixture.viewer.ids.first)
  }

  @Test(arguments: [10, 40])
  func `events are scrolled no further than there are any`(count: Int) {
    let fixture = PanelFixture(size: Size(columns: 100, rows: 30), hearing: SampleAir.many(count))
    fixture.press(.character("e"))
    let latest = fixture.picture
    for _ in 0..<100 { fixture.press(.up) }
    let first = fixture.picture
    #expect((first == latest) == (count == 10))
    // Each press counts on the way back, too.
    fixture.press(.down)
    #expect((fixture.picture == first) == (count == 10))
    for _ in 0..<14 { fixture.press(.down) }
    #expect(fixture.picture == latest)
  }

  @Test func `what only the terminal can do is asked for`() {
    let fixture = makeFixture()
    #expect(fixture.press(.character("q")) == .quit)
    #expect(fixture.press(.control("c")) == .quit)
    #expect(fixture.press(.control("z")) == .suspend)
    #expect(fixture.press(.control("l")) == .redraw)
    #expect(fixture.press(.character("x")) == .export)
    fixture.type("r")
    #expect(fixture.scansAskedFor == 1)
    fixture.press(.down, .enter)
    // In a field the letter is a letter, but Control-C ends everywhere.
    #expect(fixture.press(.character("q")) == nil)
    #expect(fixture.press(.control("c")) == .quit)
  }

  @Test func `a scan that is asked for is promised only where one begins`() {
    let fixture = makeFixture()
    fixture.type("r")
    #expect(fixture.shows("Scanning as soon as the adapter can."))
    fixture.type(" r")
    #expect(fixture.shows("Paused: nothing is scanned until it goes on."))
    fixture.type(" wr")
    #expect(fixture.shows("Wi-Fi is off; nothing is scanned until it is on."))
    #expect(fixture.scansAskedFor == 3)
  }

  @Test func `a lost network is not joined, and it says why`() {
    let fixture = makeFixture()
    fixture.press(.end)
    for _ in 0..<4 { fixture.hear(Array(SampleAir.home.prefix(1))) }
    #expect(fixture.viewer.cursor.flatMap { fixture.viewer[$0]?.isLost } == true)
    fixture.press(.enter)
    #expect(fixture.presenter.shown.isEmpty)
    #expect(fixture.shows("This network is lost"))
    #expect(fixture.issues.isEmpty)
  }

  @Test func `pasted text goes into the field, and nowhere else`() {
    let fixture = makeFixture()
    fixture.send(.paste("q"))
    fixture.press(.down, .enter)
    fixture.send(.paste("päss wörd"))
    #expect(fixture.sheet?.password == "päss wörd")
  }

  @Test(arguments: ["blob\n", "blob\r\n", "\nbl\nob\r"])
  func `the line ends of pasted text are no part of a password`(text: String) {
    let fixture = makeFixture()
    fixture.press(.down, .enter)
    fixture.send(.paste(text))
    #expect(fixture.sheet?.password == "blob")
  }

  @Test func `a click highlights, a double click joins, and controls are clicked`() throws {
    let fixture = makeFixture()
    let row = try #require(fixture.picture.lines.firstIndex { $0.contains("Nacho") })
    fixture.send(.mouse(.press, column: 5, row: row))
    #expect(name(fixture) == "Nacho Wi-Fi")
    #expect(fixture.presenter.shown.isEmpty)
    fixture.send(.mouse(.doublePress, column: 5, row: row))
    #expect(fixture.presenter.shown.map(\.name) == ["connect"])
    // What the sheet covers is not clicked through it.
    fixture.send(.mouse(.press, column: 5, row: row + 1))
    #expect(name(fixture) == "Nacho Wi-Fi")
    let lines = fixture.picture.lines
    let button = try #require(lines.firstIndex { $0.contains("[ Cancel ]") })
    let column = try #require(lines[button].firstRange(of: "[ Cancel ]")).lowerBound
    fixture.send(.mouse(.press, column: lines[button].distance(from: lines[button].startIndex, to: column) + 1, row: button))
    #expect(fixture.presenter.shown.isEmpty)
    fixture.send(.mouse(.wheelDown, column: 5, row: row))
    #expect(name(fixture) == "Old Printer")
  }

  @Test func `a highlighted row stays highlighted when the terminal changes its size`() {
    let fixture = PanelFixture(hearing: SampleAir.many(100))
    fixture.press(.pageDown, .pageDown, .down)
    let id = fixture.viewer.cursor
    for size in [Size(columns: 40, rows: 15), Size(columns: 200, rows: 60), Size(columns: 80, rows: 24)] {
      fixture.size = size
      #expect(fixture.viewer.cursor == id)
      #expect(fixture.picture.lines.contains { $0.contains("▌") })
    }
  }
}
