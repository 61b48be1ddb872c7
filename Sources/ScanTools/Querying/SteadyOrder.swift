public import WiFi

/// The order of a list that is shown again and again: by signal a network changes its place only when its strength
/// differs by 6 dB from that by which it was placed.
public struct SteadyOrder: Sendable {
  /// What the list is sorted by.
  public let order: ReportOrder
  /// Whether what is sorted by it stands the other way round.
  public let isReversed: Bool
  /// How much the strength must differ, in dB.
  static let hysteresisDB = 6

  private var placedMBm: [NetworkID: Int32] = [:]

  /// Sorts by `order`.
  public init(_ order: ReportOrder, isReversed: Bool = false) {
    self.order = order
    self.isReversed = isReversed
  }

  /// The rows in order; costs a sort.
  public mutating func sorted<Row>(_ rows: [Row], _ facts: (Row) -> (network: Network, ageMs: Int)) -> [Row] {
    var placed: [NetworkID: Int32] = [:]
    let sorted = rows.sorted(isReversed: isReversed) { row in
      var (network, ageMs) = facts(row)
      if let signal = network.signalMBm {
        let before = placedMBm[network.id] ?? signal
        let steady = abs(Int(signal) - Int(before)) < Self.hysteresisDB * 100 ? before : signal
        placed[network.id] = steady
        network.signalMBm = steady
      }
      return ReportKey(network, ageMs: ageMs, order)
    }
    placedMBm = placed
    return sorted
  }
}
