extension RadioProfile {
  /// A stadium with 600 access points under the seats and the phones of visitors.
  public static let stadium: RadioProfile = {
    var profile = RadioProfile(
      name: "stadium", propagation: .street,
      populations: [
        Population(
          count: .fixed(600), placement: .cells(columns: 30, rows: 20, floors: 0...0, cellCm: 600), kinds: [.init(.seatAccessPoint, 1)]),
        Population(
          count: .fixed(200), placement: .rectangle(center: Position(x: 0, y: 0), width: 18_000, depth: 12_000, floors: 0...0),
          kinds: [.init(.phone, 1)]),
      ],
      path: StationPath(through: [Position(x: -4000, y: -3000), Position(x: 4000, y: -3000)], speedCmPerS: 60))
    profile.frameLossPermille = 150
    return profile
  }()
}
