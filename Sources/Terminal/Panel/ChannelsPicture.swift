package import Models
import WiFi

/// Draws which part of a band each access point occupies: its true centre and width, the strongest on top.
struct ChannelsPicture {
  /// Whose networks are drawn, and which of them is shown; `nil` where what is drawn was given.
  let viewer: Viewer?
  private let given: [ChannelOccupancy]

  /// Draws what a viewer shows.
  init(viewer: Viewer) { (self.viewer, given) = (viewer, []) }

  /// Draws these bands.
  init(given: [ChannelOccupancy]) { (viewer, self.given) = (nil, given) }

  /// Draws every band that has access points, one below the other.
  func drawAll(_ area: Area, into picture: inout Picture) {
    let charts = occupancies.map { BandChart($0, area, maximum: area.rows) }
    // Each band has its title; the rest is shared by what each needs, with a blank line between two where there is room.
    var left = area.rows - charts.count
    let gap = left > charts.count * 3 ? 1 : 0
    left -= gap * (charts.count - 1)
    var row = area.row
    for (index, chart) in charts.enumerated() {
      let needed = max(chart.lines.count + (chart.hiddenCount > 0 ? 1 : 0), 1) + (asksForLoads ? 1 : 0)
      let share = min(needed, max(left / (charts.count - index), 1))
      left -= share
      draw(chart, Area(column: area.column, row: row, columns: area.columns, rows: share + 1), into: &picture)
      row += share + 1 + gap
    }
  }

  /// Whether a row is for how busy channels are.
  private var asksForLoads: Bool {
    switch viewer?.slowFacts?.loads {
    case .loading, .known: true
    case .unasked, .unavailable, nil: false
    }
  }

  /// Draws the band of a network.
  func drawBand(of id: NetworkID?, _ area: Area, into picture: inout Picture) {
    let band = id.flatMap { viewer?[$0]?.network.members.first?.channel.band }
    let all = occupancies
    let occupancy = all.first { $0.band == band } ?? all[0]
    draw(BandChart(occupancy, area, maximum: area.rows - 1), area, into: &picture)
  }

  /// What there is to draw; an empty band where there is nothing.
  private var occupancies: [ChannelOccupancy] {
    let all = viewer?.occupancies ?? given
    return all.isEmpty ? [ChannelOccupancy([], band: .ghz5)] : all
  }

  /// Draws one band: a title with its channels, then the bars.
  private func draw(_ chart: BandChart, _ area: Area, into picture: inout Picture) {
    guard area.rows >= 2 else { return }
    picture.put(chart.band.rawValue.replacing("GHz", with: " GHz"), column: area.column + 1, row: area.row, style: .heading)
    var lastEnd = 0
    for channel in chart.axis.channels {
      let text = "\(channel.number)"
      let column = channel.column - text.count / 2
      guard column > lastEnd, column + text.count <= area.column + area.columns else { continue }
      lastEnd = column + picture.put(text, column: column, row: area.row, style: .muted)
    }
    let hasRoom = area.rows >= 4 || chart.lines.count + 2 <= area.rows
    let hasLoads = asksForLoads && hasRoom && drawLoads(chart, area, into: &picture)
    let area = hasLoads ? area.dropFirst() : area
    let room = area.rows - 1
    let total = chart.lines.reduce(0) { $0 + $1.count } + chart.hiddenCount
    let isCut = chart.lines.count > room || chart.hiddenCount > 0
    var shown = 0
    for (index, line) in chart.lines.prefix(isCut ? room - 1 : room).enumerated() {
      shown += line.count
      for bar in line { draw(bar, row: area.row + 1 + index, into: &picture) }
    }
    if isCut {
      picture.put(
        "… \(total - shown) weaker" + (viewer.map { $0.layer != .channels } ?? false ? ", c shows more" : ""), column: area.column + 9,
        row: area.row + room, style: .muted, width: area.columns - 10)
    }
    if total == 0 { picture.put("no access point", column: area.column + 9, row: area.row + 1, style: .muted) }
  }

  /// Draws under each channel how busy it is, in percent; `false` where that is not known of any.
  private func drawLoads(_ chart: BandChart, _ area: Area, into picture: inout Picture) -> Bool {
    let row = area.row + 1
    guard let slowFacts = viewer?.slowFacts, let loads = slowFacts.loads.value else {
      guard viewer?.slowFacts?.loads == .loading else { return false }
      picture.put("busy  …", column: area.column + 1, row: row, style: .muted)
      return true
    }
    let shown = chart.axis.channels.compactMap { channel in
      let frequency = chart.band.frequencyKHz(channel: channel.number)
      return loads.first { $0.frequencyKHz == frequency }?.busyPercent.map { (channel.column, $0) }
    }
    guard !shown.isEmpty else { return false }
    picture.put("busy %", column: area.column + 1, row: row, style: .muted)
    var lastEnd = 0
    for (middle, percent) in shown {
      let text = "\(percent)"
      let column = middle - text.count / 2
      guard column > lastEnd, column + text.count <= area.column + area.columns else { continue }
      let ink: Style.Ink = percent >= 60 ? .poor : percent >= 30 ? .fair : .muted
      lastEnd = column + picture.put(text, column: column, row: row, style: Style(ink))
    }
    return true
  }

  /// `├──lab-sae -42──┤`; a bar that is too narrow for its name has it behind.
  private func draw(_ placed: BandChart.Placed, row: Int, into picture: inout Picture) {
    let bar = placed.bar
    let isSubject = viewer.map { bar.network == $0.subject } ?? false
    let ink = bar.signalMBm.map { SignalMarks.ink(dBm: $0.wholeDBm) } ?? .muted
    let style = Style(ink, bold: isSubject, reversed: isSubject)
    let (low, width) = (placed.column, placed.width)
    if width < 3 {
      picture.put(String(repeating: "█", count: width), column: low, row: row, style: Style(ink))
    } else {
      picture.put("├" + String(repeating: "─", count: width - 2) + "┤", column: low, row: row, style: style)
      picture.put("┼", column: min(max(placed.primaryColumn, low + 1), low + width - 2), row: row, style: style)
    }
    switch placed.side {
    case .inside: picture.put(placed.label, column: low + 1, row: row, style: style, width: width - 2, align: .center)
    case .before:
      let columns = min(placed.label.columns, BandChart.labelWidth)
      picture.put(placed.label, column: low - 1 - columns, row: row, style: Style(ink, bold: isSubject), width: columns)
    case .behind:
      picture.put(placed.label, column: low + width + 1, row: row, style: Style(ink, bold: isSubject), width: BandChart.labelWidth)
    }
  }
}

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
    let end = area.column + area.columns
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
    let name = bar.ssid.isHidden ? "(hidden)" : DisplayName.of(bar.ssid)
    let signal = bar.signalMBm.map { " \($0.wholeDBm)" } ?? ""
    var label = name + signal
    let columns = 1 + min(label.columns, Self.labelWidth)
    let side: Side =
      if label.columns <= width - 2 {
        .inside
      } else if low + width + columns <= end {
        .behind
      } else {
        low - columns >= axis.first ? .before : .inside
      }
    // Where there is no room for both the name is cut, not the signal.
    let room = side == .inside ? width - 2 : Self.labelWidth
    if label.columns > room { label = ChannelsChart.cut(name, max(room - signal.columns, 0)) + signal }
    return Placed(
      bar: bar, column: low, width: width, primaryColumn: axis.column(bar.primaryKHz), label: label, side: side,
      extent: (side == .before ? low - columns : low)..<(low + width + (side == .behind ? columns : 0)))
  }
}

/// Where frequencies of a band stand in a row of cells.
package struct ChannelAxis {
  /// The frequencies at both ends, in kHz.
  package let range: ClosedRange<Int>
  let first: Int
  private let columns: Int

  /// An axis that shows the part of the band that is in use, or all of a band that fits.
  package init(_ occupancy: ChannelOccupancy, column: Int, columns: Int) {
    first = column
    self.columns = max(columns, 1)
    let whole: ClosedRange<Int> =
      switch occupancy.band {
      case .ghz2_4: 2_400_000...2_484_000
      case .ghz5: 5_150_000...5_895_000
      case .ghz6: 5_925_000...7_125_000
      case .ghz60: 57_240_000...70_200_000
      case .s1g: 902_000...928_000
      }
    guard occupancy.band != .ghz2_4, let low = occupancy.bars.map(\.lowKHz).min(), let high = occupancy.bars.map(\.highKHz).max()
    else {
      range = whole
      return
    }
    // A margin of one channel; at least 320 MHz, so that one network does not fill the width.
    let middle = (low + high) / 2
    let half = max((high - low) / 2 + 20_000, 160_000)
    let start = max(min(middle - half, whole.upperBound - 2 * half), whole.lowerBound)
    range = min(start, low)...max(min(start + 2 * half, whole.upperBound), high)
  }

  /// The column of a frequency.
  package func column(_ frequencyKHz: Int) -> Int {
    first + (frequencyKHz - range.lowerBound) * (columns - 1) / max(range.upperBound - range.lowerBound, 1)
  }

  /// The 20 MHz channels, each with its column.
  package var channels: [(number: Int, column: Int)] {
    guard let band = Band(frequencyKHz: (range.lowerBound + range.upperBound) / 2) else { return [] }
    let numbers: [Int] =
      switch band {
      case .ghz2_4: Array(1...13)
      case .ghz5:
        Array(stride(from: 36, through: 64, by: 4)) + stride(from: 100, through: 144, by: 4) + stride(from: 149, through: 177, by: 4)
      case .ghz6: Array(stride(from: 1, through: 233, by: 4))
      case .ghz60: Array(1...6)
      case .s1g: Array(stride(from: 1, through: 51, by: 2))
      }
    return numbers.compactMap { number in
      guard let frequency = band.frequencyKHz(channel: number), range.contains(frequency) else { return nil }
      return (number, column(frequency))
    }
  }
}
