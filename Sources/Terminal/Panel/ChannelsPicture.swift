import Models
import WiFi

/// Draws which part of a band each access point occupies: its true centre and width, the strongest on top.
struct ChannelsPicture {
  /// The viewer whose networks are drawn, and which of them is shown; `nil` where what is drawn was given.
  let viewer: Viewer?
  private let given: [ChannelOccupancy]

  /// Draws what a viewer shows.
  init(viewer: Viewer) { (self.viewer, given) = (viewer, []) }

  /// Draws these bands.
  init(given: [ChannelOccupancy]) { (viewer, self.given) = (nil, given) }

  /// Draws every band that has access points, one below the other.
  func drawAll(_ area: Area, into picture: inout Picture) {
    let charts = occupancies.map { BandChart($0, area, maximum: area.rows) }
    let needs = charts.map { max($0.lines.count + ($0.hiddenCount > 0 ? 1 : 0), 1) + (asksForLoads ? 1 : 0) }
    // Each band has its title; the rest is shared row by row, so that none is blank while another band needs it.
    var left = area.rows - charts.count
    let gap = needs.reduce(charts.count - 1, +) <= left || left >= charts.count * 12 ? 1 : 0
    left -= gap * (charts.count - 1)
    var shares = charts.map { _ in 0 }
    while left > 0, shares != needs {
      for index in charts.indices where shares[index] < needs[index] && left > 0 {
        shares[index] += 1
        left -= 1
      }
    }
    var row = area.row
    for (chart, share) in zip(charts, shares) {
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
    let hasRoom = area.rows >= 4 || chart.lines.count + 2 <= area.rows
    let loads = hasRoom ? viewer?.slowFacts?.loads : nil
    let marks = marks(chart, area, loads?.value ?? [])
    for mark in marks { picture.put(mark.number, column: mark.column - mark.number.count / 2, row: area.row, style: .muted) }
    let hasLoads = loads == .loading || marks.contains { $0.busyPercent != nil }
    if hasLoads { picture.put(loads == .loading ? "busy  …" : "busy %", column: area.column + 1, row: area.row + 1, style: .muted) }
    for mark in marks {
      guard let percent = mark.busyPercent else { continue }
      let text = "\(percent)"
      let ink: Style.Ink = percent >= 60 ? .poor : percent >= 30 ? .fair : .muted
      picture.put(text, column: mark.column - text.count / 2, row: area.row + 1, style: Style(ink))
    }
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

  /// A channel whose number stands over the bars, with how busy it is under it.
  private struct Mark {
    let column: Int
    let number: String
    let busyPercent: Int?
  }

  /// The channels whose numbers and figures have room beside each other: those of the bars first, the strongest in
  /// front.
  private func marks(_ chart: BandChart, _ area: Area, _ loads: [ChannelLoad]) -> [Mark] {
    let channels = chart.axis.channels.map { (frequencyKHz: chart.band.frequencyKHz(channel: $0.number), channel: $0) }
    let used = chart.lines.joined().compactMap { placed in channels.first { $0.frequencyKHz == placed.bar.primaryKHz } }
    var taken: [Range<Int>] = []
    return (used + channels).compactMap { frequencyKHz, channel in
      let number = "\(channel.number)"
      let percent = loads.first { $0.frequencyKHz == frequencyKHz }?.busyPercent
      let width = max(number.count, percent.map { "\($0)".count } ?? 0)
      let columns = (channel.column - width / 2)..<(channel.column - width / 2 + width)
      guard columns.lowerBound > 0, columns.upperBound <= area.endColumn, !taken.contains(where: { $0.overlaps(columns) })
      else { return nil }
      // With a blank on either side.
      taken.append((columns.lowerBound - 1)..<(columns.upperBound + 1))
      return Mark(column: channel.column, number: number, busyPercent: percent)
    }
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
