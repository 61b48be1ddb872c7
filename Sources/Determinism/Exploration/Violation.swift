/// What did not hold, and when.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The name of the property.
  public var property: String
  /// What was wrong.
  public var sentence: String
  /// When.
  public var time: Duration

  /// The name of what is violated where the same seed gives another run.
  public static let sameRunTwice = "the same seed gives the same run"

  /// Makes a violation of its parts.
  public init(property: String, sentence: String, time: Duration) {
    self.property = property
    self.sentence = sentence
    self.time = time
  }

  /// Such as `no row twice, at 3 s: the row “Home” is there twice`.
  public var description: String { "\(property), at \(VirtualTime.text(time)): \(sentence)" }
}
