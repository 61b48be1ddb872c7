/// Something that is shown over something else.
public final class Presentation {
  /// How it is shown.
  public enum Kind: String, Hashable, Sendable {
    /// Over all, until it is dismissed.
    case sheet
    /// In the place of what was there, with a way back.
    case push
    /// Beside what it belongs to, until the user looks elsewhere; a view without the room shows a sheet.
    case popover
    /// A short question over all.
    case alert
    /// A choice over all, at the place that asked for it.
    case confirmation
  }

  /// How it is shown.
  public let kind: Kind
  /// Its name in the declaration, such as `connect`.
  public let name: String
  /// What is shown: the model of a sheet or page; `nil` where it has no model.
  public let item: Any?
  /// Its identity: a change replaces it.
  public let itemID: AnyHashable

  /// The question that is asked, as it is now, where it is one: its buttons are answered by their numbers.
  ///
  /// A view that reads it in `observe` follows its words. Once the state asks another one, or none, or it is not shown
  /// any more, it is as it was last.
  public var question: Question<Int>? {
    if let asked = askedQuestion?() { lastQuestion = asked }
    return lastQuestion
  }

  /// `nil` once it is gone: a question that is asked later may have the same `id`.
  private var askedQuestion: (() -> Question<Int>?)?
  private var lastQuestion: Question<Int>?
  /// The buttons as they were at the end of the last turn: those that the user sees.
  private var seenButtons: [Question<Int>.Button] = []
  private let onDismissed: (Presentation, Int?) -> Void

  init(
    kind: Kind, name: String, item: Any?, itemID: AnyHashable, question: @escaping () -> Question<Int>?,
    onDismissed: @escaping (Presentation, Int?) -> Void
  ) {
    self.kind = kind
    self.name = name
    self.item = item
    self.itemID = itemID
    askedQuestion = question
    self.onDismissed = onDismissed
    lastQuestion = question()
    seenButtons = lastQuestion?.buttons ?? []
  }

  /// Remembers the buttons of a question at the end of a turn.
  func lookAtButtons() {
    if lastQuestion != nil { seenButtons = question?.buttons ?? [] }
  }

  /// Whether a button still is the one that the user sees.
  func isSeen(_ button: Int) -> Bool {
    guard let buttons = question?.buttons, buttons.indices.contains(button) else { return false }
    return buttons[button] == seenButtons[button]
  }

  /// Keeps the question as it was last: it is gone from the screen.
  func keepQuestion() { askedQuestion = nil }

  /// The user dismissed it, by a swipe or a way back: writes so to the state that it stands for.
  ///
  /// What lies over it is dismissed first. Where it is not shown any more, nothing happens.
  public func dismissed() { onDismissed(self, nil) }

  /// The user chose a button of the question, which is gone then: the state changes first, then the model gets the
  /// answer.
  ///
  /// A button without an answer only dismisses, and so does one of a question that the state has withdrawn or replaced
  /// in this turn, alone or with what it lies over. Where the state has put another button in its place in this turn,
  /// the question is asked again. Where it is not shown any more, or there is no such button, nothing happens.
  public func answered(_ button: Int) {
    if seenButtons.indices.contains(button) { onDismissed(self, button) }
  }
}

extension Presentation: CustomStringConvertible {
  /// Such as `sheet connect`.
  public var description: String { "\(kind.rawValue) \(name)" }
}
