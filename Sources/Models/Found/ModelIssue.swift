public import WiFi

/// What should not have happened, and was ignored: a view that is behind, or a mistake in it.
public enum ModelIssue: Hashable, Sendable {
  /// A row was tapped whose network is not there.
  case tappedUnknownNetwork(NetworkID)
  /// Details were asked for of a network that is not there.
  case detailOfUnknownNetwork(NetworkID)
  /// A network was tapped, or its details asked for, while Wi-Fi is off and no list is shown.
  case tappedWhileOff(NetworkID)
  /// A network was to be forgotten that is not the selected one.
  case forgotUnselectedNetwork(NetworkID)
  /// A row of the known networks was tapped whose network is not known.
  case tappedUnknownProfile(KnownNetwork.ID)
  /// The known networks were requested, but there is no store of them.
  case noKnownNetworks
}

extension ModelIssue: CustomStringConvertible {
  /// One sentence: what happened, to what, and what became of it.
  public var description: String {
    switch self {
    case .tappedUnknownNetwork(let id): "\(id) was tapped, which is not in the list; the tap is ignored."
    case .detailOfUnknownNetwork(let id): "Details were asked for of \(id), which is not in the list; nothing is shown."
    case .tappedWhileOff(let id): "\(id) was tapped while Wi-Fi is off; the tap is ignored."
    case .forgotUnselectedNetwork(let id): "\(id) was to be forgotten, which is not selected; nothing is forgotten."
    case .tappedUnknownProfile(let id): "\(id) was tapped, which is not among the known networks; the tap is ignored."
    case .noKnownNetworks: "The known networks were requested, but there is no store of them; nothing is shown."
    }
  }
}
