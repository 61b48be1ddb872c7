import Models
import Observing
import WiFi

/// Draws the sheet that adds a known network, or a copy of one.
struct KnownSheetPicture {
  let sheet: AddKnownNetworkModel
  let state: PanelState
  let isOnTop: Bool

  func draw(into picture: inout Picture, _ main: Area) {
    let form = KnownNetworkForm(sheet)
    let width = min(main.columns - 2, 64)
    let height = min(form.fields.count + 6, main.rows)
    let box = Area(
      column: main.column + (main.columns - width) / 2, row: main.row + max((main.rows - height) / 3, 0), columns: width, rows: height)
    picture.removeTargets()
    picture.clear(box)
    picture.frame(box, title: form.title, style: Style(.accent))
    KnownFieldsPicture(form: form, state: state, isOnTop: isOnTop, isRoomy: false).draw(into: &picture, box.inset(columns: 2, rows: 1))
  }
}
