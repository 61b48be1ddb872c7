import Terminal
import WiFi

/// Draws what was heard in a terminal, without colour: networks over time, signals over time, channels in use.
public struct TextPlot {
  /// The most access points whose signal is drawn.
  static let seriesLimit = 10

  private let history: AirHistory
  private let columns: Int

  /// Makes a plot.
  ///
  /// - Parameter columns: how wide it may be, from 40 on.
  public init(_ history: AirHistory, columns: Int = 80) { (self.history, self.columns) = (history, max(columns, 40)) }

  /// The lines, each at most as wide as was asked for.
  public var lines: [String] {
    guard history.scanCount > 0 else { return ["There is no scan to draw."] }
    let lines = networkLines + [""] + signalLines + ChannelsChart.lines(history.occupancies, columns: columns)
    return lines + (history.leftOutWords.map { [$0] } ?? [])
  }

  /// The values of `count` columns, each the greatest of the bins that fall into it; `nil` where none has one.
  private func columns<Value: Comparable>(_ values: [Value?], _ count: Int) -> [Value?] {
    let total = max(values.count, 1)
    return (0..<count).map { column in
      let first = column * total / count
      let last = max((column + 1) * total / count, first + 1)
      return values[min(first, values.count)..<min(last, values.count)].compactMap(\.self).max()
    }
  }

  private static func right(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(width - text.count, 0)) + text }

  /// The times at both ends.
  private func times(indent: Int, width: Int) -> String {
    var (first, last): (String, String)
    if let start = history.start {
      let (from, to) = ("\(start)", "\(start.advanced(by: history.end))")
      // Where both do not fit, the time of the day does.
      (first, last) = width >= 44 ? ("\(from) UTC", to) : ("\(from.suffix(8)) UTC", String(to.suffix(8)))
    } else {
      first = "0"
      last = PlotTicks.text(Int64(history.end.wholeMilliseconds / 1000))
    }
    let gap = max(width - first.count - last.count, 1)
    return String(repeating: " ", count: indent) + first + String(repeating: " ", count: gap) + last
  }

  private var networkLines: [String] {
    let height = 6
    let width = columns - 7
    // Where no scan ended, what the one before found is still there.
    var latest: Int?
    let counts = history.bins.map { bin in
      if bin.scanCount > 0 { latest = bin.networkCount }
      return latest
    }
    let most = max(counts.compactMap(\.self).max() ?? 0, 1)
    let shown = columns(counts, width)
    let eighths = Array(" ▁▂▃▄▅▆▇█")
    var lines = ["Networks over time"]
    for row in stride(from: height - 1, through: 0, by: -1) {
      let label = row == height - 1 ? "\(most)" : row == 0 ? "0" : ""
      let marks = shown.map { count in
        // A network is at least the lowest mark.
        let total = count.map { $0 == 0 ? 0 : max($0 * height * 8 / most, 1) } ?? 0
        return eighths[min(max(total - row * 8, 0), 8)]
      }
      lines.append("\(Self.right(label, 5)) \(label.isEmpty ? "│" : "┤")\(String(marks))")
    }
    lines.append(times(indent: 7, width: width))
    return lines
  }

  private var signalLines: [String] {
    let all = history.series
    let chosen = all.filter { $0.range != nil }.prefix(Self.seriesLimit)
    guard !chosen.isEmpty else { return [] }
    // Name, channel and range stand around the marks.
    let nameWidth = columns >= 70 ? 20 : 10
    let width = columns - nameWidth - 5 - 13
    var lines = ["Signal over time (a dot: not heard)"]
    for series in chosen {
      let name = series.facts.ssid.isHidden ? "\(series.bssid)" : DisplayName.of(series.facts.ssid)
      let channel = series.facts.channel.number.map { "\($0)" } ?? "?"
      let range = series.range.map { "\($0.lowerBound / 100)…\($0.upperBound / 100)" } ?? ""
      let signals = columns(series.signals(history.bins.count), width)
      let heard = columns(history.bins.map { $0.scanCount > 0 ? 1 : nil }, width)
      var latest: Int?
      let marks = zip(signals, heard).map { signal, heard in
        // A column without a scan is no silence.
        if heard != nil { latest = signal }
        return (signal ?? latest).map { SignalMarks.mark($0 / 100) } ?? "·"
      }
      lines.append(
        ChannelsChart.fitted(name, nameWidth) + " \(Self.right(channel, 3)) " + marks.joined() + " \(Self.right(range, 8)) dBm")
    }
    let left = all.count - chosen.count
    if left > 0 { lines.append(AirHistory.words(left, "more", "not drawn")) }
    return lines + [""]
  }
}
