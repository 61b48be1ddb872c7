import Models
import Observing
import WiFi

/// What clicks and the wheel do.
extension PanelKeys {
  func handle(_ action: MouseAction, column: Int, row: Int) -> Effect? {
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
      if control == .security, let form {
        Segments(form.security, form.securityChoices).choose(index)
      } else {
        viewer.bandSegments.choose(index)
      }
    case .focus(.wifi):
      if player == nil { moveSwitch() }
    case .focus(.pause): pauseTapped()
    case .focus(.show): state.showsPassword.toggle()
    case .focus(let control) where form != nil: if let form, let top = presenter.shown.last { return click(control, form, top) }
    case .focus(.cancel): if let sheet, let top = presenter.shown.last { cancel(sheet, top) }
    case .focus(.join): if let sheet, let top = presenter.shown.last { join(sheet, top) }
    case .focus(let control): focus(control)
    case .layer(let layer): self.layer(layer)
    case .answer(let button): presenter.answerTop(button)
    case .back: presenter.dismissTop()
    case .forget: page?.forgetButtonTapped()
    case .knownRow(let id):
      viewer.highlightKnown(id)
      if action == .doublePress { known?.networkTapped(id) }
    case .addKnown: known?.addButtonTapped()
    }
    return nil
  }
}
