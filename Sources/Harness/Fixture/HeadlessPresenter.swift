import Models
public import Observing

/// Shows nothing and keeps what it would show: the screen of a test.
public final class HeadlessPresenter: Presenter {
  /// What is shown over the list now, the topmost last.
  public private(set) var shown: [Presentation] = []

  /// Called for each presentation that begins.
  public var onPresent: (Presentation) -> Void = { _ in }
  /// Called for each presentation that ends.
  public var onDismiss: (Presentation) -> Void = { _ in }

  /// A screen with nothing on it.
  public init() {}

  public func present(_ presentation: Presentation, _ transaction: Transaction) {
    shown.append(presentation)
    onPresent(presentation)
  }

  public func dismiss(_ presentation: Presentation, _ transaction: Transaction) {
    take(presentation)
  }

  /// Lets what is on top go away, as a swipe does; `nil` where nothing is shown.
  @discardableResult
  public func dismissTop() -> Presentation? {
    guard let top = shown.last else { return nil }
    take(top)
    top.dismissed()
    return top
  }

  private func take(_ presentation: Presentation) {
    guard let index = shown.lastIndex(where: { $0 === presentation }) else { return }
    shown.remove(at: index)
    onDismiss(presentation)
  }
}
