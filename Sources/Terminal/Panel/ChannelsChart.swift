package import Models
import WiFi

/// Channels in use as text, with the layout of the panel.
package enum ChannelsChart {
  /// The most lines of bars of a band.
  private static let lineLimit = 12

  /// The lines of all bands, each at most `columns` wide, without colour.
  package static func lines(_ occupancies: [ChannelOccupancy], columns: Int) -> [String] {
    guard !occupancies.isEmpty else { return [] }
    var lines = ["Channels in use, last signal in dBm"]
    for occupancy in occupancies {
      let area = Area(column: 0, row: 0, columns: columns, rows: 2)
      let chart = BandChart(occupancy, area, maximum: lineLimit)
      let rows = chart.lines.count + 1 + (chart.hiddenCount > 0 ? 1 : 0)
      var picture = Picture(Size(columns: columns, rows: max(rows, 2)))
      ChannelsPicture(given: [occupancy]).drawAll(Area(column: 0, row: 0, columns: columns, rows: rows), into: &picture)
      lines += picture.lines
    }
    return lines
  }

  /// A text in at most so many columns, with `…` where it is cut.
  static func cut(_ text: String, _ columns: Int) -> String {
    var picture = Picture(Size(columns: max(columns, 1), rows: 1))
    picture.put(text, column: 0, row: 0, width: columns)
    return columns > 0 ? picture.lines.first ?? "" : ""
  }

  /// A text in exactly so many columns, however wide its characters are.
  package static func fitted(_ text: String, _ columns: Int) -> String {
    var picture = Picture(Size(columns: columns, rows: 1))
    let used = picture.put(text, column: 0, row: 0, width: columns)
    let line = picture.lines.first ?? ""
    return line + String(repeating: " ", count: max(columns - max(used, line.columns), 0))
  }
}
