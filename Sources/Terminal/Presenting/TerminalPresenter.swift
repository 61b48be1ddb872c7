public import Observation
public import Observing

/// Shows on a terminal what a navigation says, over the list.
///
/// It keeps what is shown; pictures draw it. A view that reads ``shown`` in `observe` is notified of every change.
@Observable
public final class TerminalPresenter: StackPresenter {
  /// What is shown over the list now, the topmost last.
  public private(set) var shown: [Presentation] = []

  /// Called for each presentation that begins.
  @ObservationIgnored public var onPresent: (Presentation) -> Void = { _ in }
  /// Called for each presentation that ends.
  @ObservationIgnored public var onDismiss: (Presentation) -> Void = { _ in }

  /// A screen with nothing over the list.
  public init() {}

  public func present(_ presentation: Presentation, _ transaction: Transaction) {
    shown.append(presentation)
    onPresent(presentation)
  }

  public func take(_ presentation: Presentation) {
    guard let index = shown.lastIndex(where: { $0 === presentation }) else { return }
    shown.remove(at: index)
    onDismiss(presentation)
  }
}
