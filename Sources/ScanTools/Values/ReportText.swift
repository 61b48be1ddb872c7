import Terminal
import WiFi

/// What reports for users have in common.
enum ReportText {
  /// Rows of cells as lines: columns two spaces apart, each as wide as its widest cell, no spaces at the end.
  ///
  /// - Parameters:
  ///   - widest: the most columns of the terminal that a column of cells takes.
  ///   - right: the column of cells that are aligned to the right, such as numbers.
  static func aligned(_ rows: [[String]], indent: String = "", widest: [Int: Int] = [:], right: Int? = nil) -> [String] {
    guard let first = rows.first else { return [] }
    let widths = first.indices.map { column in
      min(rows.map { DisplayWidth.columns($0[column]) }.max() ?? 0, widest[column] ?? .max)
    }
    return rows.map { row in
      var line = indent
      for (column, cell) in row.enumerated() { line += DisplayWidth.fit(cell, to: widths[column], alignRight: column == right) + "  " }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension FieldWriter {
  /// Writes `ssid`, escaped, and `ssidHex`; both null where the name is not known.
  mutating func name(_ ssid: SSID?) {
    if let ssid {
      field("ssid", ssid.description)
      field("ssidHex", hex: ssid.bytes)
    } else {
      fieldNull("ssid")
      fieldNull("ssidHex")
    }
  }
}
