public import WiFi

/// Rows of known networks for a user, aligned.
public struct KnownNetworksTable: Sendable {
  private let networks: [KnownNetwork]

  /// One row for each network, in the order given.
  public init(_ networks: [KnownNetwork]) { self.networks = networks }

  /// A line of titles and one for each network, each with its end.
  public var text: String {
    let rows = [["NETWORK", "SECURITY", "PRIORITY", "AUTOCONNECT", "STATE", "ID"]] + networks.map(Self.cells)
    return ReportText.aligned(rows, right: 2).map { $0 + "\n" }.joined()
  }

  private static func cells(_ network: KnownNetwork) -> [String] {
    let state =
      switch (network.isJoined, network.isInRange) {
      case (true, _): "joined"
      case (false, true?): "in range"
      case (false, false?): "out of range"
      case (false, nil): "-"
      }
    return [
      DisplayName.shown(network.ssid) + (network.isHidden ? " (hides its name)" : ""),
      network.security.description, network.priority.map { "\($0)" } ?? "-", network.joinsAutomatically ? "yes" : "no", state,
      PrintableText.escape(network.id.key),
    ]
  }
}
