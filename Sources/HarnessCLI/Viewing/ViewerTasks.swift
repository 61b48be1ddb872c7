import Harness
import Models
import Observing
import WiFi

/// The tasks that keep the models of a view going: following the source, time, a recording that is played, lists and
/// attempts.
@MainActor
final class ViewerTasks {
  private let parts: ViewerParts
  private let viewer: Viewer
  private var tokens: [ObservationToken] = []
  private var following: Task<Void, Never>?
  private var ticking: Task<Void, Never>?
  private var playing: Task<Void, Never>?
  private var remembering: Task<Void, Never>?
  private var asking: Task<Void, Never>?
  private var surveying: Task<Void, Never>?
  private var watching: Task<Void, Never>?
  private var followingRadio: Task<Void, Never>?
  /// The attempts of each sheet, which end with it.
  private var attempts: [ObjectIdentifier: [Task<Void, Never>]] = [:]
  private let link: PlaceArgument?
  private var opening: ViewOpening?
  private let clock = ContinuousClock()
  private var lastScan: (end: Duration, at: ContinuousClock.Instant)?

  /// - Parameter link: the place to open as soon as its network is there.
  init(_ parts: ViewerParts, link: PlaceArgument? = nil) {
    self.parts = parts
    viewer = parts.viewer
    self.link = link
  }

  /// Begins.
  func start() {
    tokens.append(observe({ [viewer] in viewer.settings.switchPosition }) { [weak self] in self?.follow($0.isOn) })
    tokens.append(
      observe({ [viewer] in viewer.settings.selectedNetworkID }) { [weak self] in
        self?.selectionChanged(to: $0)
      })
    tokens.append(observe({ [viewer] in viewer.playback?.isPlaying == true }) { [weak self] in self?.play($0) })
    tokens.append(
      observe({ [viewer] in viewer.status.lastEnd }) { [weak self] end in
        guard let self, let end else { return }
        lastScan = (end, clock.now)
        viewer.update()
        parts.showAssociated()
        askSurvey()
      })
    // Behind what a scan says of the joined network.
    opening = ViewOpening(viewer, link)
    tokens.append(
      observe({ [viewer] in viewer.slowFacts == nil ? [] : viewer.addressesOfInterest }) { [weak self] in self?.askMakers(of: $0) })
    if let observer = parts.associationObserver { watching = Task { [viewer] in await viewer.followAssociation(observer) } }
    followingRadio = Task { [viewer] in await viewer.settings.followRadio() }
    ticking = Task { [weak self] in
      while !Task.isCancelled {
        try? await ContinuousClock().sleep(for: .seconds(1))
        self?.tick()
      }
    }
  }

  /// Presents what the models of a viewer want presented, until the token goes; another recording position may bring
  /// other models.
  ///
  /// - Parameter take: receives the navigation over the present models.
  func navigate(
    _ viewer: Viewer, over presenter: any StackPresenter, _ take: @escaping (Navigation) -> Void = { _ in }
  ) -> ObservationToken {
    var navigation: Navigation?
    return observe({ ObjectIdentifier(viewer.settings) }) { [weak self] _ in
      navigation?.end()
      let new = Navigation(presenter) { self?.declareNavigation(of: viewer.settings, in: $0, over: presenter) }
      navigation = new
      take(new)
    }
  }

  /// Declares all that the models present; a known network is forgotten in a task that ends with its page.
  private func declareNavigation(of settings: WiFiSettingsModel, in scope: NavigationScope, over presenter: any StackPresenter) {
    settings.declareNavigation(in: scope) { [weak self] attempt in
      guard let page = presenter.shown.last(where: { $0.name == "edit" }) else { return }
      self?.run(ViewerAttempt(attempt, "forgets a known network"), on: page)
    }
  }

  private func selectionChanged(to id: NetworkID?) {
    parts.world?.selectionChanged(to: id)
    viewer.update()
    remembering?.cancel()
    remembering = parts.world?.knownNetworks == nil ? nil : Task { [parts] in await parts.rememberJoined(id) }
  }

  private func askMakers(of addresses: [MACAddress]) {
    guard let attempt = viewer.slowFacts?.show(addresses) else { return }
    asking?.cancel()
    asking = Task { await attempt.run() }
  }

  /// After each scan the driver has counted again.
  private func askSurvey() {
    guard let attempt = viewer.slowFacts?.surveyWanted() else { return }
    surveying = Task { await attempt.run() }
  }

  /// Runs an attempt until it ends or its sheet or page does.
  func run(_ attempt: ViewerAttempt, on presentation: Presentation) {
    attempts[ObjectIdentifier(presentation), default: []].append(Task { await attempt.run() })
  }

  /// Ends the attempts of a sheet.
  func cancelAttempts(of presentation: Presentation) {
    for task in attempts.removeValue(forKey: ObjectIdentifier(presentation)) ?? [] { task.cancel() }
  }

  /// Ends everything.
  func end() {
    tokens = []
    opening?.end()
    viewer.slowFacts?.dismissed()
    for task in [following, ticking, playing, remembering, asking, surveying, watching, followingRadio] { task?.cancel() }
    for tasks in attempts.values { for task in tasks { task.cancel() } }
  }

  private func tick() {
    guard viewer.playback == nil, !viewer.isPaused, let lastScan else { return }
    viewer.ticked(at: lastScan.end + (clock.now - lastScan.at))
  }

  private func follow(_ isOn: Bool) {
    following?.cancel()
    following = nil
    viewer.update()
    guard parts.player == nil else { return }
    let viewer = viewer
    // Never cancelled: what it began it ends.
    Task { await viewer.settings.moveRadio() }
    guard isOn else { return }
    // A change by a scan is animated as such: no user made it.
    var transaction = Transaction(animation: Animation(name: "scan", duration: .milliseconds(600)))
    transaction.cause = "scan"
    following = withTransaction(transaction) {
      Task {
        await viewer.settings.radioAtRest()
        await viewer.followSource()
      }
    }
  }

  /// Goes through the recording as it was.
  private func play(_ isPlaying: Bool) {
    playing?.cancel()
    guard isPlaying, let player = parts.player else { return }
    let viewer = viewer
    playing = Task { await player.play(in: viewer) }
  }
}
