public import ScanTools
public import Simulator
import WiFi

/// What worlds there are to simulate, and how each is made.
public enum SimulatedWorlds {
  /// The names of the profiles of the radio world.
  package static let profileNames = RadioProfile.all.map(\.name)

  /// The names of all worlds: the preview, a simulated kernel with the networks of the start, the radio profiles.
  public static let names = ["preview", "still"] + profileNames

  /// The names of the worlds in which devices can come and go by the hour of the day.
  public static let namesWithDayAndNight = RadioProfile.namesWithDayAndNight

  /// The fewest devices that a radio world can be set to have: one of each population.
  public static let minimumDevices = RadioProfile.all.map(\.populations.count).max() ?? 1
  /// The most devices that a radio world can be set to have.
  package static let maximumDevices = 100_000

  /// The networks that `mocks` means.
  public static let mocks: [ScenarioNetwork] = PreviewNetwork.mocks.map { mock in
    var network = ScenarioNetwork(name: mock.name)
    network.isSecured = mock.isSecured
    network.connectivityPercent = mock.connectivityPercent
    return network
  }

  /// What a simulated world knows before anything is joined.
  package static let knownAtFirst: [ScenarioKnownNetwork] = [
    ("Nacho Wi-Fi 5G", JoinSecurity.pskOrSAE, 5, true, false), ("Cabin", .psk, 0, true, true), ("Airport", .open, -1, false, false),
  ].compactMap { name, security, priority, joins, isHidden in
    SSID(typed: name).map { ssid in
      let password = ScenarioKnownNetwork.password(for: security)
      return ScenarioKnownNetwork(
        KnownNetworkDraft(
          ssid: ssid, security: security, password: password, priority: priority, joinsAutomatically: joins, isHidden: isHidden))
    }
  }

  /// The networks that a world has at first wherever networks are listed: ``mocks`` where it is not full of its own.
  public static func networksAtFirst(in world: String) -> [ScenarioNetwork] { ["preview", "still"].contains(world) ? mocks : [] }

  /// When the simulated machine was booted: a day of 2026, by the seed.
  public static func boot(seed: UInt64) -> UTCTime { UTCTime(seconds: 1_767_225_600 + Int64(seed % 365) * 86_400) }

  /// Makes the world of a scenario on the time of `clock`.
  ///
  /// - Parameter radioIsOn: whether a daemon lets the radio send when everything begins.
  /// - Precondition: its name is one of ``names``, and it has no fewer devices than ``minimumDevices``.
  public static func make(
    _ source: ScenarioSource.SimulatedSource, networks: [ScenarioNetwork], known: [ScenarioKnownNetwork] = [], radioIsOn: Bool = true,
    clock: any Clock<Duration>
  ) -> any ScenarioWorld {
    let store = SimulatedKnownNetworks(clock: clock, networks: source.daemon == nil ? known.map(\.draft) : [])
    if source.daemon == nil, let joined = known.first(where: \.isJoined) { store.setJoined(joined.draft.ssid) }
    if source.world == "preview" {
      let preview = PreviewWorld(seed: source.seed, clock: clock, networks: networks.map { PreviewNetwork($0) })
      preview.churns = source.churns
      return PreviewScenarioWorld(preview, knownNetworks: store)
    }
    let air = air(of: source, networks: networks)
    let world = KernelScenarioWorld(
      air: air, seed: source.seed, clock: clock, interval: source.interval, faults: source.faults,
      faultsUntil: source.faultsUntil, knownNetworks: store, daemon: source.daemon, known: known,
      networks: source.world == "still" ? networks : [], radioIsOn: radioIsOn)
    world.machine?.latency = source.latency
    return world
  }

  /// Makes the kernel of a world for programs, with its faults, on the time of `clock`.
  ///
  /// - Parameter bootTime: the time since boot at the present instant of the clock.
  /// - Precondition: the name of the world is one of ``names``, but not the preview, which has no kernel.
  public static func kernel(_ source: ScenarioSource.SimulatedSource, clock: any Clock<Duration>, bootTime: Duration) -> SimulatedKernel {
    let kernel = SimulatedKernel(air: air(of: source, networks: []), clock: clock, bootTime: bootTime)
    if !source.faults.isEmpty { kernel.setFaults(FaultCatalog.rules(source.faults, start: bootTime), seed: source.seed) }
    return kernel
  }

  private static func air(of source: ScenarioSource.SimulatedSource, networks: [ScenarioNetwork]) -> any Air {
    if source.world == "still" { return StillAir(networks.enumerated().map { StillAir.Station($1, number: $0) }) }
    guard let named = RadioProfile.named(source.world) else { preconditionFailure("SimulatedWorlds: no world \(source.world)") }
    var profile = source.devices.map(named.with) ?? named
    if source.hasDayAndNight { profile = profile.withDayAndNight() }
    if source.daemon != nil { profile.password = ScenarioKnownNetwork.defaultPassword }
    return RadioWorld(seed: source.seed, profile: profile)
  }
}
