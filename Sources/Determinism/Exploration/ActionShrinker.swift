/// Makes a run about a model of one's own smaller, while the same property is violated.
///
/// Works on the recorded actions and choices, not on the seed. Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
/// failure-inducing input", 2002): leaves out runs of actions, down to single ones; says which task went on at each choice, and
/// leaves out the choices that do not matter, and more actions, with the choices that they brought about or with a single other one,
/// then two that only go together; puts simpler ones in their place; and again, until nothing changes. Deterministic; idempotent
/// where the number of candidates was enough.
struct ActionShrinker<Subject: Explorable> {
  /// The name of what must stay violated.
  let property: String
  /// The most candidates that are told.
  let limit: Int
  private(set) var record: ModelRun<Subject>
  private(set) var outcome: RunOutcome<Subject.Step>
  /// The number of candidates that were told.
  private(set) var candidates = 0
  private var tried: Set<Candidate>

  private struct Candidate: Hashable {
    var actions: [Action<Subject.Step>]
    var order: JobOrder
  }

  /// Begins with a run and what became of it.
  init(_ property: String, _ record: ModelRun<Subject>, _ outcome: RunOutcome<Subject.Step>, limit: Int) {
    (self.property, self.record, self.outcome, self.limit) = (property, record, outcome, limit)
    self.record.actions = outcome.actions
    tried = [Candidate(actions: outcome.actions, order: record.order)]
  }

  /// Shrinks until nothing can be taken out any more.
  mutating func shrink() async {
    var before: Candidate?
    var plain = record
    plain.order = .inOrder
    _ = await take(plain)
    if record.order.isDrawn {
      await dropMoves()
      record.choices = outcome.choices
    }
    while before != Candidate(actions: record.path, order: record.order), candidates < limit {
      before = Candidate(actions: record.path, order: record.order)
      await dropChoices()
      await dropMoves()
      await dropPairs()
      await dropMovesWithOneChoice()
      await simplify()
    }
  }

  /// Tells a candidate, and takes it where it still violates the same.
  private mutating func take(_ candidate: ModelRun<Subject>) async -> Bool {
    guard candidates < limit, tried.insert(Candidate(actions: candidate.path, order: candidate.order)).inserted else { return false }
    candidates += 1
    await Task.yield()
    let other = await candidate.run()
    guard other.violation(of: property) != nil else { return false }
    record = candidate
    // Without what came after the violation, and without steps that could not be done and choices that were not there.
    record.actions = other.actions
    if !candidate.order.isDrawn { record.choices = other.choices }
    outcome = other
    return true
  }

  /// Leaves out runs of choices: all, halves, quarters and so on, down to single ones; then puts plainer ones in their place.
  private mutating func dropChoices() async {
    var length = record.choices.count
    while length > 0 {
      var start = 0
      while start < record.choices.count {
        var candidate = record
        candidate.choices.removeSubrange(start..<min(start + length, record.choices.count))
        if await !take(candidate) { start += length }
      }
      length = min(length / 2, record.choices.count)
    }
    for place in record.choices.indices where place < record.choices.count && record.choices[place].index > 1 {
      var candidate = record
      candidate.choices[place].index = 1
      _ = await take(candidate)
    }
  }

  /// Leaves out runs of actions in the same way.
  private mutating func dropMoves() async {
    var length = record.path.count
    while length > 0 {
      var start = 0
      while start < record.path.count {
        if await !drop([start..<min(start + length, record.path.count)]) { start += length }
      }
      length = min(length / 2, record.path.count)
    }
  }

  /// Leaves out actions, with the choices that were made meanwhile, or with all choices as they are.
  ///
  /// - Parameter ranges: the actions, the last first.
  private mutating func drop(_ ranges: [Range<Int>]) async -> Bool {
    var (candidate, other) = (record, record)
    for range in ranges {
      let from = outcome.places[range.lowerBound]
      let to = range.upperBound < outcome.places.count ? outcome.places[range.upperBound] : Int.max
      candidate.path.removeSubrange(range)
      other.path.removeSubrange(range)
      if record.choices.isEmpty { continue }
      candidate.choices = candidate.choices.compactMap { choice in
        if choice.number < from { return choice }
        return choice.number < to ? nil : .init(number: choice.number - (to - from), index: choice.index)
      }
    }
    if await take(candidate) { return true }
    return await take(other)
  }

  /// Leaves out a action at a time and makes one choice in place of all, whichever it is.
  ///
  /// Of what few actions are left one is often needed only so that the other choices mean the same tasks.
  private mutating func dropMovesWithOneChoice() async {
    var index = 0
    while index < record.path.count, record.path.count <= 12, !record.choices.isEmpty {
      var candidate = record
      candidate.path.remove(at: index)
      if await !takeWithOneChoice(candidate) { index += 1 }
    }
  }

  private mutating func takeWithOneChoice(_ run: ModelRun<Subject>) async -> Bool {
    var candidate = run
    candidate.choices = []
    guard candidates < limit else { return false }
    candidates += 1
    for (number, count) in await candidate.run().counts.enumerated() {
      for index in 1..<count {
        candidate.choices = [.init(number: number, index: index)]
        if await take(candidate) { return true }
      }
    }
    return false
  }

  /// Joins pauses, and leaves out two actions that only go together.
  private mutating func dropPairs() async {
    var index = 0
    while index + 1 < record.path.count {
      var candidate = record
      if let joined = record.path[index].joined(record.path[index + 1]) {
        candidate.path.replaceSubrange(index...index + 1, with: [joined])
        if await take(candidate) { continue }
      }
      index += 1
    }
    guard record.path.count <= 16 else { return }
    var (left, right) = (0, 1)
    while left + 1 < record.path.count {
      if await drop([right..<right + 1, left..<left + 1]) { (left, right) = (0, 0) }
      right += 1
      if right >= record.path.count { (left, right) = (left + 1, left + 2) }
    }
  }

  /// Puts a simpler action in the place of each.
  private mutating func simplify() async {
    var index = 0
    while index < record.path.count {
      var others = record.path[index].simplerPauses
      if case .step(let step) = record.path[index] { others = Subject.simpler(step).map(Action.step) }
      var isSimpler = false
      for other in others where !isSimpler {
        var candidate = record
        candidate.path[index] = other
        isSimpler = await take(candidate)
      }
      if !isSimpler { index += 1 }
    }
  }
}

extension ModelRun {
  /// The actions that were recorded.
  fileprivate var path: [Action<Subject.Step>] {
    get { actions ?? [] }
    set { actions = newValue }
  }

  /// The choices among tasks that are not the first; none where they are drawn.
  var choices: [Scheduling.Choice] {
    get { if case .chosen(let choices) = order { choices } else { [] } }
    set { order = newValue.isEmpty ? .inOrder : .chosen(newValue) }
  }
}

extension JobOrder {
  /// Whether the order is drawn from the seed.
  fileprivate var isDrawn: Bool {
    switch self {
    case .shuffled, .prioritized: true
    case .inOrder, .chosen: false
    }
  }
}
