/// Shows what a ``Navigation`` says: a terminal, a browser, a phone, or a test that records it.
///
/// It is called where the navigation was declared. What is on top goes first and comes last: while an alert lies over
/// a sheet, the alert is dismissed before the sheet.
public protocol Presenter: AnyObject {
  /// Shows something over all that is shown.
  func present(_ presentation: Presentation, _ transaction: Transaction)

  /// Takes something away that ``present(_:_:)`` was called with and that no user has dismissed.
  func dismiss(_ presentation: Presentation, _ transaction: Transaction)
}

/// A presenter that keeps what is shown over its list.
public protocol StackPresenter: Presenter {
  /// What is shown over the list now, the topmost last.
  var shown: [Presentation] { get }
  /// Called for each presentation that begins.
  var onPresent: (Presentation) -> Void { get set }
  /// Called for each presentation that ends.
  var onDismiss: (Presentation) -> Void { get set }

  /// Takes something away, and nothing where it is not shown.
  func take(_ presentation: Presentation)
}

extension StackPresenter {
  public func dismiss(_ presentation: Presentation, _ transaction: Transaction) { take(presentation) }

  /// Lets what is on top go away, as a swipe does; `nil` where nothing is shown.
  @discardableResult
  public func dismissTop() -> Presentation? {
    guard let top = shown.last else { return nil }
    take(top)
    top.dismissed()
    return top
  }

  /// Answers the question on top with the button of a number, and takes it away.
  public func answerTop(_ button: Int) {
    guard let top = shown.last, let question = top.question, question.buttons.indices.contains(button) else { return }
    take(top)
    top.answered(button)
  }
}
