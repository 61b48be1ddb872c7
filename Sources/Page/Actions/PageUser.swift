public import Models
public import Observing
import WiFi

/// Turns actions of a page into what a user does with the models.
///
/// It belongs to whoever owns the models. What it cannot do itself, such as to run an attempt to join, it asks for with
/// callbacks. An action on something that is not there any more changes nothing: another page was faster.
public final class PageUser {
  /// Plays a recording, where there is one.
  public var player: RecordingPlayer?
  /// Why networks cannot be joined, where they cannot.
  public var joinRefusal: String?

  private let viewer: Viewer
  private let presenter: PagePresenter
  private let onAttempt: (JoinAttempt, Presentation) -> Void
  private let onCancelled: (Presentation) -> Void
  private let onScanNow: () -> Void

  /// Makes the user of a page.
  ///
  /// - Parameters:
  ///   - onAttempt: runs an attempt to join in a task that ends with the sheet.
  ///   - onCancelled: ends the tasks of a sheet whose attempt was cancelled.
  ///   - onScanNow: begins the next scan before its time.
  public init(
    _ viewer: Viewer, _ presenter: PagePresenter, onAttempt: @escaping (JoinAttempt, Presentation) -> Void,
    onCancelled: @escaping (Presentation) -> Void, onScanNow: @escaping () -> Void
  ) {
    self.viewer = viewer
    self.presenter = presenter
    self.onAttempt = onAttempt
    self.onCancelled = onCancelled
    self.onScanNow = onScanNow
  }

  /// Does what an action means, animated, and says why in the transaction.
  ///
  /// - Returns: a sentence for the user where it cannot be done; `nil` where it was.
  public func perform(_ action: PageAction) -> String? {
    var transaction = Transaction(animation: .default)
    transaction.cause = "user"
    return withTransaction(transaction) {
      defer { viewer.update() }
      return apply(action)
    }
  }

  private func apply(_ action: PageAction) -> String? {
    switch action {
    case .highlight(let id): highlight(id)
    case .tap(let id): return tap(id)
    case .info(let id):
      if isGone(id) { return "This network is lost; its details come back when it is heard again." }
      highlight(id)
      viewer.settings.infoButtonTapped(id)
    case .follow: viewer.followTapped()
    case .wifi(let isOn): if player == nil { viewer.settings.bind(\.isOn).wrappedValue = isOn }
    case .filter(let text): viewer.filter.text = text
    case .bands(let bands): viewer.filter.bands = bands
    case .minimumSignal(let signal): viewer.filter.minimumSignalDBm = signal
    case .protection(let protection): viewer.filter.protection = protection
    case .minimumGeneration(let generation): viewer.filter.minimumGeneration = generation
    case .sort(let sort): viewer.sort = sort
    case .interval(let seconds): viewer.interval = .seconds(seconds)
    case .pause(let isPaused):
      if let player { player.play(!isPaused) } else if viewer.isPaused != isPaused { viewer.pauseTapped() }
    case .scan: onScanNow()
    case .seek(let position): player?.go(to: position)
    case .top(let number, let action):
      guard let top = presenter.top(number) else { return nil }
      if action == .forget, let hint = viewer.forgetHint { return hint }
      apply(action, to: top)
    }
    return nil
  }

  private func highlight(_ id: NetworkID?) {
    if let id, viewer[id] == nil { return }
    viewer.highlight(id)
  }

  private func isGone(_ id: NetworkID) -> Bool { viewer[id]?.isLost != false && id != viewer.settings.selectedNetworkID }

  private func tap(_ id: NetworkID) -> String? {
    if isGone(id) { return "This network is lost; it can be joined when it is heard again." }
    highlight(id)
    if let joinRefusal, id != viewer.settings.selectedNetworkID { return joinRefusal }
    viewer.rowTapped(id)
    return nil
  }

  private func apply(_ action: PageAction.TopAction, to top: Presentation) {
    let sheet = top.item as? ConnectToNetworkModel
    let page = top.item as? NetworkDetailModel
    switch action {
    case .password(let text): sheet?.bind(\.password).wrappedValue = text
    case .join: if let attempt = sheet?.joinButtonTapped() { onAttempt(attempt, top) }
    case .cancel:
      if let sheet {
        sheet.cancelButtonTapped()
        onCancelled(top)
      } else {
        presenter.dismissTop()
      }
    case .forget: if page?.canForget == true { page?.forgetButtonTapped() }
    case .back: presenter.dismissTop()
    case .answer(let button): presenter.answerTop(button)
    }
  }
}
