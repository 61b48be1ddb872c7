import Models
import WiFi

/// The bars of a band, placed in columns and packed into lines so that none covers another.
struct BandChart {
  /// One bar with its label.
  struct Placed {
    let bar: ChannelOccupancy.Bar
    let column: Int
    let width: Int
    let primaryColumn: Int
    let label: String
    let side: Side
    /// The columns that bar and label take.
    let extent: Range<Int>
  }

  /// Where the label of a bar stands.
  enum Side {
    case inside, behind, before
  }

  /// The most columns of a label that stands behind its bar.
  static let labelWidth = 20

  let band: Band
  let axis: ChannelAxis
  /// The bars of each line, the strongest in the first.
  private(set) var lines: [[Placed]] = []
  /// The bars that no line has room for.
  private(set) var hiddenCount = 0

  /// Places the bars of a band in an area, in at most so many lines.
  init(_ occupancy: ChannelOccupancy, _ area: Area, maximum: Int) {
    band = occupancy.band
    axis = ChannelAxis(occupancy, column: area.column + 9, columns: area.columns - 10)
    let end = area.endColumn
    for bar in occupancy.bars {
      // Most bars of a crowd have no room, and need no label.
      let low = axis.column(bar.lowKHz)
      let bare = low..<(low + max(axis.column(bar.highKHz) - low, 1))
      if lines.count >= maximum, !lines.contains(where: { $0.allSatisfy { !$0.extent.overlaps(bare) } }) {
        hiddenCount += 1
        continue
      }
      let placed = place(bar, end: end)
      if let free = lines.firstIndex(where: { $0.allSatisfy { !$0.extent.overlaps(placed.extent) } }) {
        lines[free].append(placed)
      } else if lines.count < maximum {
        lines.append([placed])
      } else {
        hiddenCount += 1
      }
    }
  }

  private func place(_ bar: ChannelOccupancy.Bar, end: Int) -> Placed {
    let low = axis.column(bar.lowKHz)
    let width = max(axis.column(bar.highKHz) - low, 1)
    let name = DisplayName.shown(bar.ssid)
    let signal = bar.signalMBm.map { " \($0.wholeDBm)" } ?? ""
    var label = name + signal
    let (inside, behind, before) = (width - 2, min(end - low - width - 1, Self.labelWidth), min(low - axis.first - 1, Self.labelWidth))
    let wanted = min(label.columns, Self.labelWidth)
    let side: Side =
      if label.columns <= inside {
        .inside
      } else if wanted <= behind {
        .behind
      } else if wanted <= before {
        .before
      } else if inside * 2 >= max(behind, before) {
        .inside
      } else {
        behind >= before ? .behind : .before
      }
    // Where there is no room for both the name is cut, not the signal.
    let room = side == .inside ? inside : side == .behind ? behind : before
    if label.columns > room { label = ChannelsChart.cut(name, max(room - signal.columns, 0)) + signal }
    let columns = 1 + min(label.columns, Self.labelWidth)
    return Placed(
      bar: bar, column: low, width: width, primaryColumn: axis.column(bar.primaryKHz), label: label, side: side,
      extent: (side == .before ? low - columns : low)..<(low + width + (side == .behind ? columns : 0)))
  }
}
