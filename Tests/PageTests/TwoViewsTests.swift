import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewStage
import WiFi

@testable import Page

/// A terminal and a page on one model.
@Suite struct TwoViewsTests {
  /// A page, and a terminal beside it.
  private final class Stage {
    let page = PageStage()
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
    let stage = Stage()
    stage.page.hear(SampleAir.home)
    #expect(stage.isInStep)
    // The page opens the sheet, the terminal types, the page asks what was typed.
    stage.page.act(.tap(try #require(stage.page.id("Nacho Wi-Fi"))))
    #expect(stage.presenter.shown.map(\.name) == ["connect"])
    stage.press("nope".map { .character($0) })
    guard case .sheet(let sheet)? = stage.page.state.layers.last?.content else {
      Issue.record("\(stage.page.state.layers)")
      return
    }
    #expect(sheet.passwordCount == 4)
    stage.page.top(.password("blob"))
    #expect(stage.page.sheet?.password == "blob")
    #expect(stage.isInStep)
    // The terminal closes it.
    stage.press([.escape])
    #expect(stage.page.state.layers.isEmpty)
    #expect(stage.isInStep)
    // Filter, order and highlighted row are of both.
    stage.press([.character("/")] + "blob".map { .character($0) } + [.enter])
    #expect(stage.page.state.controls.filterText == "blob")
    stage.page.act(.filter(""))
    stage.page.act(.sort(NetworkSort(.name)))
    #expect(stage.isInStep)
    stage.press([.down, .down])
    #expect(stage.page.state.controls.cursor == stage.page.viewer.cursor.map { PageKey($0) })
    // An alert lies over the sheet in both, and is answered in one.
    stage.page.act(.tap(try #require(stage.page.id("Attic 6E"))))
    stage.page.turn { stage.page.sheet?.incorrectPasswordAlertIsPresented = true }
    #expect(stage.isInStep && stage.presenter.shown.count == 2)
    stage.page.top(.answer(0))
    #expect(stage.isInStep && stage.presenter.shown.count == 1)
    stage.page.act(.wifi(false))
    #expect(stage.presenter.shown.isEmpty && stage.page.state.rows.isEmpty && stage.page.state.layers.isEmpty)
  }
}
