import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewStage
import WiFi

@Suite struct PanelKeysTests {
  func makeStage(_ size: Size = Size(columns: 100, rows: 30)) -> PanelStage {
    let stage = PanelStage(size: size)
    stage.hear(SampleAir.home)
    return stage
  }

  func name(_ stage: PanelStage) -> String? { stage.viewer.cursor.flatMap { stage.viewer[$0]?.network.ssid.description } }

  @Test func `the first return highlights and joins nothing`() {
    let stage = makeStage()
    stage.press(.enter)
    #expect(name(stage) == "Blob House")
    #expect(stage.presenter.shown.isEmpty)
    stage.press(.enter)
    #expect(stage.presenter.shown.map(\.name) == ["connect"])
    #expect(stage.state.focus == .password)
  }

  @Test func `a password is typed, shown, and given to the attempt`() throws {
    let stage = makeStage()
    stage.press(.down, .enter)
    stage.type("blöb")
    #expect(stage.sheet?.password == "blöb")
    #expect(stage.shows("••••") && !stage.shows("blöb"))
    stage.press(.tab, .character(" "))
    #expect(stage.shows("blöb"))
    stage.press(.backTab, .backspace, .left, .character("x"), .enter)
    #expect(stage.sheet?.password == "blxö")
    #expect(stage.attempts.count == 1)
    #expect(stage.sheet?.isConnecting == true)
    #expect(stage.shows("Joining"))
    // A second return while it joins begins nothing.
    stage.press(.enter)
    #expect(stage.attempts.count == 1)
  }

  @Test func `the key for the switch asks before it ends a connection, once`() throws {
    let stage = makeStage()
    stage.press(.character("w"))
    #expect(!stage.viewer.settings.isOn)
    stage.press(.character("w"))
    #expect(stage.viewer.settings.isOn)
    stage.hear(SampleAir.home)
    let home = try #require(stage.viewer.ids.first)
    stage.turn { stage.viewer.settings.selectedNetworkID = home }
    stage.press(.character("w"))
    #expect(stage.viewer.settings.isOn && stage.shows("press w again to turn Wi-Fi off"))
    // Any other key is no answer.
    stage.press(.down)
    #expect(!stage.shows("press w again"))
    stage.press(.character("w"))
    #expect(stage.viewer.settings.isOn)
    stage.press(.character("w"))
    #expect(!stage.viewer.settings.isOn)
    stage.press(.character("w"))
    #expect(stage.viewer.settings.isOn)
  }

  @Test func `a wrong password is an alert, and the field is kept and replaced by what is typed next`() throws {
    let stage = makeStage()
    stage.press(.down, .enter)
    stage.type("nope")
    stage.turn { stage.sheet?.incorrectPasswordAlertIsPresented = true }
    #expect(stage.presenter.shown.map(\.name) == ["connect", "incorrectPassword"])
    #expect(stage.shows("does not accept this password"))
    stage.type("x")
    #expect(stage.sheet?.password == "nope")
    stage.press(.enter)
    #expect(stage.presenter.shown.map(\.name) == ["connect"])
    #expect(stage.sheet?.incorrectPasswordAlertIsPresented == false)
    stage.type("b")
    #expect(stage.sheet?.password == "b")
  }

  @Test func `escape cancels an attempt first, then the sheet`() {
    let stage = makeStage()
    stage.press(.down, .enter, .enter)
    #expect(stage.sheet?.isConnecting == true)
    stage.press(.escape)
    #expect(stage.sheet?.isConnecting == false)
    #expect(stage.cancelled == 1)
    stage.press(.escape)
    #expect(stage.presenter.shown.isEmpty)
    #expect(stage.state.focus == .list)
  }

  @Test func `the tabulator goes round the sheet, and the focused button is pressed`() {
    let stage = makeStage()
    stage.press(.down, .enter)
    var order: [Focus] = []
    for _ in 0..<5 {
      order.append(stage.state.focus)
      stage.press(.tab)
    }
    #expect(order == [.password, .show, .join, .cancel, .password])
    stage.press(.tab, .tab, .enter)
    #expect(stage.presenter.shown.isEmpty)
    #expect(stage.attempts.isEmpty)
  }

  @Test func `the joined network is forgotten with a question`() {
    let stage = makeStage()
    stage.press(.down)
    let id = stage.viewer.cursor
    stage.turn { stage.viewer.settings.selectedNetworkID = id }
    stage.press(.enter)
    #expect(stage.presenter.shown.map(\.name) == ["detail"])
    stage.press(.character("x"))
    #expect(stage.presenter.shown.map(\.name) == ["detail", "forget"])
    // The safe answer is the one that a return gives.
    stage.press(.enter)
    #expect(stage.viewer.settings.selectedNetworkID == id)
    stage.press(.character("x"), .left, .enter)
    #expect(stage.viewer.settings.selectedNetworkID == nil)
    #expect(stage.presenter.shown.isEmpty)
    #expect(stage.issues.isEmpty)
  }

  @Test func `the filter is typed, used, and cleared`() {
    let stage = makeStage()
    stage.type("/blob")
    #expect(stage.viewer.filter.text == "blob")
    #expect(stage.viewer.rowCount == 1)
    #expect(stage.picture.cursor != nil)
    // Letters that are commands elsewhere are letters here.
    stage.type("q")
    #expect(stage.viewer.filter.text == "blobq")
    #expect(stage.shows("No network matches the filter"))
    stage.press(.backspace, .enter)
    #expect(stage.state.focus == .list)
    // The row that passes is highlighted, so that the next press is for it.
    #expect(stage.viewer.cursor.flatMap { stage.viewer.index(of: $0) } != nil)
    stage.press(.escape)
    #expect(stage.viewer.filter.isEmpty)
  }

  @Test func `every part of the filter has a key`() {
    let stage = makeStage()
    stage.type("b")
    #expect(stage.viewer.filter.bands == .ghz2_4)
    stage.type("bbb")
    #expect(stage.viewer.filter.bands.isEmpty)
    stage.type("]]")
    #expect(stage.viewer.filter.minimumSignalDBm == -90)
    stage.type("[[[")
    #expect(stage.viewer.filter.minimumSignalDBm == nil)
    stage.type("pp")
    #expect(stage.viewer.filter.protection == .secured)
    stage.type("g")
    #expect(stage.viewer.filter.minimumGeneration == 4)
    stage.type("sS")
    #expect(stage.viewer.sort == NetworkSort(.name, isReversed: true))
  }

  @Test func `the controls are reached with the tabulator and moved with the arrows`() {
    let stage = makeStage()
    stage.press(.tab, .tab, .right)
    #expect(stage.viewer.filter.bands == .ghz2_4)
    stage.press(.tab, .right, .right)
    #expect(stage.viewer.filter.minimumSignalDBm == -90)
    stage.press(.tab, .left)
    #expect(stage.viewer.interval == .seconds(5))
    stage.press(.tab, .enter)
    #expect(stage.viewer.isPaused)
    stage.press(.tab, .character(" "))
    #expect(!stage.viewer.settings.isOn)
    #expect(stage.shows("Wi-Fi is off."))
    stage.press(.tab)
    #expect(stage.state.focus == .list)
  }

  @Test func `layers are shown and hidden by their keys`() {
    let stage = makeStage()
    stage.type("c")
    #expect(stage.viewer.layer == .channels)
    #expect(stage.shows("6 GHz"))
    stage.type("e")
    #expect(stage.viewer.layer == .events)
    stage.type("e")
    #expect(stage.viewer.layer == nil)
    stage.type("?")
    #expect(stage.shows("KEYS"))
    stage.press(.escape)
    #expect(stage.viewer.layer == nil)
  }

  @Test func `what only the terminal can do is asked for`() {
    let stage = makeStage()
    #expect(stage.press(.character("q")) == .quit)
    #expect(stage.press(.control("c")) == .quit)
    #expect(stage.press(.control("z")) == .suspend)
    #expect(stage.press(.control("l")) == .redraw)
    #expect(stage.press(.character("x")) == .export)
    stage.type("r")
    #expect(stage.scansAskedFor == 1)
    stage.press(.down, .enter)
    // In a field the letter is a letter, but Control-C ends everywhere.
    #expect(stage.press(.character("q")) == nil)
    #expect(stage.press(.control("c")) == .quit)
  }

  @Test func `a lost network is not joined, and it says why`() {
    let stage = makeStage()
    stage.press(.end)
    for _ in 0..<4 { stage.hear(Array(SampleAir.home.prefix(1))) }
    #expect(stage.viewer.cursor.flatMap { stage.viewer[$0]?.isLost } == true)
    stage.press(.enter)
    #expect(stage.presenter.shown.isEmpty)
    #expect(stage.shows("This network is lost"))
    #expect(stage.issues.isEmpty)
  }

  @Test func `pasted text goes into the field, and nowhere else`() {
    let stage = makeStage()
    stage.send(.paste("q"))
    stage.press(.down, .enter)
    stage.send(.paste("päss wörd"))
    #expect(stage.sheet?.password == "päss wörd")
  }

  @Test(arguments: ["blob\n", "blob\r\n", "\nbl\nob\r"])
  func `the line ends of pasted text are no part of a password`(text: String) {
    let stage = makeStage()
    stage.press(.down, .enter)
    stage.send(.paste(text))
    #expect(stage.sheet?.password == "blob")
  }

  @Test func `a click highlights, a double click joins, and controls are clicked`() throws {
    let stage = makeStage()
    let row = try #require(stage.picture.lines.firstIndex { $0.contains("Nacho") })
    stage.send(.mouse(.press, column: 5, row: row))
    #expect(name(stage) == "Nacho Wi-Fi")
    #expect(stage.presenter.shown.isEmpty)
    stage.send(.mouse(.doublePress, column: 5, row: row))
    #expect(stage.presenter.shown.map(\.name) == ["connect"])
    // What the sheet covers is not clicked through it.
    stage.send(.mouse(.press, column: 5, row: row + 1))
    #expect(name(stage) == "Nacho Wi-Fi")
    let lines = stage.picture.lines
    let button = try #require(lines.firstIndex { $0.contains("[ Cancel ]") })
    let column = try #require(lines[button].firstRange(of: "[ Cancel ]")).lowerBound
    stage.send(.mouse(.press, column: lines[button].distance(from: lines[button].startIndex, to: column) + 1, row: button))
    #expect(stage.presenter.shown.isEmpty)
    stage.send(.mouse(.wheelDown, column: 5, row: row))
    #expect(name(stage) == "Old Printer")
  }

  @Test func `a highlighted row stays highlighted when the terminal changes its size`() {
    let stage = PanelStage()
    stage.hear(SampleAir.many(100))
    stage.press(.pageDown, .pageDown, .down)
    let id = stage.viewer.cursor
    for size in [Size(columns: 40, rows: 15), Size(columns: 200, rows: 60), Size(columns: 80, rows: 24)] {
      stage.size = size
      #expect(stage.viewer.cursor == id)
      #expect(stage.picture.lines.contains { $0.contains("▌") })
    }
  }
}
