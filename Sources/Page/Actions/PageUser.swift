public import Models
public import Observing
import WiFi

/// Turns actions of a page into what a user does with the models.
///
/// It shares the isolation of the models. What it cannot do itself, such as to run an attempt to join, it requests with
/// callbacks. An action on something that is not there any more changes nothing: another page was faster.
public final class PageUser {
  /// Plays a recording, where there is one.
  public var player: RecordingPlayer?

  private let viewer: Viewer
  private let presenter: PagePresenter
  private let onAttempt: (ViewerAttempt, Presentation) -> Void
  private let onCancelled: (Presentation) -> Void
  private let onScanNow: () -> Void

  /// Makes the user of a page.
  ///
  /// - Parameters:
  ///   - onAttempt: runs an attempt in a task that ends with the sheet or page that it began on.
  ///   - onCancelled: ends the tasks of a sheet whose attempt was cancelled.
  ///   - onScanNow: begins the next scan before its time.
  public init(
    _ viewer: Viewer, _ presenter: PagePresenter, onAttempt: @escaping (ViewerAttempt, Presentation) -> Void,
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

  /// How long a password that was typed is kept after the last page that showed the view is gone.
  package static let passwordTime: Duration = .seconds(60)

  /// Clears what was typed of passwords once the view has rested for ``passwordTime``, unless the task is cancelled
  /// before.
  public func rest(on clock: some Clock<Duration>) async {
    do { try await clock.sleep(for: Self.passwordTime) } catch { return }
    for presentation in presenter.shown {
      (presentation.item as? ConnectToNetworkModel)?.password = ""
      KnownNetworkForm(item: presentation.item)?.password.wrappedValue = ""
    }
  }

  private func apply(_ action: PageAction) -> String? {
    switch action {
    case .highlight(let id): highlight(id)
    case .tap(let id): return tap(id)
    case .info(let id):
      if isGone(id) { return ShortWords.isLostToShow }
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
    case .scan:
      onScanNow()
      return player == nil ? viewer.scanHint : nil
    case .seek(let position): player?.go(to: position)
    case .known: return viewer.knownNetworksTapped()
    case .open(let link): viewer.settings.open(link)
    case .top(let number, let action):
      guard let top = presenter.top(number) else { return nil }
      if action == .join, viewer.otherIsJoining { return "Another browser is joining a network; try again when it has finished." }
      if action == .forget, top.item is NetworkDetailModel, let hint = viewer.forgetHint { return hint }
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
    if isGone(id) { return ShortWords.isLostToJoin }
    highlight(id)
    return viewer.rowTapped(id)
  }

  private func apply(_ action: PageAction.TopAction, to top: Presentation) {
    let sheet = top.item as? ConnectToNetworkModel
    let page = top.item as? NetworkDetailModel
    let form = KnownNetworkForm(item: top.item)
    switch action {
    case .password(let text): (sheet?.bind(\.password) ?? form?.password)?.wrappedValue = text
    case .join: if let attempt = sheet?.joinButtonTapped() { onAttempt(ViewerAttempt(attempt), top) }
    case .cancel:
      if let sheet {
        sheet.cancelButtonTapped()
        onCancelled(top)
      } else if let sheet = top.item as? AddKnownNetworkModel {
        sheet.cancelButtonTapped()
        onCancelled(top)
      } else {
        presenter.dismissTop()
      }
    case .forget:
      if page?.canForget == true { page?.forgetButtonTapped() }
      (top.item as? KnownNetworkEditModel)?.forgetButtonTapped()
    case .back: presenter.dismissTop()
    case .answer(let button): presenter.answerTop(button)
    case .save: if let attempt = form?.save() { onAttempt(attempt, top) }
    case .field(let field): if let form { fill(field, form) }
    case .edit, .add, .duplicate, .forgetKnown, .list: applyKnown(action, to: top)
    }
  }

  private func applyKnown(_ action: PageAction.TopAction, to top: Presentation) {
    if case .duplicate(nil) = action { (top.item as? KnownNetworkEditModel)?.duplicateButtonTapped() }
    guard let known = top.item as? KnownNetworksModel else { return }
    /// Opens the page of a network that is listed still.
    func open(_ id: KnownNetwork.ID) -> KnownNetworkEditModel? {
      guard known.networks.contains(where: { $0.id == id }) else { return nil }
      viewer.highlightKnown(id)
      known.networkTapped(id)
      return known.path.last
    }
    switch action {
    case .edit(let id): _ = open(id)
    case .add: known.addButtonTapped()
    case .duplicate(let id?): if known.features.contains(.duplicate) { open(id)?.duplicateButtonTapped() }
    case .forgetKnown(let id): if known.features.contains(.forget) { open(id)?.forgetButtonTapped() }
    case .list: onAttempt(ViewerAttempt(listing: known), top)
    default: break
    }
  }

  private func fill(_ field: PageAction.KnownField, _ form: KnownNetworkForm) {
    switch field {
    case .name(let text): form.name?.wrappedValue = text
    case .security(let security): if form.securityChoices.contains(security) { form.security.wrappedValue = security }
    case .priority(let priority): form.priority.wrappedValue = priority
    case .autoconnect(let isOn): form.autoconnect.wrappedValue = isOn
    case .hidden(let isOn): form.hidden.wrappedValue = isOn
    }
  }
}
