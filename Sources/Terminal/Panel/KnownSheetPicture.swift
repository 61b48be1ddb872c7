import Models

/// Draws the sheet that adds a known network, or a copy of one.
struct KnownSheetPicture {
  let sheet: AddKnownNetworkModel
  let state: PanelState
  let isOnTop: Bool

  func draw(into picture: inout Picture, _ main: Area) {
    let form = KnownNetworkForm(sheet)
    let width = min(main.columns - 2, 64)
    let height = min(form.fields.count + 6, main.rows)
    let inner = picture.openBox(columns: width, rows: height, in: main, part: 3, title: form.title, style: Style(.accent))
    KnownFieldsPicture(form: form, state: state, isOnTop: isOnTop, isRoomy: false).draw(into: &picture, inner)
  }
}
