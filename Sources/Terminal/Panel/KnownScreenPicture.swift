import Models
import WiFi

/// Draws the page that changes a known network.
struct KnownScreenPicture {
  let viewer: Viewer
  let page: KnownNetworkEditModel
  let state: PanelState
  let isOnTop: Bool
  let area: Area

  func draw(into picture: inout Picture) {
    picture.put("‹ Known networks", column: area.column + 1, row: area.row, style: .heading, target: .back)
    let isRoomy = area.rows >= 16
    let body = Area(
      column: area.column + 3, row: area.row + (isRoomy ? 2 : 1), columns: min(area.columns - 6, 72), rows: area.rows - (isRoomy ? 2 : 1))
    let network = page.network
    let form = KnownNetworkForm(page)
    var column = body.column
    column += picture.put(form.title, column: column, row: body.row, style: .heading, width: max(body.columns - 24, 12))
    let style = page.isGone ? Style(.warning, bold: true) : network.isJoined ? Style(.good, bold: true) : .muted
    column += 2 + picture.put(page.place, column: column + 2, row: body.row, style: style, width: body.endColumn - column - 2)
    picture.put(" · \(network.security)", column: column, row: body.row, style: .muted, width: max(body.endColumn - column, 0))
    let fields = body.dropFirst(isRoomy ? 2 : 1)
    KnownFieldsPicture(form: form, state: state, isOnTop: isOnTop, isRoomy: isRoomy).draw(into: &picture, fields)
  }
}
