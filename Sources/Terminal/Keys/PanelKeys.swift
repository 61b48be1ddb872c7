public import Models
public import Observing
public import WiFi

/// Turns keys and clicks into what a user does with the models: highlights, taps, types, switches, answers.
///
/// It belongs to whoever owns the models. What it cannot do itself, such as to run an attempt to join, it asks for with
/// callbacks; what only the terminal can do it returns as an ``Effect``.
public final class PanelKeys {
  /// What the terminal is to do.
  public enum Effect: Hashable, Sendable {
    /// End the panel.
    case quit
    /// Stop the process until it is continued.
    case suspend
    /// Draw everything anew.
    case redraw
    /// Write the history to a file.
    case export
  }

  /// What the panel shows.
  public let viewer: Viewer
  /// What belongs to this terminal alone.
  public let state: PanelState
  /// What lies over the list.
  public let presenter: TerminalPresenter
  /// The size of the terminal.
  public var size: Size

  /// Plays a recording, where there is one.
  public var player: RecordingPlayer?

  private let onAttempt: (JoinAttempt, Presentation) -> Void
  private let onCancelled: (Presentation) -> Void
  private let onScanNow: () -> Void

  /// Makes the keys of a panel.
  ///
  /// - Parameters:
  ///   - onAttempt: runs an attempt to join in a task that ends with the sheet.
  ///   - onCancelled: ends the tasks of a sheet whose attempt was cancelled.
  ///   - onScanNow: begins the next scan before its time.
  public init(
    _ viewer: Viewer, state: PanelState, presenter: TerminalPresenter, size: Size,
    onAttempt: @escaping (JoinAttempt, Presentation) -> Void, onCancelled: @escaping (Presentation) -> Void,
    onScanNow: @escaping () -> Void
  ) {
    self.viewer = viewer
    self.state = state
    self.presenter = presenter
    self.size = size
    self.onAttempt = onAttempt
    self.onCancelled = onCancelled
    self.onScanNow = onScanNow
    presented()
  }

  /// The number of rows of the list in this size.
  public var listHeight: Int { PanelLayout(size, hasTimeBar: viewer.playback != nil)?.listHeight ?? 1 }

  /// Gives the focus to what is on top now; to be called when something was presented or dismissed.
  public func presented() {
    state.button = 0
    state.pageScroll = 0
    switch presenter.shown.last?.kind {
    case .sheet:
      state.focus = sheet?.network.isSecured == false ? .join : .password
      state.fieldCursor = sheet?.password.count ?? 0
      // A password that was wrong is replaced by what is typed next.
      state.fieldIsSelected = sheet?.password.isEmpty == false
    case .alert, .confirmation:
      let buttons = presenter.shown.last?.question?.buttons ?? []
      state.button = buttons.firstIndex { $0.role == .cancel } ?? 0
    case .push: state.focus = .list
    case nil:
      if Focus.sheet.contains(state.focus) { state.focus = .list }
      state.showsPassword = false
    }
  }

  private var sheet: ConnectToNetworkModel? { presenter.shown.last?.item as? ConnectToNetworkModel }
  private var page: NetworkDetailModel? { presenter.shown.last?.item as? NetworkDetailModel }

  // MARK: Input

  /// Does what a key, a click or pasted text means.
  public func handle(_ event: InputEvent) -> Effect? {
    state.message = nil
    switch event {
    case .key(let key): return handle(key)
    case .paste(let text):
      paste(text)
      return nil
    case .mouse(let action, let column, let row): return handle(action, column: column, row: row)
    }
  }

  private func handle(_ key: Key) -> Effect? {
    switch key {
    case .control("c"): return .quit
    case .control("z"): return .suspend
    case .control("l"): return .redraw
    default: break
    }
    if let top = presenter.shown.last {
      if top.question != nil {
        answer(key)
      } else if let sheet {
        handle(key, sheet, top)
      } else if let page {
        return handle(key, page)
      } else if key == .escape {
        presenter.dismissTop()
      }
      return nil
    }
    if key == .tab || key == .backTab {
      moveFocus(key == .tab ? 1 : -1, in: Focus.panel)
      return nil
    }
    switch state.focus {
    case .filter: return handleFilter(key)
    case .bands: if step(key, { viewer.bandSegments.step($0) }) { return nil }
    case .signal: if step(key, { viewer.signalSlider.move($0) }) { return nil }
    case .interval: if step(key, { viewer.intervalStepper.step($0) }) { return nil }
    case .pause: if isPress(key) { return effect { pauseTapped() } }
    case .wifi: if isPress(key) { return effect { Switch(viewer.settings.bind(\.isOn)).toggle() } }
    default: break
    }
    if state.focus != .list, key == .escape {
      state.focus = .list
      return nil
    }
    return handleList(key)
  }

  private func effect(_ body: () -> Void) -> Effect? {
    body()
    return nil
  }

  private func isPress(_ key: Key) -> Bool { key == .enter || key == .character(" ") }

  /// Whether a key moves a control, and moves it.
  private func step(_ key: Key, _ move: (Int) -> Void) -> Bool {
    switch key {
    case .left, .character("-"): move(-1)
    case .right, .character("+"), .character(" "): move(1)
    default: return false
    }
    return true
  }

  private func moveFocus(_ steps: Int, in order: [Focus]) {
    let isOpen = sheet?.network.isSecured == false
    let order = order.filter { control in
      switch control {
      case .interval, .wifi: viewer.playback == nil
      case .password, .show: !isOpen
      default: true
      }
    }
    let index = order.firstIndex(of: state.focus) ?? 0
    focus(order[(index + steps + order.count) % order.count])
  }

  /// Gives the focus to a control.
  public func focus(_ focus: Focus) {
    state.focus = focus
    state.fieldIsSelected = false
    switch focus {
    case .filter: state.fieldCursor = viewer.filter.text.count
    case .password: state.fieldCursor = sheet?.password.count ?? 0
    default: break
    }
  }

  // MARK: The list

  private func handleList(_ key: Key) -> Effect? {
    let height = listHeight
    switch key {
    case .up: scrollOrMove(-1, height)
    case .down: scrollOrMove(1, height)
    case .pageUp: scrollOrMove(-max(height - 1, 1), height)
    case .pageDown: scrollOrMove(max(height - 1, 1), height)
    case .home: if let player { player.go(to: 1) } else { viewer.highlightEnd(first: true, height: height) }
    case .end: if let player { player.go(to: player.count) } else { viewer.highlightEnd(first: false, height: height) }
    case .left: player?.step(by: -1)
    case .right: player?.step(by: 1)
    case .enter: rowTapped(height)
    case .escape: escape()
    case .character(let character): return command(character)
    default: break
    }
    return nil
  }

  private func scrollOrMove(_ lines: Int, _ height: Int) {
    if viewer.layer == .events {
      state.pageScroll = min(max(state.pageScroll - lines, 0), max(viewer.events.all.count - 1, 0))
    } else {
      viewer.moveCursor(by: lines, height: height)
    }
  }

  /// The first press highlights what the details are of, so that nobody joins what was not highlighted.
  private func rowTapped(_ height: Int) {
    guard viewer.layer == nil || viewer.layer == .known else { return viewer.layer = nil }
    guard let id = viewer.cursor, viewer.index(of: id) != nil else {
      if let subject = viewer.subject { viewer.show(subject, height: height) }
      return
    }
    tap(id)
  }

  /// Taps the row of a network: joins it, or shows the joined one.
  public func tap(_ id: NetworkID) {
    if viewer[id]?.isLost == true, id != viewer.settings.selectedNetworkID {
      state.message = "This network is lost; it can be joined when it is heard again."
      return
    }
    viewer.rowTapped(id)
  }

  private func escape() {
    if viewer.layer != nil {
      viewer.layer = nil
    } else if !viewer.filter.isEmpty {
      viewer.filter = NetworkFilter()
    } else if viewer.followed != nil {
      viewer.followTapped()
    } else {
      viewer.highlight(nil)
    }
    state.pageScroll = 0
  }

  private func pauseTapped() {
    if let player { player.play(viewer.isPaused) } else { viewer.pauseTapped() }
  }

  private func command(_ character: Character) -> Effect? {
    switch character {
    case "q": return .quit
    case "x": return .export
    case "i":
      if let id = viewer.subject {
        if viewer[id]?.isLost == true, id != viewer.settings.selectedNetworkID {
          state.message = "This network is lost; its details come back when it is heard again."
        } else {
          viewer.settings.infoButtonTapped(id)
        }
      }
    case "/":
      viewer.layer = nil
      focus(.filter)
    case "s": viewer.sort = viewer.sort.next
    case "S": viewer.sort.isReversed.toggle()
    case "b": viewer.bandSegments.step(1, wraps: true)
    case "[": viewer.signalSlider.move(-1)
    case "]": viewer.signalSlider.move(1)
    case "p": Segments(viewer.bind(\.filter).protection, NetworkFilter.Protection.allCases).step(1, wraps: true)
    case "g": Segments(viewer.bind(\.filter).minimumGeneration, [nil, 4, 5, 6, 7]).step(1, wraps: true)
    case "-" where player == nil: viewer.intervalStepper.step(1)
    case "+" where player == nil: viewer.intervalStepper.step(-1)
    case "f": viewer.followTapped()
    case "c": layer(.channels)
    case "e": layer(.events)
    case "?": layer(.help)
    case "w" where player == nil: Switch(viewer.settings.bind(\.isOn)).toggle()
    case "r" where player == nil:
      onScanNow()
      state.message = "Scanning as soon as the adapter can."
    case " ": pauseTapped()
    default: break
    }
    return nil
  }

  private func layer(_ layer: Viewer.Layer) {
    state.pageScroll = 0
    viewer.layerTapped(layer)
  }

  private func handleFilter(_ key: Key) -> Effect? {
    switch key {
    case .enter, .down: state.focus = .list
    case .escape:
      viewer.filter.text = ""
      state.focus = .list
    case .up, .pageUp, .pageDown: break
    default: edit(viewer.bind(\.filter).text, key)
    }
    return nil
  }

  private func edit(_ text: Binding<String>, _ key: Key) {
    var field = TextField(text, cursor: state.fieldCursor, isSelected: state.fieldIsSelected)
    guard field.handle(key) else { return }
    state.fieldCursor = field.cursor
    state.fieldIsSelected = field.isSelected
  }

  private func paste(_ text: String) {
    let target: Binding<String>?
    if let sheet, presenter.shown.last?.question == nil, state.focus == .password {
      target = sheet.bind(\.password)
    } else if presenter.shown.isEmpty, state.focus == .filter {
      target = viewer.bind(\.filter).text
    } else {
      target = nil
    }
    guard let target else { return }
    var field = TextField(target, cursor: state.fieldCursor, isSelected: state.fieldIsSelected)
    field.insert(text)
    state.fieldCursor = field.cursor
    state.fieldIsSelected = false
  }

  // MARK: The sheet

  private func handle(_ key: Key, _ sheet: ConnectToNetworkModel, _ top: Presentation) {
    switch (key, state.focus) {
    case (.tab, _), (.down, _): moveFocus(1, in: Focus.sheet)
    case (.backTab, _), (.up, _): moveFocus(-1, in: Focus.sheet)
    case (.escape, _): cancel(sheet, top)
    case (_, .show) where isPress(key): state.showsPassword.toggle()
    case (_, .cancel) where isPress(key): cancel(sheet, top)
    case (.enter, _): join(sheet, top)
    case (_, .join) where isPress(key): join(sheet, top)
    case (.left, .join), (.left, .cancel), (.right, .join), (.right, .cancel): state.focus = state.focus == .join ? .cancel : .join
    case (_, .password): edit(sheet.bind(\.password), key)
    default: break
    }
  }

  private func join(_ sheet: ConnectToNetworkModel, _ top: Presentation) {
    if let attempt = sheet.joinButtonTapped() { onAttempt(attempt, top) }
  }

  private func cancel(_ sheet: ConnectToNetworkModel, _ top: Presentation) {
    sheet.cancelButtonTapped()
    onCancelled(top)
  }

  // MARK: Questions and pages

  private func answer(_ key: Key) {
    let count = presenter.shown.last?.question?.buttons.count ?? 0
    switch key {
    case .left, .backTab, .up: state.button = max(state.button - 1, 0)
    case .right, .tab, .down: state.button = min(state.button + 1, max(count - 1, 0))
    case .escape: presenter.dismissTop()
    case .enter, .character(" "): presenter.answerTop(state.button)
    default: break
    }
  }

  private func handle(_ key: Key, _ page: NetworkDetailModel) -> Effect? {
    let rows = max((PanelLayout(size, hasTimeBar: viewer.playback != nil)?.main.rows ?? 2) - 1, 1)
    let maximum = DetailPagePicture.maximumScroll(lines: DetailPagePicture.lineCount(viewer, page, rows: rows), rows: rows)
    func scroll(to line: Int) { state.pageScroll = min(max(line, 0), maximum) }
    switch key {
    case .up: scroll(to: state.pageScroll - 1)
    case .down: scroll(to: state.pageScroll + 1)
    case .pageUp: scroll(to: state.pageScroll - rows)
    case .pageDown, .character(" "): scroll(to: state.pageScroll + rows)
    case .home: scroll(to: 0)
    case .end: scroll(to: maximum)
    case .escape, .backspace, .character("i"): presenter.dismissTop()
    case .left where player == nil: presenter.dismissTop()
    case .left: player?.step(by: -1)
    case .right: player?.step(by: 1)
    case .character("x") where page.canForget:
      if let hint = viewer.forgetHint { state.message = hint } else { page.forgetButtonTapped() }
    case .character("q"): return .quit
    default: break
    }
    return nil
  }

  // MARK: The mouse

  private func handle(_ action: MouseAction, column: Int, row: Int) -> Effect? {
    switch action {
    case .wheelUp: return handle(.key(.up))
    case .wheelDown: return handle(.key(.down))
    case .press, .doublePress: break
    }
    let picture = PanelPicture.draw(viewer, state, over: presenter.shown, size: size)
    switch picture.target(column: column, row: row) {
    case nil: break
    case .row(let id):
      state.focus = .list
      viewer.show(id, height: listHeight)
      if action == .doublePress { tap(id) }
    case .sort(let criterion):
      if viewer.sort.criterion == criterion { viewer.sort.isReversed.toggle() } else { viewer.sort = NetworkSort(criterion) }
    case .segment(let control, let index):
      focus(control)
      viewer.bandSegments.choose(index)
    case .focus(.wifi):
      if player == nil { Switch(viewer.settings.bind(\.isOn)).toggle() }
    case .focus(.pause): pauseTapped()
    case .focus(.show): state.showsPassword.toggle()
    case .focus(.cancel): if let sheet, let top = presenter.shown.last { cancel(sheet, top) }
    case .focus(.join): if let sheet, let top = presenter.shown.last { join(sheet, top) }
    case .focus(let control): focus(control)
    case .layer(let layer): self.layer(layer)
    case .answer(let button): presenter.answerTop(button)
    case .back: presenter.dismissTop()
    case .forget: page?.forgetButtonTapped()
    }
    return nil
  }
}
