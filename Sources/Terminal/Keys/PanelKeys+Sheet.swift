import Models
import Observing
import WiFi

/// Keys of what lies over the list: the sheet, questions and the page.
extension PanelKeys {
  func handle(_ key: Key, _ sheet: ConnectToNetworkModel, _ top: Presentation) {
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

  func join(_ sheet: ConnectToNetworkModel, _ top: Presentation) {
    if let attempt = sheet.joinButtonTapped() { onAttempt(ViewerAttempt(attempt), top) }
  }

  func cancel(_ sheet: ConnectToNetworkModel, _ top: Presentation) {
    sheet.cancelButtonTapped()
    onCancelled(top)
  }

  func answer(_ key: Key) {
    let count = presenter.shown.last?.question?.buttons.count ?? 0
    switch key {
    case .left, .backTab, .up: state.button = max(state.button - 1, 0)
    case .right, .tab, .down: state.button = min(state.button + 1, max(count - 1, 0))
    case .escape: presenter.dismissTop()
    case .enter, .character(" "): presenter.answerTop(state.button)
    default: break
    }
  }

  func handle(_ key: Key, _ page: NetworkDetailModel) -> Effect? {
    let rows = max((layout?.main.rows ?? 2) - 1, 1)
    var lines: [DetailLines.Line] { DetailScreenPicture.lines(viewer, page, state, rows: rows).all }
    func scroll(to line: Int) {
      state.pageScroll = min(max(line, 0), DetailScreenPicture.maximumScroll(lines: lines.count, rows: rows))
    }
    /// Goes to the next line with what is searched for, from a line on; behind the last one from the first.
    func find(from first: Int) {
      let (lines, text) = (lines, state.pageSearch.lowercased())
      let places = lines.indices.filter { lines[$0].contains(text) }
      guard let place = places.first(where: { $0 >= first }) ?? places.first else {
        if !text.isEmpty { state.message = "Nothing on this page contains “\(text)”." }
        return
      }
      state.found = place
      scroll(to: place)
    }
    if state.isSearching {
      switch key {
      case .character(let character): state.pageSearch.append(character)
      case .backspace: state.pageSearch = String(state.pageSearch.dropLast())
      case .escape: (state.pageSearch, state.isSearching) = ("", false)
      case .enter: state.isSearching = false
      default: break
      }
      find(from: 0)
      return nil
    }
    switch key {
    case .character("/"): (state.pageSearch, state.isSearching) = ("", true)
    case .character("n") where !state.pageSearch.isEmpty: find(from: state.found + 1)
    case .character("z"):
      state.isFolded.toggle()
      scroll(to: state.pageScroll)
    case .up: scroll(to: state.pageScroll - 1)
    case .down: scroll(to: state.pageScroll + 1)
    case .pageUp: scroll(to: state.pageScroll - rows)
    case .pageDown, .character(" "): scroll(to: state.pageScroll + rows)
    case .home: scroll(to: 0)
    case .end: scroll(to: .max)
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
}
