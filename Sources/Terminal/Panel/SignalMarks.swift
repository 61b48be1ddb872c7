import WiFi

/// Signals as marks.
package enum SignalMarks {
  /// Four bars, those that are lit in front.
  package static func bars(_ count: Int) -> String {
    let all = ["▂", "▄", "▆", "█"]
    return all.enumerated().map { $0 < count ? $1 : "·" }.joined()
  }

  /// How a number of bars looks.
  static func ink(bars: Int) -> Style.Ink { bars >= 3 ? .good : bars == 2 ? .fair : .poor }

  /// How a signal in dBm looks.
  static func ink(dBm: Int) -> Style.Ink { dBm >= -67 ? .good : dBm >= -82 ? .fair : .poor }

  /// A line of marks, one for each signal in dBm; a gap is a dot.
  static func line(_ signals: [Int?]) -> String { signals.map { $0.map(mark) ?? "·" }.joined() }

  private static let eighths = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// One of eight heights: −100 dBm and below is the lowest, −40 dBm and above the highest.
  package static func mark(_ dBm: Int) -> String { eighths[min(max((dBm + 100) * 8 / 60, 0), 7)] }

  /// The part of a column of `height` rows that a signal fills, as marks from the lowest row up.
  static func column(_ dBm: Int, height: Int) -> [String] {
    let range = Self.chartRange
    let total = min(max((dBm - range.lowerBound) * height * 8 / (range.upperBound - range.lowerBound), 1), height * 8)
    return (0..<height).map { row in
      let part = total - row * 8
      return part <= 0 ? " " : eighths[min(part, 8) - 1]
    }
  }

  /// The signals that a chart has room for, in dBm.
  static let chartRange = -100 ... -30

  /// What a list shows of the signal of a network: its bars, and dBm, or percent where the driver gives none.
  static func cell(_ network: Network) -> (String, Style) {
    let signal = network.signalMBm.map { "\($0.wholeDBm)" } ?? "\(network.percent)%"
    return (bars(network.bars) + String(repeating: " ", count: max(4 - signal.count, 0)) + signal, Style(ink(bars: network.bars)))
  }

  /// The signal of a network, such as `-59 dBm`, or `63 %` where the driver gives no dBm.
  static func text(_ network: Network) -> String {
    network.signalMBm.map { "\($0.wholeDBm) dBm" } ?? "\(network.percent) %"
  }
}
