import WiFi

extension WiFiSettingsModel {
  /// Where a user is, beyond the list.
  public enum Destination {
    /// The sheet that asks for a password.
    case connect(ConnectToNetworkModel)
    /// The page about one network.
    case detail(NetworkDetailModel)
    /// The page of the networks that are known.
    case known(KnownNetworksModel)
  }
}

extension WiFiSettingsModel.Destination {
  /// The sheet, where that is shown.
  public var connect: ConnectToNetworkModel? {
    get { if case .connect(let model) = self { model } else { nil } }
    set { if let newValue, connect != nil { self = .connect(newValue) } }
  }

  /// The page, where that is shown.
  public var detail: NetworkDetailModel? {
    get { if case .detail(let model) = self { model } else { nil } }
    set { if let newValue, detail != nil { self = .detail(newValue) } }
  }

  /// The page of the known networks, where that is shown.
  public var known: KnownNetworksModel? {
    get { if case .known(let model) = self { model } else { nil } }
    set { if let newValue, known != nil { self = .known(newValue) } }
  }

  /// The network that it is about; `nil` where it is about many.
  var network: Network? {
    switch self {
    case .connect(let model): model.network
    case .detail(let model): model.network
    case .known: nil
    }
  }

  /// Takes over what is known of the network now; `nil` where it is lost.
  func update(_ network: Network?) {
    switch self {
    case .connect(let model):
      if let network { model.network = network }
      model.networkIsLost = network == nil
    case .detail(let model):
      if let network { model.network = network }
      model.networkIsLost = network == nil
    case .known: break
    }
  }

  func dismissed() {
    switch self {
    case .connect(let model): model.dismissed()
    case .detail(let model): model.dismissed()
    case .known(let model): model.dismissed()
    }
  }
}

extension WiFiSettingsModel.Destination: Equatable {
  /// Whether both show the same model, not an equal one.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.connect(let left), .connect(let right)): left === right
    case (.detail(let left), .detail(let right)): left === right
    case (.known(let left), .known(let right)): left === right
    default: false
    }
  }
}
