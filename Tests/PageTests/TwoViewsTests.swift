import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewFixture
import WiFi

@testable import Page

/// A terminal and a page on one model.
@Suite struct TwoViewsTests {
  /// A page, and a terminal beside it.
  private final class Fixture {
    let page = PageFixture()
    let presenter = TerminalPresenter()
    let state = PanelState()
    private(set) var keys: PanelKeys
    private var navigation: Navigation?

    init() {
      keys = PanelKeys(
        page.viewer, state: state, presenter: presenter, size: Size(columns: 100, rows: 30), onAttempt: { _, _ in }, onCancelled: { _ in },
        onScanNow: {})
      presenter.onPresent = { [weak keys] _ in keys?.presented() }
      presenter.onDismiss = { [weak keys] _ in keys?.presented() }
      navigation = Navigation(presenter, in: page.turn) { [page] in page.viewer.settings.declareNavigation(in: $0) { _ in } }
    }

    func press(_ pressed: [Key]) {
      for key in pressed {
        page.turn {
          _ = keys.handle(.key(key))
          page.viewer.update()
        }
      }
    }

    /// Whether both show the same list and the same things over it.
    var isInStep: Bool {
      let picture = PanelPicture.draw(page.viewer, state, over: presenter.shown, size: Size(columns: 100, rows: 30))
      let shown = page.presenter.shown
      guard presenter.shown.map(\.name) == shown.map(\.name), presenter.shown.map(\.itemID) == shown.map(\.itemID) else { return false }
      // A page about a network has the place of the list.
      if shown.contains(where: { $0.kind == .push }) { return true }
      let names = page.state.rows.map(\.name)
      let lines = picture.lines.dropFirst(3).prefix(names.count)
      return zip(lines, names).allSatisfy { $0.contains($1) }
    }
  }

  @Test func `what is done with one shows in both`() throws {
    let fixture = Fixture()
    fixture.page.hear(SampleAir.home)
    #expect(fixture.isInStep)
    // The page opens the sheet, the terminal types, the page asks what was typed.
    fixture.page.act(.tap(try #require(fixture.page.id("Nacho Wi-Fi"))))
    #expect(fixture.presenter.shown.map(\.name) == ["connect"])
    fixture.press("nope".map { .character($0) })
    guard case .sheet(let sheet)? = fixture.page.state.layers.last?.content else {
      Issue.record("\(fixture.page.state.layers)")
      return
    }
    #expect(sheet.passwordCount == 4)
    fixture.page.top(.password("blob"))
    #expect(fixture.page.sheet?.password == "blob")
    #expect(fixture.isInStep)
    // The terminal closes it.
    fixture.press([.escape])
    #expect(fixture.page.state.layers.isEmpty)
    #expect(fixture.isInStep)
    // Filter, order and highlighted row are of both.
    fixture.press([.character("/")] + "blob".map { .character($0) } + [.enter])
    #expect(fixture.page.state.controls.filterText == "blob")
    fixture.page.act(.filter(""))
    fixture.page.act(.sort(NetworkSort(.name)))
    #expect(fixture.isInStep)
    fixture.press([.down, .down])
    #expect(fixture.page.state.controls.cursor == fixture.page.viewer.cursor.map { PageKey($0) })
    // An alert lies over the sheet in both, and is answered in one.
    fixture.page.act(.tap(try #require(fixture.page.id("Attic 6E"))))
    fixture.page.turn { fixture.page.sheet?.incorrectPasswordAlertIsPresented = true }
    #expect(fixture.isInStep && fixture.presenter.shown.count == 2)
    fixture.page.top(.answer(0))
    #expect(fixture.isInStep && fixture.presenter.shown.count == 1)
    fixture.page.act(.wifi(false))
    #expect(fixture.presenter.shown.isEmpty && fixture.page.state.rows.isEmpty && fixture.page.state.layers.isEmpty)
  }
}
