extension RadioProfile {
  /// A street of 400 m with houses on both sides, hotspots, and a station that walks along it and back.
  public static let street = RadioProfile(
    name: "street", propagation: .street,
    populations: [
      Population(
        count: .fixed(60), placement: .rectangle(center: Position(x: 0, y: 2000), width: 40_000, depth: 1600, floors: 0...3),
        kinds: DeviceKind.residential),
      Population(
        count: .fixed(60), placement: .rectangle(center: Position(x: 0, y: -2000), width: 40_000, depth: 1600, floors: 0...3),
        kinds: DeviceKind.residential),
      Population(
        count: .fixed(6), placement: .rectangle(center: Position(x: 0, y: 0), width: 40_000, depth: 1000, floors: 1...1),
        kinds: [.init(.hotspot, 1)]),
    ],
    path: StationPath(through: [Position(x: -20_000, y: 0), Position(x: 20_000, y: 0)], speedCmPerS: 140))
}
