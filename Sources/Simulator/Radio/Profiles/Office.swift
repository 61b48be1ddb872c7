extension RadioProfile {
  /// A floor of an office with managed access points every few metres, other floors, and phones.
  public static let office = RadioProfile(
    name: "office", propagation: .indoorOpen,
    populations: [
      Population(
        count: .fixed(12), placement: .cells(columns: 4, rows: 3, floors: 0...0, cellCm: 1500),
        kinds: [.init(.officeAccessPoint, 3), .init(.conferenceAccessPoint, 1)]),
      Population(
        count: .fixed(12), placement: .cells(columns: 2, rows: 3, floors: 1...2, cellCm: 2000),
        kinds: [.init(.officeAccessPoint, 1)]),
      Population(
        count: .between(2...6), placement: .rectangle(center: Position(x: 0, y: 0), width: 6000, depth: 4500, floors: 0...0),
        kinds: [.init(.phone, 2), .init(.gadget, 1)]),
    ],
    path: StationPath(
      through: [Position(x: -2500, y: -1500), Position(x: 2500, y: -1500), Position(x: 2500, y: 1500), Position(x: -2500, y: 1500)],
      speedCmPerS: 80))
}
