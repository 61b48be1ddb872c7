import Harness
import Models
import Page
import PageServer
import ScanTools
import WiFi

/// One run of the page: the models, the views of browsers on them, and what its server asks of these.
@MainActor
final class ServeSession: PageBackend {
  private let parts: ViewerParts
  private let viewer: Viewer
  private let tasks: ViewerTasks
  private let link: PlaceArgument?
  private var views = BrowserViews<BrowserView>()
  private var server: PageServer?
  /// The JSON of a revision.
  private var scanJSON: (revision: Int, bytes: [UInt8])?
  private let grouping: Grouping

  init(_ parts: ViewerParts, link: PlaceArgument?) {
    self.parts = parts
    self.link = link
    viewer = parts.viewer
    grouping = parts.world?.grouping ?? .network
    tasks = ViewerTasks(parts)
  }

  /// Begins to follow the models and to send what changes to the pages of a server.
  func start(publishingTo server: PageServer) {
    self.server = server
    tasks.start()
    programs.follow()
  }

  /// Ends.
  func end() {
    for view in views.all { view.end() }
    views = BrowserViews()
    tasks.end()
  }

  /// What programs see, which give no name; other views are beside it.
  private var programs: BrowserView { view("") }

  /// The view of a key, which is made where there is none.
  private func view(_ key: String) -> BrowserView {
    if let view = views[key] { return view }
    let view = BrowserView(
      key.isEmpty ? viewer : Viewer(beside: viewer), parts, tasks, link: key.hasPrefix("+") ? link : nil
    ) { [weak self] in self?.server?.publish($0, in: key) }
    views.add(view, for: key)
    return view
  }

  nonisolated func hello(_ browser: PageBrowser, isFirst: Bool, _ deliver: @escaping @Sendable (ServerSentEvent) -> Void) {
    Task { @MainActor in
      let view = view(browser.key)
      if isFirst {
        views.follows(browser.key)
        view.follow()
      }
      deliver(view.feed.hello(mayAct: browser.mayAct))
    }
  }

  nonisolated func left(_ browser: PageBrowser) { Task { @MainActor in rest(browser.key) } }

  private func rest(_ key: String) {
    let (rests, goes) = views.left(key)
    rests?.rest()
    goes?.end()
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
    case .action(let action, let browser):
      guard let view = views[browser.key] else { return .refusal(409, "This page follows no events: load it again.") }
      let sentence = view.perform(action)
      var fields = FieldWriter()
      fields.object { fields in
        fields.field("revision", view.feed.revision)
        if let sentence { fields.field("sentence", sentence) }
      }
      return .json(fields.takeBytes())
    }
  }

  /// Every BSS that is there, as a scan of what is known now.
  private func scan() -> [UInt8] {
    if let scanJSON, scanJSON.revision == programs.feed.revision { return scanJSON.bytes }
    let status = viewer.status
    let end = status.lastEnd ?? viewer.now
    let bss = viewer.networks.flatMap { viewer.facts(of: $0.id).map(\.bss) }
    let scan = Scan(
      interface: status.interface ?? "", start: end - (status.lastDuration ?? .zero), end: end,
      completion: status.lastCompletion ?? .cached, bss: bss)
    let bytes = ScanReport(scan, grouping: grouping).json()
    scanJSON = (programs.feed.revision, bytes)
    return bytes
  }
}
