import Models
import Observing
import WiFi

/// Makes states of a viewer, and remembers the rows that have not changed since the last one.
///
/// A state costs time in proportion to the number of networks, most of it for those that changed. It shares the
/// isolation of the viewer.
final class PagePainter {
  private let viewer: Viewer
  private var known: [NetworkID: (row: ViewedRow, heard: Duration?, page: PageRow)] = [:]
  private var knownBars: (revision: Int, bars: [PageBar])?

  init(_ viewer: Viewer) { self.viewer = viewer }

  /// The state now.
  ///
  /// - Parameter shown: what lies over the list, the topmost last.
  func state(over shown: [PagePresenter.Entry]) -> PageState {
    let page = shown.last { $0.presentation.kind == .push }?.presentation.item as? NetworkDetailModel
    let subject = page.map { viewer.row(of: $0) } ?? viewer.subject.flatMap { viewer[$0] }
    let (listed, hidden) = rows()
    return PageState(
      header: PageHeader(viewer), controls: PageControls(viewer), rows: listed, hiddenRows: hidden,
      details: subject.map { PageDetails($0, viewer) }, bars: bars(),
      loads: viewer.settings.isOn ? viewer.slowFacts.flatMap { PageLoads($0.loads) } : nil, events: PageEvents(viewer.events),
      layers: shown.map { PageLayer($0, viewer) })
  }

  private func bars() -> [PageBar] {
    guard viewer.settings.isOn else { return [] }
    let revision = viewer.rowsRevision
    if let knownBars, knownBars.revision == revision { return knownBars.bars }
    let bars = viewer.occupancies.flatMap { PageBar.bars(of: $0) }
    knownBars = (revision, bars)
    return bars
  }

  private func rows() -> (listed: [PageRow], hidden: [PageRow]) {
    var next: [NetworkID: (row: ViewedRow, heard: Duration?, page: PageRow)] = [:]
    next.reserveCapacity(viewer.totalCount)
    func page(of row: ViewedRow) -> PageRow {
      let heard = viewer.settings.foundNetworks.lastHeard(row.id)
      if let old = known[row.id], old.heard == heard, old.row == row {
        next[row.id] = old
        return old.page
      }
      let page = PageRow(row, heard: heard)
      next[row.id] = (row, heard, page)
      return page
    }
    let listed = (0..<viewer.rowCount).map { page(of: viewer[row: $0]) }
    let hidden = viewer.hiddenRows.map { page(of: $0) }
    known = next
    return (listed, hidden)
  }
}
