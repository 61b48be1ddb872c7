import Models
import Observing

/// What a view of a terminal or browser opens and fills by itself: the place of a link as soon as its network is there,
/// and the list of known networks when its page appears.
@MainActor
final class ViewOpening {
  private let viewer: Viewer
  private var link: PlaceArgument?
  private var tokens: [ObservationToken] = []
  private var listing: Task<Void, Never>?

  /// - Parameter link: the place to open; at once where it needs no network.
  init(_ viewer: Viewer, _ link: PlaceArgument?) {
    self.viewer = viewer
    self.link = link
    tokens.append(observe({ [viewer] in viewer.status.lastEnd }) { [weak self] _ in self?.openLink() })
    tokens.append(
      observe({ [viewer] in viewer.settings.destination?.known.map { ObjectIdentifier($0) } }) { [weak self] _ in self?.listKnown() })
  }

  /// Ends what it began.
  func end() {
    tokens = []
    listing?.cancel()
  }

  private func openLink() {
    viewer.update()
    if let link, link.open(in: viewer) { self.link = nil }
  }

  private func listKnown() {
    listing?.cancel()
    listing = viewer.settings.destination?.known.map { known in Task { await known.load() } }
  }
}
