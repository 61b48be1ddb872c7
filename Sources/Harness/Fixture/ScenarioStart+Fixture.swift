import Models
import WiFi

extension ScenarioStart {
  /// How everything on a fixture is now, as far as a run of the preview world can begin with it.
  init(_ fixture: SettingsFixture) {
    let model = fixture.model
    let found = model.foundNetworks.all.filter { !$0.ssid.isHidden }
    isOn = model.isOn
    viewCancels = fixture.viewCancels
    networks = found.map { network in
      var one = ScenarioNetwork(name: Self.name(network))
      one.isSecured = network.isSecured
      one.connectivityPercent = min(max(network.percent, 1), 100)
      return one
    }
    func reference(_ network: Network) -> NetworkReference {
      let named = found.filter { Self.name($0) == Self.name(network) }
      let index = named.firstIndex { $0.id == network.id }
      return NetworkReference(name: Self.name(network), number: named.count > 1 ? index.map { $0 + 1 } : nil)
    }
    if let network = model.selectedNetwork {
      selected = reference(network)
      selectedIsOutOfRange = model.selectedNetworkIsOutOfRange
    }
    if let connect = model.destination?.connect {
      destination = .connect(
        reference(connect.network), password: connect.password, alert: connect.incorrectPasswordAlertIsPresented,
        failure: connect.failure.map(ExpectedFailure.init), isConnecting: connect.isConnecting, isLost: connect.networkIsLost)
    } else if let detail = model.destination?.detail {
      destination = .detail(
        reference(detail.network), forgetAlert: detail.forgetAlertIsPresented, isLost: detail.networkIsLost)
    } else if let screen = model.destination?.known {
      known = screen.networks.map(ScenarioKnownNetwork.init)
      link = screen.addSheet != nil ? .addKnown : screen.path.last.map { .editKnown($0.network.ssid) } ?? .known
    }
  }

  private static func name(_ network: Network) -> String { String(decoding: network.ssid.bytes, as: UTF8.self) }
}

extension ScenarioKnownNetwork {
  /// A network as it is known, with the password of all.
  fileprivate init(_ network: KnownNetwork) {
    var draft = KnownNetworkDraft(ssid: network.ssid, security: network.security, password: Self.password(for: network.security))
    if let priority = network.priority { draft.priority = priority }
    draft.joinsAutomatically = network.joinsAutomatically
    draft.isHidden = network.isHidden
    self.init(draft)
    isJoined = network.isJoined
  }
}
