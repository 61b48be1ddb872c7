/// What did not hold, and when.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The name of the property.
  public var property: String
  /// What was wrong.
  public var sentence: String
  /// When.
  public var time: Duration

  /// The name of what is violated where the same seed gives another run.
  package static let sameRunTwice = "the same seed gives the same run"

  /// The name of what is violated where tasks are at work when a run ends.
  package static let leftAtEnd = "no task is left at the end"

  /// What is wrong with a property that does not say.
  static let withoutSentence = "it does not hold"

  package init(property: String, sentence: String, time: Duration) {
    self.property = property
    self.sentence = sentence
    self.time = time
  }

  /// Such as `no row twice, at 3 s: the row “Home” is there twice`.
  public var description: String { "\(property), at \(VirtualTime.text(time)): \(sentence)" }
}
