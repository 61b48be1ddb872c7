public import Determinism
public import Models
public import Observing
import Simulator
import Terminal
import WiFi

/// The Wi-Fi settings in a simulation: the world, the models, a headless screen, and a user.
///
/// It does what a view does and nothing more: it observes, presents, and starts and cancels the tasks of the models.
/// All that changes is written to the trace of the simulation.
public final class SettingsFixture {
  /// The run.
  public let simulation: Simulation
  /// The world behind it.
  public let world: any ScenarioWorld
  /// The models.
  public let model: WiFiSettingsModel
  /// What is shown over the list.
  public var presenter: any StackPresenter { view.presenter }
  /// What the user does things with.
  let view: any FixtureView
  /// What should not have happened, and was ignored.
  public var issues: [ModelIssue] { issueLog.issues }
  /// The list as the screen shows it, put together from differences alone.
  ///
  /// A difference costs next to nothing, however long the list is; the first look after it costs time in proportion to
  /// the number of rows.
  public var panel: Panel { screen.panel }

  /// How often the list was computed again though nothing that it depends on had changed.
  package private(set) var needlessRuns = 0
  /// How everything was when the run began.
  private let start: ScenarioStart
  /// Whether the view cancels what it started when its screen goes, as it should; the models must tolerate it if not.
  public var viewCancels: Bool { start.viewCancels }
  /// How often the list was computed, by an observation that ends with ``close()``.
  package var runCount: Int { runs.count }
  /// Looks at each moment of rest, after the fixture itself.
  package var onMoment: ((SettingsMoment) -> Void)?

  /// What the source of scans failed with last, a sentence; `nil` where it never did.
  package var sourceError: String? { sourceFailure.sentence }

  private final class SourceFailure {
    var sentence: String?
  }
  private let sourceFailure = SourceFailure()

  private let runs = RunCounter()
  private var runCountAtRest = 0
  private var needlessRunsSinceRest = 0
  private var interruptionsAtRest = 0
  private var contents: PanelContents?
  private var shownAtRun: PanelContents?
  private var freshNetworks: [Network] = []
  /// The rows of networks on the screen, below the top.
  private var rows: [NetworkRow] = []
  private var signs: ListSigns?
  private var screen = HeadlessPanel()
  private var changes: [PanelDiff] = []
  /// What lies over the list, as the presenter was called, the topmost last.
  private var layers: [Presentation] = []
  /// What the screen did since the last moment of rest that no screen should do, a sentence.
  var blunder: String?
  private let issueLog: IssueLog
  private var navigation: Navigation?
  private var tokens: [ObservationToken] = []
  /// The models as they were at the last moment of rest.
  private(set) var state: SettingsState
  private var previous: SettingsState?
  /// What was done since the last moment of rest.
  var actions: [ScenarioAction] = []
  /// What passes between the world and the models; `nil` where nothing watches.
  var log: WorldLog? { (world as? ProbedWorld)?.log }
  /// The simulated daemon of the world; `nil` where there is none.
  var daemon: SimulatedDaemon? { (world as? ProbedWorld)?.daemon }
  private let emptyLog = WorldLog(initialScan: nil)
  private var following: SimulatedTask?
  private var followingLink: SimulatedTask?
  private var followingRadio: SimulatedTask?
  /// The tasks of each presentation, which end with it.
  private var tasks: [ObjectIdentifier: [SimulatedTask]] = [:]

  /// Makes the settings, in any state, with a view on them.
  ///
  /// - Parameters:
  ///   - view: which view it goes through; the trace is the same through each.
  ///   - onPicture: given each picture of a view that draws, as its lines; of the page each change, as a line of JSON.
  ///   - makeModel: makes the models; it is given the list of found networks and what to call for issues.
  public convenience init<Failure: Error>(
    _ simulation: Simulation, world: any ScenarioWorld, via view: ViewKind = .headless,
    onPicture: (([String]) -> Void)? = nil,
    makeModel: (FoundNetworksModel, @escaping (ModelIssue) -> Void) throws(Failure) -> WiFiSettingsModel
  ) throws(Failure) {
    try self.init(simulation, world, ScenarioStart(), view, ViewLimits(), onPicture, makeModel)
  }

  /// Makes the settings as a scenario begins with them, with a view on them.
  convenience init(
    _ simulation: Simulation, _ scenario: Scenario, _ world: ProbedWorld, via view: ViewKind, limits: ViewLimits = ViewLimits(),
    onPicture: (([String]) -> Void)? = nil
  ) throws(ScenarioProblem) {
    if case .simulate(let source) = scenario.source { world.log.isUndisturbed = source.faults.isEmpty }
    let makeModel = { (found: FoundNetworksModel, onIssue: @escaping (ModelIssue) -> Void) throws(ScenarioProblem) in
      try StartState(scenario, world).model(found, onIssue)
    }
    try self.init(simulation, world, scenario.start, view, limits, onPicture, makeModel)
    if let link = scenario.start.link { model.open(link) }
  }

  private init<Failure: Error>(
    _ simulation: Simulation, _ world: any ScenarioWorld, _ start: ScenarioStart, _ view: ViewKind, _ limits: ViewLimits,
    _ onPicture: (([String]) -> Void)?,
    _ makeModel: (FoundNetworksModel, @escaping (ModelIssue) -> Void) throws(Failure) -> WiFiSettingsModel
  ) throws(Failure) {
    (self.simulation, self.world, self.start) = (simulation, world, start)
    switch view {
    case .headless: self.view = HeadlessView()
    case .page:
      let page = PageView(limits)
      if let onPicture { page.onChange = { onPicture([$0]) } }
      self.view = page
    case .terminal:
      let terminal = TerminalView(limits)
      if let onPicture { terminal.onPicture = { onPicture($0.lines) } }
      self.view = terminal
    }
    let found = FoundNetworksModel(grouping: world.grouping, order: world.order)
    if let scan = world.initialScan { found.apply(scan) }
    let issueLog = IssueLog(simulation.trace)
    self.issueLog = issueLog
    model = try makeModel(found) { issueLog.record($0) }
    state = SettingsState(model)
  }

  /// Records what should not have happened.
  private final class IssueLog {
    private let trace: Trace
    private(set) var issues: [ModelIssue] = []

    init(_ trace: Trace) { self.trace = trace }

    func record(_ issue: ModelIssue) {
      trace.record("issue \(issue)", in: .models)
      issues.append(issue)
    }
  }

  /// Starts to observe the models: from here on the screen follows them.
  ///
  /// - Precondition: called where the simulation runs: in the body of `simulate`, or in a task of the simulation.
  public func open(isolation: isolated (any Actor)? = #isolation) {
    let panelTracker = PanelTracker(model)
    record(beginning: panelTracker)
    let needs = PanelNeeds(model)
    tokens.append(
      observe { [weak self, runs] in
        runs.count += 1
        if needs.areUnchanged() { self?.needlessRunsSinceRest += 1 }
        return panelTracker.revision
      } perform: { [weak self] _ in
        self?.show(panelTracker.update())
      })
    view.open(self)
    presenter.onPresent = { [weak self, trace = simulation.trace, weak view] in
      trace.record("screen shows \($0)", in: .screen)
      self?.layers.append($0)
      self?.appeared($0)
      view?.presented()
    }
    presenter.onDismiss = { [weak self] in
      self?.ended($0)
      self?.view.presented()
    }
    navigation = Navigation(presenter) { [weak self, model] scope in
      model.declareNavigation(in: scope) { attempt in
        guard let self, let page = self.presenter.shown.last(where: { $0.name == "edit" }) else { return }
        self.start("forgets a known network", on: page) { await attempt.run() }
      }
    }
    tokens.append(observe({ [model] in model.switchPosition }) { [weak self] in self?.follow($0.isOn) })
    tokens.append(
      observe({ [model] in model.selectedNetworkID }) { [weak self] in self?.world.selectionChanged(to: $0) })
    simulation.onRest { [weak self] in self?.rest() }
    if let observer = world.associationObserver {
      followingLink = simulation.task("follows the link") { [model] in await model.followAssociation(observer) }
    }
    if world.radio != nil { followingRadio = simulation.task("follows the radio") { [model] in await model.followRadio() } }
  }

  /// Ends the observation: the screen closes, and the tasks it started end.
  public func close() {
    tokens.removeAll()
    navigation = nil
    following?.cancel()
    followingLink?.cancel()
    followingRadio?.cancel()
    for tasks in tasks.values { for task in tasks { task.cancel() } }
    tasks = [:]
    simulation.onRest(nil)
  }

  // MARK: What the view does

  private func follow(_ isOn: Bool) {
    following?.cancel()
    following = nil
    let (model, simulation, failure) = (model, simulation, sourceFailure)
    // The view never cancels it: what it began it ends.
    if world.radio != nil { _ = simulation.task("moves the radio") { await model.moveRadio() } }
    guard isOn else { return }
    // Without a capture list: in Swift 6.3 a closure that has one loses the isolation of the simulation, and what it
    // does comes a few jobs after what others do at the same time.
    following = simulation.task("follows the networks") {
      try await Self.follow(model, simulation, failure)
    }
  }

  /// Processes scans until there are no more; where the source fails, tries again after a while.
  private static func follow(
    _ model: WiFiSettingsModel, _ simulation: Simulation, _ failure: SourceFailure
  ) async throws {
    await model.radioAtRest()
    while !Task.isCancelled {
      do {
        return try await model.followNetworks()
      } catch {
        simulation.trace.record("source fails: \(error)", in: .scanner)
        failure.sentence = "\(error)"
        try await simulation.clock.sleep(for: .seconds(5))
      }
    }
  }

  /// Starts a task that ends with what is shown on top.
  func start(
    _ name: String, on presentation: Presentation, fileID: String = #fileID, line: Int = #line,
    _ body: @escaping () async -> Void
  ) {
    tasks[ObjectIdentifier(presentation), default: []].removeAll(where: \.isFinished)
    tasks[ObjectIdentifier(presentation), default: []].append(
      simulation.task(name, fileID: fileID, line: line) { await body() })
  }

  /// The page of known networks lists them when it appears.
  private func appeared(_ presentation: Presentation) {
    guard let known = presentation.item as? KnownNetworksModel else { return }
    start("lists the known networks", on: presentation) { await known.load() }
  }

  private func ended(_ presentation: Presentation) {
    simulation.trace.record("screen takes away \(presentation)", in: .screen)
    // A page may go from under a sheet that belongs to what lies below it.
    if let top = layers.last, top !== presentation, presentation.kind != .push {
      blunder = "\(presentation) was taken away from under \(top)"
    }
    layers.removeAll { $0 === presentation }
    cancelTasks(of: presentation)
  }

  /// Cancels what was started on a sheet or page.
  func cancelTasks(of presentation: Presentation) {
    guard viewCancels else { return }
    for task in tasks.removeValue(forKey: ObjectIdentifier(presentation)) ?? [] { task.cancel() }
  }

  // MARK: What is recorded

  private func record(beginning tracker: PanelTracker) {
    for change in tracker.update() { screen.apply(change) }
    for (section, rows) in [("top", panel.top), ("networks", panel.networks)] {
      // A long list is recorded by its hash, so that a trace stays readable.
      if rows.count > 100 {
        simulation.trace.record("panel begins in \(section) with \(rows.count) rows, hash \(Self.hash(rows))", in: .screen)
      } else {
        for row in rows { simulation.trace.record("panel begins in \(section) with \(row)", in: .screen) }
      }
    }
    for phrase in state.changes(since: SettingsState.nothing) { simulation.trace.record("begins with \(phrase)", in: .models) }
  }

  private func show(_ changes: [PanelDiff]) {
    if onMoment != nil { self.changes += changes }
    guard changes.count > 100 else {
      for change in changes {
        simulation.trace.record("panel \(text(change))", in: .screen)
        apply(change)
      }
      return
    }
    var hash = TraceHash()
    for change in changes {
      hash.append("\(change)\n")
      apply(change)
    }
    simulation.trace.record("panel changes \(changes.count) times, hash \(hash)", in: .screen)
  }

  private func apply(_ change: PanelDiff) {
    if case .move(let id, let place) = change, screen.stands(id, at: place) {
      blunder = "\(screen[id]?.title ?? "\(id)") was moved to where it stood"
    }
    screen.apply(change)
  }

  /// A difference in words, with what rows are called; before it is applied.
  private func text(_ change: PanelDiff) -> String {
    func title(_ id: PanelRow.ID) -> String { screen[id]?.title ?? "\(id)" }
    func words(_ place: PanelDiff.Place) -> String { place.before.map { "before \(title($0))" } ?? "\(place)" }
    return switch change {
    case .insert(let row, let place): "insert \(row) \(words(place))"
    case .remove(let id): "remove \(title(id))"
    case .move(let id, let place): "move \(title(id)) \(words(place))"
    case .update(let row): "update \(row)"
    }
  }

  private static func hash(_ rows: [PanelRow]) -> String {
    var hash = TraceHash()
    for row in rows { hash.append("\(row)\n") }
    return hash.description
  }

  /// Everything is at rest: records what changed.
  private func rest() {
    let now = SettingsState(model)
    if now != state {
      for phrase in now.changes(since: state) { simulation.trace.record("model \(phrase)", in: .models) }
      state = now
    }
    let mayHaveChanged = listMayHaveChanged(now, log)
    if mayHaveChanged { view.rested() }
    guard let onMoment else { return }
    let listHasChanged = mayHaveChanged && lookAtList()
    let interruptions = model.switchPosition.interruptions
    let causes = actions.count + interruptions - interruptionsAtRest
    interruptionsAtRest = interruptions
    countNeedlessRuns(causes: causes)
    onMoment(
      SettingsMoment(
        time: simulation.clock.now.offset, model: model, panel: panel, shown: presenter.shown.map(\.name), state: now,
        previous: previous, actions: actions, viewCancels: viewCancels, log: log ?? emptyLog, start: start, world: world, view: view,
        needlessRuns: needlessRuns, causes: causes, changes: changes, networks: contents?.found ?? [],
        freshNetworks: listHasChanged ? freshNetworks : [], rows: rows, listHasChanged: listHasChanged, blunder: blunder,
        issues: issues))
    previous = now
    blunder = nil
    actions.removeAll()
    changes.removeAll()
  }

  /// Whether anything happened since the moment before that could change the list or the view: a scan, an attempt to
  /// join, an action, or anything else that the models or the screen report.
  ///
  /// Without a log there is no saying.
  private func listMayHaveChanged(_ now: SettingsState, _ log: WorldLog?) -> Bool {
    let signs = ListSigns(log: log?.count, runs: runs.count, revision: model.foundNetworks.revision)
    defer { self.signs = signs }
    return log == nil || signs != self.signs || !changes.isEmpty || !actions.isEmpty || now != previous
  }

  /// Looks at all that the list depends on and at what the screen shows of it, and says whether anything is not as it
  /// was.
  private func lookAtList() -> Bool {
    let now = PanelContents(model)
    let before = contents
    let (found, known) = (now.found, before?.found ?? [])
    freshNetworks = found.fresh(after: known) {
      found[$0].id == known[$1].id
    } isUnchanged: {
      found.equals(at: $0, known, at: $1)
    }
    let isSame = freshNetworks.isEmpty && now.found.count == known.count && now.selection == before?.selection
    if isSame, changes.isEmpty { return false }
    contents = now
    rows = panel.networks.compactMap(\.networkRow)
    return true
  }

  /// Where the list was computed and nothing that it shows has changed, it was without need.
  ///
  /// Where several things happened at once, one may have taken back another: then it was right to look.
  private func countNeedlessRuns(causes: Int) {
    guard runs.count != runCountAtRest else { return }
    runCountAtRest = runs.count
    let now = contents?.shown
    if now == shownAtRun { needlessRunsSinceRest += 1 }
    if causes < 2 { needlessRuns += needlessRunsSinceRest }
    needlessRunsSinceRest = 0
    shownAtRun = now
  }
}

/// How often something ran.
private final class RunCounter {
  var count = 0
}

/// Signs that the list may have changed.
private struct ListSigns: Equatable {
  var log: Int?
  var runs: Int
  var revision: Int
}

/// What the list depends on besides the found networks.
///
/// While Wi-Fi is off there is the switch, which depends on nothing else.
private struct PanelSelection: Equatable {
  var isOn = false
  var id: NetworkID?
  var network: Network?
  var isOutOfRange = false
}

extension PanelSelection {
  fileprivate init(_ model: WiFiSettingsModel) {
    self.init(
      isOn: model.isOn, id: model.selectedNetworkID, network: model.selectedNetwork, isOutOfRange: model.selectedNetworkIsOutOfRange)
  }
}

/// Everything that the list depends on.
private struct PanelContents: Equatable {
  var selection: PanelSelection
  var found: [Network]

  init(_ model: WiFiSettingsModel) {
    selection = PanelSelection(model)
    found = model.foundNetworks.all
  }

  /// What of it is shown.
  var shown: PanelContents {
    guard !selection.isOn else { return self }
    var contents = self
    (contents.selection, contents.found) = (PanelSelection(), [])
    return contents
  }
}

/// What the list depends on, as it was when it was last computed.
private final class PanelNeeds {
  private struct Values: Equatable {
    var selection = PanelSelection()
    var revision = 0
  }

  private let model: WiFiSettingsModel
  private var last: Values?

  init(_ model: WiFiSettingsModel) { self.model = model }

  /// Whether all is as it was the last time this was asked.
  func areUnchanged() -> Bool {
    let now = model.isOn ? Values(selection: PanelSelection(model), revision: model.foundNetworks.revision) : Values()
    defer { last = now }
    return last == now
  }
}

extension SettingsState {
  /// Wi-Fi on and nothing else: what needs no mention at the beginning.
  static let nothing = SettingsState()

  private init() {}
}
