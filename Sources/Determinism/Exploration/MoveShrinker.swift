/// Makes a story about somebody's own model smaller, while the same claim is violated.
///
/// Works on the recorded moves and choices, not on the seed. Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
/// failure-inducing input", 2002): leaves out runs of moves, down to single ones; says which task went on at each choice, and
/// leaves out the choices that do not matter, and more moves, with the choices that they brought about or with a single other one,
/// then two that only go together; puts simpler ones in their place; and again, until nothing changes. Deterministic; idempotent
/// where the number of candidates was enough.
struct MoveShrinker<Subject: Explorable> {
  /// The name of what must stay violated.
  let property: String
  /// The most candidates that are told.
  let limit: Int
  private(set) var telling: OwnStory<Subject>
  private(set) var outcome: StoryOutcome<Subject.Step>
  /// The number of candidates that were told.
  private(set) var candidates = 0
  private var tried: Set<Candidate>

  private struct Candidate: Hashable {
    var moves: [Move<Subject.Step>]
    var order: JobOrder
  }

  /// Begins with a story and what became of it.
  init(_ property: String, _ telling: OwnStory<Subject>, _ outcome: StoryOutcome<Subject.Step>, limit: Int) {
    (self.property, self.telling, self.outcome, self.limit) = (property, telling, outcome, limit)
    self.telling.moves = outcome.moves
    tried = [Candidate(moves: outcome.moves, order: telling.order)]
  }

  /// Shrinks until nothing can be taken out any more.
  mutating func shrink() async {
    var before: Candidate?
    var plain = telling
    plain.order = .inOrder
    _ = await take(plain)
    if telling.order.isDrawn {
      await dropMoves()
      telling.choices = outcome.choices
    }
    while before != Candidate(moves: telling.path, order: telling.order), candidates < limit {
      before = Candidate(moves: telling.path, order: telling.order)
      await dropChoices()
      await dropMoves()
      await dropPairs()
      await dropMovesWithOneChoice()
      await simplify()
    }
  }

  /// Tells a candidate, and takes it where it still violates the same.
  private mutating func take(_ candidate: OwnStory<Subject>) async -> Bool {
    guard candidates < limit, tried.insert(Candidate(moves: candidate.path, order: candidate.order)).inserted else { return false }
    candidates += 1
    await Task.yield()
    let other = await candidate.tell()
    guard other.violation(of: property) != nil else { return false }
    telling = candidate
    // Without what came after the violation, and without steps that could not be done and choices that were not there.
    telling.moves = other.moves
    if !candidate.order.isDrawn { telling.choices = other.choices }
    outcome = other
    return true
  }

  /// Leaves out runs of choices: all, halves, quarters and so on, down to single ones; then puts plainer ones in their place.
  private mutating func dropChoices() async {
    var length = telling.choices.count
    while length > 0 {
      var start = 0
      while start < telling.choices.count {
        var candidate = telling
        candidate.choices.removeSubrange(start..<min(start + length, telling.choices.count))
        if await !take(candidate) { start += length }
      }
      length = min(length / 2, telling.choices.count)
    }
    for place in telling.choices.indices where place < telling.choices.count && telling.choices[place].index > 1 {
      var candidate = telling
      candidate.choices[place].index = 1
      _ = await take(candidate)
    }
  }

  /// Leaves out runs of moves in the same way.
  private mutating func dropMoves() async {
    var length = telling.path.count
    while length > 0 {
      var start = 0
      while start < telling.path.count {
        if await !drop([start..<min(start + length, telling.path.count)]) { start += length }
      }
      length = min(length / 2, telling.path.count)
    }
  }

  /// Leaves out moves, with the choices that were made meanwhile, or with all choices as they are.
  ///
  /// - Parameter ranges: the moves, the last first.
  private mutating func drop(_ ranges: [Range<Int>]) async -> Bool {
    var (candidate, other) = (telling, telling)
    for range in ranges {
      let from = outcome.places[range.lowerBound]
      let to = range.upperBound < outcome.places.count ? outcome.places[range.upperBound] : Int.max
      candidate.path.removeSubrange(range)
      other.path.removeSubrange(range)
      if telling.choices.isEmpty { continue }
      candidate.choices = candidate.choices.compactMap { choice in
        if choice.number < from { return choice }
        return choice.number < to ? nil : .init(number: choice.number - (to - from), index: choice.index)
      }
    }
    if await take(candidate) { return true }
    return await take(other)
  }

  /// Leaves out a move at a time and makes one choice in place of all, whichever it is.
  ///
  /// Of what few moves are left one is often needed only so that the other choices mean the same tasks.
  private mutating func dropMovesWithOneChoice() async {
    var index = 0
    while index < telling.path.count, telling.path.count <= 12, !telling.choices.isEmpty {
      var candidate = telling
      candidate.path.remove(at: index)
      if await !takeWithOneChoice(candidate) { index += 1 }
    }
  }

  private mutating func takeWithOneChoice(_ story: OwnStory<Subject>) async -> Bool {
    var candidate = story
    candidate.choices = []
    guard candidates < limit else { return false }
    candidates += 1
    for (number, count) in await candidate.tell().counts.enumerated() {
      for index in 1..<count {
        candidate.choices = [.init(number: number, index: index)]
        if await take(candidate) { return true }
      }
    }
    return false
  }

  /// Joins pauses, and leaves out two moves that only go together.
  private mutating func dropPairs() async {
    var index = 0
    while index + 1 < telling.path.count {
      var candidate = telling
      if let joined = telling.path[index].joined(telling.path[index + 1]) {
        candidate.path.replaceSubrange(index...index + 1, with: [joined])
        if await take(candidate) { continue }
      }
      index += 1
    }
    guard telling.path.count <= 16 else { return }
    var (left, right) = (0, 1)
    while left + 1 < telling.path.count {
      if await drop([right..<right + 1, left..<left + 1]) { (left, right) = (0, 0) }
      right += 1
      if right >= telling.path.count { (left, right) = (left + 1, left + 2) }
    }
  }

  /// Puts a simpler move in the place of each.
  private mutating func simplify() async {
    var index = 0
    while index < telling.path.count {
      var others = telling.path[index].simplerPauses
      if case .step(let step) = telling.path[index] { others = Subject.simpler(step).map(Move.step) }
      var isSimpler = false
      for other in others where !isSimpler {
        var candidate = telling
        candidate.path[index] = other
        isSimpler = await take(candidate)
      }
      if !isSimpler { index += 1 }
    }
  }
}

extension OwnStory {
  /// The moves that were recorded.
  fileprivate var path: [Move<Subject.Step>] {
    get { moves ?? [] }
    set { moves = newValue }
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
