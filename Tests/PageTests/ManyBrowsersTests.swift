import Determinism
import Models
import Observing
import Testing
import ViewFixture
import WiFi

@testable import Page

/// Browsers beside each other on the same networks, each with its own view.
@Suite struct ManyBrowsersTests {
  /// A browser beside the page of a fixture.
  private final class Browser {
    let viewer: Viewer
    let presenter = PagePresenter()
    let feed: PageFeed
    private let fixture: PageFixture
    private let user: PageUser
    private var navigation: Navigation?
    private(set) var attempts: [ViewerAttempt] = []

    init(_ fixture: PageFixture) {
      self.fixture = fixture
      viewer = Viewer(beside: fixture.viewer)
      feed = PageFeed(viewer, presenter)
      var onAttempt: (ViewerAttempt) -> Void = { _ in }
      user = PageUser(
        viewer, presenter, onAttempt: { attempt, _ in onAttempt(attempt) }, onCancelled: { _ in }, onScanNow: {})
      onAttempt = { [weak self] in self?.attempts.append($0) }
      navigation = Navigation(presenter, in: fixture.turn) { [viewer] in viewer.settings.declareNavigation(in: $0) { _ in } }
    }

    @discardableResult
    func act(_ action: PageAction) -> String? { fixture.turn { user.perform(action) } }

    func rest(on clock: some Clock<Duration>) async { await user.rest(on: clock) }

    @discardableResult
    func top(_ action: PageAction.TopAction) -> String? { act(.top(presenter.entries.last?.number ?? 0, action)) }

    var names: [String] { feed.look().rows.map(\.name) }
  }

  @Test func `filter, order and selection are of one browser`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    let (first, second) = (Browser(fixture), Browser(fixture))
    let printer = try #require(fixture.id("Old Printer"))
    first.act(.filter("blob"))
    second.act(.sort(NetworkSort(.name)))
    second.act(.highlight(printer))
    second.act(.follow)
    #expect(first.names == ["Blob House"])
    #expect(second.names == ["Attic 6E", "Blob House", "Nacho Wi-Fi", "Old Printer"])
    #expect(second.feed.look().details?.summary.key == PageKey(printer))
    #expect(first.feed.look().controls.cursor == nil && first.feed.look().controls.followed == nil)
    #expect(first.feed.look().details?.summary.name == "Blob House")
    #expect(fixture.state.controls.filterText == "" && fixture.state.rows.count == 4 && fixture.state.controls.cursor == nil)
  }

  @Test func `what is heard, joined and paused is of all`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    let (first, second) = (Browser(fixture), Browser(fixture))
    fixture.hear(SampleAir.many(2))
    #expect(first.feed.look().rows == fixture.state.rows && second.feed.look().rows == fixture.state.rows)
    #expect(first.feed.look().events == fixture.state.events && fixture.viewer.events.totalCount == 6)
    for _ in 0..<4 { fixture.hear(Array(SampleAir.home.dropLast())) }
    // One that comes later sees what was lost lately, too.
    let third = Browser(fixture)
    #expect(third.names.contains("Attic 6E") && third.feed.look().rows == fixture.state.rows)
    let count = fixture.viewer.events.totalCount
    first.act(.tap(try #require(fixture.id("Old Printer"))))
    #expect(fixture.viewer.events.totalCount == count + 1)
    for state in [first.feed.look(), second.feed.look(), third.feed.look(), fixture.state] {
      #expect(state.rows.first?.name == "Old Printer" && state.rows.first?.isJoined == true)
    }
    second.act(.pause(true))
    second.act(.interval(30))
    #expect(fixture.viewer.isPaused && first.feed.look().controls.isPaused && first.feed.look().controls.interval == .seconds(30))
    first.act(.wifi(false))
    #expect([second.feed.look(), third.feed.look(), fixture.state].allSatisfy { !$0.header.isOn && $0.rows.isEmpty })
    #expect(!fixture.viewer.settings.isOn)
    second.act(.wifi(true))
    #expect(fixture.viewer.settings.isOn && first.feed.look().header.isOn)
  }

  @Test func `a sheet and its alert are of the browser that opened it`() async throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    let (first, second) = (Browser(fixture), Browser(fixture))
    let nacho = try #require(fixture.id("Nacho Wi-Fi"))
    first.act(.tap(nacho))
    #expect(first.feed.look().layers.count == 1)
    #expect(second.feed.look().layers.isEmpty && fixture.state.layers.isEmpty)
    // Another one looks at something else meanwhile.
    second.act(.info(try #require(fixture.id("Attic 6E"))))
    #expect(second.feed.look().layers.count == 1 && first.presenter.shown.map(\.name) == ["connect"])
    first.top(.password("nope"))
    first.top(.join)
    await first.attempts.last?.run()
    fixture.turn.end()
    #expect(first.presenter.shown.map(\.name) == ["connect", "incorrectPassword"])
    #expect(second.presenter.shown.map(\.name) == ["detail"] && fixture.state.layers.isEmpty)
    // What is lost shows on either page.
    for _ in 0..<4 { fixture.hear(Array(SampleAir.home.prefix(2))) }
    #expect(first.viewer.settings.destination?.connect?.networkIsLost == true)
    #expect(second.viewer.settings.destination?.detail?.networkIsLost == true)
    // The switch closes both.
    fixture.act(.wifi(false))
    #expect(first.presenter.shown.isEmpty && second.presenter.shown.isEmpty)
  }

  @Test func `a password that was typed is cleared a minute after the last page of its browser is gone`() async throws {
    try await simulate(seed: 1) { simulation in
      let fixture = PageFixture(hearing: SampleAir.home)
      let (first, second) = (Browser(fixture), Browser(fixture))
      for browser in [first, second] {
        browser.act(.tap(try #require(fixture.id("Nacho Wi-Fi"))))
        browser.top(.password("blob blob"))
      }
      let rests = simulation.task("rests") { await first.rest(on: simulation.clock) }
      let returns = simulation.task("comes back") { await second.rest(on: simulation.clock) }
      await simulation.advance(by: .seconds(59))
      #expect(first.viewer.settings.destination?.connect?.password == "blob blob")
      returns.cancel()
      await simulation.advance(by: .seconds(2))
      await rests.finished()
      #expect(first.viewer.settings.destination?.connect?.password == "")
      #expect(second.viewer.settings.destination?.connect?.password == "blob blob")
    }
  }

  @Test func `one browser joins at a time`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    let (first, second) = (Browser(fixture), Browser(fixture))
    first.act(.tap(try #require(fixture.id("Nacho Wi-Fi"))))
    second.act(.tap(try #require(fixture.id("Attic 6E"))))
    #expect(first.top(.join) == nil)
    #expect(second.top(.join)?.contains("Another browser is joining") == true)
    #expect(second.attempts.isEmpty)
    first.viewer.joinSays("handshake")
    #expect(first.viewer.joinNote == "handshake" && second.viewer.joinNote == nil)
    #expect(first.top(.cancel) == nil && second.top(.join) == nil)
    #expect(second.attempts.count == 1)
  }

  @Test func `the seventeenth browser that rests takes the place of the oldest, which begins anew when it comes back`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    var views = BrowserViews<Browser>()
    /// What the server does for a page that begins to follow.
    func open(_ key: String) -> Browser {
      let browser = views[key] ?? Browser(fixture)
      if views[key] == nil { views.add(browser, for: key) }
      views.follows(key)
      return browser
    }
    let keys = (1...17).map { "+\($0)" }
    // One without the token does not count among those with it, and neither does that of programs, or one that is followed.
    for key in ["-1", "+0", ""] { _ = open(key) }
    #expect(views.left("-1").rests != nil)
    #expect(views.left("").rests == nil)
    for key in keys { open(key).act(.filter("blob")) }
    // Two pages of one browser: it rests with the second.
    _ = open(keys[16])
    #expect(views.left(keys[16]).rests == nil)
    for key in keys.prefix(16) {
      let (rests, goes) = views.left(key)
      #expect(rests === views[key] && rests != nil && goes == nil)
    }
    // The oldest by when it began to rest: the first came back meanwhile, and rests last.
    #expect(open(keys[0]).names == ["Blob House"])
    #expect(views.left(keys[0]).goes == nil)
    let second = views[keys[1]]
    #expect(views.left(keys[16]).goes === second && views[keys[1]] == nil)
    #expect(views["-1"] != nil && views["+0"] != nil && views[""] != nil && views.all.count == 19)
    // What it had chosen is gone; it works as a new one does.
    let back = open(keys[1])
    #expect(back !== second && back.names == fixture.state.rows.map(\.name) && back.names.count == 4)
    back.act(.filter("attic"))
    #expect(back.names == ["Attic 6E"])
    #expect(views[keys[2]]?.names == ["Blob House"])
  }

  @Test func `a browser that is gone leaves nothing behind`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    weak var gone: Viewer?
    do {
      let browser = Browser(fixture)
      browser.act(.tap(try #require(fixture.id("Nacho Wi-Fi"))))
      gone = browser.viewer
    }
    fixture.turn.end()
    fixture.hear(SampleAir.home)
    #expect(gone == nil)
    #expect(fixture.issues.isEmpty)
  }
}
