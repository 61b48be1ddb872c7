public import Determinism
import WiFi

/// Requests for a scan meet an adapter that is busy (`EBUSY`).
public struct BusyFault: FaultRule {
  public let name = "busy"
  /// How many of a thousand requests.
  public var permille: Int
  /// Whether another program really scans, which ends with an event, or the driver just says so.
  package var scansForeign: Bool

  /// Makes a rule from its parts.
  public init(permille: Int = 100, scansForeign: Bool = true) {
    self.permille = permille
    self.scansForeign = scansForeign
  }

  public mutating func verdict(onRequest request: FaultedRequest, _ random: inout RandomStream) -> RequestVerdict {
    guard request.command == NL80211.Command.triggerScan, random.bool(UInt64(permille), in: 1000) else { return .pass }
    return scansForeign ? .preempt : .refuse(KernelError.Number.busy)
  }
}
