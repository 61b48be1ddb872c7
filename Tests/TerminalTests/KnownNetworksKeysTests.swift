import Foundation
import Models
import Observation
import Observing
import Simulator
import Terminal
import Testing
import ViewFixture
import WiFi

/// The known networks with keys and clicks.
@Suite struct KnownNetworksKeysTests {
  private func makeFixture() async -> PanelFixture {
    let fixture = PanelFixture(size: Size(columns: 80, rows: 24), known: SampleKnown.drafts, hearing: SampleAir.home)
    await fixture.openKnown()
    return fixture
  }

  private func names(_ fixture: PanelFixture) -> [String] { fixture.viewer.settings.destination?.known?.rows.map(\.name) ?? [] }

  @Test func `the list says what is in range, and the highlighted row stays the same network`() async {
    let fixture = await makeFixture()
    #expect(names(fixture) == ["Blob House", "Old Printer", "日本語の無線", "Cabin"])
    #expect(fixture.shows("Known networks: 4, 2 in range"))
    #expect(fixture.line("Blob House")?.contains("-48") == true)
    #expect(fixture.line("Cabin")?.contains(" no ") == true)
    fixture.press(.down, .down)
    #expect(fixture.line("日本語")?.hasPrefix("▌") == true)
    // Another one comes in range, and goes before it.
    fixture.known.setJoined(SampleKnown.drafts[1].ssid)
    await fixture.viewer.settings.destination?.known?.load()
    #expect(names(fixture).first == "Cabin")
    #expect(fixture.line("日本語")?.hasPrefix("▌") == true)
    #expect(fixture.line("Cabin")?.contains("●") == true)
  }

  @Test func `each field is changed with keys, and only what changed is sent`() async throws {
    let fixture = await makeFixture()
    fixture.press(.enter)
    let page = try #require(fixture.viewer.settings.destination?.known?.path.last)
    #expect(page.network.ssid.description == "Blob House")
    #expect(fixture.shows("‹ Known networks"))
    fixture.press(.enter)
    #expect(fixture.attempts.isEmpty && fixture.shows("Nothing is changed."))
    fixture.press(.character(" "), .tab)
    #expect(!page.joinsAutomatically && fixture.state.focus == .priority)
    fixture.press(.backspace, .character("1"), .character("2"), .character("-"), .right)
    #expect(page.priority == -11)
    fixture.press(.tab, .left, .left)
    #expect(page.security == .psk)
    fixture.press(.right, .right)
    #expect(page.security == .pskOrSAE)
    fixture.press(.tab, .character(" "), .tab)
    #expect(page.isHidden && fixture.state.focus == .password)
    fixture.type("new passwd")
    fixture.send(.paste("xyz"))
    #expect(page.password == "new passwdxyz")
    #expect(!fixture.shows("new passwd"))
    fixture.press(.tab, .character(" "))
    #expect(fixture.shows("new passwdxyz"))
    fixture.press(.enter)
    #expect(page.isSaving && fixture.shows("Saving…"))
    await fixture.runAttempt()
    let saved = try #require(fixture.known.networks.first)
    #expect(saved.priority == -11 && saved.security == .pskOrSAE && saved.isHidden && !saved.joinsAutomatically)
    #expect(fixture.known.password(of: saved.id)?.withBytes { $0.elementsEqual("new passwdxyz".utf8) } == true)
    #expect(page.password.isEmpty)
    fixture.press(.escape)
    #expect(fixture.viewer.settings.destination?.known?.path.isEmpty == true)
    fixture.press(.escape)
    #expect(fixture.viewer.settings.destination == nil)
  }

  @Test func `a network is added with a sheet, which says what is wrong`() async throws {
    let fixture = await makeFixture()
    fixture.press(.character("a"))
    #expect(fixture.shows("Add a known network") && fixture.state.focus == .name)
    fixture.type("Attic")
    fixture.press(.tab, .tab)
    #expect(fixture.state.focus == .password)
    fixture.press(.enter)
    #expect(fixture.attempts.isEmpty && fixture.shows("The network needs a password"))
    fixture.type("no secret")
    fixture.press(.enter)
    #expect(fixture.attempts.map(\.name) == ["adds a known network"])
    await fixture.runAttempt()
    #expect(names(fixture).contains("Attic") && fixture.viewer.settings.destination?.known?.addSheet == nil)
    // Without a password there is no field for one.
    fixture.press(.character("a"), .tab, .left, .left, .left, .left)
    #expect(fixture.viewer.settings.destination?.known?.addSheet?.security == .open)
    #expect(!fixture.shows("Password"))
    fixture.press(.escape)
    #expect(fixture.viewer.settings.destination?.known?.addSheet == nil)
  }

  @Test func `a password that one form shows no other does`() async {
    let fixture = await makeFixture()
    fixture.press(.character("a"), .tab, .tab)
    fixture.type("one secret")
    fixture.press(.tab, .character(" "))
    #expect(fixture.shows("one secret") && fixture.shows("[x] show"))
    fixture.press(.escape, .character("a"), .tab, .tab)
    fixture.type("two secret")
    #expect(fixture.viewer.settings.destination?.known?.addSheet?.password == "two secret")
    #expect(!fixture.shows("two secret") && fixture.shows("[ ] show"))
  }

  @Test func `the arrows go from button to button as they stand`() async throws {
    let fixture = await makeFixture()
    fixture.press(.enter, .backTab)
    var buttons = [fixture.state.focus]
    for key in [Key.right, .left, .left, .left, .right] {
      fixture.press(key)
      buttons.append(fixture.state.focus)
    }
    #expect(buttons == [.forget, .forget, .duplicate, .save, .save, .duplicate])
    // In the sheet the button that cancels is the one at the left.
    fixture.press(.escape, .character("a"), .backTab)
    let line = try #require(fixture.line("[ Add ] │"))
    #expect(line.contains("[ Cancel ]  [ Add ]"))
    buttons = [fixture.state.focus]
    for key in [Key.left, .right, .right, .left] {
      fixture.press(key)
      buttons.append(fixture.state.focus)
    }
    #expect(buttons == [.cancel, .cancel, .save, .save, .cancel])
  }

  @Test func `a network is copied, and the page of the copy opens`() async {
    let fixture = await makeFixture()
    fixture.press(.end, .character("d"))
    #expect(fixture.shows("Duplicate “Cabin”"))
    fixture.press(.control("u"))
    fixture.type("Cabin 5G")
    fixture.press(.enter)
    await fixture.runAttempt()
    #expect(fixture.viewer.settings.destination?.known?.path.map(\.network.ssid.description) == ["Cabin", "Cabin 5G"])
    #expect(fixture.known.networks.count == 5)
  }

  @Test func `a network is forgotten with a question, which can be answered with no`() async {
    let fixture = await makeFixture()
    fixture.press(.character("x"))
    #expect(fixture.shows("Forget “Blob House”?"))
    // The button that keeps it is highlighted.
    fixture.press(.enter)
    #expect(fixture.attempts.isEmpty && fixture.known.networks.count == 4)
    fixture.press(.character("x"), .left, .enter)
    #expect(fixture.attempts.map(\.name) == ["forgets a known network"])
    await fixture.runAttempt()
    #expect(names(fixture) == ["Old Printer", "日本語の無線", "Cabin"])
    #expect(fixture.presenter.shown.map(\.name) == ["known"])
  }

  @Test func `what the daemon cannot do is not offered`() async {
    let fixture = PanelFixture(size: Size(columns: 80, rows: 24), known: SampleKnown.drafts)
    fixture.known.knownNetworkFeatures = [.autoconnect, .forget]
    fixture.hear(SampleAir.home)
    await fixture.openKnown()
    #expect(!fixture.shows("[ Add ]") && !fixture.shows("duplicate"))
    fixture.press(.character("a"))
    #expect(fixture.shows("learns a network by joining it") && fixture.presenter.shown.count == 1)
    fixture.press(.character("d"))
    #expect(fixture.presenter.shown.count == 1)
    fixture.press(.enter)
    #expect(fixture.shows("Auto-join") && !fixture.shows("Priority") && !fixture.shows("New password") && !fixture.shows("Duplicate"))
    fixture.press(.tab)
    #expect(fixture.state.focus == .save)
    fixture.press(.tab)
    #expect(fixture.state.focus == .forget)
  }

  @Test func `rows, buttons and switches are clicked`() async throws {
    let fixture = await makeFixture()
    func click(_ text: String, twice: Bool = false) throws {
      let lines = fixture.picture.lines
      // Not in the header, which has a switch, too.
      let row = try #require(lines.indices.dropFirst(2).first { lines[$0].contains(text) })
      let column = try #require(lines[row].range(of: text)).lowerBound.utf16Offset(in: lines[row])
      fixture.send(.mouse(twice ? .doublePress : .press, column: column, row: row))
    }
    try click("Cabin")
    #expect(fixture.line("Cabin")?.hasPrefix("▌") == true)
    try click("Cabin", twice: true)
    #expect(fixture.presenter.shown.map(\.name) == ["known", "edit"])
    let page = try #require(fixture.viewer.settings.destination?.known?.path.last)
    try click("[on]")
    #expect(!page.joinsAutomatically)
    try click("WPA2/3")
    #expect(page.security == .pskOrSAE && fixture.state.focus == .security)
    try click("[ Save ]")
    #expect(fixture.attempts.count == 1)
    await fixture.runAttempt()
    try click("[ Forget ]")
    #expect(fixture.shows("Forget “Cabin”?"))
    fixture.press(.escape)
    try click("‹ Known networks")
    try click("[ Add ]")
    #expect(fixture.shows("Add a known network"))
    try click("[ Cancel ]")
    try click("‹ Back")
    #expect(fixture.presenter.shown.isEmpty)
  }

  @Test func `while Wi-Fi is off there are no known networks to show, and that is said`() {
    let fixture = PanelFixture(isOn: false, known: SampleKnown.drafts)
    fixture.press(.character("k"))
    #expect(fixture.presenter.shown.isEmpty && fixture.shows("Wi-Fi is off; the known networks are shown when it is on."))
    fixture.press(.character("w"))
    fixture.press(.character("k"))
    #expect(fixture.presenter.shown.map(\.name) == ["known"])
  }

  @Test func `a recording has no known networks, and says so`() {
    let fixture = PanelFixture(known: nil, hearing: SampleAir.home)
    fixture.press(.character("k"))
    #expect(fixture.presenter.shown.isEmpty && fixture.shows("Nothing keeps known networks here."))
    #expect(fixture.issues.count == 1)
    fixture.viewer.playback = Playback(position: 1, count: 2, time: .zero, duration: .seconds(1), isPlaying: false)
    fixture.press(.character("k"))
    #expect(fixture.presenter.shown.isEmpty && fixture.shows("A recording has no known networks."))
  }

  @Test func `a list that fails says why, and is asked for again`() async {
    let fixture = PanelFixture(known: SampleKnown.drafts, hearing: SampleAir.home)
    fixture.known.failure = .noPermission
    await fixture.openKnown()
    #expect(fixture.shows("join the group that may") && fixture.shows("r asks again."))
    fixture.known.failure = nil
    fixture.press(.character("r"))
    await fixture.runAttempt()
    #expect(names(fixture).count == 4)
  }

  @Test func `a list that fails later says so below its rows`() async throws {
    let drafts = (1...20).compactMap { number in
      SSID(typed: "Blob \(number)").map {
        KnownNetworkDraft(ssid: $0, security: .open, password: nil, priority: 0, joinsAutomatically: true, isHidden: false)
      }
    }
    let fixture = PanelFixture(size: Size(columns: 80, rows: 15), known: drafts)
    await fixture.openKnown()
    fixture.press(.end)
    fixture.known.failure = .noPermission
    fixture.press(.character("r"))
    await fixture.runAttempt()
    #expect(fixture.shows("\(KnownNetworkError.noPermission)".prefix(30).description))
    let last = try #require(names(fixture).last)
    #expect(fixture.picture.lines.first { $0.hasPrefix("▌") }?.contains(last) == true)
  }

  @Test func `a number takes digits, a sign, and steps, and stays in its range`() {
    let model = Model()
    let turn = ObservationTurn(isolation: nil)
    let field = NumberField(Binding(model, \.number, isolation: nil), in: -999...999)
    func press(_ keys: Key...) { turn { for key in keys { #expect(field.handle(key)) } } }
    press(.character("4"), .character("2"))
    #expect(model.number == 42)
    press(.character("-"), .character("7"))
    #expect(model.number == -427)
    press(.character("9"))
    #expect(model.number == -427)
    press(.backspace, .left, .pageUp)
    #expect(model.number == -33)
    press(.control("u"), .pageDown)
    #expect(model.number == -10)
    for _ in 0..<120 { press(.pageDown) }
    #expect(model.number == -999)
    #expect(!field.handle(.character("a")) && !field.handle(.enter))
  }
}

@Observable
private final class Model {
  var number = 0
}
