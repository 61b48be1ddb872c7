/// Something that holds of a subject or does not, by name.
///
/// Properties are made anew for each run, so a variable that the closure captures is kept from moment to moment:
///
///     static var always: [Property<TillSubject>] {
///       var before = 0
///       return [
///         Property("the sum does not fall") { run in
///           defer { before = run.till.sum }
///           return run.till.sum < before ? "it fell from \(before) to \(run.till.sum)" : nil
///         }
///       ]
///     }
///
/// It is no more `Sendable` than its closure, which is isolated as the subject is.
public struct Property<Subject> {
  /// What holds, in words that a user understands, such as `the sum is that of the receipt`.
  package let name: String
  /// What is wrong, a sentence; `nil` where it holds.
  public let lack: (Subject) -> String?

  /// A property that says what is wrong where it does not hold, and `nil` where it does.
  public init(_ name: String, _ lack: @escaping (Subject) -> String?) { (self.name, self.lack) = (name, lack) }

  /// A property that holds or does not; a report gives the values that the subject has where it does not.
  public init(_ name: String, _ holds: @escaping (Subject) -> Bool) {
    self.init(name) { holds($0) ? nil : Violation.withoutSentence }
  }

  /// A property that compares a value with what it should be, such as that of a plain model; a report gives both.
  public init<Value: Equatable>(_ name: String, _ value: @escaping (Subject) -> Value, is expected: @escaping (Subject) -> Value) {
    self.init(name) {
      let (value, expected) = (value($0), expected($0))
      return value == expected ? nil : "it is \(CodeText.of(value)); it should be \(CodeText.of(expected))"
    }
  }
}

/// Asks properties at each moment of one run; one that was violated is not asked again.
package final class PropertyMonitor<Subject> {
  private var properties: [Property<Subject>]
  /// What was violated so far, in the order of time.
  package private(set) var violations: [Violation] = []

  package init(_ properties: [Property<Subject>]) { self.properties = properties }

  /// Asks at one moment, and returns what is violated now for the first time.
  @discardableResult package func take(_ subject: Subject, at time: Duration) -> [Violation] {
    let before = violations.count
    properties.removeAll { property in
      guard let sentence = property.lack(subject) else { return false }
      violations.append(Violation(property: property.name, sentence: sentence, time: time))
      return true
    }
    return Array(violations[before...])
  }
}
