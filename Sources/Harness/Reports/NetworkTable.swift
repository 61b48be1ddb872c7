import Models
public import WiFi

/// Rows of networks or BSSs for a user: aligned, with bars, coloured where colour is wanted.
public struct NetworkTable: Sendable {
  /// Whether to colour (ECMA-48 SGR).
  public var isColoured: Bool
  /// The most columns a line may take, or `nil` for any number.
  public var width: Int?

  /// Draws plain lines of any width.
  public init(isColoured: Bool = false, width: Int? = nil) {
    self.isColoured = isColoured
    self.width = width
  }

  private static let titles = ["NETWORK", "SIGNAL", "", "CH", "BAND", "MHZ", "WI-FI", "SECURITY", "AGE", "BSSID"]
  /// The columns that a narrow terminal does without before names are cut short, the first to go first.
  private static let dispensable = [9, 8, 5, 6, 4, 7]
  /// The columns that a name keeps at that price.
  private static let nameWidth = 16
  private static let rightAligned: Set<Int> = [2, 3, 5, 8]

  /// One row for each network, in the order given; its channel is that of its strongest BSS.
  public func lines(of report: ScanReport) -> [String] {
    let byAddress = Dictionary(report.facts.map { ($0.bss.bssid, $0) }) { first, _ in first }
    return lines(
      report.networks.map { network in
        let ages = network.members.compactMap { byAddress[$0.bssid] }.map { report.lastSeenMs($0.bss) }
        let strongest = network.members.first.flatMap { byAddress[$0.bssid] }
        return cells(network, strongest, ageMs: ages.min())
      })
  }

  /// One row for each network of a live list, where each comes with its strongest BSS and the time since it was heard.
  public func lines(of networks: [(network: Network, strongest: BSSFacts?, ageMs: Int?)]) -> [String] {
    lines(networks.map { cells($0.network, $0.strongest, ageMs: $0.ageMs) })
  }

  private func cells(_ network: Network, _ strongest: BSSFacts?, ageMs: Int?) -> [String] {
    let channel = strongest?.channel ?? network.members.first?.channel
    let more = network.members.count > 1 ? " +\(network.members.count - 1)" : ""
    return [
      network.ssid.isHidden ? NetworkRow(network).shownName : DisplayName.of(network.ssid),
      Self.bars(network.bars),
      network.signalMBm.map { "\(Int($0) / 100) dBm" } ?? "\(Int((network.connectivity * 100).rounded())) %",
      channel?.number.map(String.init) ?? "-",
      network.bands.map { $0.rawValue.replacing("GHz", with: "") }.joined(separator: "/"),
      channel.map { "\($0.width.megahertz)" } ?? "-",
      network.generation.map { $0.summary.replacing("Wi-Fi ", with: "") } ?? "-",
      network.security.summary,
      ageMs.map(Self.age) ?? "-",
      (network.members.first?.bssid.description ?? "") + more,
    ]
  }

  /// Four bars, those that are lit in front.
  static func bars(_ count: Int) -> String {
    let all = ["▂", "▄", "▆", "█"]
    return all.enumerated().map { $0 < count ? $1 : "·" }.joined()
  }

  static func age(_ milliseconds: Int) -> String {
    switch milliseconds {
    case ..<1000: "\(max(milliseconds, 0)) ms"
    case ..<60_000: "\(milliseconds / 1000) s"
    default: "\(milliseconds / 60_000) min"
    }
  }

  private func lines(_ rows: [[String]]) -> [String] {
    var widths = Self.titles.map(DisplayWidth.columns)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], DisplayWidth.columns(cell)) }
    }
    widths[0] = min(widths[0], 40)
    if let width {
      // A name that cannot be told from others is worth less than the whole of some columns.
      func left() -> Int { width - widths.dropFirst().reduce(0) { $1 > 0 ? $0 + $1 + 2 : $0 } }
      for column in Self.dispensable where left() < min(widths[0], Self.nameWidth) { widths[column] = 0 }
      widths[0] = max(min(widths[0], left()), 8)
    }
    var lines = [style("1", line(Self.titles, widths) { _, text in text })]
    for row in rows {
      lines.append(line(row, widths) { column, text in colour(column, text, row) })
    }
    return lines
  }

  private func line(_ cells: [String], _ widths: [Int], _ paint: (Int, String) -> String) -> String {
    var result = ""
    var used = 0
    for (column, cell) in cells.enumerated() where widths[column] > 0 {
      let isLast = column == cells.count - 1
      if let width, used + widths[column] > width { break }
      let text = isLast ? cell : DisplayWidth.fit(cell, to: widths[column], alignRight: Self.rightAligned.contains(column))
      result += paint(column, text)
      used += widths[column] + 2
      if !isLast { result += "  " }
    }
    while result.last == " " { result.removeLast() }
    return result
  }

  private func colour(_ column: Int, _ text: String, _ row: [String]) -> String {
    switch column {
    case 0: return row[0] == "(hidden)" || row[0] == "(unknown)" ? style("2", text) : style("1", text)
    case 1, 2:
      let lit = row[1].count { $0 != "·" }
      return style(lit >= 3 ? "32" : lit == 2 ? "33" : "31", text)
    case 7: return row[7].hasPrefix("Open") || row[7].hasPrefix("WEP") ? style("31", text) : text
    case 8, 9: return style("2", text)
    default: return text
    }
  }

  private func style(_ code: String, _ text: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
