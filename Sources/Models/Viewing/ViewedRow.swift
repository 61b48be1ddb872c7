public import WiFi

/// One row of a ``Viewer``.
public struct ViewedRow: Hashable, Sendable, Identifiable {
  /// The network, as it was seen last.
  public var network: Network
  /// What the list shows of it: where the filter names bands, its BSSs on them and the strongest of those.
  public internal(set) var listed: Network
  /// Whether it is the network that is joined.
  public var isJoined: Bool
  /// Why the association to it was lost, where it is the network that is joined and the daemon tries to return to it.
  public var associationLoss: AssociationLoss?
  /// When it was lost, as time since boot; `nil` while it is there.
  public var lostAt: Duration?

  /// The identity of the network.
  public var id: NetworkID { network.id }
  /// Whether it is not there any more.
  public var isLost: Bool { lostAt != nil }

  /// Makes a row from its parts.
  public init(_ network: Network, isJoined: Bool = false, associationLoss: AssociationLoss? = nil, lostAt: Duration? = nil) {
    self.network = network
    listed = network
    self.isJoined = isJoined
    self.associationLoss = associationLoss
    self.lostAt = lostAt
  }
}
