import Models
import WiFi

/// A place in the panel that can be named on the command line, such as `detail/Home`.
enum PlaceArgument: Hashable {
  case detail(SSID)
  case connect(SSID)
  case layer(Viewer.Layer)
  case settings(DeepLink)

  /// Reads a link; `nil` where there is no such place.
  init?(_ text: String) {
    if let link = DeepLink(text) {
      self = .settings(link)
      return
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count) {
    case ("detail", 2), ("connect", 2):
      guard let ssid = SSID(typed: parts[1]) else { return nil }
      self = parts[0] == "detail" ? .detail(ssid) : .connect(ssid)
    case ("channels", 1): self = .layer(.channels)
    case ("events", 1): self = .layer(.events)
    case ("help", 1): self = .layer(.help)
    default: return nil
    }
  }

  /// Whether it is a place of one view alone, such as the help of the terminal.
  var isLayer: Bool { if case .layer = self { true } else { false } }

  /// The place that `--open` names; `nil` without it.
  ///
  /// - Throws: ``Failure`` where a viewer has no such place.
  static func wanted(_ open: String?, in viewer: Viewer) throws(Failure) -> PlaceArgument? {
    guard let open, let link = PlaceArgument(open) else { return nil }
    if case .connect = link, let hint = viewer.joinHint { throw Failure(.unavailable, "--open \(PrintableText.escape(open)): \(hint)") }
    return link
  }

  /// Goes there; `false` where its network is not there yet.
  func open(in viewer: Viewer) -> Bool {
    switch self {
    case .layer(let layer):
      viewer.layer = layer
      return true
    case .settings(let link):
      viewer.settings.open(link)
      return true
    case .detail(let ssid), .connect(let ssid):
      guard let network = viewer.networks.first(where: { $0.ssid == ssid }) else { return false }
      viewer.highlight(network.id)
      if case .detail = self {
        viewer.settings.infoButtonTapped(network.id)
      } else {
        viewer.rowTapped(network.id)
      }
      return true
    }
  }
}
