/// A question to the user, as data: an alert or a confirmation.
///
/// A model holds it where its state asks, and names what each button means. A view shows it without knowing the model.
///
/// ```swift
/// question = Question(
///   "Forget “Home”?", message: "Its password is asked for the next time.",
///   buttons: [.init("Forget", role: .destructive, answer: .forget), .init("Cancel", role: .cancel)])
/// ```
public struct Question<Answer> {
  /// What a button is for, where it is more than an answer.
  public enum Role: String, Hashable, Sendable {
    /// Leaves everything as it is.
    case cancel
    /// Destroys something.
    case destructive
  }

  /// A way to answer.
  public struct Button {
    /// What stands on it.
    public var title: String
    /// What it is for.
    public var role: Role?
    /// What it means to the model; `nil` where it only closes the question.
    public var answer: Answer?

    /// Makes a button from its parts.
    public init(_ title: String, role: Role? = nil, answer: Answer? = nil) {
      self.title = title
      self.role = role
      self.answer = answer
    }
  }

  /// Its identity: the same question may change its words; one of another identity replaces it.
  public var id: String
  /// The question, in a few words.
  public var title: String
  /// What the user should know before answering.
  public var message: String?
  /// The ways to answer, in order.
  public var buttons: [Button]

  /// Makes a question from its parts; without an `id` its title is its identity.
  public init(_ title: String, id: String? = nil, message: String? = nil, buttons: [Button]) {
    self.id = id ?? title
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  /// The question with each answer replaced by its number among the buttons.
  var numbered: Question<Int> {
    Question<Int>(
      title, id: id, message: message,
      buttons: buttons.enumerated().map { .init($1.title, role: $1.role.flatMap { .init(rawValue: $0.rawValue) }, answer: $0) })
  }
}

extension Question: Equatable where Answer: Equatable {}
extension Question: Hashable where Answer: Hashable {}
extension Question: Sendable where Answer: Sendable {}
extension Question.Button: Equatable where Answer: Equatable {}
extension Question.Button: Hashable where Answer: Hashable {}
extension Question.Button: Sendable where Answer: Sendable {}
