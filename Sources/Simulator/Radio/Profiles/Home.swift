extension RadioProfile {
  /// A home with a modern router and a gadget or two, and the neighbours' behind the walls.
  public static let home = RadioProfile(
    name: "home", propagation: .indoorMixed,
    populations: [
      Population(
        count: .fixed(1), placement: .rectangle(center: Position(x: 400, y: 300), width: 600, depth: 400, floors: 0...0),
        kinds: [.init(.modernRouter, 3), .init(.multiLinkRouter, 1)]),
      Population(
        count: .between(0...2), placement: .rectangle(center: Position(x: 0, y: 0), width: 1200, depth: 900, floors: 0...1),
        kinds: [.init(.gadget, 1)]),
      Population(
        count: .between(3...8), placement: .rectangle(center: Position(x: 0, y: 0), width: 8000, depth: 8000, floors: 0...1),
        kinds: DeviceKind.residential),
    ],
    path: StationPath(
      through: [Position(x: 0, y: 0), Position(x: 900, y: 0), Position(x: 900, y: 600, floor: 1)], speedCmPerS: 20))
}
