import Determinism
import Harness
import Models
import Observing
import ScanTools
import Terminal
import WiFi

/// One picture of the panel: of a simulated world after some virtual time, of the end of a recording, or of one scan.
struct PanelOnce: Sendable {
  let command: PanelCommand

  func run() async throws {
    if let simulated = command.source.simulated {
      let end = command.after?.duration ?? .seconds(60)
      let once = self
      return try await Determinism.simulate(seed: simulated.seed, order: .inOrder, limits: .endless) { simulation in
        try await once.simulate(simulated, end, simulation)
      }
    }
    if let recording = try command.source.recording() {
      guard !recording.scans.isEmpty else { throw Failure(.dataError, "the recording holds no scan.") }
      let parts = ViewerParts.replay(recording.scans, try command.wanted.query())
      parts.player?.go(to: recording.scans.count)
      try open(in: parts.viewer)
      return try show(parts.viewer)
    }
    let query = try command.wanted.query()
    let scanner = try SourceOptions.scanner()
    let configuration = try await command.request.configuration(interface: command.source.interface, scanner: scanner, query: query)
    let adapter = ViewedAdapterSource(
      scanner: scanner, configuration: configuration, request: command.request, beginsWithKnown: false)
    let (now, style) = LiveTime.now()
    let parts = ViewerParts.live(
      adapter, joiner: NoJoins(), interval: command.interval.duration, interface: command.source.interface, style: style, now: now)
    parts.source?.selected = { query.selected($0) }
    adapter.onNote = { [weak viewer = parts.viewer] in viewer?.status.note = $0 }
    do {
      guard let scan = try await parts.source?.nextScan() else { return }
      parts.viewer.settings.apply(scan)
      parts.viewer.update()
    } catch {
      throw Failure.ofScanning(error)
    }
    try open(in: parts.viewer)
    await parts.viewer.settings.destination?.known?.load()
    try show(parts.viewer)
  }

  private func simulate(
    _ simulated: ScenarioSource.SimulatedSource, _ end: Duration, _ simulation: Simulation
  ) async throws {
    let parts = ViewerParts.simulated(
      simulated, try command.wanted.query(), clock: simulation.clock, interval: command.interval.duration)
    let settings = parts.viewer.settings
    let task = simulation.task("follows the networks", atEnd: .cancel) { try await settings.followNetworks() }
    await simulation.advance(by: end)
    parts.viewer.update()
    parts.viewer.ticked(at: .seconds(100) + end)
    // What is waited for below takes time, in which the picture is not to go on.
    task.cancel()
    try open(in: parts.viewer)
    if let known = settings.destination?.known {
      let listing = simulation.task("lists the known networks", atEnd: .cancel) { await known.load() }
      await simulation.advance(by: .seconds(1))
      listing.cancel()
    }
    await askSlowFacts(of: parts.viewer, simulation)
    try show(parts.viewer)
  }

  /// Waits for the facts that take time, which a picture cannot wait for itself.
  private func askSlowFacts(of viewer: Viewer, _ simulation: Simulation) async {
    command.apply(to: viewer)
    guard let slowFacts = viewer.slowFacts else { return }
    let attempts = [slowFacts.show(viewer.addressesOfInterest), slowFacts.surveyWanted()].compactMap(\.self)
    let task = simulation.task("asks for slow facts", atEnd: .cancel) { for attempt in attempts { await attempt.run() } }
    await simulation.advance(by: .seconds(4))
    task.cancel()
  }

  /// Opens the place that was asked for.
  private func open(in viewer: Viewer) throws {
    guard let open = command.open, let link = try PlaceArgument.wanted(open, in: viewer) else { return }
    if !link.open(in: viewer) { throw Failure(.noInput, "--open \(PrintableText.escape(open)): no such network was heard.") }
    if case .settings = link, viewer.settings.destination?.known == nil {
      let problem = viewer.knownNetworksTapped() ?? "nothing keeps known networks here."
      throw Failure(.unavailable, "--open \(PrintableText.escape(open)): \(problem)")
    }
  }

  private func show(_ viewer: Viewer) throws {
    command.apply(to: viewer)
    viewer.settle()
    // As the panel begins.
    if viewer.cursor == nil { viewer.highlight(viewer.subject) }
    let presenter = TerminalPresenter()
    let navigation = Navigation(presenter, in: ObservationTurn(isolation: nil)) { scope in
      viewer.settings.declareNavigation(in: scope) { _ in }
    }
    let terminal = StandardStreams.size.map { Size(columns: $0.columns, rows: $0.rows) }
    let size = command.size.flatMap { Size($0) } ?? terminal ?? Size(columns: 100, rows: 30)
    // A picture of so few cells would be a part of this sentence.
    guard PanelLayout(size) != nil else { return try StandardStreams.write(PanelPicture.tooSmall(size) + "\n") }
    let state = PanelState()
    if let form = KnownNetworkForm(item: presenter.shown.last?.item) {
      state.focus = Focus.first(of: form)
    } else if presenter.shown.last?.kind == .sheet {
      state.focus = .password
    }
    let picture = PanelPicture.draw(viewer, state, over: presenter.shown, size: size)
    withExtendedLifetime(navigation) {}
    let lines = PictureEncoder.lines(picture, command.palette(isTerminal: StandardStreams.isInteractive))
    try StandardStreams.write(lines.map { $0 + "\n" }.joined())
    if let path = command.export {
      var history = HistoryFile(path)
      _ = try history.write(viewer)
    }
  }
}
