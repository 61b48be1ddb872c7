import Harness
import Models
import Observing
import Terminal
import WiFi

/// One run of the panel on a terminal: what a view does, and nothing that a model should hold.
@MainActor
final class PanelSession {
  private let parts: PanelParts
  private let viewer: Viewer
  private let device: TerminalDevice
  private let state = PanelState()
  private let presenter = TerminalPresenter()
  private var keys: PanelKeys?
  private var encoder: PictureEncoder
  private var navigation: Navigation?
  private var tokens: [ObservationToken] = []
  private var following: Task<Void, Never>?
  private var ticking: Task<Void, Never>?
  private var playing: Task<Void, Never>?
  /// The tasks of each sheet, which end with it.
  private var tasks: [ObjectIdentifier: [Task<Void, Never>]] = [:]
  private var link: PanelLink?
  private let clock = ContinuousClock()
  private var lastScan: (end: Duration, at: ContinuousClock.Instant)?
  private let exportPath: String

  init(_ parts: PanelParts, device: TerminalDevice, palette: Palette, link: PanelLink?, exportPath: String) {
    self.parts = parts
    viewer = parts.viewer
    self.device = device
    encoder = PictureEncoder(palette)
    self.link = link
    self.exportPath = exportPath
  }

  /// Shows the panel until the user quits.
  ///
  /// - Throws: ``Failure`` where the terminal cannot be used.
  func run() async throws {
    try device.open()
    defer { end() }
    let keys = PanelKeys(
      viewer, state: state, presenter: presenter, size: device.size,
      onAttempt: { [self] in self.start($0, on: $1) },
      onCancelled: { [self] in self.cancelTasks(of: $0) },
      onScanNow: { [parts] in parts.source?.scanNow() })
    keys.player = parts.player
    self.keys = keys
    observeModels(keys)
    ticking = Task { [self] in
      while !Task.isCancelled {
        try? await ContinuousClock().sleep(for: .seconds(1))
        self.tick()
      }
    }
    for await input in device.inputs {
      switch input {
      case .closed: return
      case .wokeUp: resized()
      case .event(let event):
        switch keys.handle(event) {
        case nil: break
        case .quit: return
        case .suspend: device.stop()
        case .redraw: resized()
        case .export: export()
        }
      }
      try draw()
    }
  }

  private func observeModels(_ keys: PanelKeys) {
    presenter.onPresent = { [weak keys] _ in keys?.presented() }
    presenter.onDismiss = { [self, weak keys] presentation in
      self.cancelTasks(of: presentation)
      keys?.presented()
    }
    // Another recording position may bring other models.
    tokens.append(
      observe({ [viewer] in ObjectIdentifier(viewer.settings) }) { [self] _ in
        navigation?.end()
        navigation = Navigation(presenter, viewer.settings.declareNavigation)
      })
    tokens.append(observe({ [viewer] in viewer.settings.isOn }) { [self] in self.follow($0) })
    tokens.append(
      observe({ [viewer] in viewer.settings.selectedNetworkID }) { [self] in
        self.parts.world?.selectionChanged(to: $0)
        self.viewer.update()
      })
    tokens.append(observe({ [viewer] in viewer.playback?.isPlaying == true }) { [self] in self.play($0) })
    tokens.append(
      observe({ [viewer] in viewer.status.lastEnd }) { [self] end in
        guard let end else { return }
        lastScan = (end, clock.now)
        viewer.update()
        parts.showAssociated()
        openLink()
      })
    tokens.append(observe { [self] in try? self.draw() })
  }

  private func draw() throws {
    let picture = PanelPicture.draw(viewer, state, over: presenter.shown, size: keys?.size ?? device.size)
    try device.write(encoder.encode(picture))
  }

  private func resized() {
    device.resume()
    keys?.size = device.size
    encoder.reset()
  }

  private func openLink() {
    viewer.update()
    if let link, link.open(in: viewer) { self.link = nil }
  }

  private func tick() {
    guard viewer.playback == nil, !viewer.isPaused, let lastScan else { return }
    viewer.ticked(at: lastScan.end + (clock.now - lastScan.at))
  }

  private func follow(_ isOn: Bool) {
    following?.cancel()
    following = nil
    viewer.update()
    guard isOn, parts.player == nil else { return }
    let viewer = viewer
    following = Task { await viewer.followSource() }
  }

  /// Goes through the recording as it was.
  private func play(_ isPlaying: Bool) {
    playing?.cancel()
    guard isPlaying, let player = parts.player else { return }
    let viewer = viewer
    playing = Task { await player.play(in: viewer) }
  }

  private func start(_ attempt: JoinAttempt, on presentation: Presentation) {
    tasks[ObjectIdentifier(presentation), default: []].append(Task { await attempt.run() })
  }

  private func cancelTasks(of presentation: Presentation) {
    for task in tasks.removeValue(forKey: ObjectIdentifier(presentation)) ?? [] { task.cancel() }
  }

  private func export() {
    do throws(FileFailure) {
      try Files.replace(exportPath, with: HistoryCSV.bytes(of: viewer))
      state.message = "The history was written to \(PrintableText.escape(Array(exportPath.utf8)))."
    } catch {
      state.message = "\(error)."
    }
  }

  /// Lets everything go that holds the session.
  private func end() {
    tokens = []
    presenter.onPresent = { _ in }
    presenter.onDismiss = { _ in }
    keys = nil
    navigation = nil
    for task in [following, ticking, playing] { task?.cancel() }
    for tasks in tasks.values { for task in tasks { task.cancel() } }
    device.close()
  }
}
