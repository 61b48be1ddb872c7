import Determinism
import Models
import Synchronization
import WiFi

/// Records a run and reports afterwards what happened, even where the run broke off.
///
/// A run without one does none of this work. The trace of a run with one is the same.
public final class RunObserver: Sendable {
  private struct State {
    var account = RunAccount()
    var events: [TraceEvent] = []
    var panel: Panel?
    var picture: SettingsPicture?
    var settings: SettingsState?
    var present: Set<MACAddress>?
    var names: [MACAddress: String] = [:]
    var scanCount = 0
    var violationCount = 0
    var time = Duration.zero
  }

  private let state = Mutex(State())

  /// Nothing seen yet.
  public init() {}

  /// All that was seen so far.
  package var account: RunAccount { state.withLock { $0.account } }

  // MARK: What the run reports

  /// Observes the events of a trace from now on.
  func watch(_ trace: Trace) {
    begin()
    trace.onEvent = { [weak self] in self?.take($0) }
  }

  func begin() { state.withLock { $0.account.steps.append(RunAccount.Step(time: .zero)) } }

  func take(_ event: TraceEvent) {
    state.withLock { state in
      state.time = event.time
      state.events.append(event)
    }
  }

  /// A step is about to be performed.
  func begin(_ action: ScenarioAction, line: Int? = nil) { begin(action.words, line, isExpectation: action.isExpectation) }

  /// No more actions will follow.
  func beginEnd() { begin("no more actions, and faults stop") }

  private func begin(_ words: String, _ line: Int? = nil, isExpectation: Bool = false) {
    state.withLock { $0.account.steps.append(.init(words: words, isExpectation: isExpectation, line: line, time: $0.time)) }
  }

  /// The step was not as expected.
  func fail(_ differences: [String]) {
    state.withLock { state in
      state.account.steps[state.account.steps.count - 1].failures = differences.flatMap {
        $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
    }
  }

  /// The end was judged.
  func end(_ violations: [Violation]) {
    state.withLock { state in
      state.account.steps[state.account.steps.count - 1].violations = Array(violations.dropFirst(state.violationCount))
      state.violationCount = violations.count
    }
  }

  /// Everything is at rest.
  func take(_ moment: SettingsMoment, _ world: any ScenarioWorld, _ violations: [Violation]) {
    state.withLock { state in
      state.time = moment.time
      let fresh = Array(violations.dropFirst(state.violationCount))
      state.violationCount = violations.count
      let news = Self.worldNews(world.presentBSSIDs, moment, &state)
      // The first picture has no moment before it.
      if state.panel == moment.panel, state.events.isEmpty, news.isEmpty, fresh.isEmpty, state.settings == moment.state { return }
      let picture = SettingsPicture(moment, since: state.panel)
      state.account.steps[state.account.steps.count - 1].moments.append(
        RunAccount.Moment(
          time: moment.time, events: state.events + news,
          changes: moment.state.changes(since: state.settings ?? SettingsState.nothing), state: moment.state,
          isJoining: moment.log.runningCount > 0, picture: picture,
          showsNews: state.picture.map { !picture.shows(theSameAs: $0) } ?? true, violations: fresh))
      state.events = []
      state.panel = moment.panel
      state.picture = picture
      state.settings = moment.state
    }
  }

  /// What came and went on the air, where the world can say.
  private static func worldNews(_ present: Set<MACAddress>?, _ moment: SettingsMoment, _ state: inout State) -> [TraceEvent] {
    if state.settings == nil, let scan = moment.log.initialScan { remember(scan, &state) }
    for scan in moment.log.scans.dropFirst(state.scanCount) { remember(scan, &state) }
    state.scanCount = moment.log.scans.count
    defer { state.present = present }
    guard let present, let before = state.present, present != before else { return [] }
    func event(_ bssid: MACAddress, _ verb: String) -> TraceEvent {
      let name = state.names[bssid].map { "\($0) " } ?? ""
      return TraceEvent(time: moment.time, lane: .world, text: "\(name)\(bssid) \(verb)", line: nil)
    }
    return present.subtracting(before).sorted().map { event($0, "comes on the air") }
      + before.subtracting(present).sorted().map { event($0, "leaves the air") }
  }

  private static func remember(_ scan: Scan, _ state: inout State) {
    for bss in scan.bss { state.names[bss.bssid] = bss.shownName }
  }
}

extension BSS {
  /// What a row of it alone is called.
  fileprivate var shownName: String {
    let facts = BSSFacts(self)
    return NetworkRow(Network(id: facts.networkID(.bss), of: [facts])).shownName
  }
}

extension Scan {
  /// What it heard, beside the scan before.
  func words(after earlier: Scan?) -> String {
    let kind =
      switch completion {
      case .complete: "complete"
      case .partial(let interruption): "cut short (\(interruption.rawValue))"
      case .cached: "of what was known"
      }
    var text = "scan \(kind): \(bss.count.counted("access point"))"
    let before = Set((earlier?.bss ?? []).map(\.bssid))
    let now = Set(bss.map(\.bssid))
    func list(_ title: String, _ those: [BSS]) {
      guard !those.isEmpty else { return }
      let names = those.prefix(6).map(\.shownName).joined(separator: ", ")
      text += "; \(title) \(names)" + (those.count > 6 ? " and \(those.count - 6) more" : "")
    }
    list("new", bss.filter { !before.contains($0.bssid) })
    list("not heard", (earlier?.bss ?? []).filter { !now.contains($0.bssid) })
    return text
  }
}
