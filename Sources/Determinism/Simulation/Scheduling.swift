import Synchronization

/// Which of the runnable tasks runs next: a ``JobOrder`` with what it draws from.
///
/// Asked only where there are at least two: that is a choice, and choices are numbered from 0.
struct Scheduling: Sendable {
  enum Policy: Sendable {
    case inOrder
    case random(RandomStream)
    case prioritized(TaskPriorities)
    case chosen(@Sendable (_ count: Int, _ number: Int) -> Int)
    /// These indices by the numbers of choices, for so many choices, and then another.
    indirect case continued([Int: Int], count: Int, then: Policy)
  }

  var policy: Policy
  var record: ChoiceRecord?

  static var inOrder: Scheduling { Scheduling(policy: .inOrder) }

  static func random(seed: UInt64) -> Scheduling {
    Scheduling(policy: .random(RandomStream(seed: seed, name: "scheduling")))
  }

  /// - Parameters:
  ///   - changes: how often a task falls below the others.
  ///   - choices: among how many choices, from the first on, those are drawn.
  ///   - first: the number of the first of them.
  static func prioritized(seed: UInt64, changes: Int = 2, among choices: Int = 256, from first: Int = 0) -> Scheduling {
    Scheduling(policy: .prioritized(TaskPriorities(seed: seed, changes: changes, among: choices, from: first)))
  }

  /// The one that `choose` gives for the number of runnable jobs and the number of choices made before: an index below
  /// their number.
  static func chosen(_ choose: @escaping @Sendable (_ count: Int, _ number: Int) -> Int) -> Scheduling {
    Scheduling(policy: .chosen(choose))
  }

  static func chosen(_ choices: [JobOrder.Choice]) -> Scheduling {
    let indices = Dictionary(choices.map { ($0.number, $0.index) }) { $1 }
    return chosen { count, number in min(indices[number] ?? 0, count - 1) }
  }

  /// As these choices say for the first `count` choices, and then as another.
  static func continued(_ choices: [JobOrder.Choice], count: Int, then rest: Scheduling) -> Scheduling {
    let indices = Dictionary(choices.map { ($0.number, $0.index) }) { $1 }
    return Scheduling(policy: .continued(indices, count: count, then: rest.policy))
  }

  /// The same, with each choice recorded in `record`.
  func recorded(in record: ChoiceRecord?) -> Scheduling {
    var scheduling = self
    scheduling.record = record
    return scheduling
  }
}

/// What was chosen in a run.
package final class ChoiceRecord: Sendable {
  private let stored = Mutex<[(count: Int, index: Int)]>([])

  private let onChoice: (@Sendable (_ number: Int, _ index: Int) -> Void)?

  /// No choices yet.
  ///
  /// - Parameter onChoice: given each choice that is not the first.
  package init(_ onChoice: (@Sendable (_ number: Int, _ index: Int) -> Void)? = nil) { self.onChoice = onChoice }

  /// How many choices were made.
  package var count: Int { stored.withLock { $0.count } }

  /// For each choice how many there were to choose among.
  package var counts: [Int] { stored.withLock { $0.map(\.count) } }

  /// The choices that were not the first.
  package var choices: [JobOrder.Choice] {
    stored.withLock { made in
      made.enumerated().filter { $0.element.index > 0 }.map { JobOrder.Choice(number: $0.offset, index: $0.element.index) }
    }
  }

  func add(count: Int, index: Int) {
    let number = stored.withLock { stored in
      stored.append((count, index))
      return stored.count - 1
    }
    if index > 0 { onChoice?(number, index) }
  }
}

/// The priorities of tasks, and when they change.
struct TaskPriorities {
  private var stream: RandomStream
  /// By the number of a choice what the one that would go on falls to.
  private var changes: [Int: UInt64] = [:]
  private var priorities: [UInt64: UInt64] = [:]

  init(seed: UInt64, changes count: Int, among choices: Int, from first: Int = 0) {
    stream = RandomStream(seed: seed, name: "scheduling")
    for change in 0..<count {
      changes[first + Int(stream.next(below: UInt64(max(1, choices))))] = UInt64(count - change)
    }
  }

  /// The priority of a task, above every one that a change leads to; that of a job of no task is below those half of
  /// the time, so a task that fell gets a turn where another yields until it has had one.
  mutating func priority(of task: UInt64?) -> UInt64 {
    if let task, let known = priorities[task] { return known }
    let number = stream.next()
    let drawn = task == nil && number & 1 == 0 ? 0 : number | 1 << 63
    if let task { priorities[task] = drawn }
    return drawn
  }

  /// What the task that would go on at this choice falls to, if it does.
  mutating func change(at number: Int, of task: UInt64?) -> UInt64? {
    guard let low = changes[number] else { return nil }
    if let task { priorities[task] = low }
    return low
  }
}

extension UnownedJob {
  /// The number of the task that it is, in this process; `nil` where it is none.
  var taskID: UInt64? {
    if let number = TaskLayout.number(of: self) { return number }
    var number: UInt64?
    for byte in "\(self)".utf8 where (0x30...0x39).contains(byte) { number = (number ?? 0) &* 10 &+ UInt64(byte - 0x30) }
    return number
  }
}
