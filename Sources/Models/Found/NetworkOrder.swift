import WiFi

/// The order of rows in a list of networks.
public enum NetworkOrder: String, Hashable, Sendable, CaseIterable {
  /// As they were found.
  case found
  /// Those that need a secret first, then the strongest in bars, then by name, then by identity.
  case strength
}

/// Where a row stands: what its place depends on, and its identity.
struct NetworkOrderKey: Comparable, Sendable {
  let place: Int
  let name: SSID
  let id: NetworkID

  /// The key of a network that was found as number `foundIndex`.
  init(_ network: Network, order: NetworkOrder, foundIndex: Int) {
    id = network.id
    switch order {
    case .found:
      place = foundIndex
      name = .wildcard
    case .strength:
      place = (network.isSecured ? 0 : 8) + (4 - network.bars)
      // A name of zeros is hidden as one of nothing is.
      name = network.ssid.isHidden ? .wildcard : network.ssid
    }
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.place != right.place { return left.place < right.place }
    return (left.name, left.id) < (right.name, right.id)
  }
}
