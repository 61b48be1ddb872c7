import Models
import Observing
import Page

/// What one browser sees, has chosen and has opened; or what programs see, which give no name.
@MainActor
final class BrowserView {
  let feed: PageFeed
  let user: PageUser
  private let viewer: Viewer
  private let presenter = PagePresenter()
  private let tasks: ViewerTasks
  private let publish: (ServerSentEvent) -> Void
  private var navigation: Navigation?
  private var tokens: [ObservationToken] = []
  private var following: ObservationToken?
  private var resting: Task<Void, Never>?
  private var opening: ViewOpening?

  /// - Parameter link: the place to open as soon as its network is there.
  init(
    _ viewer: Viewer, _ parts: ViewerParts, _ tasks: ViewerTasks, link: PlaceArgument?, publish: @escaping (ServerSentEvent) -> Void
  ) {
    self.viewer = viewer
    self.tasks = tasks
    self.publish = publish
    feed = PageFeed(viewer, presenter)
    user = PageUser(
      viewer, presenter, onAttempt: { tasks.run($0, on: $1) }, onCancelled: { tasks.cancelAttempts(of: $0) },
      onScanNow: { [source = parts.source] in source?.scanNow() })
    user.player = parts.player
    presenter.onDismiss = { [weak tasks] in tasks?.cancelAttempts(of: $0) }
    tokens.append(tasks.navigate(viewer, over: presenter) { [weak self] in self?.navigation = $0 })
    // That of the models themselves belongs to the tasks.
    if viewer !== parts.viewer { opening = ViewOpening(viewer, link) }
  }

  /// Sends what changes to the pages that follow it.
  func follow() {
    resting?.cancel()
    guard following == nil else { return }
    following = observe({ [feed] in feed.look() }) { [weak self] state, transaction in
      if let self, let event = feed.event(of: state, transaction) { publish(event) }
    }
  }

  /// No page follows it now; what is chosen and open stays, and what was typed of passwords for a while.
  func rest() {
    following = nil
    resting = Task { [user] in await user.rest(on: ContinuousClock()) }
  }

  /// Does what an action means; what it changed is sent before the answer is.
  func perform(_ action: PageAction) -> String? {
    let sentence = user.perform(action)
    if let event = feed.event(of: feed.look(), Transaction(animation: .default)) { publish(event) }
    return sentence
  }

  /// Ends with all that is open.
  func end() {
    tokens = []
    following = nil
    resting?.cancel()
    opening?.end()
    // What it shows is dismissed, which ends what runs for it.
    navigation?.end()
    navigation = nil
    viewer.settings.destination = nil
  }
}
