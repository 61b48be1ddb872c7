import Harness
import Models
import Observing
import Page
import PageServer
import WiFi

/// One run of the page: the models of a view, and what its server asks of them.
@MainActor
final class ServeSession: PageBackend {
  private let viewer: Viewer
  private let tasks: ViewerTasks
  private let presenter = PagePresenter()
  private let feed: PageFeed
  private let user: PageUser
  private var navigation: Navigation?
  private var tokens: [ObservationToken] = []
  private var server: PageServer?
  /// The JSON of a revision.
  private var scanJSON: (revision: Int, bytes: [UInt8])?
  private let grouping: Grouping

  init(_ parts: PanelParts, link: PanelLink?) {
    viewer = parts.viewer
    grouping = parts.world?.grouping ?? .network
    let tasks = ViewerTasks(parts, link: link)
    self.tasks = tasks
    feed = PageFeed(parts.viewer, presenter)
    user = PageUser(
      parts.viewer, presenter, onAttempt: { tasks.run($0, on: $1) }, onCancelled: { tasks.cancelAttempts(of: $0) },
      onScanNow: { [source = parts.source] in source?.scanNow() })
    user.player = parts.player
  }

  /// Begins to follow the models and to tell the pages of a server what changes.
  func start(publishingTo server: PageServer) {
    self.server = server
    presenter.onDismiss = { [weak tasks] in tasks?.cancelAttempts(of: $0) }
    // Another recording position may bring other models.
    tokens.append(
      observe({ [viewer] in ObjectIdentifier(viewer.settings) }) { [weak self] _ in
        guard let self else { return }
        navigation?.end()
        navigation = Navigation(presenter) { [tasks, presenter] in tasks.declareNavigation(in: $0, over: presenter) }
      })
    tasks.start()
    tokens.append(
      observe({ [feed] in feed.look() }) { [weak self] state, transaction in
        guard let self, let event = feed.event(of: state, transaction) else { return }
        self.server?.publish(event)
      })
  }

  /// Ends.
  func end() {
    tokens = []
    navigation = nil
    tasks.end()
  }

  nonisolated func hello(mayAct: Bool, _ deliver: @escaping @Sendable (ServerSentEvent) -> Void) {
    Task { @MainActor in deliver(feed.hello(mayAct: mayAct)) }
  }

  nonisolated func answer(_ question: PageQuestion, _ deliver: @escaping @Sendable (PageResponse) -> Void) {
    Task { @MainActor in deliver(answer(question)) }
  }

  private func answer(_ question: PageQuestion) -> PageResponse {
    switch question {
    case .scan: return .json(scan())
    case .metrics(let statistics):
      let metrics = PageMetrics(viewer, statistics)
      return PageResponse(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body: metrics.bytes)
    case .action(let body):
      guard let action = PageAction(json: body) else {
        return .refusal(400, "This is no action: the page sends a JSON object such as {\"do\": \"scan\"}.")
      }
      let sentence = user.perform(action)
      // What it changed is told before the answer is.
      if let event = feed.event(of: feed.look(), Transaction(animation: .default)) { server?.publish(event) }
      var fields = FieldWriter()
      fields.object { fields in
        fields.field("revision", feed.revision)
        if let sentence { fields.field("sentence", sentence) }
      }
      return .json(fields.takeBytes())
    }
  }

  /// Every BSS that is there, as a scan of what is known now.
  private func scan() -> [UInt8] {
    if let scanJSON, scanJSON.revision == feed.revision { return scanJSON.bytes }
    let status = viewer.status
    let end = status.lastEnd ?? viewer.now
    let bss = viewer.networks.flatMap { viewer.facts(of: $0.id).map(\.bss) }
    let scan = Scan(
      interface: status.interface ?? "", start: end - (status.lastDuration ?? .zero), end: end,
      completion: status.lastCompletion ?? .cached, bss: bss)
    let bytes = ScanReport(scan, grouping: grouping).json()
    scanJSON = (feed.revision, bytes)
    return bytes
  }
}
