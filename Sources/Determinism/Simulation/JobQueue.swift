/// Jobs that could run now, in the order in which they became runnable.
struct JobQueue {
  private struct Entry {
    var job: RunnableJob
    var task: UInt64?
    var priority: UInt64 = 0
  }

  /// In blocks, so that taking one from the middle of many thousand moves few others.
  private var blocks: [[Entry]] = [[]]
  private static var blockSize: Int { 2048 }
  private var count = 0
  private var policy: Scheduling
  var record: ChoiceRecord?
  private var choices = 0
  /// The one that became runnable first, where another was taken last that was to go on before it.
  private(set) var overtaken: RunnableJob?

  init(_ scheduling: Scheduling, record: ChoiceRecord?) { (policy, self.record) = (scheduling, record) }

  /// Whether `overtaken` is ever set.
  var reportsOvertaken: Bool { if case .chosen = policy { true } else { false } }

  var isEmpty: Bool { count == 0 }

  /// All, in the order in which they became runnable.
  var all: [RunnableJob] { blocks.joined().map(\.job) }

  mutating func append(_ job: RunnableJob) {
    var entry = Entry(job: job)
    if case .prioritized(var priorities) = policy {
      policy = .inOrder
      entry.task = job.job.taskID
      entry.priority = priorities.priority(of: entry.task)
      policy = .prioritized(priorities)
    }
    if blocks[blocks.count - 1].count == Self.blockSize { blocks.append([]) }
    blocks[blocks.count - 1].append(entry)
    count += 1
  }

  /// Removes the job that runs next.
  mutating func next() -> RunnableJob? {
    if count == 0 { return nil }
    let chosen = count == 1 ? 0 : choose()
    overtaken = nil
    if chosen > 0, case .chosen = policy { overtaken = blocks[0].first?.job }
    let (block, index) = place(of: chosen)
    let job = blocks[block].remove(at: index).job
    if blocks[block].isEmpty, blocks.count > 1 { blocks.remove(at: block) }
    count -= 1
    return job
  }

  /// Where the one is that became runnable after so many others.
  private func place(of index: Int) -> (block: Int, index: Int) {
    var (block, index) = (0, index)
    while index >= blocks[block].count {
      index -= blocks[block].count
      block += 1
    }
    return (block, index)
  }

  private mutating func choose() -> Int {
    let index: Int
    switch policy {
    case .inOrder: index = 0
    case .random(var stream):
      index = Int(stream.next(below: UInt64(count)))
      policy = .random(stream)
    case .prioritized(var priorities):
      policy = .inOrder
      let first = place(of: highest)
      if let low = priorities.change(at: choices, of: blocks[first.block][first.index].task) {
        blocks[first.block][first.index].priority = low
      }
      index = highest
      policy = .prioritized(priorities)
    case .continued(_, let end, let rest) where choices >= end:
      policy = rest
      return choose()
    case .chosen(let indices), .continued(let indices, _, _):
      index = min(indices[choices] ?? 0, count - 1)
      precondition(index >= 0, "Scheduling: \(index) chosen of \(count) jobs")
    }
    choices += 1
    record?.add(count: count, index: index)
    return index
  }

  /// How many became runnable before the one of the highest priority; of equal ones the first.
  private var highest: Int {
    var best = (index: 0, priority: UInt64(0))
    var index = 0
    for block in blocks {
      for entry in block {
        if index == 0 || entry.priority > best.priority { best = (index, entry.priority) }
        index += 1
      }
    }
    return best.index
  }
}
