/// What worlds there are to simulate.
enum SimulatedWorlds {
  static let profileNames: [String] = []
  static let faultNames: [String] = []
  static let mocks: [ScenarioNetwork] = []
}
