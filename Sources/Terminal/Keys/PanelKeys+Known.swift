import Models
import Observing
import WiFi

/// Keys of the known networks: of their list, and of the form of one.
extension PanelKeys {
  func handle(_ key: Key, _ known: KnownNetworksModel) -> Effect? {
    let rows = known.rows
    let height = max((layout?.main.rows ?? 3) - 2, 1)
    switch key {
    case .up: viewer.moveKnownCursor(by: -1, in: rows)
    case .down: viewer.moveKnownCursor(by: 1, in: rows)
    case .pageUp: viewer.moveKnownCursor(by: -height, in: rows)
    case .pageDown: viewer.moveKnownCursor(by: height, in: rows)
    case .home: viewer.moveKnownCursor(by: -rows.count, in: rows)
    case .end: viewer.moveKnownCursor(by: rows.count, in: rows)
    case .enter: if let id = viewer.knownCursor(in: rows) { open(id, in: known) }
    case .escape, .backspace, .left, .character("k"): presenter.dismissTop()
    case .character("a"):
      if !known.features.contains(.add), !known.isLoading {
        state.message = "This daemon learns a network by joining it: join it in the list of networks."
      } else {
        known.addButtonTapped()
      }
    case .character("d"): change(.duplicate, in: known) { $0.duplicateButtonTapped() }
    case .character("x"): change(.forget, in: known) { $0.forgetButtonTapped() }
    case .character("r"): if let top = presenter.shown.last { onAttempt(ViewerAttempt(listing: known), top) }
    case .character("q"): return .quit
    default: break
    }
    return nil
  }

  private func open(_ id: KnownNetwork.ID, in known: KnownNetworksModel) {
    viewer.highlightKnown(id)
    known.networkTapped(id)
  }

  /// Opens the page of the highlighted network and does something there.
  private func change(_ feature: KnownNetworkFeature, in known: KnownNetworksModel, _ body: (KnownNetworkEditModel) -> Void) {
    guard known.features.contains(feature), let id = viewer.knownCursor(in: known.rows) else { return }
    open(id, in: known)
    if let page = known.path.last { body(page) }
  }

  func handle(_ key: Key, _ form: KnownNetworkForm, _ top: Presentation) -> Effect? {
    let order = Focus.controls(of: form)
    let isButton = [Focus.save, .duplicate, .forget, .cancel].contains(state.focus)
    /// Goes to the button beside the one that has the focus, as they stand on the screen.
    func moveAside(_ steps: Int) {
      let buttons = Focus.buttons(of: form)
      guard let index = buttons.firstIndex(of: state.focus) else { return }
      focus(buttons[min(max(index + steps, 0), buttons.count - 1)])
    }
    switch (key, state.focus) {
    case (.tab, _), (.down, _): moveFocus(1, in: order)
    case (.backTab, _), (.up, _): moveFocus(-1, in: order)
    case (.escape, _): close(form, top)
    case (.left, _) where isButton: moveAside(-1)
    case (.right, _) where isButton: moveAside(1)
    case _ where isButton && isPress(key): return click(state.focus, form, top)
    case (.enter, _): return click(.save, form, top)
    case (.character(" "), .show), (.left, .show), (.right, .show): state.showsPassword.toggle()
    case (_, .password): edit(form.password, key)
    case (_, .name): if let name = form.name { edit(name, key) }
    case (_, .security):
      if step(key, { Segments(form.security, form.securityChoices).step($0) }) { return nil } else { return shortcut(key, form, top) }
    case (_, .priority): if !NumberField(form.priority, in: KnownNetwork.priorities).handle(key) { return shortcut(key, form, top) }
    case (.character(" "), .autoconnect), (.left, .autoconnect), (.right, .autoconnect): Switch(form.autoconnect).toggle()
    case (.character(" "), .hidden), (.left, .hidden), (.right, .hidden): Switch(form.hidden).toggle()
    default: return shortcut(key, form, top)
    }
    return nil
  }

  /// The letters of the page, while no text has the focus.
  private func shortcut(_ key: Key, _ form: KnownNetworkForm, _ top: Presentation) -> Effect? {
    guard case .edit = form.subject else { return nil }
    switch key {
    case .character("d"): return click(.duplicate, form, top)
    case .character("x"): return click(.forget, form, top)
    case .character("q"): return .quit
    default: return nil
    }
  }

  private func close(_ form: KnownNetworkForm, _ top: Presentation) {
    switch form.subject {
    case .edit: presenter.dismissTop()
    case .add(let sheet):
      sheet.cancelButtonTapped()
      onCancelled(top)
    }
  }

  /// Presses a button of the form, or gives the focus to a field and switches it where it is a switch.
  func click(_ control: Focus, _ form: KnownNetworkForm, _ top: Presentation) -> Effect? {
    switch (control, form.subject) {
    case (.save, _):
      if let attempt = form.save() {
        onAttempt(attempt, top)
      } else if case .edit(let page) = form.subject, !page.hasChanges {
        state.message = "Nothing is changed."
      }
    case (.cancel, _): close(form, top)
    case (.duplicate, .edit(let page)): if page.features.contains(.duplicate) { page.duplicateButtonTapped() }
    case (.forget, .edit(let page)): if page.features.contains(.forget) { page.forgetButtonTapped() }
    case (.show, _): state.showsPassword.toggle()
    case (.autoconnect, _), (.hidden, _):
      focus(control)
      Switch(control == .hidden ? form.hidden : form.autoconnect).toggle()
    default: focus(control)
    }
    return nil
  }
}
