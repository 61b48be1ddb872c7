public import WiFi

/// Places the scans of a source on one time line that never runs backwards.
///
/// The times of a scan count from the start of the machine. A recording that was continued after the machine was
/// restarted begins at zero; the line continues.
public struct Timeline: Sendable {
  private var base: Duration = .zero
  private var start: Duration?
  private var end: Duration = .zero

  /// Starts with no scan.
  public init() {}

  /// A place on the line.
  public struct Place: Hashable, Sendable {
    /// The time from the start of the first scan to the end of this one.
    public var time: Duration
    /// Whether the machine was started again since the scan before, so that no earlier time can be compared with one of
    /// this scan.
    public var isRestart: Bool

    /// Makes a place from its parts.
    public init(time: Duration, isRestart: Bool) {
      self.time = time
      self.isRestart = isRestart
    }
  }

  /// Puts the next scan on the line.
  public mutating func place(_ scan: Scan) -> Place { place(start: scan.start, end: scan.end) }

  /// Puts the next scan on the line, by its times since boot.
  public mutating func place(start scanStart: Duration, end scanEnd: Duration) -> Place {
    let isRestart = start != nil && scanEnd < end
    if isRestart, let start { base += max(end - start, .zero) }
    let began = isRestart ? scanStart : start ?? scanStart
    start = began
    end = scanEnd
    return Place(time: base + max(scanEnd - began, .zero), isRestart: isRestart)
  }
}
