import Harness
import Models
import ScanTools
import Simulator
import WiFi

/// The models behind a panel, and where their scans come from.
struct ViewerParts {
  var viewer: Viewer
  var source: ViewedSource?
  var player: RecordingPlayer?
  /// The world, where it is simulated.
  var world: (any ScenarioWorld)?
  /// The adapter, where it is real.
  var adapter: ViewedAdapterSource?
  /// Reports what happens to the link, where a daemon holds one.
  var associationObserver: (any AssociationObserver)?

  /// The panel of a simulated world on the time of a clock.
  static func simulated(
    _ options: ScenarioSource.SimulatedSource, _ query: BSSQuery, clock: some Clock<Duration>, interval: Duration
  ) -> ViewerParts {
    var options = options
    options.interval = .zero
    let world = SimulatedWorlds.make(
      options, networks: SimulatedWorlds.networksAtFirst(in: options.world), known: SimulatedWorlds.knownAtFirst, clock: clock)
    let found = FoundNetworksModel(grouping: world.grouping, order: .strength)
    let initialScan = world.initialScan.map { query.selected($0) }
    if let initialScan { found.apply(initialScan) }
    // The preview has a pace of its own.
    let isPaced = options.world != "preview"
    let pause = isPaced ? JoiningPause(world.joiner, world.source, clock: clock) : nil
    let source = ViewedSource(pause ?? world.source, clock: clock, isPaced: isPaced)
    let settings = WiFiSettingsModel(
      foundNetworks: found, source: source, joiner: pause ?? world.joiner, knownNetworks: world.knownNetworks,
      radio: world.radio ?? (world as? KernelScenarioWorld)?.kernelRadio, onIssue: { _ in })
    source.selected = { query.selected($0) }
    let start = initialScan?.end ?? .seconds(100)
    let viewer = Viewer(
      settings, interval: interval,
      status: ScanStatus(source: "\(options.world), seed \(options.seed)"), now: start, timeStyle: TimeStyle(since: start))
    viewer.slowFacts = SlowFactsModel(source: SimulatedFacts(seed: options.seed, world: world, clock: clock))
    if let initialScan { viewer.take(initialScan) }
    pause?.onWaiting = { [weak viewer] in viewer?.scanWaits($0) }
    source.attach(viewer)
    return ViewerParts(viewer: viewer, source: source, world: world, associationObserver: world.associationObserver)
  }

  /// Lets a simulated world know the network that was joined, as a daemon does.
  func rememberJoined(_ id: NetworkID?) async {
    guard let store = world?.knownNetworks as? SimulatedKnownNetworks else { return }
    guard let id, let network = viewer.settings.selectedNetwork, network.id == id else { return store.setJoined(nil) }
    if !store.networks.contains(where: { $0.suits(network) }) {
      let security = JoinSecurity(network.security)
      let password = ScenarioKnownNetwork.password(for: security)
      _ = try? await store.perform(.add(KnownNetworkDraft(ssid: network.ssid, security: security, password: password)))
    }
    store.setJoined(network.ssid)
  }

  /// The panel of a recording, which is played.
  static func replay(_ scans: [Scan], _ query: BSSQuery) -> ViewerParts {
    let viewer = Viewer(settings(), isPaused: true, status: ScanStatus(source: "recording"))
    viewer.joinHint = "A recording has no networks to join."
    let player = RecordingPlayer(scans.map { query.selected($0) }, in: viewer) { settings() }
    return ViewerParts(viewer: viewer, player: player)
  }

  /// Selects the network that a real interface is associated with, also where another program joined it.
  func showAssociated() {
    guard let adapter, viewer.settings.destination == nil, !viewer.otherIsJoining else { return }
    let associated = adapter.associated.flatMap { address in
      viewer.networks.first { $0.members.contains { $0.bssid == address } }?.id
    }
    if associated == nil {
      switch viewer.settings.associationEvent {
      // A link that was lost stays on the screen with its reason, until the daemon has joined a network again.
      case .lost(_, let loss)? where loss != .left: return
      // Between two access points of a network, and while the daemon returns to one, the kernel is associated with
      // none; the observer reports a loss.
      case .joined? where viewer.associationNote == nil, .roamed? where viewer.associationNote == nil: return
      default: break
      }
    }
    if associated != viewer.settings.selectedNetworkID {
      viewer.settings.selectedNetworkID = associated
      viewer.update()
    }
    viewer.associated(with: adapter.associated, isWatched: associationObserver != nil && viewer.associationNote == nil)
  }

  private static func settings() -> WiFiSettingsModel { WiFiSettingsModel(source: NoScans(), joiner: NoJoins(), onIssue: { _ in }) }

  /// The panel of any source, such as an adapter.
  static func live(
    _ base: any NetworkSource, joiner: any NetworkJoiner, knownNetworks: (any KnownNetworkStore)? = nil,
    radio: (any RadioSwitch)? = nil, interval: Duration, interface: String?, style: TimeStyle, now: Duration
  ) -> ViewerParts {
    let clock = ContinuousClock()
    let pause = JoiningPause(joiner, base, clock: clock)
    let source = ViewedSource(pause, clock: clock)
    let settings = WiFiSettingsModel(source: source, joiner: pause, knownNetworks: knownNetworks, radio: radio, onIssue: { _ in })
    let viewer = Viewer(
      settings, interval: interval, status: ScanStatus(interface: interface), now: now, timeStyle: style,
      joinsOpenNetworks: true)
    pause.onWaiting = { [weak viewer] in viewer?.scanWaits($0) }
    source.attach(viewer)
    return ViewerParts(viewer: viewer, source: source)
  }
}

/// A source without scans: a recording is applied by its player.
private final class NoScans: NetworkSource {
  func nextScan() async throws -> Scan? { nil }
}

/// Joins nothing.
final class NoJoins: NetworkJoiner {
  func join(_ network: Network, password: String?) async throws(JoinError) { throw .outOfRange }
}
