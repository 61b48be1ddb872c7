public import WiFi

/// The bars of each network in a list of changes: they change only where the strength is clearly beyond the next limit.
///
/// Signals vary by some decibels even at a fixed place. A network near a limit would be reported as changed with every
/// scan.
public struct SteadyBars: Sendable {
  /// How far beyond a limit the strength has to be, in connectivity: 3 dB.
  private static let margin = 0.05

  private var shown: [NetworkID: Int] = [:]

  /// Starts with no network.
  public init() {}

  /// The report of a change, whose line has the steady bars.
  public mutating func report(_ change: NetworkChange, at time: Duration) -> ChangeReport {
    var report = ChangeReport(change, at: time)
    switch change {
    case .found(let network): shown[network.id] = network.bars
    case .lost(let network): shown[network.id] = nil
    case .changed(let network, let from):
      let old = shown[network.id] ?? from.bars
      let new = Self.isNear(old, network.connectivity) ? old : network.bars
      shown[network.id] = new
      report.steadyBars = (old, new)
    }
    return report
  }

  private static func isNear(_ bars: Int, _ connectivity: Double) -> Bool {
    (Network.bars(connectivity: connectivity - margin)...Network.bars(connectivity: connectivity + margin)).contains(bars)
  }
}
