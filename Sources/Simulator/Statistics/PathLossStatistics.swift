import Determinism
import WiFi

private let source = "3GPP TR 38.901 tables 7.4.1-1, 7.5-6 (InH)"

/// The published indoor path loss: two formulas, their spread and how far it stays alike.
func pathLossRows(_ seed: UInt64, _ subject: StatisticsSubject) -> [StatisticsReport.Row] {
  lossRows(
    seed, subject, name: "LOS", hasSight: true, formula: "32.4 + 17.3 lg d + 20 lg f", sigma: 3.0, decorrelationM: 10
  ) { distance, frequency in 32.4 + 17.3 * distance + 20 * frequency }
    + lossRows(
      seed, subject, name: "NLOS", hasSight: false, formula: "17.3 + 38.3 lg d + 24.9 lg f", sigma: 8.03, decorrelationM: 6
    ) { distance, frequency in
      max(32.4 + 17.3 * distance + 20 * frequency, 17.3 + 38.3 * distance + 24.9 * frequency)
    }
}

private func lossRows(
  _ seed: UInt64, _ subject: StatisticsSubject, name: String, hasSight: Bool, formula: String, sigma: Double,
  decorrelationM: Int32, _ loss: (_ lgMetres: Double, _ lgGigahertz: Double) -> Double
) -> [StatisticsReport.Row] {
  let count = subject.samples(4000)
  let always = Propagation.Sight(certainCm: hasSight ? .max / 2 : -1, decayCm: 1, farCm: 0, farPermille: 0, farDecayCm: 1)
  let propagation = Propagation(
    lineOfSight: subject.lineOfSight, noLineOfSight: subject.noLineOfSight, sight: always, rangeCm: 20_000)
  var stream = RandomStream(seed: seed, name: "statistics path loss \(name)")
  var sum = 0.0
  var squares = 0.0
  var slope = (products: 0.0, squares: 0.0)
  var pairs = (squares: 0.0, products: 0.0)
  let placed = (0..<count).map { number -> PlacedAccessPoint in
    // From 1 to 150 m, every decade as often as another, on any of three bands.
    let distance = (100 * FixedPoint.exp2Q24(Int64(stream.next(below: 121_279_000)))) >> 24
    let bearing = UInt32(truncatingIfNeeded: stream.next())
    let band: (Band, Int) = stream.pick([(.ghz2_4, 6), (.ghz5, 36), (.ghz6, 37)])
    let frequency = band.0.frequencyKHz(channel: band.1) ?? 0
    let accessPoint = AccessPoint(
      bssid: MACAddress(0x0200_0000_0000 | UInt64(number)), ssid: .wildcard, channel: Channel(frequencyKHz: frequency),
      generation: .wifi6, security: .open)
    let position = Position(
      x: Int32((distance * FixedPoint.cosineQ30(turn: bearing)) >> 30), y: Int32((distance * FixedPoint.sineQ30(turn: bearing)) >> 30))
    return PlacedAccessPoint(accessPoint, at: position, powerMBm: 0)
  }
  let world = RadioWorld(
    seed: seed, profile: RadioProfile(name: "statistics", propagation: propagation, populations: []), placed: placed)
  // What is left of a loss when the published formula is taken away, in published standard deviations.
  func residual(_ radio: NearRadio, _ place: PlacedAccessPoint, at station: Position) -> (value: Double, lgMetres: Double) {
    let metres = Double(max(place.position.distanceCm(to: station), 100)) / 100
    let gigahertz = Double(place.accessPoint.channel.primaryKHz) / 1_000_000
    let lgMetres = Elementary.log10(metres)
    return ((-Double(radio.meanMBm(at: station)) / 100 - loss(lgMetres, Elementary.log10(gigahertz))) / sigma, lgMetres)
  }
  // 10^x from 1 to 150 m: the mean of lg d is half of lg 150.
  let middle = Elementary.log10(150) / 2
  for (number, place) in placed.enumerated() {
    let radio = NearRadio(world.records[number], number: UInt32(number), in: world)
    let here = residual(radio, place, at: Position(x: 0, y: 0))
    let there = residual(radio, place, at: Position(x: decorrelationM * 100, y: 0))
    sum += here.value
    squares += here.value * here.value
    slope.products += here.value * (here.lgMetres - middle)
    slope.squares += (here.lgMetres - middle) * (here.lgMetres - middle)
    pairs.squares += there.value * there.value
    pairs.products += here.value * there.value
  }
  let n = Double(count)
  // Wilson and Hilferty: the cube root of a χ² is nearly normal.
  let root = Elementary.exp(Elementary.log(squares / n) / 3)
  let correlation = pairs.products / (squares * pairs.squares).squareRoot()
  let expected = Elementary.exp(-1)
  func text(_ value: Double, _ digits: Int) -> String { StatisticsReport.text(value, digits: digits) }
  return [
    .normal(
      "path loss \(name), level", published: formula, measured: "\(text(sum / n * sigma, 2)) dB off", source: source,
      sampleSize: count, z: sum / n.squareRoot()),
    .normal(
      "path loss \(name), slope", published: formula, measured: "\(text(slope.products / slope.squares * sigma, 2)) dB a decade off",
      source: source, sampleSize: count, z: slope.products / slope.squares.squareRoot()),
    .normal(
      "shadowing \(name)", published: "σ \(text(sigma, 2)) dB", measured: "σ \(text((squares / n).squareRoot() * sigma, 2)) dB",
      source: source, sampleSize: count, z: (root - (1 - 2 / (9 * n))) / (2 / (9 * n)).squareRoot()),
    .normal(
      "decorrelation \(name)", published: "1/e over \(decorrelationM) m", measured: "\(text(correlation, 3)) over \(decorrelationM) m",
      source: source, sampleSize: count, z: (Elementary.atanh(correlation) - Elementary.atanh(expected)) * (n - 3).squareRoot()),
  ]
}
