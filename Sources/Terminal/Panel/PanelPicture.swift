public import Models
public import Observing
import WiFi

/// Draws the whole panel: a pure function of what the models say, what lies over the list, and a size.
///
/// Colours come later, with a ``Palette``. Costs time in proportion to the cells and to the rows that are visible, not
/// to the number of networks; the channels cost time in proportion to the access points.
public enum PanelPicture {
  /// The picture of a viewer.
  ///
  /// - Parameters:
  ///   - state: the focus, and what else belongs to this terminal alone.
  ///   - shown: what lies over the list, the topmost last.
  ///   - size: the size of the terminal; of one that claims to be larger, ``Size/largest`` is drawn.
  public static func draw(_ viewer: Viewer, _ state: PanelState, over shown: [Presentation] = [], size: Size) -> Picture {
    let size = Size(columns: min(size.columns, Size.largest.columns), rows: min(size.rows, Size.largest.rows))
    var picture = Picture(size)
    guard let layout = PanelLayout(size, hasTimeBar: viewer.playback != nil) else {
      picture.put(tooSmall(size) + " q quits.", in: picture.area)
      return picture
    }
    HeaderPicture(viewer: viewer, state: state, area: layout.header).draw(into: &picture)
    let pushed = shown.last { $0.kind == .push }
    if let page = pushed?.item as? NetworkDetailModel {
      DetailScreenPicture(viewer: viewer, page: page, state: state, area: layout.main).draw(into: &picture)
    } else if let known = pushed?.item as? KnownNetworksModel {
      KnownListPicture(viewer: viewer, known: known, area: layout.main).draw(into: &picture)
    } else if let page = pushed?.item as? KnownNetworkEditModel {
      KnownScreenPicture(viewer: viewer, page: page, state: state, isOnTop: pushed === shown.last, area: layout.main).draw(into: &picture)
    } else {
      drawMain(viewer, state, layout, into: &picture)
    }
    KeysPicture(viewer: viewer, area: layout.keys, keys: PanelHelp.keys(viewer, state, shown), message: state.message).draw(into: &picture)
    for presentation in shown {
      if presentation.kind == .sheet, let sheet = presentation.item as? ConnectToNetworkModel {
        SheetPicture(sheet: sheet, viewer: viewer, state: state, isOnTop: presentation === shown.last).draw(into: &picture, layout.main)
      } else if let sheet = presentation.item as? AddKnownNetworkModel {
        KnownSheetPicture(sheet: sheet, state: state, isOnTop: presentation === shown.last).draw(into: &picture, layout.main)
      } else if let question = presentation.question {
        QuestionPicture(question: question, button: state.button).draw(into: &picture, layout.main)
      }
    }
    return picture
  }

  private static func drawMain(_ viewer: Viewer, _ state: PanelState, _ layout: PanelLayout, into picture: inout Picture) {
    switch viewer.layer {
    case .help: PanelHelp(isReplay: viewer.playback != nil).draw(into: &picture, layout.main, scroll: state.pageScroll)
    case .channels: ChannelsPicture(viewer: viewer).drawAll(layout.main, into: &picture)
    case .events: EventsPicture(viewer: viewer, area: layout.main, scroll: state.pageScroll).draw(into: &picture)
    case nil where viewer.totalCount == 0:
      // Nothing to detail or to chart: what is said instead of a list has all of the width.
      ListPicture(viewer: viewer, area: layout.main).draw(into: &picture)
    case nil:
      ListPicture(viewer: viewer, area: layout.list).draw(into: &picture)
      if let details = layout.details { DetailsPicture(viewer: viewer, area: details).draw(into: &picture) }
      if let channels = layout.channels, viewer.settings.isOn {
        let drawing = ChannelsPicture(viewer: viewer)
        if channels.rows >= 14 {
          drawing.drawAll(channels, into: &picture)
        } else {
          drawing.drawBand(of: viewer.subject, channels, into: &picture)
        }
      }
      if let events = layout.events { EventsPicture(viewer: viewer, area: events).draw(into: &picture) }
    }
  }

  /// The sentence for a size in which the panel has no room.
  public static func tooSmall(_ size: Size) -> String {
    let least = PanelLayout.minimum
    return "The panel needs \(least.columns) × \(least.rows) cells; this terminal has \(size.columns) × \(size.rows)."
  }
}
