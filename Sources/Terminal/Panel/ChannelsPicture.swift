import Models
import WiFi

/// Draws which part of a band each access point occupies: its true centre and width, the strongest on top.
struct ChannelsPicture {
  let viewer: Viewer

  /// The bands that have access points, in order; 5 GHz where none has.
  static func bands(_ networks: [Network]) -> [Band] {
    let there = [Band.ghz2_4, .ghz5, .ghz6].filter { band in networks.contains { $0.bands.contains(band) } }
    return there.isEmpty ? [.ghz5] : there
  }

  /// Draws every band that has access points, one below the other.
  func drawAll(_ area: Area, into picture: inout Picture) {
    let networks = viewer.networks
    let occupancies = Self.bands(networks).map { ChannelOccupancy(networks, band: $0) }
    // Each band has its title and axis; the rest is shared by what each needs.
    let needs = occupancies.map { max($0.lines(gapKHz: gap($0, area)).count, 1) }
    var left = area.rows - 3 * occupancies.count + 1
    var row = area.row
    for (index, occupancy) in occupancies.enumerated() {
      let others = occupancies.count - index
      let share = min(needs[index], max(left / others, 1))
      left -= share
      draw(occupancy, Area(column: area.column, row: row, columns: area.columns, rows: share + 2), into: &picture)
      row += share + 3
    }
  }

  /// Draws the band of a network.
  func drawBand(of id: NetworkID?, _ area: Area, into picture: inout Picture) {
    let networks = viewer.networks
    let band = id.flatMap { viewer[$0]?.network.members.first?.channel.band } ?? Self.bands(networks)[0]
    draw(ChannelOccupancy(networks, band: band), area, into: &picture)
  }

  /// Draws one band: a title with its channels, then the bars.
  func draw(_ occupancy: ChannelOccupancy, _ area: Area, into picture: inout Picture) {
    guard area.rows >= 2 else { return }
    let axis = ChannelAxis(occupancy, column: area.column + 9, columns: area.columns - 10)
    picture.put(occupancy.band.rawValue.replacing("GHz", with: " GHz"), column: area.column + 1, row: area.row, style: .heading)
    var lastEnd = 0
    for channel in axis.channels {
      let text = "\(channel.number)"
      let column = channel.column - text.count / 2
      guard column > lastEnd, column + text.count <= area.column + area.columns else { continue }
      lastEnd = column + picture.put(text, column: column, row: area.row, style: .muted)
    }
    let lines = occupancy.lines(gapKHz: gap(occupancy, area))
    let room = area.rows - 1
    let shown = lines.count > room ? room - 1 : lines.count
    for (index, line) in lines.prefix(shown).enumerated() {
      for bar in line { draw(bar, axis, row: area.row + 1 + index, into: &picture) }
    }
    let hidden = lines.dropFirst(shown).reduce(0) { $0 + $1.count }
    if hidden > 0 {
      picture.put(
        "… \(hidden) weaker, c shows \(viewer.layer == .channels ? "as many as fit" : "more")", column: area.column + 9,
        row: area.row + room, style: .muted, width: area.columns - 10)
    }
    if occupancy.bars.isEmpty { picture.put("no access point", column: area.column + 9, row: area.row + 1, style: .muted) }
  }

  /// One column, in kHz.
  private func gap(_ occupancy: ChannelOccupancy, _ area: Area) -> Int {
    ChannelAxis(occupancy, column: 0, columns: area.columns - 10).kHzPerColumn
  }

  /// `├──lab-sae -42──┤`; what is too narrow for it is cut, and `█` where there is one column.
  private func draw(_ bar: ChannelOccupancy.Bar, _ axis: ChannelAxis, row: Int, into picture: inout Picture) {
    let low = axis.column(bar.lowKHz)
    let width = max(axis.column(bar.highKHz) - low, 1)
    let isSubject = bar.network == viewer.subject
    let ink = bar.signalMBm.map { SignalMarks.ink(dBm: Int($0) / 100) } ?? .muted
    let style = Style(ink, bold: isSubject, reversed: isSubject)
    if width < 3 {
      picture.put(String(repeating: "█", count: width), column: low, row: row, style: Style(ink))
      return
    }
    picture.put("├" + String(repeating: "─", count: width - 2) + "┤", column: low, row: row, style: style)
    let primary = min(max(axis.column(bar.primaryKHz), low + 1), low + width - 2)
    picture.put("┼", column: primary, row: row, style: style)
    let name = bar.ssid.isHidden ? "(hidden)" : DisplayName.of(bar.ssid)
    let label = "\(name)\(bar.signalMBm.map { " \(Int($0) / 100)" } ?? "")"
    if width >= 7 { picture.put(label, column: low + 1, row: row, style: style, width: width - 2, align: .center) }
  }
}

/// Where frequencies of a band stand in a row of cells.
struct ChannelAxis {
  /// The frequencies at both ends, in kHz.
  let range: ClosedRange<Int>
  private let first: Int
  private let columns: Int

  /// An axis that shows the part of the band that is in use, or all of a band that fits.
  init(_ occupancy: ChannelOccupancy, column: Int, columns: Int) {
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

  /// How much of the band one column is, in kHz.
  var kHzPerColumn: Int { max((range.upperBound - range.lowerBound) / columns, 1) }

  /// The column of a frequency.
  func column(_ frequencyKHz: Int) -> Int {
    first + (frequencyKHz - range.lowerBound) * (columns - 1) / max(range.upperBound - range.lowerBound, 1)
  }

  /// The 20 MHz channels, each with its column.
  var channels: [(number: Int, column: Int)] {
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
