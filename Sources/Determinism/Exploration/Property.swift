/// Something that holds of a subject or does not, by name.
public struct Property<Subject>: Sendable {
  /// What holds, in words that a user understands, such as `the sum is that of the receipt`.
  public let name: String
  /// Begins to judge a run: what it returns is asked at each moment of the run, in order.
  package let begin: @Sendable () -> (Subject) -> String?

  /// A property that says what is wrong where it does not hold, and `nil` where it does.
  public init(_ name: String, _ lack: @escaping @Sendable (Subject) -> String?) {
    self.name = name
    begin = { lack }
  }

  /// A property that holds or does not.
  public init(_ name: String, _ holds: @escaping @Sendable (Subject) -> Bool) {
    self.init(name) { holds($0) ? nil : "it does not hold" }
  }

  /// A property of what happens over time: it keeps something from moment to moment, made anew for each run.
  ///
  ///     Property<Till>("the sum does not fall", remembering: 0) { sum, till in
  ///       defer { sum = till.sum }
  ///       return till.sum < sum ? "it fell from \(sum) to \(till.sum)" : nil
  ///     }
  public init<Memory>(
    _ name: String, remembering memory: @autoclosure @escaping @Sendable () -> Memory,
    _ lack: @escaping @Sendable (inout Memory, Subject) -> String?
  ) {
    self.name = name
    begin = {
      var memory = memory()
      return { lack(&memory, $0) }
    }
  }

  /// A property of a part of something, where it has that part.
  package init<Part>(_ property: Property<Part>, of part: @escaping @Sendable (Subject) -> Part?) {
    name = property.name
    begin = {
      let lack = property.begin()
      return { part($0).flatMap(lack) }
    }
  }

  /// What is wrong with a subject that was not judged before, a sentence; `nil` where the property holds.
  public func lack(_ subject: Subject) -> String? { begin()(subject) }
}

/// Asks properties at each moment of one run; one that was violated is not asked again.
package final class PropertyMonitor<Subject> {
  private var properties: [(name: String, lack: (Subject) -> String?)]
  /// What was violated so far, in the order of time.
  package private(set) var violations: [Violation] = []

  /// Begins to judge a run.
  package init(_ properties: [Property<Subject>]) { self.properties = properties.map { ($0.name, $0.begin()) } }

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
