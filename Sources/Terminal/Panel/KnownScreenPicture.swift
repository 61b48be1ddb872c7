import Models
import Observing
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
    var column = body.column
    column += picture.put(
      network.ssid.isHidden ? "(hidden)" : DisplayName.of(network.ssid), column: column, row: body.row, style: .heading,
      width: max(body.columns - 24, 12))
    let state: (text: String, style: Style) =
      page.isGone
      ? ("not known any more", Style(.warning, bold: true))
      : network.isJoined ? ("joined", Style(.good, bold: true)) : page.isInRange ? ("in range", .muted) : ("not in range", .muted)
    column +=
      2 + picture.put(state.text, column: column + 2, row: body.row, style: state.style, width: body.column + body.columns - column - 2)
    picture.put(
      " · \(network.security)", column: column, row: body.row, style: .muted, width: max(body.column + body.columns - column, 0))
    let fields = body.dropFirst(isRoomy ? 2 : 1)
    KnownFieldsPicture(form: KnownNetworkForm(page), state: self.state, isOnTop: isOnTop, isRoomy: isRoomy).draw(into: &picture, fields)
  }
}
