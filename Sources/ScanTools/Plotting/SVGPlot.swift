import Models
import Terminal
import WiFi

/// Draws what was heard as one SVG file: networks over time, signals over time, channels in use.
///
/// Nothing is loaded from outside. Colours follow the light or dark scheme of the reader; lines are distinguished by
/// their dashes and numbers, too. Text grows where the picture is small.
public struct SVGPlot {
  /// The most access points whose signal is drawn.
  static let seriesLimit = 8
  /// The most lines of bars of a band.
  private static let bandLineLimit = 12

  private let history: AirHistory
  private let name: String
  private var writer = HTMLWriter()
  private var y = 0

  /// The width of the picture, in its own units.
  private static let width = 800
  /// Where axes begin and end.
  private static let (left, right) = (64, 784)
  /// What a character of the largest text takes at most.
  private static let characterWidth = 12

  /// Makes a plot.
  ///
  /// - Parameter name: what was heard, for the title.
  public init(_ history: AirHistory, name: String) { (self.history, self.name) = (history, name) }

  /// The file.
  public var bytes: [UInt8] {
    var plot = self
    plot.draw()
    let height = plot.y + 16
    var file = HTMLWriter()
    file.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    file.element(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("viewBox", "0 0 \(Self.width) \(height)"), ("role", "img"),
        ("aria-labelledby", "title description"), ("font-family", "system-ui, sans-serif"),
      ]
    ) { svg in
      svg.element("title", [("id", "title")], title)
      svg.element("desc", [("id", "description")], description)
      svg.raw("<style>\(Self.style)</style>\n")
      svg.void("rect", [("class", "paper"), ("width", "\(Self.width)"), ("height", "\(height)")])
      svg.raw(plot.writer.text)
    }
    file.newline()
    return Array(file.text.utf8)
  }

  private static let style = """
    svg{--paper:#fff;--ink:#1b1f24;--muted:#57606a;--grid:#d5dbe1;--area:#0b5cad;\
    --s0:#0b5cad;--s1:#b54708;--s2:#08703d;--s3:#a3327b;--s4:#6b5300;--s5:#57409c;--s6:#9b1c1c;--s7:#1b1f24}\
    @media (prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--muted:#9ba7b4;--grid:#30363d;--area:#6cb6ff;\
    --s0:#6cb6ff;--s1:#f0a060;--s2:#6bd08f;--s3:#f09bd2;--s4:#e3c65b;--s5:#b9a5f5;--s6:#ff9a91;--s7:#e6edf3}}\
    text{fill:var(--ink);font-size:21px}.m{fill:var(--muted)}.h{font-weight:600}.e{text-anchor:end}.i{fill:var(--paper)}.c{text-anchor:middle}\
    @media (min-width:700px){text{font-size:16px}}@media (min-width:1100px){text{font-size:13px}}\
    .paper{fill:var(--paper)}.g{stroke:var(--grid);stroke-width:1}.area{fill:var(--area);opacity:.3}\
    .l{fill:none;stroke-width:2.5;stroke-linejoin:round}.n{stroke:var(--area)}.bar{fill:var(--area)}.mark{stroke:var(--paper);stroke-width:2}\
    .s0{stroke:var(--s0)}.s1{stroke:var(--s1);stroke-dasharray:9 4}.s2{stroke:var(--s2);stroke-dasharray:3 3}\
    .s3{stroke:var(--s3);stroke-dasharray:14 4 3 4}.s4{stroke:var(--s4);stroke-dasharray:6 6}.s5{stroke:var(--s5);stroke-dasharray:2 5}\
    .s6{stroke:var(--s6);stroke-dasharray:18 5}.s7{stroke:var(--s7);stroke-dasharray:9 3 2 3 2 3}
    """

  // MARK: Words

  private var title: String {
    guard let start = history.start else { return "\(shown(name)): what was heard" }
    return "\(shown(name)): what was heard from \(start) to \(start.advanced(by: history.end)) UTC"
  }

  private var description: String {
    let most = history.bins.map(\.networkCount).max() ?? 0
    let strongest = chosen.first.map { " The strongest that was heard most of the time is \(label($0))." } ?? ""
    let bands = history.occupancies.map { "\($0.bars.count) on \($0.band.rawValue)" }.joined(separator: ", ")
    let heard = "\(history.scanCount.counted("scan")) heard \(history.accessPointCount.counted("access point"))"
    let networks = most == 1 ? "1 network was" : "\(most) networks were"
    let leftOut = history.leftOutWords.map { (more: " and more", sentence: " \($0).") } ?? (more: "", sentence: "")
    let found = "\(heard)\(bands.isEmpty ? "" : " (\(bands))")\(leftOut.more)"
    return "\(found); at most \(networks) there at once.\(leftOut.sentence)\(strongest)"
  }

  private func shown(_ text: String) -> String { PrintableText.escape(text) }

  private func label(_ series: AirHistory.Series) -> String {
    let range = series.range.map { " \($0.lowerBound / 100) to \($0.upperBound / 100) dBm" } ?? ""
    let name = Self.cut(DisplayName.shown(series.facts.ssid), 20)
    return "\(name) \(series.bssid) ch \(series.facts.channel.number.map { "\($0)" } ?? "?")\(range)"
  }

  private static func cut(_ text: String, _ count: Int) -> String { text.count > count ? text.prefix(count - 1) + "…" : text }

  private var chosen: [AirHistory.Series] { Array(history.series.filter { $0.range != nil }.prefix(Self.seriesLimit)) }

  // MARK: Drawing

  private mutating func draw() {
    y = 8
    text(title.count > 64 ? Self.cut(shown(name), 60) : title, x: 16, y: y + 24, "h")
    if title.count > 64, let start = history.start {
      y += 28
      text("\(start) to \(start.advanced(by: history.end)) UTC", x: 16, y: y + 24, "m")
    }
    y += 40
    drawNetworks()
    drawSignals()
    for occupancy in history.occupancies { draw(occupancy) }
    if let leftOut = history.leftOutWords {
      text(leftOut, x: 16, y: y + 24, "m")
      y += 32
    }
    if history.accessPointCount == 0 {
      text("No access point was heard.", x: 16, y: y + 24, "m")
      y += 32
    }
  }

  private mutating func text(_ words: String, x: Int, y: Int, _ classes: String) {
    writer.element("text", [("x", "\(x)"), ("y", "\(y)"), ("class", classes)], words)
    writer.newline()
  }

  private mutating func line(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int, _ classes: String) {
    writer.void("line", [("x1", "\(x1)"), ("y1", "\(y1)"), ("x2", "\(x2)"), ("y2", "\(y2)"), ("class", classes)])
  }

  private var binsShown: Int { max(history.bins.count, 1) }

  private func x(ofBin bin: Int) -> Int { Self.left + (Self.right - Self.left) * bin / binsShown }

  private func x(of time: Duration) -> Int {
    let whole = max((history.binWidth * binsShown).wholeNanoseconds / 1_000_000, 1)
    return Self.left + Int(Int64(Self.right - Self.left) * (time.wholeNanoseconds / 1_000_000) / whole)
  }

  /// The axis of time below a chart.
  private mutating func drawTimes(top: Int, bottom: Int) {
    var free = 0
    for (time, label) in PlotTicks(start: history.start, end: history.end, count: 7).moments {
      let position = x(of: time)
      guard position <= Self.right else { break }
      line(position, top, position, bottom, "g")
      let half = label.count * Self.characterWidth / 2
      let middle = min(max(position, half), Self.width - half)
      guard middle - half > free else { continue }
      free = middle + half
      text(label, x: middle, y: bottom + 24, "m c")
    }
  }

  /// The words below a chart about what it has no room for, if there is something.
  private mutating func noteHidden(_ count: Int, _ which: String) {
    guard count > 0 else { return }
    text(AirHistory.words(count, which, "not drawn"), x: Self.left, y: y + 22, "m")
    y += 28
  }

  private mutating func drawNetworks() {
    text("Networks that are there (area), access points heard by a scan (line)", x: 16, y: y + 20, "m")
    let (top, bottom) = (y + 44, y + 184)
    let most = max(history.bins.map { max($0.networkCount, $0.accessPointCount) }.max() ?? 0, 1)
    func height(_ count: Int) -> Int { bottom - (bottom - top) * count / most }
    for count in most > 1 ? [0, most / 2, most] : [0, most] {
      line(Self.left, height(count), Self.right, height(count), "g")
      text("\(count)", x: Self.left - 8, y: height(count) + 6, "m e")
    }
    drawTimes(top: top, bottom: bottom)
    var (area, heard) = ("", "")
    for (index, bin) in history.bins.enumerated() where bin.scanCount > 0 {
      // Where no scan ended, what the one before found is still there.
      let next = history.bins[(index + 1)...].firstIndex { $0.scanCount > 0 } ?? history.bins.count
      area += area.isEmpty ? "M\(x(ofBin: index)) \(bottom)" : ""
      area += "L\(x(ofBin: index)) \(height(bin.networkCount))H\(x(ofBin: next))"
      heard += "\(heard.isEmpty ? "M" : "L")\(x(ofBin: index)) \(height(bin.accessPointCount))H\(x(ofBin: next))"
    }
    if !area.isEmpty { writer.void("path", [("class", "area"), ("d", area + "V\(bottom)Z")]) }
    if !heard.isEmpty { writer.void("path", [("class", "l n"), ("d", heard)]) }
    writer.newline()
    y = bottom + 44
  }

  private mutating func drawSignals() {
    let chosen = chosen
    guard !chosen.isEmpty else { return }
    text("Signal in dBm", x: 16, y: y + 20, "m")
    let (top, bottom) = (y + 44, y + 264)
    let low = min((chosen.compactMap { $0.range?.lowerBound }.min() ?? -9000) / 1000 * 10 - 10, -90)
    let high = max((chosen.compactMap { $0.range?.upperBound }.max() ?? -3000) / 1000 * 10 + 10, low + 20)
    func height(_ signalMBm: Int) -> Int { bottom - (bottom - top) * (signalMBm - low * 100) / ((high - low) * 100) }
    for dBm in stride(from: low, through: high, by: high - low > 60 ? 20 : 10) {
      line(Self.left, height(dBm * 100), Self.right, height(dBm * 100), "g")
      text("\(dBm)", x: Self.left - 8, y: height(dBm * 100) + 6, "m e")
    }
    drawTimes(top: top, bottom: bottom)
    for (number, series) in chosen.enumerated() {
      var (path, gap) = ("", 2)
      for (index, signal) in series.signals(history.bins.count).enumerated() {
        guard let signal else {
          // A bin without a scan is no silence.
          if history.bins[index].scanCount > 0 { gap += 1 }
          continue
        }
        let middle = (x(ofBin: index) + x(ofBin: index + 1)) / 2
        path += "\(gap > 1 ? "M" : "L")\(middle) \(height(signal))" + (gap > 1 ? "h1" : "")
        gap = 0
      }
      let label = label(series)
      writer.element("g") { group in
        group.element("title", [], label)
        group.void("path", [("class", "l s\(number)"), ("d", path)])
      }
      writer.newline()
    }
    y = bottom + 40
    for (number, series) in chosen.enumerated() {
      line(20, y + 16, 56, y + 16, "l s\(number)")
      text(label(series), x: Self.left, y: y + 22, "")
      y += 28
    }
    noteHidden(history.series.count - chosen.count, "more")
    y += 16
  }

  /// A bar with its label, in units of the picture.
  private struct PlacedBar {
    let bar: ChannelOccupancy.Bar
    let low: Int
    let high: Int
    let label: String
    /// In percent.
    let opacity: Int
    let labelX: Int
    /// Whether the label ends at its place (`e`), or stands on the bar (`i`).
    let labelClass: String
    let extent: Range<Int>
  }

  /// A band: bars with true centre and width, the strongest on top.
  private mutating func draw(_ occupancy: ChannelOccupancy) {
    let axis = ChannelAxis(occupancy, column: Self.left, columns: Self.right - Self.left)
    text(
      "Channels in use on \(occupancy.band.rawValue.replacing("GHz", with: " GHz")), last signal in dBm", x: 16, y: y + 20, "m")
    y += 36
    let rowHeight = 26
    var (rows, hidden): ([[PlacedBar]], Int) = ([], 0)
    for bar in occupancy.bars {
      let (low, high) = (axis.column(bar.lowKHz), max(axis.column(bar.highKHz), axis.column(bar.lowKHz) + 2))
      let name = DisplayName.shown(bar.ssid)
      let label = Self.cut(name, 20) + (bar.signalMBm.map { " \($0.wholeDBm)" } ?? "")
      let width = label.count * Self.characterWidth
      // From a fourth for what is hardly heard to all of it.
      let opacity = min(max(((bar.signalMBm.map { $0.wholeDBm } ?? -100) + 100) * 75 / 60 + 25, 25), 100)
      let (labelX, labelClass, extent): (Int, String, Range<Int>) =
        if high + 6 + width <= Self.width - 4 {
          (high + 6, "", low..<high + width + 14)
        } else if low - 6 - width >= 4 {
          (low - 6, "e", low - width - 14..<high)
        } else {
          (low + 10, opacity >= 85 ? "i" : "", low..<high)
        }
      let placed = PlacedBar(
        bar: bar, low: low, high: high, label: label, opacity: opacity, labelX: labelX, labelClass: labelClass, extent: extent)
      if let free = rows.firstIndex(where: { $0.allSatisfy { !$0.extent.overlaps(extent) } }) {
        rows[free].append(placed)
      } else if rows.count < Self.bandLineLimit {
        rows.append([placed])
      } else {
        hidden += 1
      }
    }
    let bottom = y + 30 + rows.count * rowHeight
    var free = 0
    for channel in axis.channels {
      let half = "\(channel.number)".count * Self.characterWidth / 2
      guard channel.column - half > free, channel.column + half < Self.width else { continue }
      free = channel.column + half + 6
      line(channel.column, y + 28, channel.column, bottom, "g")
      text("\(channel.number)", x: channel.column, y: y + 20, "m c")
    }
    y += 30
    for row in rows {
      for placed in row {
        let unit = placed.bar.signalMBm == nil ? "" : " dBm"
        writer.element("g") { group in
          group.element(
            "title", [],
            "\(placed.label)\(unit), \(placed.bar.bssid), \(placed.bar.lowKHz / 1000) to \(placed.bar.highKHz / 1000) MHz")
          group.void(
            "rect",
            [
              ("class", "bar"), ("x", "\(placed.low)"), ("y", "\(y + 3)"), ("width", "\(placed.high - placed.low)"),
              ("height", "\(rowHeight - 8)"), ("rx", "3"), ("fill-opacity", "\(placed.opacity)%"),
            ])
        }
        let primary = axis.column(placed.bar.primaryKHz)
        line(primary, y + 5, primary, y + rowHeight - 7, "mark")
        text(placed.label, x: placed.labelX, y: y + 20, placed.labelClass)
      }
      y += rowHeight
    }
    noteHidden(hidden, "weaker")
    y += 24
  }
}
