import Models
import Observing
import Simulator
import ViewFixture
import WiFi

@testable import Page

/// A page in a test: actions, states and events; no server.
final class PageFixture: ViewFixture {
  let presenter = PagePresenter()
  let feed: PageFeed
  private(set) var user: PageUser

  init(isOn: Bool = true, known drafts: [KnownNetworkDraft] = [], hearing heard: [(AccessPoint, Double)]? = nil) {
    var onAttempt: (ViewerAttempt) -> Void = { _ in }
    var onCancelled: () -> Void = {}
    var onScanNow: () -> Void = {}
    let models = FixtureModels(isOn: isOn, known: drafts)
    feed = PageFeed(models.viewer, presenter)
    user = PageUser(
      models.viewer, presenter, onAttempt: { attempt, _ in onAttempt(attempt) }, onCancelled: { _ in onCancelled() },
      onScanNow: { onScanNow() })
    super.init(models)
    onAttempt = { [weak self] in self?.began($0) }
    onCancelled = { [weak self] in self?.cancel() }
    onScanNow = { [weak self] in self?.askForScan() }
    present(over: presenter)
    if let heard { hear(heard) }
  }

  /// Does what an action means, in a turn of its own.
  @discardableResult
  func act(_ action: PageAction) -> String? { turn { user.perform(action) } }

  /// Does something to what lies on top.
  func top(_ action: PageAction.TopAction) { act(.top(presenter.entries.last?.number ?? 0, action)) }

  var state: PageState { feed.look() }
}

extension SampleAir {
  /// Names that want to be markup, a script, the end of an event, or text in another direction.
  static let hostile: [(AccessPoint, Double)] = [
    (AccessPoint("<script>alert(1)</script>", bssid: 1, security: .open), -50), (AccessPoint("\"><img src=x onerror=a()>", bssid: 2), -51),
    (AccessPoint("a\n\nevent: hello\ndata: {}", bssid: 3), -52), (AccessPoint("\u{202E}gnp.exe", bssid: 4), -53),
    (AccessPoint("\u{1B}[31mred\r\u{7}", bssid: 5), -54), (AccessPoint("\\u0000\",\"isJoined\":true", bssid: 6), -55),
    (AccessPoint("\u{2028}line", bssid: 7), -56), (AccessPoint("\u{0}\u{1}\u{7F}", bssid: 8), -57), (AccessPoint(" space ", bssid: 9), -58),
    (AccessPoint("日本語 🌈", bssid: 10), -59), (AccessPoint("", bssid: 11), -60), (AccessPoint("&lt;b&gt;", bssid: 12), -61),
  ]
}
