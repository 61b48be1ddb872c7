public import Models
public import Simulator
public import WiFi

/// The preview world in a scenario: each BSS a row, in the order found.
public final class PreviewScenarioWorld: ScenarioWorld {
  /// The world itself.
  public let preview: PreviewWorld

  public let knownNetworks: (any KnownNetworkStore)?

  /// A scenario's view of a preview world.
  public init(_ preview: PreviewWorld, knownNetworks: SimulatedKnownNetworks? = nil) {
    self.preview = preview
    self.knownNetworks = knownNetworks
  }

  public var source: any NetworkSource { preview }
  public var joiner: any NetworkJoiner { preview }
  public var grouping: Grouping { .bss }
  public var order: NetworkOrder { .found }
  public var canChangeNetworks: Bool { true }
  public var initialScan: Scan? { preview.presentScan }

  public var presentBSSIDs: Set<MACAddress>? { Set(preview.networks.map(\.bssid)) }

  public func selectionChanged(to id: NetworkID?) { preview.selected = id }

  public func perform(_ event: ScenarioAction.WorldEvent, on network: Network?) throws(WorldCannot) {
    switch event {
    case .known(let event): try perform(event)
    case .link: throw .withoutDaemon
    case .radio: throw WorldCannot(sentence: "the preview has no radio; use world: still.")
    case .find(let network):
      guard network.security == nil, network.password == nil else {
        throw WorldCannot(sentence: "“security” and “password” are for the world still; in the preview a network is secured or not.")
      }
      preview.find(PreviewNetwork(network))
    case .lose(let reference):
      guard let bssid = network?.members.first?.bssid, preview.lose(bssid) else {
        throw WorldCannot(sentence: "\(reference) is not there, so it cannot be lost.")
      }
    case .join(let reference, let answer):
      guard let network else { throw WorldCannot(sentence: "\(reference) is not known.") }
      preview.joinRules[network.ssid] = JoinRule(answer)
    }
  }
}

extension PreviewNetwork {
  init(_ network: ScenarioNetwork) {
    self.init(name: network.name, isSecured: network.isSecured, connectivityPercent: network.connectivityPercent)
  }
}

extension JoinRule {
  init(_ answer: ScenarioAction.JoinAnswer) {
    let failure: JoinError? =
      switch answer.failure {
      case .timedOut: .timedOut
      case .outOfRange: .outOfRange
      // Status 17: the access point can handle no more stations (IEEE 802.11-2020 9.4.1.9).
      case .rejected: .rejected(status: 17)
      case nil: nil
      }
    self.init(duration: answer.duration, failure: failure)
  }
}
