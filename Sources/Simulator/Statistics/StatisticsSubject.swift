/// What is measured: the parts of the simulation with known published figures.
///
/// The defaults are what the simulation uses; a test puts a wrong one in and sees that it is noticed.
public struct StatisticsSubject: Hashable, Sendable {
  /// The path loss indoors with line of sight.
  package var lineOfSight = Propagation.indoorLineOfSight
  /// The path loss indoors without.
  package var noLineOfSight = Propagation.indoorNoLineOfSight
  /// How long an adapter stays on a channel when it only listens.
  package var passiveDwell = SimulatedKernel.Configuration().passiveDwell
  /// How long it stays when it asks.
  package var activeDwell = SimulatedKernel.Configuration().activeDwell
  /// The places of a survey.
  public var survey = RadioProfile.survey
  /// How often access points are down.
  public var downtimes = RadioProfile.Downtimes.bismark

  /// How many of a thousand of the usual samples are drawn: fewer take less time and notice less.
  package var samplePermille = 1000

  func samples(_ usual: Int) -> Int { max(usual * samplePermille / 1000, 100) }

  /// What the simulation uses.
  public init() {}
}
