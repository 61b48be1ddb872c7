public import Observation
public import WiFi

/// What is shown of one network, and the way to forget it.
@Observable
public final class NetworkDetailModel {
  /// The network, as it was seen last.
  public internal(set) var network: Network
  /// Whether the network is not there any more; the page stays anyway.
  public internal(set) var networkIsLost: Bool
  /// Whether it is the selected network: only that can be forgotten.
  public internal(set) var isSelected: Bool
  /// Whether an alert asks if it is to be forgotten.
  public var forgetAlertIsPresented: Bool

  @ObservationIgnored private let onForgotten: (NetworkDetailModel) -> Void
  @ObservationIgnored private let onIssue: (ModelIssue) -> Void

  /// Makes the page in any state.
  ///
  /// - Parameters:
  ///   - onForgotten: called when the network is to be forgotten.
  ///   - onIssue: called for each thing that should not have happened.
  public init(
    network: Network, networkIsLost: Bool = false, isSelected: Bool, forgetAlertIsPresented: Bool = false,
    onForgotten: @escaping (NetworkDetailModel) -> Void, onIssue: @escaping (ModelIssue) -> Void
  ) {
    self.network = network
    self.networkIsLost = networkIsLost
    self.isSelected = isSelected
    self.forgetAlertIsPresented = forgetAlertIsPresented
    self.onForgotten = onForgotten
    self.onIssue = onIssue
  }

  /// Whether Forget is offered.
  public var canForget: Bool { isSelected }

  /// Asks whether the network is to be forgotten.
  public func forgetButtonTapped() {
    guard isSelected else { return onIssue(.forgotUnselectedNetwork(network.id)) }
    forgetAlertIsPresented = true
  }

  /// Forgets the network.
  public func confirmForgetButtonTapped() {
    forgetAlertIsPresented = false
    guard isSelected else { return onIssue(.forgotUnselectedNetwork(network.id)) }
    onForgotten(self)
  }

  /// Keeps the network after all.
  public func cancelForgetButtonTapped() { forgetAlertIsPresented = false }

  /// Ends with the page, however it was closed.
  public func dismissed() { forgetAlertIsPresented = false }
}
