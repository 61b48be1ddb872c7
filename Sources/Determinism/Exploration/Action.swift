/// What happens next in a run about one's own model: a step, or a pause.
public enum Action<Step: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
  /// Something is done. What comes next comes at once, unless the step itself waits.
  case step(Step)
  /// Time passes until everything is at rest then; zero is a rest without time.
  case wait(Duration)
  /// Time passes, and the run goes on when its turn comes among all that wake then; zero is a turn for others.
  case sleep(Duration)

  /// The step; `nil` where it is a pause.
  package var step: Step? { if case .step(let step) = self { step } else { nil } }

  /// The action as code, such as `.wait(.seconds(2))`.
  public var description: String {
    switch self {
    case .step(let step): ".step(\(CodeText.of(step)))"
    case .wait(let duration): ".wait(\(CodeText.of(duration)))"
    case .sleep(let duration): ".sleep(\(CodeText.of(duration)))"
    }
  }

  /// One pause in place of two; `nil` where one is none.
  func joined(_ next: Action) -> Action? {
    switch (self, next) {
    case (.wait(let first), .wait(let second)), (.sleep(let first), .wait(let second)): .wait(first + second)
    case (.wait(let first), .sleep(let second)), (.sleep(let first), .sleep(let second)): .sleep(first + second)
    default: nil
    }
  }

  /// The same pause, shorter or in whole seconds, the shortest first; a rest rather than a turn.
  ///
  /// One that is not of whole seconds becomes shorter by tenths, hundredths and thousandths of a second.
  var simplerPauses: [Action] {
    switch self {
    case .step: []
    case .wait(let duration): Self.simpler(duration).map(Action.wait)
    case .sleep(let duration): [.wait(duration)] + Self.simpler(duration).map(Action.sleep)
    }
  }

  private static func simpler(_ duration: Duration) -> [Duration] {
    if duration == .zero { return [] }
    let (seconds, rest) = duration.components
    let whole = [0] + shorter(seconds) + (rest == 0 ? [] : [seconds, seconds + 1])
    let parts =
      rest == 0
      ? []
      : [10, 100, 1000].flatMap { (part: Int64) in
        let count = seconds * part + rest / (1_000_000_000_000_000_000 / part)
        return ([count] + shorter(count)).map { Duration.milliseconds($0 * 1000 / part) }.filter { $0 < duration }
      }
    return whole.map { .seconds($0) } + parts
  }

  /// Down by a power of two each time: that finds the shortest in few candidates.
  private static func shorter(_ count: Int64) -> [Int64] {
    var shorter: [Int64] = []
    var step: Int64 = 1
    while step < count {
      shorter.insert(count - step, at: 0)
      step *= 2
    }
    return shorter
  }
}
