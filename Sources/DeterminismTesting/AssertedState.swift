import Determinism
public import Testing

/// Fails the test for each change of a value that it does not assert while `body` runs.
///
/// What shows of a model is a value of the test's own, whose changes are stated one after the other, each in whole: a
/// field that was not mentioned must not change, and nothing may change after the last one.
///
///     try await assertingChanges(of: { Shown(model) }) { shown in
///       model.startButtonTapped()
///       shown.expect { $0.isRunning = true }
///       await simulation.advance(by: .seconds(2))
///       shown.expect { $0.seconds = 2 }
///       model.stopButtonTapped()
///       shown.expect { $0.isRunning = false }
///     }
///
/// - Parameters:
///   - value: read now, at each expectation and at the end. What changes in between and back again is not seen.
///   - body: makes changes and expects them; what it throws is thrown, and the end is not looked at then.
public func assertingChanges<Value: Equatable, Result>(
  of value: @escaping () -> Value, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: nonisolated(nonsending) (AssertedState<Value>) async throws -> Result
) async rethrows -> Result {
  let state = AssertedState(value)
  let result = try await body(state)
  state.end(sourceLocation)
  return result
}

/// The same for a synchronous body.
public func assertingChanges<Value: Equatable, Result>(
  of value: @escaping () -> Value, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (AssertedState<Value>) throws -> Result
) rethrows -> Result {
  let state = AssertedState(value)
  let result = try body(state)
  state.end(sourceLocation)
  return result
}

/// A value whose changes are asserted; see ``assertingChanges(of:sourceLocation:_:)``.
public final class AssertedState<Value: Equatable> {
  private let read: () -> Value
  /// As it was at the last expectation.
  private var last: Value

  init(_ read: @escaping () -> Value) {
    self.read = read
    last = read()
  }

  /// Expects that the value has changed as `change` changes it since the last expectation, and in nothing else; without
  /// a closure that it has not changed.
  ///
  /// What fails is shown by its lines: as expected, and as it is. The next expectation begins with the value as it is.
  public func expect(sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout Value) -> Void = { _ in }) {
    var expected = last
    change(&expected)
    compare(expected, "This is not the change that was expected (- expected, + now)", sourceLocation)
  }

  func end(_ sourceLocation: SourceLocation) {
    compare(last, "A change after the last expectation was not asserted (- before, + now)", sourceLocation)
  }

  private func compare(_ expected: Value, _ sentence: String, _ sourceLocation: SourceLocation) {
    last = read()
    if last == expected { return }
    var difference = LineDifference.text(expected: Self.lines(expected), actual: Self.lines(last))
    if difference.isEmpty { difference = ["  \(expected)", "  The two are not equal and look the same."] }
    Issue.record("\(sentence):\n\(difference.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }

  /// A value as it describes itself, or else with a line for each field.
  private static func lines(_ value: Value) -> [String] {
    var text = ""
    if let value = value as? any CustomStringConvertible { text = value.description } else { dump(value, to: &text) }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.count > 1, lines.last == "" { lines.removeLast() }
    return lines
  }
}
