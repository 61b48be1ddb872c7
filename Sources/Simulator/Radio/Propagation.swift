import Determinism

/// How a signal loses strength on its way: a path loss with and without line of sight, and what spreads around it.
///
/// A loss is `constant + perDecadeOfMetres · lg d + perDecadeOfGigahertz · lg f`, d in metres and f in GHz.
public struct Propagation: Hashable, Sendable {
  /// A path loss formula with the spread around it, everything in 1/100 dB.
  public struct Loss: Hashable, Sendable {
    /// The loss at 1 m and 1 GHz.
    public var constant: Int64
    /// The loss for each tenfold of the distance.
    package var perDecadeOfMetres: Int64
    /// The loss for each tenfold of the frequency.
    var perDecadeOfGigahertz: Int64
    /// The standard deviation of shadowing.
    package var shadowing: Int64
    /// The distance over which the correlation of shadowing falls to 1/e, in cm.
    package var decorrelationCm: Int64

    /// The loss over a distance in cm at a frequency in kHz, in 1/100 dB, without shadowing.
    ///
    /// Distances below a metre count as one.
    public func milliBels(distanceCm: Int64, frequencyKHz: Int64) -> Int64 {
      let metres = FixedPoint.log10Q24(UInt64(max(distanceCm, 100))) - 2 << 24
      let gigahertz = FixedPoint.log10Q24(UInt64(max(frequencyKHz, 1))) - 6 << 24
      return constant + (perDecadeOfMetres * metres + perDecadeOfGigahertz * gigahertz) >> 24
    }

    /// The distance in cm at which the loss is `milliBels`, the opposite of ``milliBels(distanceCm:frequencyKHz:)``.
    package func distanceCm(milliBels: Int64, frequencyKHz: Int64) -> Int64 {
      let gigahertz = FixedPoint.log10Q24(UInt64(max(frequencyKHz, 1))) - 6 << 24
      let rest = (milliBels - constant) << 24 - perDecadeOfGigahertz * gigahertz
      // 100 · 10^x = 100 · 2^(x · log2 10); log2 10 in Q16.
      let exponent = (rest / perDecadeOfMetres * 217_706) >> 16
      return max((100 * FixedPoint.exp2Q24(exponent)) >> 24, 100)
    }
  }

  /// How likely there is line of sight at a distance: 1 up to `certainCm`, then falling by e each `decayCm`; from
  /// `farCm` on falling by e each `farDecayCm` from `farPermille`.
  public struct Sight: Hashable, Sendable {
    /// Up to where there is always line of sight, in cm.
    var certainCm: Int64
    /// Over what distance the probability falls to 1/e from there, in cm.
    var decayCm: Int64
    /// From where on the second rule holds, in cm.
    var farCm: Int64
    /// The probability at that distance, in thousandths.
    var farPermille: Int64
    /// Over what distance the probability falls to 1/e from there, in cm.
    var farDecayCm: Int64

    /// The probability in Q24.
    package func probabilityQ24(distanceCm: Int64) -> Int64 {
      if distanceCm <= certainCm { return FixedPoint.oneQ24 }
      if distanceCm < farCm { return Self.decay(distanceCm - certainCm, decayCm) }
      return Self.decay(distanceCm - farCm, farDecayCm) * farPermille / 1000
    }

    /// e^(−distance / decay) in Q24; 1 / ln 2 in Q24 is 24,204,406.
    private static func decay(_ distance: Int64, _ decay: Int64) -> Int64 {
      FixedPoint.exp2Q24(-(distance * 24_204_406 / max(decay, 1)))
    }
  }

  /// The loss where the station sees the access point.
  package var lineOfSight: Loss
  /// The loss where something stands between; never less than that of the line of sight.
  package var noLineOfSight: Loss
  /// How likely there is line of sight.
  package var sight: Sight
  /// The loss for each floor between the two, in 1/100 dB.
  var perFloor: Int64 = 0
  /// How far a signal is followed at most, in cm.
  var rangeCm: Int64
  /// Independent paths that fading averages over with line of sight.
  var fadingBranchesWithSight = 16
  /// Independent paths that fading averages over without line of sight.
  var fadingBranchesWithoutSight = 4

  /// Makes a propagation from its parts.
  public init(lineOfSight: Loss, noLineOfSight: Loss, sight: Sight, rangeCm: Int64, perFloor: Int64 = 0) {
    self.lineOfSight = lineOfSight
    self.noLineOfSight = noLineOfSight
    self.sight = sight
    self.rangeCm = rangeCm
    self.perFloor = perFloor
  }

  /// Indoors, many walls (3GPP TR 38.901 17.0.0, InH, table 7.4.1-1; mixed office of table 7.4.2-1; table 7.5-6).
  ///
  /// The loss of a floor is a parameter: 15 dB.
  public static let indoorMixed = Propagation(
    lineOfSight: indoorLineOfSight, noLineOfSight: indoorNoLineOfSight,
    sight: Sight(certainCm: 120, decayCm: 470, farCm: 650, farPermille: 320, farDecayCm: 3260), rangeCm: 15_000,
    perFloor: 1500)

  /// Indoors, an open office (3GPP TR 38.901 17.0.0, InH, table 7.4.1-1; open office of table 7.4.2-1; table 7.5-6).
  ///
  /// The loss of a floor is a parameter: 18 dB.
  public static let indoorOpen = Propagation(
    lineOfSight: indoorLineOfSight, noLineOfSight: indoorNoLineOfSight,
    sight: Sight(certainCm: 500, decayCm: 7080, farCm: 4900, farPermille: 540, farDecayCm: 21_170), rangeCm: 15_000,
    perFloor: 1800)

  /// A street canyon (3GPP TR 38.901 17.0.0, UMi, table 7.4.1-1, a station at 1.5 m; table 7.5-6), with a rule of sight
  /// that is a parameter.
  public static let street = Propagation(
    lineOfSight: Loss(
      constant: 3240, perDecadeOfMetres: 2100, perDecadeOfGigahertz: 2000, shadowing: 400, decorrelationCm: 1000),
    noLineOfSight: Loss(
      constant: 2240, perDecadeOfMetres: 3530, perDecadeOfGigahertz: 2130, shadowing: 782, decorrelationCm: 1300),
    sight: Sight(certainCm: 1800, decayCm: 3600, farCm: 10_000, farPermille: 100, farDecayCm: 3600), rangeCm: 30_000,
    perFloor: 1500)

  /// 32.4 + 17.3 lg d + 20 lg f, σ 3.0 dB, 10 m (3GPP TR 38.901, InH - Office LOS).
  static let indoorLineOfSight = Loss(
    constant: 3240, perDecadeOfMetres: 1730, perDecadeOfGigahertz: 2000, shadowing: 300, decorrelationCm: 1000)

  /// 17.3 + 38.3 lg d + 24.9 lg f, σ 8.03 dB, 6 m (3GPP TR 38.901, InH - Office NLOS).
  static let indoorNoLineOfSight = Loss(
    constant: 1730, perDecadeOfMetres: 3830, perDecadeOfGigahertz: 2490, shadowing: 803, decorrelationCm: 600)
}
