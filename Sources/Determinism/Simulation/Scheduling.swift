import Synchronization

/// Which of the runnable tasks runs next: a ``JobOrder`` with what it draws from.
///
/// Asked only where there are at least two: that is a choice, and choices are numbered from 0.
enum Scheduling: Sendable {
  case inOrder
  case random(RandomStream)
  case prioritized(TaskPriorities)
  /// These indices by the numbers of choices, and else the first.
  case chosen([Int: Int])
  /// The same for so many choices, and then another.
  indirect case continued([Int: Int], count: Int, then: Scheduling)
}

extension [JobOrder.Choice] {
  /// The index of each choice by its number.
  var indicesByNumber: [Int: Int] { Dictionary(map { ($0.number, $0.index) }) { $1 } }
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

  /// - Parameter first: the number of the first choice that is made by them.
  init(seed: UInt64, changes count: Int, from first: Int) {
    stream = RandomStream(seed: seed, name: "scheduling")
    // Among as many choices as there are, about, in a scenario where a user races with what happens.
    for change in 0..<count { changes[first + Int(stream.next(below: 16))] = UInt64(count - change) }
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
