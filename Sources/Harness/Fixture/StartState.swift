import Determinism
import Models
import WiFi

/// Makes the models as a scenario says that they begin.
struct StartState {
  private let scenario: Scenario
  private let world: any ScenarioWorld

  init(_ scenario: Scenario, _ world: any ScenarioWorld) {
    self.scenario = scenario
    self.world = world
  }

  func model(
    _ found: FoundNetworksModel, _ onIssue: @escaping (ModelIssue) -> Void
  ) throws(ScenarioProblem) -> WiFiSettingsModel {
    let start = scenario.start
    var selected: Network?
    if let reference = start.selected {
      selected = start.selectedIsOutOfRange ? Self.absent(reference, world.grouping) : try network(reference, found, start.selectedPlace)
    }
    var destination: (start: ScenarioStart.Destination, network: Network)?
    if let wanted = start.destination {
      let isSame = wanted.network == start.selected || wanted.network.number == nil
      if let selected, !wanted.isLost, isSame, wanted.network.isName(of: selected) {
        destination = (wanted, selected)
      } else if wanted.isLost {
        destination = (wanted, Self.absent(wanted.network, world.grouping))
      } else {
        destination = (wanted, try network(wanted.network, found, start.destinationPlace))
      }
    }
    return WiFiSettingsModel(
      isOn: start.isOn, foundNetworks: found, selectedNetworkID: selected?.id, selectedNetwork: selected,
      source: world.source, joiner: world.joiner,
      knownNetworks: world.knownNetworks, radio: world.radio, onIssue: onIssue,
      destination: { settings in
        destination.map { destination in
          switch destination.start {
          case .connect(_, let password, let alert, let failure, let isConnecting, _):
            .connect(
              settings.connectModel(
                to: destination.network, password: password, isConnecting: isConnecting,
                incorrectPasswordAlertIsPresented: alert, failure: failure.map(ConnectToNetworkModel.Failure.init)))
          case .detail(_, let forgetAlert, _):
            .detail(settings.detailModel(of: destination.network, forgetAlertIsPresented: forgetAlert))
          }
        }
      })
  }

  private func network(
    _ reference: NetworkReference, _ found: FoundNetworksModel, _ place: ScenarioProblem.Place
  ) throws(ScenarioProblem) -> Network {
    let named = found.all.filter(reference.isName)
    let index = (reference.number ?? 1) - 1
    guard named.indices.contains(index), reference.number != nil || named.count == 1 else {
      let there =
        switch named.count {
        case 0: "\(NetworkReference(name: reference.name)), which is not among the networks before the first step"
        case let count where reference.number != nil: "\(reference), but of that name there \(count == 1 ? "is" : "are") \(count)"
        default: "one of \(named.count) networks called \(reference); say which with { network: …, number: 1 }"
        }
      throw ScenarioProblem(file: scenario.file, place: place, sentence: "“start” means \(there).")
    }
    return named[index]
  }

  /// A network of which only the name is known.
  static func absent(_ reference: NetworkReference, _ grouping: Grouping) -> Network {
    let bytes = Array(reference.name.utf8)
    var elements: [UInt8] = [0, UInt8(bytes.count)] + bytes
    // RSN with CCMP and PSK, as most networks have (IEEE 802.11-2020 9.4.2.24).
    elements += [48, 20, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 2, 0, 0]
    // Another address for another name.
    var hash = TraceHash()
    hash.append(reference.name)
    var bss = BSS(
      bssid: MACAddress(0x0200_0000_0000 | hash.value & 0xFF_FFFF_FFFF), frequencyMHz: 2412, capability: 0x11,
      informationElements: elements)
    bss.signalMBm = -9000
    let facts = BSSFacts(bss)
    return Network(id: facts.networkID(grouping), of: [facts])
  }
}

extension ConnectToNetworkModel.Failure {
  fileprivate init(_ failure: ExpectedFailure) {
    self =
      switch failure {
      case .timedOut: .timedOut
      case .outOfRange: .outOfRange
      case .rejected: .rejected(status: 17)
      }
  }
}
