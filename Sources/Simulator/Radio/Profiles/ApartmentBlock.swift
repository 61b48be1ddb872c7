extension RadioProfile {
  /// A block of flats: one device in each flat of six by three on seven floors.
  public static let apartmentBlock = RadioProfile(
    name: "apartment-block", propagation: .indoorMixed,
    populations: [
      Population(
        count: .fixed(126), placement: .cells(columns: 6, rows: 3, floors: 0...6, cellCm: 900), kinds: DeviceKind.residential)
    ],
    path: StationPath(at: Position(x: 150, y: 100, floor: 3)))
}
