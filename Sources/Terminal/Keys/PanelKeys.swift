public import Models
public import Observing
import WiFi

/// Turns keys and clicks into what a user does with the models: highlights, taps, types, switches, answers.
///
/// It shares the isolation of the models. What it cannot do itself, such as to run an attempt to join, it requests with
/// callbacks; what only the terminal can do it returns as an ``Effect``.
public final class PanelKeys {
  /// What the terminal is to do.
  public enum Effect: Hashable, Sendable {
    /// End the panel.
    case quit
    /// Stop the process until it is continued.
    case suspend
    /// Draw everything again.
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

  /// Whether there have been networks.
  private var hasListed = false
  /// The page or sheet with a form that was on top last.
  private weak var lastForm: Presentation?

  let onAttempt: (ViewerAttempt, Presentation) -> Void
  let onCancelled: (Presentation) -> Void
  let onScanNow: () -> Void

  /// Makes the keys of a panel.
  ///
  /// - Parameters:
  ///   - onAttempt: runs an attempt in a task that ends with the sheet or page that it began on.
  ///   - onCancelled: ends the tasks of a sheet whose attempt was cancelled.
  ///   - onScanNow: begins the next scan before its time.
  public init(
    _ viewer: Viewer, state: PanelState, presenter: TerminalPresenter, size: Size,
    onAttempt: @escaping (ViewerAttempt, Presentation) -> Void, onCancelled: @escaping (Presentation) -> Void,
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
  public var listHeight: Int { layout?.listHeight ?? 1 }

  /// Where everything stands; `nil` where the terminal is too small for it.
  var layout: PanelLayout? { PanelLayout(size, hasTimeBar: viewer.playback != nil) }

  /// Highlights a row where there are networks for the first time: the joined one or the first; to be called when they
  /// may have come.
  public func listed() {
    guard !hasListed, let id = viewer.subject else { return }
    hasListed = true
    if viewer.cursor == nil { viewer.show(id, height: listHeight) }
  }

  /// Gives the focus to what is on top now; to be called when something was presented or dismissed.
  public func presented() {
    state.button = 0
    state.pageScroll = 0
    (state.pageSearch, state.isSearching) = ("", false)
    let top = presenter.shown.last
    if let form {
      // Where a question that was asked over the form is gone, its control has the focus still.
      if top !== lastForm || !Focus.controls(of: form).contains(state.focus) { focus(.first(of: form)) }
      // What is typed into one form is not shown because it was shown in another.
      if top !== lastForm { state.showsPassword = false }
      lastForm = top
      return
    }
    switch top?.kind {
    case .sheet, .popover:
      state.focus = sheet?.network.isSecured == false ? .join : .password
      state.fieldCursor = sheet?.password.count ?? 0
      // A password that was wrong is replaced by what is typed next.
      state.fieldIsSelected = sheet?.password.isEmpty == false
    case .alert, .confirmation:
      let buttons = top?.question?.buttons ?? []
      state.button = buttons.firstIndex { $0.role == .cancel } ?? 0
    case .push: state.focus = .list
    case nil:
      if !Focus.panel.contains(state.focus) { state.focus = .list }
      state.showsPassword = false
    }
  }

  var sheet: ConnectToNetworkModel? { presenter.shown.last?.item as? ConnectToNetworkModel }
  var page: NetworkDetailModel? { presenter.shown.last?.item as? NetworkDetailModel }
  var known: KnownNetworksModel? { presenter.shown.last?.item as? KnownNetworksModel }
  var form: KnownNetworkForm? { KnownNetworkForm(item: presenter.shown.last?.item) }

  // MARK: Input

  /// Does what a key, a click or pasted text means.
  ///
  /// Where the terminal is too small for a picture, that is to quit, and nothing that would not be seen.
  public func handle(_ event: InputEvent) -> Effect? {
    state.message = nil
    defer { if event != .key(.character("w")) { state.asksToSwitchOff = false } }
    if layout == nil {
      guard case .key(let key) = event else { return nil }
      return key == .character("q") ? .quit : effect(of: key)
    }
    switch event {
    case .key(let key): return handle(key)
    case .paste(let text):
      paste(text)
      return nil
    case .mouse(let action, let column, let row): return handle(action, column: column, row: row)
    }
  }

  /// What a key is for the terminal, whatever is shown.
  private func effect(of key: Key) -> Effect? {
    switch key {
    case .control("c"): .quit
    case .control("z"): .suspend
    case .control("l"): .redraw
    default: nil
    }
  }

  func handle(_ key: Key) -> Effect? {
    if let effect = effect(of: key) { return effect }
    if let top = presenter.shown.last {
      if top.question != nil {
        answer(key)
      } else if let sheet {
        handle(key, sheet, top)
      } else if let page {
        return handle(key, page)
      } else if let known {
        return handle(key, known)
      } else if let form {
        return handle(key, form, top)
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
    case .wifi: if isPress(key) { return effect { moveSwitch() } }
    default: break
    }
    if state.focus != .list, key == .escape {
      state.focus = .list
      return nil
    }
    return handleList(key)
  }

  func effect(_ body: () -> Void) -> Effect? {
    body()
    return nil
  }

  func isPress(_ key: Key) -> Bool { key == .enter || key == .character(" ") }

  /// Whether a key moves a control, and moves it.
  func step(_ key: Key, _ move: (Int) -> Void) -> Bool {
    switch key {
    case .left, .character("-"): move(-1)
    case .right, .character("+"), .character(" "): move(1)
    default: return false
    }
    return true
  }

  func moveFocus(_ steps: Int, in order: [Focus]) {
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
    case .password: state.fieldCursor = (sheet?.password ?? form?.password.wrappedValue)?.count ?? 0
    case .name: state.fieldCursor = form?.name?.wrappedValue.count ?? 0
    default: break
    }
  }
}
