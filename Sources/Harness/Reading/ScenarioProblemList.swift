/// What is wrong with a scenario file, where reading continues after a problem.
///
/// Only what does not depend on something that is wrong itself is read on: another field of a mapping, another item of
/// a list.
final class ScenarioProblemList {
  private var problems: [ScenarioProblem] = []

  func add(_ problem: ScenarioProblem) { problems += problem.all }

  /// What `body` reads; `nil` where it finds a problem, which is kept.
  @discardableResult
  func attempt<Value>(_ body: () throws(ScenarioProblem) -> Value) -> Value? {
    do { return try body() } catch {
      add(error)
      return nil
    }
  }

  /// Throws what was kept: the first in the file, and the others as its ``ScenarioProblem/further``.
  func finish() throws(ScenarioProblem) {
    // In the order they were found where two stand at one place.
    let sorted = problems.enumerated().sorted { left, right in
      let (one, other) = (left.element.place, right.element.place)
      return (one.line, one.column, left.offset) < (other.line, other.column, right.offset)
    }
    guard var first = sorted.first?.element else { return }
    first.further = sorted.dropFirst().map(\.element)
    throw first
  }
}
