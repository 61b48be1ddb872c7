/// The measured figures of a simulated world, beside the published ones of real ones.
public struct StatisticsReport: Hashable, Sendable {
  /// One published figure, and that of the simulation.
  public struct Row: Hashable, Sendable {
    /// What was measured.
    public var name: String
    /// The figure as it was published.
    public var published: String
    /// What was measured, as text of the same kind.
    package var measured: String
    /// Where the figure was published.
    public var source: String
    /// How many observations there were.
    package var sampleSize: Int
    /// The statistic by name and value, such as `z = 0.31`.
    var statistic: String
    /// How likely a statistic as far off as this one is, where the world is as published.
    public var pValue: Double
    /// Whether the world agrees with the figure, which is known when their number is.
    public var agrees = false
  }

  /// The seed that the samples were drawn with.
  public var seed: UInt64
  /// The figures, in order.
  public var rows: [Row]
  /// Below which p-value a figure counts as missed: one in a thousand for all of them together (Bonferroni).
  public var threshold: Double
  /// What has no published figure: parameters of the profiles, by name and value.
  public var parameters: [String]

  /// Whether the world agrees with every figure.
  public var passes: Bool { rows.allSatisfy(\.agrees) }
}

extension StatisticsReport: CustomStringConvertible {
  /// A table for people, one figure a line, then the parameters.
  public var description: String {
    let header = ["figure", "published", "measured", "n", "statistic", "p", "", "source"]
    var lines = [header]
    for row in rows {
      let verdict = row.agrees ? "agrees" : "DIFFERS"
      let p = Self.text(row.pValue, digits: 4)
      lines.append([row.name, row.published, row.measured, "\(row.sampleSize)", row.statistic, p, verdict, row.source])
    }
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for line in lines {
      var cells = ""
      for (column, cell) in line.enumerated() {
        cells += cell + (column == line.count - 1 ? "" : String(repeating: " ", count: widths[column] - cell.count + 2))
      }
      text += cells + "\n"
    }
    text += "\nseed \(seed); a figure is missed below p = \(Self.text(threshold, digits: 6))\n"
    text += "parameters without a published figure: " + parameters.joined(separator: ", ") + "\n"
    return text
  }

  /// A number with so many digits behind the point, without the help of a locale.
  static func text(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    guard (value * scale).magnitude < 9e15 else { return "\(value)" }
    let rounded = Int64((value * scale).rounded())
    let magnitude = rounded.magnitude
    let whole = magnitude / UInt64(scale)
    let fraction = String(magnitude % UInt64(scale) + UInt64(scale)).dropFirst()
    return (rounded < 0 ? "-" : "") + "\(whole)" + (digits > 0 ? "." + fraction : "")
  }
}
