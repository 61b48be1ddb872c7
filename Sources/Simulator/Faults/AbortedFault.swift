public import Determinism

/// Scans are aborted on the way (`NL80211_CMD_SCAN_ABORTED`).
public struct AbortedFault: FaultRule {
  public let name = "aborted"
  /// How many of a thousand scans.
  public var permille: Int

  /// Makes a rule for so many of a thousand scans.
  public init(permille: Int = 100) { self.permille = permille }

  public mutating func verdict(onScan scan: FaultedScan, _ random: inout RandomStream) -> ScanVerdict {
    guard random.bool(UInt64(permille), in: 1000) else { return .pass }
    // Anywhere between the start and the end.
    let part = Int64(random.next(below: 1000))
    return .abort(at: scan.start + (scan.end - scan.start) * Int(part) / 1000)
  }
}
