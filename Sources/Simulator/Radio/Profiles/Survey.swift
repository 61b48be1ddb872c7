extension RadioProfile {
  /// A place as a survey of a city found it: how many networks can be heard there, and how many of them are open.
  ///
  /// Networks a place: none in 3.6 %, 1–6 in 39.1, 7–12 in 26.0, 13–18 in 17.6, 19–24 in 7.9, 25–30 in 4.4, 31 and more
  /// in 1.4; 9.0 % are open (Serres survey, 700 points). Each device has one network; the strengths are a parameter,
  /// and so is the largest number, 45.
  public static let survey: RadioProfile = {
    var profile = RadioProfile(
      name: "survey", propagation: .street,
      populations: [
        Population(
          count: .histogram(surveyHistogram), placement: .heardAtOrigin(signalMBm: -8600 ... -4500), kinds: [.init(.oldRouter, 1)])
      ])
    profile.downtimes = .never
    return profile
  }()

  /// The histogram of the survey, in tenths of a percent.
  static let surveyHistogram: [Weighted<ClosedRange<Int>>] = [
    .init(0...0, 36), .init(1...6, 391), .init(7...12, 260), .init(13...18, 176), .init(19...24, 79), .init(25...30, 44),
    .init(31...45, 14),
  ]
}
