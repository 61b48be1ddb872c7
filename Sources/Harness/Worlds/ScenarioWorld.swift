public import Models
import Simulator
public import WiFi

/// The world behind the Wi-Fi settings in one run: where scans come from, who joins, what can be done to it.
public protocol ScenarioWorld: AnyObject {
  /// Where scans come from.
  var source: any NetworkSource { get }
  /// What joins networks.
  var joiner: any NetworkJoiner { get }
  /// What makes BSSs one row.
  var grouping: Grouping { get }
  /// The order of rows.
  var order: NetworkOrder { get }
  /// What is known before the first scan.
  var initialScan: Scan? { get }

  /// The store of known networks; `nil` where there is none.
  var knownNetworks: (any KnownNetworkStore)? { get }

  /// Lets something happen to the known networks.
  ///
  /// - Throws: ``WorldCannot`` where there is no store, or the network is not known.
  func perform(_ event: KnownNetworkEvent) throws(WorldCannot)

  /// The observer of the link; `nil` where there is none.
  var associationObserver: (any AssociationObserver)? { get }

  /// What switches the radio; `nil` where Wi-Fi that is off hides the list and nothing else.
  var radio: (any RadioSwitch)? { get }

  /// Whether networks can be lost and found by hand.
  var canChangeNetworks: Bool { get }

  /// The addresses of all BSSs that every scan hears now; `nil` where that cannot be said.
  var presentBSSIDs: Set<MACAddress>? { get }

  /// What passes between the scanner and its kernel; `nil` where there is none.
  var linkProbe: LinkProbe? { get }

  /// Called when another network is selected.
  func selectionChanged(to id: NetworkID?)

  /// Lets something happen.
  ///
  /// - Parameter network: the network that the event means, as it is known.
  /// - Throws: ``WorldCannot`` where this world has no such thing.
  func perform(_ event: ScenarioAction.WorldEvent, on network: Network?) throws(WorldCannot)
}

extension ScenarioWorld {
  public var grouping: Grouping { .network }
  public var knownNetworks: (any KnownNetworkStore)? { nil }
  public var associationObserver: (any AssociationObserver)? { nil }
  public var radio: (any RadioSwitch)? { nil }
  public var canChangeNetworks: Bool { false }
  public var presentBSSIDs: Set<MACAddress>? { nil }
  public var order: NetworkOrder { .strength }
  public var initialScan: Scan? { nil }
  public var linkProbe: LinkProbe? { nil }
  public func selectionChanged(to id: NetworkID?) {}
  public func perform(_ event: ScenarioAction.WorldEvent, on network: Network?) throws(WorldCannot) {
    throw WorldCannot(sentence: "nothing can be done to networks that are not simulated.")
  }
}

extension ScenarioWorld {
  public func perform(_ event: KnownNetworkEvent) throws(WorldCannot) { try performOnStore(event) }

  /// Lets something happen to the known networks without a daemon.
  func performOnStore(_ event: KnownNetworkEvent) throws(WorldCannot) {
    guard let store = knownNetworks as? SimulatedKnownNetworks else {
      throw WorldCannot(sentence: "this world has no store of known networks.")
    }
    try store.perform(event)
  }
}

extension SimulatedKnownNetworks {
  /// Lets another program change the networks, or requests fail.
  ///
  /// - Throws: ``WorldCannot`` where the network is not known.
  func perform(_ event: KnownNetworkEvent) throws(WorldCannot) {
    func ssid(_ name: String) throws(WorldCannot) -> SSID {
      guard let network = networks.first(where: { $0.ssid.description == name }) else {
        throw WorldCannot(sentence: "no network “\(name)” is known.")
      }
      return network.ssid
    }
    switch event {
    case .forget(let name): forget(try ssid(name))
    case .joined(nil): setJoined(nil)
    case .joined(let name?): setJoined(try ssid(name))
    case .answer(let rule):
      failure = rule.failure?.error
      duration = rule.duration ?? KnownNetworkAnswerRule.usualDuration
    }
  }
}

/// Why something cannot happen to a world.
public struct WorldCannot: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence.
  public var sentence: String

  /// A reason in a sentence.
  public init(sentence: String) { self.sentence = sentence }

  static let withoutDaemon = WorldCannot(sentence: "a link is that of a daemon; give the source one (daemon: supplicant).")

  /// The sentence.
  public var description: String { sentence }
}

/// Joins nothing: for sources that only listen.
final class NoJoiner: NetworkJoiner {
  func join(_ network: Network, password: String?) async throws(JoinError) { throw .outOfRange }
}
