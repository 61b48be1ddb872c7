import Foundation
import Models
import Observation
import Observing
import Simulator
import Terminal
import Testing
import ViewStage
import WiFi

/// The known networks with keys and clicks.
@Suite struct KnownNetworksKeysTests {
  private func makeStage() async -> PanelStage {
    let stage = PanelStage(size: Size(columns: 80, rows: 24), known: SampleKnown.drafts)
    stage.hear(SampleAir.home)
    await stage.openKnown()
    return stage
  }

  private func names(_ stage: PanelStage) -> [String] { stage.viewer.settings.destination?.known?.rows.map(\.name) ?? [] }

  @Test func `the list says what is in range, and the highlighted row stays the same network`() async {
    let stage = await makeStage()
    #expect(names(stage) == ["Blob House", "Old Printer", "日本語の無線", "Cabin"])
    #expect(stage.shows("Known networks: 4, 2 in range"))
    #expect(stage.line("Blob House")?.contains("-48") == true)
    #expect(stage.line("Cabin")?.contains(" no ") == true)
    stage.press(.down, .down)
    #expect(stage.line("日本語")?.hasPrefix("▌") == true)
    // Another one comes in range, and goes before it.
    stage.known.setJoined(SampleKnown.drafts[1].ssid)
    await stage.viewer.settings.destination?.known?.load()
    #expect(names(stage).first == "Cabin")
    #expect(stage.line("日本語")?.hasPrefix("▌") == true)
    #expect(stage.line("Cabin")?.contains("●") == true)
  }

  @Test func `each field is changed with keys, and only what changed is sent`() async throws {
    let stage = await makeStage()
    stage.press(.enter)
    let page = try #require(stage.viewer.settings.destination?.known?.path.last)
    #expect(page.network.ssid.description == "Blob House")
    #expect(stage.shows("‹ Known networks"))
    stage.press(.enter)
    #expect(stage.attempts.isEmpty && stage.shows("Nothing is changed."))
    stage.press(.character(" "), .tab)
    #expect(!page.joinsAutomatically && stage.state.focus == .priority)
    stage.press(.backspace, .character("1"), .character("2"), .character("-"), .right)
    #expect(page.priority == -11)
    stage.press(.tab, .left, .left)
    #expect(page.security == .psk)
    stage.press(.right, .right)
    #expect(page.security == .pskOrSAE)
    stage.press(.tab, .character(" "), .tab)
    #expect(page.isHidden && stage.state.focus == .password)
    stage.type("new passwd")
    stage.send(.paste("xyz"))
    #expect(page.password == "new passwdxyz")
    #expect(!stage.shows("new passwd"))
    stage.press(.tab, .character(" "))
    #expect(stage.shows("new passwdxyz"))
    stage.press(.enter)
    #expect(page.isSaving && stage.shows("Saving…"))
    await stage.runAttempt()
    let saved = try #require(stage.known.networks.first)
    #expect(saved.priority == -11 && saved.security == .pskOrSAE && saved.isHidden && !saved.joinsAutomatically)
    #expect(stage.known.password(of: saved.id)?.withBytes { $0.elementsEqual("new passwdxyz".utf8) } == true)
    #expect(page.password.isEmpty)
    stage.press(.escape)
    #expect(stage.viewer.settings.destination?.known?.path.isEmpty == true)
    stage.press(.escape)
    #expect(stage.viewer.settings.destination == nil)
  }

  @Test func `a network is added with a sheet, which says what is wrong`() async throws {
    let stage = await makeStage()
    stage.press(.character("a"))
    #expect(stage.shows("Add a known network") && stage.state.focus == .name)
    stage.type("Attic")
    stage.press(.tab, .tab)
    #expect(stage.state.focus == .password)
    stage.press(.enter)
    #expect(stage.attempts.isEmpty && stage.shows("The network needs a password"))
    stage.type("no secret")
    stage.press(.enter)
    #expect(stage.attempts.map(\.name) == ["adds a known network"])
    await stage.runAttempt()
    #expect(names(stage).contains("Attic") && stage.viewer.settings.destination?.known?.addSheet == nil)
    // Without a password there is no field for one.
    stage.press(.character("a"), .tab, .left, .left, .left, .left)
    #expect(stage.viewer.settings.destination?.known?.addSheet?.security == .open)
    #expect(!stage.shows("Password"))
    stage.press(.escape)
    #expect(stage.viewer.settings.destination?.known?.addSheet == nil)
  }

  @Test func `a network is copied, and the page of the copy opens`() async {
    let stage = await makeStage()
    stage.press(.end, .character("d"))
    #expect(stage.shows("Duplicate “Cabin”"))
    stage.press(.control("u"))
    stage.type("Cabin 5G")
    stage.press(.enter)
    await stage.runAttempt()
    #expect(stage.viewer.settings.destination?.known?.path.map(\.network.ssid.description) == ["Cabin", "Cabin 5G"])
    #expect(stage.known.networks.count == 5)
  }

  @Test func `a network is forgotten with a question, which can be answered with no`() async {
    let stage = await makeStage()
    stage.press(.character("x"))
    #expect(stage.shows("Forget “Blob House”?"))
    // The button that keeps it is highlighted.
    stage.press(.enter)
    #expect(stage.attempts.isEmpty && stage.known.networks.count == 4)
    stage.press(.character("x"), .left, .enter)
    #expect(stage.attempts.map(\.name) == ["forgets a known network"])
    await stage.runAttempt()
    #expect(names(stage) == ["Old Printer", "日本語の無線", "Cabin"])
    #expect(stage.presenter.shown.map(\.name) == ["known"])
  }

  @Test func `what the daemon cannot do is not offered`() async {
    let stage = PanelStage(size: Size(columns: 80, rows: 24), known: SampleKnown.drafts)
    stage.known.knownNetworkFeatures = [.autoconnect, .forget]
    stage.hear(SampleAir.home)
    await stage.openKnown()
    #expect(!stage.shows("[ Add ]") && !stage.shows("duplicate"))
    stage.press(.character("a"))
    #expect(stage.shows("learns a network by joining it") && stage.presenter.shown.count == 1)
    stage.press(.character("d"))
    #expect(stage.presenter.shown.count == 1)
    stage.press(.enter)
    #expect(stage.shows("Auto-join") && !stage.shows("Priority") && !stage.shows("New password") && !stage.shows("Duplicate"))
    stage.press(.tab)
    #expect(stage.state.focus == .save)
    stage.press(.tab)
    #expect(stage.state.focus == .forget)
  }

  @Test func `rows, buttons and switches are clicked`() async throws {
    let stage = await makeStage()
    func click(_ text: String, twice: Bool = false) throws {
      let lines = stage.picture.lines
      // Not in the header, which has a switch, too.
      let row = try #require(lines.indices.dropFirst(2).first { lines[$0].contains(text) })
      let column = try #require(lines[row].range(of: text)).lowerBound.utf16Offset(in: lines[row])
      stage.send(.mouse(twice ? .doublePress : .press, column: column, row: row))
    }
    try click("Cabin")
    #expect(stage.line("Cabin")?.hasPrefix("▌") == true)
    try click("Cabin", twice: true)
    #expect(stage.presenter.shown.map(\.name) == ["known", "edit"])
    let page = try #require(stage.viewer.settings.destination?.known?.path.last)
    try click("[on]")
    #expect(!page.joinsAutomatically)
    try click("WPA2/3")
    #expect(page.security == .pskOrSAE && stage.state.focus == .security)
    try click("[ Save ]")
    #expect(stage.attempts.count == 1)
    await stage.runAttempt()
    try click("[ Forget ]")
    #expect(stage.shows("Forget “Cabin”?"))
    stage.press(.escape)
    try click("‹ Known networks")
    try click("[ Add ]")
    #expect(stage.shows("Add a known network"))
    try click("[ Cancel ]")
    try click("‹ Back")
    #expect(stage.presenter.shown.isEmpty)
  }

  @Test func `while Wi-Fi is off there are no known networks to show, and that is said`() {
    let stage = PanelStage(isOn: false, known: SampleKnown.drafts)
    stage.press(.character("k"))
    #expect(stage.presenter.shown.isEmpty && stage.shows("Wi-Fi is off; the known networks are shown when it is on."))
    stage.press(.character("w"))
    stage.press(.character("k"))
    #expect(stage.presenter.shown.map(\.name) == ["known"])
  }

  @Test func `a recording has no known networks, and says so`() {
    let stage = PanelStage(known: nil)
    stage.hear(SampleAir.home)
    stage.press(.character("k"))
    #expect(stage.presenter.shown.isEmpty && stage.shows("Nothing keeps known networks here."))
    #expect(stage.issues.count == 1)
    stage.viewer.playback = Playback(position: 1, count: 2, time: .zero, duration: .seconds(1), isPlaying: false)
    stage.press(.character("k"))
    #expect(stage.presenter.shown.isEmpty && stage.shows("A recording has no known networks."))
  }

  @Test func `a list that fails says why, and is asked for again`() async {
    let stage = PanelStage(known: SampleKnown.drafts)
    stage.hear(SampleAir.home)
    stage.known.failure = .noPermission
    await stage.openKnown()
    #expect(stage.shows("join the group that may") && stage.shows("r asks again."))
    stage.known.failure = nil
    stage.press(.character("r"))
    await stage.runAttempt()
    #expect(names(stage).count == 4)
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
