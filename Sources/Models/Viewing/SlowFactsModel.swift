public import Observation
public import WiFi

/// Slow facts of the network that is shown and of the channels.
///
/// The view asks with the addresses of what it shows, and runs the attempt in a task. An answer for what is not shown
/// any more shows nowhere. A plain class that belongs to the code that made it.
@Observable
public final class SlowFactsModel {
  /// The addresses whose makers are wanted now.
  public private(set) var addresses: [MACAddress] = []
  /// Who makes what has these addresses.
  public private(set) var makers: SlowFact<[MACAddress: String]> = .unasked
  /// How busy each channel is; what was known stays until there is something newer.
  public private(set) var loads: SlowFact<[ChannelLoad]> = .unasked
  /// What the driver counted last of the association to the access point that is joined.
  public private(set) var station: Station?

  @ObservationIgnored private let source: any SlowFactSource
  @ObservationIgnored private var makerAttempts = AttemptCounter()
  @ObservationIgnored private var surveyAttempts = AttemptCounter()
  @ObservationIgnored private var isSurveying = false
  @ObservationIgnored private var before: [UInt32: Survey] = [:]

  /// Asks `source`.
  public init(source: any SlowFactSource) { self.source = source }

  /// Begins to ask who makes what has these addresses; `nil` where they are shown already, or there is none.
  ///
  /// When this returns, ``makers`` is of these addresses: on its way, or not requested.
  public func show(_ wanted: [MACAddress]) -> ViewerAttempt? {
    guard wanted != addresses else { return nil }
    addresses = wanted
    guard !wanted.isEmpty else {
      makerAttempts.end()
      makers = .unasked
      return nil
    }
    let number = makerAttempts.begin()
    makers = .loading
    return ViewerAttempt("asks for makers") { await self.askMakers(number, wanted) }
  }

  private func askMakers(_ number: Int, _ wanted: [MACAddress]) async {
    guard makerAttempts.mayRun(number) else { return }
    let answer: SlowFact<[MACAddress: String]>
    do throws(SlowFactProblem) { answer = .known(try await source.makers(of: wanted)) } catch { answer = .unavailable(error.description) }
    guard makerAttempts.current == number else { return }
    makers = answer
  }

  /// Begins to ask how busy the channels are, and what the association is like; `nil` where that is asked already,
  /// however often scans end meanwhile.
  ///
  /// It shows as on its way the first time only; then what was known, or why it was not, stays until the answer.
  public func surveyWanted() -> ViewerAttempt? {
    guard !isSurveying else { return nil }
    isSurveying = true
    let number = surveyAttempts.begin()
    if loads == .unasked { loads = .loading }
    return ViewerAttempt("asks for the survey") { await self.askSurvey(number) }
  }

  private func askSurvey(_ number: Int) async {
    guard surveyAttempts.mayRun(number) else { return }
    let answer: Result<[Survey], SlowFactProblem>
    do throws(SlowFactProblem) { answer = .success(try await source.survey()) } catch { answer = .failure(error) }
    let link = try? await source.station()
    guard surveyAttempts.current == number else { return }
    isSurveying = false
    if station != link { station = link }
    switch answer {
    case .success(let surveys):
      let now = surveys.map { ChannelLoad($0, since: before[$0.frequencyKHz]) }.sorted { $0.frequencyKHz < $1.frequencyKHz }
      for survey in surveys { before[survey.frequencyKHz] = survey }
      if loads != .known(now) { loads = .known(now) }
    case .failure(let problem): if loads != .unavailable(problem.description) { loads = .unavailable(problem.description) }
    }
  }

  /// The load of a channel, where it is known.
  public func load(frequencyKHz: Int) -> ChannelLoad? { loads.value?.first { $0.frequencyKHz == frequencyKHz } }

  /// Ends with the view: no answer counts any more.
  public func dismissed() {
    makerAttempts.end()
    surveyAttempts.end()
    isSurveying = false
    addresses = []
    makers = .unasked
    loads = .unasked
    station = nil
  }
}
