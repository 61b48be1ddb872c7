import Terminal

/// How much a view shows and keeps.
struct ViewLimits: Sendable {
  /// The cells of the terminal.
  var size = Size(columns: 80, rows: 24)
  /// The scans of the history.
  var scanCount = 720
  /// The access points of the history.
  var accessPointCount = 2048

  /// Limits that a run of a minute reaches.
  static let small = ViewLimits(size: Size(columns: 40, rows: 15), scanCount: 4, accessPointCount: 8)
  /// A terminal that has room for all parts.
  static let large = ViewLimits(size: Size(columns: 100, rows: 32))
}
