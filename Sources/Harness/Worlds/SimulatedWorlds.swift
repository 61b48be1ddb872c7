import Simulator

/// What worlds there are to simulate, and how each is made.
public enum SimulatedWorlds {
  /// The names of the profiles of the radio world.
  public static let profileNames: [String] = []
  static let faultNames: [String] = []

  /// The networks that `mocks` means.
  static let mocks: [ScenarioNetwork] = PreviewNetwork.mocks.map { mock in
    var network = ScenarioNetwork(name: mock.name)
    network.isSecured = mock.isSecured
    network.connectivityPercent = mock.connectivityPercent
    return network
  }

  /// Makes the world of a scenario on the time of a simulation.
  public static func make(
    _ source: ScenarioSource.SimulatedSource, start: ScenarioStart, in simulation: Simulation
  ) -> any ScenarioWorld {
    let preview = PreviewWorld(
      seed: source.seed, clock: simulation.clock, networks: start.networks.map { PreviewNetwork($0) })
    preview.churns = source.churns
    return PreviewScenarioWorld(preview)
  }
}
