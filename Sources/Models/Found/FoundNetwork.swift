public import Observation
public import WiFi

/// One row of found networks.
///
/// An object of its own, so that a change of one network notifies only the observers of that network.
@Observable
public final class FoundNetwork {
  /// The identity of the row, which never changes.
  public let id: NetworkID

  /// What is known of the network now.
  public internal(set) var network: Network

  @ObservationIgnored let foundIndex: Int

  init(_ network: Network, foundIndex: Int) {
    id = network.id
    self.network = network
    self.foundIndex = foundIndex
  }
}
