/// Makes a run that violates a property smaller, until nothing can be taken out any more.
///
/// Works on the recorded actions and choices, not on the seed. Delta debugging (Zeller and Hildebrandt, "Simplifying
/// and isolating failure-inducing input", 2002): tries simpler starts; leaves out runs of actions, down to single ones;
/// begins where the first actions lead; leaves out actions that only go together; puts simpler ones in their place;
/// says which task went on at each choice, and leaves out the choices that do not matter, and more actions with the
/// choices that they brought about or with a single other one; and again, until nothing changes. Where anything is
/// drawn while the model runs, leaves out actions with other seeds: what a fake draws while it answers is another then.
/// Each candidate must violate the same property. Deterministic; idempotent where the number of candidates was enough.
package final class Shrinker<Subject: Explorable, Start: Hashable & Sendable> {
  /// What can be changed of a run.
  package typealias Candidate = ExploredRun<Subject, Start>

  /// The name of what must stay violated.
  package let property: String
  /// The most candidates that are run.
  package let limit: Int
  /// How many other seeds are tried.
  private let seeds: UInt64
  private let properties: (@Sendable () -> [Property<Subject>])?
  /// Runs candidates elsewhere; `nil` where they are run here.
  private let judge: ((Candidate) async -> Candidate.Outcome)?
  private let progress: (Int, Int) -> Void
  /// The smallest run that was found, with explicit actions.
  package private(set) var run: Candidate
  /// What became of it.
  package private(set) var outcome: Candidate.Outcome
  /// The smallest change away from it that violates nothing; `nil` where none was run.
  package private(set) var nearest: Candidate?
  /// The number of candidates that were run.
  package private(set) var candidates = 0
  /// When the property is violated; `nil` where that shows at the end.
  private var time: Duration?
  private var tried: Set<Candidate>

  /// Begins with a run and what became of it.
  ///
  /// - Parameters:
  ///   - limit: the most candidates that are run; with none the run stays as it was.
  ///   - seeds: how many other seeds are tried.
  ///   - properties: those asked at each moment of rest, where they are not the subject's.
  ///   - judge: runs candidates, where they may end the process; then none begins where its first actions lead.
  ///   - progress: given the number of candidates so far and of actions left.
  package init(
    _ property: String, _ run: Candidate, _ outcome: Candidate.Outcome, limit: Int = 2000, seeds: UInt64 = 0,
    properties: (@Sendable () -> [Property<Subject>])? = nil, judge: ((Candidate) async -> Candidate.Outcome)? = nil,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) {
    (self.property, self.run, self.outcome, self.limit, self.seeds) = (property, run, outcome, limit, seeds)
    (self.properties, self.judge, self.progress) = (properties, judge, progress)
    self.run.actions = outcome.actions
    if run.beginning != nil {
      self.run.beginning = nil
      self.run.choices = outcome.choices
    }
    // Only what is asked at each moment of rest is known before the end.
    let isSafety = (properties?() ?? Subject.always).contains { $0.name == property }
    time = isSafety ? outcome.violation(of: property)?.time : nil
    tried = [self.run]
  }

  /// Shrinks until nothing can be taken out any more.
  package func shrink() async {
    let (begin, whole) = (run, outcome)
    await reduce(movesStart: true)
    if run.options.starts != nil, !run.path.isEmpty {
      // From its own start fewer actions may do.
      let other = Shrinker(property, begin, whole, limit: limit, seeds: seeds, properties: properties, judge: judge, progress: progress)
      other.candidates = candidates
      await other.reduce(movesStart: false)
      await other.reduce(movesStart: true)
      candidates = other.candidates
      if other.run.path.count < run.path.count {
        (run, outcome, nearest) = (other.run, other.outcome, other.nearest)
        (time, tried) = (other.time, other.tried)
      }
    }
    await dropMovesWithOtherSeeds()
    if let nearest, await !judge(nearest, until: nil).violations.isEmpty { self.nearest = nil }
  }

  /// - Parameter movesStart: whether another start may do.
  private func reduce(movesStart: Bool) async {
    _ = await take { $0.order = .inOrder }
    if movesStart { await simplifyStart() }
    if run.order.isDrawn {
      await dropMoves()
      // Says which choices among tasks were made, instead of how they are drawn.
      run.choices = outcome.choices
    }
    var before: Candidate?
    while before != run, candidates < limit {
      before = run
      if movesStart { await simplifyStart() }
      await dropChoices()
      await dropMoves()
      if movesStart { await beginLater() }
      await dropPairs()
      await dropMovesWithOneChoice()
      await simplify()
      if before == run { await dropDetours() }
      if before == run { await dropMovesToTheEnd() }
    }
  }

  /// Changes the smallest run, and takes the change where it still violates the same.
  private func take(_ change: (inout Candidate) -> Void) async -> Bool {
    var candidate = run
    change(&candidate)
    return await take(candidate)
  }

  /// Runs a candidate, and takes it where it still violates the same.
  private func take(_ candidate: Candidate) async -> Bool {
    guard candidates < limit, tried.insert(candidate).inserted else { return false }
    candidates += 1
    await Task.yield()
    let other = await judge(candidate, until: time)
    guard let violation = other.violation(of: property) else {
      if other.violations.isEmpty { nearest = candidate }
      return false
    }
    run = candidate
    // Without what came after the violation, and without steps that could not be done and choices that were not there.
    run.actions = other.actions
    if !candidate.order.isDrawn { run.choices = other.choices }
    outcome = other
    // What makes a run smaller seldom makes its violation come later, and then not much.
    if let time { self.time = min(time, violation.time * 2 + .seconds(20)) }
    progress(candidates, run.path.count)
    return true
  }

  private func judge(_ candidate: Candidate, until time: Duration?) async -> Candidate.Outcome {
    if let judge { await judge(candidate) } else { await candidate.run(properties: properties, until: time) }
  }

  // MARK: Starts

  /// Takes simpler starts, as long as there are any.
  ///
  /// After one that is taken it goes on with the next, as those before it mostly fail as they did.
  private func simplifyStart() async {
    guard let starts = run.options.starts else { return }
    var others = starts.simpler(run.started)
    var (index, failures) = (0, 0)
    while failures < others.count, candidates < limit {
      index = index < others.count ? index : 0
      if await take(run.starting(as: others[index])) {
        others = starts.simpler(run.started)
        failures = 0
      } else {
        (index, failures) = (index + 1, failures + 1)
      }
    }
  }

  /// Begins where the first actions lead, as many of them as possible.
  private func beginLater() async {
    guard let starts = run.options.starts, judge == nil else { return }
    var count = run.path.count
    while count > 0 {
      if count <= run.path.count, candidates < limit, let start = await run.start(after: count) {
        for other in starts.later(run.started, count, start) where await take(run.starting(as: other)) { return }
      }
      count -= 1
    }
  }

  // MARK: The order of tasks

  /// Leaves out runs of choices: all, halves, quarters and so on, down to single ones; then puts plainer ones in their
  /// place.
  private func dropChoices() async {
    var reduction = Reduction(run.choices.count)
    while let range = reduction.next() {
      reduction.add(left: await take { $0.choices.removeSubrange(range) } ? run.choices.count : nil)
    }
    for place in run.choices.indices where place < run.choices.count && run.choices[place].index > 1 {
      _ = await take { $0.choices[place].index = 1 }
    }
  }

  /// Leaves out an action at a time and makes one choice in place of all, whichever it is.
  ///
  /// Of what few actions are left one is often needed only so that the other choices mean the same tasks.
  private func dropMovesWithOneChoice() async {
    // So it is with a start in place of actions.
    while run.path.count <= 12, !run.choices.isEmpty, let starts = run.options.starts {
      let shorter = starts.simpler(run.started).filter { $0.actions.count < run.path.count }
      var isShorter = false
      for other in shorter where !isShorter { isShorter = await takeWithOneChoice(run.starting(as: other)) }
      if !isShorter { break }
    }
    var index = 0
    while index < run.path.count, run.path.count <= 12, !run.choices.isEmpty {
      var candidate = run
      candidate.path.remove(at: index)
      if await !takeWithOneChoice(candidate) { index += 1 }
    }
  }

  private func takeWithOneChoice(_ run: Candidate) async -> Bool {
    var candidate = run
    candidate.choices = []
    guard candidates < limit else { return false }
    candidates += 1
    for (number, count) in await judge(candidate, until: time).counts.enumerated() {
      for index in 1..<count {
        candidate.choices = [.init(number: number, index: index)]
        if await take(candidate) { return true }
      }
    }
    return false
  }

  // MARK: Actions

  /// Leaves out three actions or more that only go together, as they lead back to where they began: the most first.
  private func dropDetours() async {
    guard run.path.count <= 16 else { return }
    var length = run.path.count - 1
    while length > 2 {
      var start = 0
      while start + length <= run.path.count { if await !drop([start..<start + length]) { start += 1 } }
      length -= 1
    }
  }

  /// Leaves out actions without which the property is violated later.
  private func dropMovesToTheEnd() async {
    guard time != nil else { return }
    (time, tried) = (nil, [run])
    await dropMoves()
    time = outcome.violation(of: property)?.time
  }

  /// Leaves out runs of actions, or all of them but the time that they take: all, halves, quarters and so on, down to
  /// single ones.
  private func dropMoves() async {
    var reduction = Reduction(run.path.count)
    while let range = reduction.next() {
      var isShorter = await drop([range])
      if !isShorter { isShorter = await pause(inPlaceOf: range) }
      reduction.add(left: isShorter ? run.path.count : nil)
    }
  }

  /// Puts one pause in the place of actions, as long as theirs together.
  private func pause(inPlaceOf range: Range<Int>) async -> Bool {
    let pauses = run.path[range].filter { joined($0, $0) != nil }
    guard range.count > 1, let first = pauses.first else { return false }
    let pause = pauses.dropFirst().reduce(first) { joined($0, $1) ?? $0 }
    return await take { $0.path.replaceSubrange(range, with: [pause]) }
  }

  /// Leaves out actions, with the choices that were made meanwhile, or with all choices as they are.
  ///
  /// - Parameter ranges: the actions, the last first.
  private func drop(_ ranges: [Range<Int>]) async -> Bool {
    var (candidate, other) = (run, run)
    for range in ranges {
      let from = outcome.places[range.lowerBound]
      let to = range.upperBound < outcome.places.count ? outcome.places[range.upperBound] : Int.max
      candidate.path.removeSubrange(range)
      other.path.removeSubrange(range)
      if run.choices.isEmpty { continue }
      candidate.choices = candidate.choices.compactMap { choice in
        if choice.number < from { return choice }
        return choice.number < to ? nil : .init(number: choice.number - (to - from), index: choice.index)
      }
    }
    if await take(candidate) { return true }
    return await take(other)
  }

  /// Leaves out actions with other seeds, again and again: by now only the model and its fakes draw from the seed.
  private func dropMovesWithOtherSeeds() async {
    guard seeds > 0, !outcome.drawsNothing else { return }
    var count = Int.max
    while run.path.count > 1, run.path.count < count, candidates < limit {
      count = run.path.count
      let time = time
      (self.time, tried) = (nil, [run])
      for other in 1...seeds where run.path.count == count {
        var candidate = run
        candidate.seed &+= other
        // With many actions there are as many candidates for each seed.
        let hasSingles = count <= 4 || count <= 12 && other <= seeds / 8
        let singles = hasSingles ? run.path.indices.map { $0..<$0 + 1 } : []
        let isLong = run.path.count { $0.step != nil } > 3
        for range in (isLong ? [count / 2..<count, 0..<count - count / 2] : []) + singles where run.path.count == count {
          candidate.path = run.path
          candidate.path.removeSubrange(range)
          _ = await take(candidate)
        }
      }
      self.time = time == nil ? nil : outcome.violation(of: property)?.time
      if run.path.count < count { await reduce(movesStart: false) }
    }
  }

  /// Joins pauses, and leaves out two actions that only go together.
  private func dropPairs() async {
    var index = 0
    while index + 1 < run.path.count {
      let places = index...index + 1
      let joined = joined(run.path[index], run.path[index + 1])
      if let joined, await take({ $0.path.replaceSubrange(places, with: [joined]) }) { continue }
      index += 1
    }
    guard run.path.count <= 16 else { return }
    var (left, right) = (0, 1)
    while left + 1 < run.path.count {
      var isShorter = await drop([right..<right + 1, left..<left + 1])
      if !isShorter { isShorter = await joinPauses(left, right) }
      if isShorter { (left, right) = (0, 0) }
      right += 1
      if right >= run.path.count { (left, right) = (left + 1, left + 2) }
    }
  }

  /// Puts one pause in the place of two between which something happens, the first or the second.
  private func joinPauses(_ left: Int, _ right: Int) async -> Bool {
    guard let joined = joined(run.path[left], run.path[right]) else { return false }
    for (kept, other) in [(left, right), (right, left)] {
      var candidate = run
      candidate.path[kept] = joined
      candidate.path.remove(at: other)
      if await take(candidate) { return true }
    }
    return false
  }

  private func joined(_ one: Action<Subject.Step>, _ next: Action<Subject.Step>) -> Action<Subject.Step>? {
    if case .step(let one) = one, case .step(let next) = next { return run.options.joined(one, next).map(Action.step) }
    return one.joined(next)
  }

  /// Puts a simpler action in the place of each, and of all that are the same.
  private func simplify() async {
    var index = 0
    while index < run.path.count {
      let action = run.path[index]
      var others = action.simplerPauses
      if case .step(let step) = action { others = Subject.simpler(step).map(Action.step) }
      // Two that are the same are often needed so.
      let same = run.path.indices.filter { run.path[$0] == action }
      var isSimpler = false
      for places in same.count > 1 && same[0] == index ? [[index], same] : [[index]] {
        for other in others where !isSimpler {
          isSimpler = await take { for place in places { $0.path[place] = other } }
        }
      }
      if !isSimpler { index += 1 }
    }
  }
}

extension RunOutcome {
  /// Of a run of which it is only known that nothing is wrong.
  package static var good: RunOutcome { RunOutcome() }

  /// What is known of a run that ended its process: what was to happen, and why it did not end.
  package init(lost run: [Action<Step>], _ order: JobOrder, _ violation: Violation) {
    actions = run
    places = Array(repeating: 0, count: run.count)
    if case .chosen(let choices) = order { self.choices = choices }
    violations = [violation]
  }
}

extension ExploredRun {
  /// The actions that were recorded.
  fileprivate var path: [Action<Subject.Step>] {
    get { actions ?? [] }
    set { actions = newValue }
  }

  fileprivate var started: StartedRun<Subject.Step, Start> { StartedRun(start: start, actions: path) }

  /// The same with another start, and the actions that are left from there.
  fileprivate func starting(as other: StartedRun<Subject.Step, Start>) -> Self {
    var run = self
    (run.start, run.actions) = (other.start, other.actions)
    return run
  }

  /// The choices among tasks that are not the first; none where they are drawn.
  var choices: [JobOrder.Choice] {
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
