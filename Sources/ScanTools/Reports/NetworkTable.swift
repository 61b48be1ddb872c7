import Models
import Terminal
public import WiFi

/// Rows of networks or BSSs for a user: aligned, with bars, coloured where colour is wanted.
public struct NetworkTable: Sendable {
  /// Whether to colour (ECMA-48 SGR).
  public var isColoured: Bool
  /// The most columns a line may take, or `nil` for any number.
  public var width: Int?

  /// Draws plain lines of any width, with the columns that fit, by default.
  public init(isColoured: Bool = false, width: Int? = nil, columns: [Column]? = nil, registry: AddressRegistry? = nil) {
    self.isColoured = isColoured
    self.width = width
    self.columns = columns
    self.registry = registry
  }

  /// A column, by the name that options have for it, in lower case.
  ///
  /// They are in the order of the table. Where none is chosen, each is shown, ``aps`` and ``maker`` where they apply.
  public enum Column: String, Hashable, Sendable, CaseIterable {
    /// The name, as text that no terminal acts on.
    case name
    /// Bars, and the strength in dBm.
    case signal
    /// The number of the primary channel.
    case channel
    /// The bands.
    case band
    /// The width of the channel in MHz.
    case width
    /// The newest generation of Wi-Fi.
    case generation
    /// How it is secured.
    case security
    /// The time since it was heard.
    case age
    /// The number of access points.
    case aps
    /// The address of the strongest access point.
    case bssid
    /// Who registered that address at the IEEE.
    case maker

    fileprivate var title: String {
      switch self {
      case .name: "NETWORK"
      case .channel: "CH"
      case .width: "MHZ"
      case .generation: "WI-FI"
      case .signal, .band, .security, .age, .aps, .bssid, .maker: rawValue.uppercased()
      }
    }

    fileprivate var isRightAligned: Bool { [.channel, .width, .age, .aps].contains(self) }
  }

  /// The columns to draw, in order; `nil` for those that suit the rows and the width.
  public var columns: [Column]?

  /// Who registered which addresses; without it there is no column ``Column/maker`` but where it was asked for.
  public var registry: AddressRegistry?

  /// What a narrow terminal does without before names are cut short, the first to go first.
  private func dispensable(_ grouping: Grouping) -> [Column] {
    if columns != nil { return [] }
    // Where each BSS is a row its address distinguishes it from others.
    return switch grouping {
    case .network: [.maker, .bssid, .age, .width, .generation, .band, .aps, .security]
    case .bss: [.maker, .age, .width, .generation, .band, .security]
    }
  }

  private func chosen(_ grouping: Grouping) -> [Column] {
    columns ?? Column.allCases.filter { ($0 != .aps || grouping == .network) && ($0 != .maker || registry != nil) }
  }

  /// The columns that a name keeps at that price.
  private static let nameWidth = 20

  /// One row for each network, in the order given; its channel is that of its strongest BSS.
  public func lines(of report: ScanReport) -> [String] {
    let facts = Dictionary(report.facts.map { (ListedBSS($0, report.grouping), $0) }) { first, _ in first }
    return lines(
      report.networks.map { network in
        let members = network.members.map { facts[ListedBSS($0, of: network)] }
        let ages = members.compactMap { $0 }.map { report.lastSeenMs($0.bss) }
        let strongest = members.first ?? nil
        return row(network, strongest, ageMs: ages.min())
      }, report.grouping)
  }

  /// One row for each network of a live list, where each comes with its strongest BSS and the time since it was heard.
  public func lines(of networks: [(network: Network, strongest: BSSFacts?, ageMs: Int?)], grouping: Grouping = .network) -> [String] {
    lines(networks.map { row($0.network, $0.strongest, ageMs: $0.ageMs) }, grouping)
  }

  private struct Row {
    var network: Network
    var cells: [Column: String]
  }

  private func row(_ network: Network, _ strongest: BSSFacts?, ageMs: Int?) -> Row {
    let channel = strongest?.channel ?? network.members.first?.channel
    let isUnknown = strongest.map { $0.bss.signalMBm == nil && $0.bss.signalUnspecified == nil } ?? false
    let percent = isUnknown ? "-" : "\(network.percent) %"
    let strength = network.signalMBm.map { "\($0.wholeDBm) dBm" } ?? percent
    return Row(
      network: network,
      cells: [
        .name: network.ssid.isHidden ? NetworkRow(network).shownName : DisplayName.of(network.ssid),
        .signal: SignalMarks.bars(network.bars) + "  " + DisplayWidth.fit(strength, to: max(7, strength.count), alignRight: true),
        .channel: channel?.number.map(String.init) ?? "-",
        .band: network.bands.map { $0.rawValue.replacing("GHz", with: "") }.joined(separator: "/"),
        .width: channel.map { "\($0.width.megahertz)" } ?? "-",
        .generation: network.generation.map { $0.summary.replacing("Wi-Fi ", with: "") } ?? "-",
        .security: network.securityText,
        .age: ageMs.map(Self.age) ?? "-",
        .aps: "\(network.members.count)",
        .bssid: network.members.first?.bssid.description ?? "",
        .maker: network.members.first.flatMap { registry?.maker(of: $0.bssid) } ?? "-",
      ])
  }

  static func age(_ milliseconds: Int) -> String {
    switch milliseconds {
    case ..<1000: "\(max(milliseconds, 0)) ms"
    case ..<60_000: "\(milliseconds / 1000) s"
    default: "\(milliseconds / 60_000) min"
    }
  }

  private func lines(_ rows: [Row], _ grouping: Grouping) -> [String] {
    var columns = chosen(grouping)
    var widths: [Column: Int] = [:]
    for column in columns {
      widths[column] = rows.reduce(DisplayWidth.columns(column.title)) { max($0, DisplayWidth.columns($1.cells[column] ?? "")) }
    }
    // What is not for a screen has names whole, as they can be typed again.
    if let width, let longest = widths[.name] {
      let name = min(longest, 40)
      // A name that can be distinguished from others is worth more than some whole columns.
      func left() -> Int { width - columns.reduce(0) { $1 == .name ? $0 : $0 + 2 + (widths[$1] ?? 0) } }
      for column in dispensable(grouping) where left() < min(name, Self.nameWidth) { columns.removeAll { $0 == column } }
      widths[.name] = max(min(name, left()), 8)
    }
    let title = line(columns, widths, { $0.title }) { _, text in text }
    return [style("1", title)]
      + rows.map { row in line(columns, widths, { row.cells[$0] ?? "" }) { column, text in colour(column, text, row) } }
  }

  private func line(
    _ columns: [Column], _ widths: [Column: Int], _ cell: (Column) -> String, _ paint: (Column, String) -> String
  ) -> String {
    var result = ""
    var used = 0
    for column in columns {
      guard let space = widths[column] else { continue }
      if let width, used + space > width { break }
      let isLast = column == columns.last
      let text =
        isLast && !column.isRightAligned && column != .name
        ? cell(column) : DisplayWidth.fit(cell(column), to: space, alignRight: column.isRightAligned)
      result += paint(column, text)
      used += space + 2
      if !isLast { result += "  " }
    }
    while result.last == " " { result.removeLast() }
    return result
  }

  private func colour(_ column: Column, _ text: String, _ row: Row) -> String {
    switch column {
    case .name: return row.network.ssid.isHidden ? style("2", text) : style("1", text)
    case .signal: return style(row.network.bars >= 3 ? "32" : row.network.bars == 2 ? "33" : "31", text)
    case .security:
      let isBroken = row.network.security.family == .open || row.network.security.family == .wep
      return isBroken ? style("31", text) : text
    case .age, .bssid, .maker: return style("2", text)
    default: return text
    }
  }

  private func style(_ code: String, _ text: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
