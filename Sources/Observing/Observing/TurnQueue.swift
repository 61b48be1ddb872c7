import Observation
import Synchronization

/// The observers of one isolation that wait for the end of the turn.
///
/// The first change of a turn enqueues one job on the owner; the job runs all that wait, in order of registration.
final class TurnQueue: Sendable {
  /// Rounds of one turn after which a closure is taken to change what it reads, without end.
  private static var roundLimit: Int { 100 }

  private struct State {
    /// The isolation, or `nil` where turns are ended by hand.
    ///
    /// It owns the tokens, so it is not owned here.
    weak var owner: (any Actor)?
    var count = 0
    var pending: [Observer] = []
    var isScheduled = false
    var isFlushing = false
    /// Whether reads belong to an observer now.
    var isTracking = false
    /// Observers that were registered inside the run of another.
    var inner: [Observer] = []
  }

  /// The queue whose observers run now.
  @TaskLocal private static var current: TurnQueue?

  private let state: Mutex<State>
  private let key: Key?

  init(owner: (any Actor)?) {
    key = owner.map(Key.init)
    state = Mutex(State(owner: owner))
  }

  deinit {
    guard let key else { return }
    // A younger queue may stand in the place of this one.
    Self.all.withLock { queues in
      if queues[key]?.queue == nil { queues[key] = nil }
    }
  }

  func takeNumber() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// What keeps the task-locals of a registration: those of the caller, but for what a flush sets.
  func makeContext() -> RegistrationContext? {
    guard key != nil else { return nil }
    return Self.$current.withValue(self) {
      Transaction.$ambient.withValue(Transaction()) { RegistrationContext() }
    }
  }

  /// Runs an observer for the first time: now, or when the run that it was registered in ends.
  func start(_ observer: Observer) {
    let isInner = state.withLock { state in
      if state.isTracking { state.inner.append(observer) }
      return state.isTracking
    }
    if !isInner { Self.$current.withValue(self) { observer.run() } }
  }

  /// Reads with tracking, then starts what was registered meanwhile.
  func track<Value>(_ read: () -> Value, onChange: @escaping @Sendable () -> Void) -> Value {
    state.withLock { $0.isTracking = true }
    let value = withObservationTracking(read, onChange: onChange)
    let (inner, owner) = state.withLock { state in
      defer { state.inner = [] }
      state.isTracking = false
      return (state.inner, state.inner.isEmpty ? nil : state.owner)
    }
    for observer in inner { observer.run(on: owner) }
    return value
  }

  /// Puts an observer in the queue, and a job on the owner where there is none yet.
  func enqueue(_ observer: Observer) {
    let (isFirst, owner) = state.withLock { state in
      defer { state.isScheduled = true }
      state.pending.append(observer)
      return (!state.isScheduled, state.owner)
    }
    guard isFirst, let owner else { return }
    // A task that is made in the owner's isolation is enqueued on its executor directly, in the order of making.
    owner.assumeIsolated { owner in
      _ = Task(name: "observe") {
        _ = owner
        self.flush()
      }
    }
  }

  /// Runs all that wait, round by round: what a run changes is run in the next.
  func flush() {
    let isInner = state.withLock { state in
      defer { state.isFlushing = true }
      return state.isFlushing
    }
    // The loop that runs already sees to it.
    if isInner { return }
    defer { state.withLock { $0.isFlushing = false } }
    Self.$current.withValue(self) {
      Transaction.$ambient.withValue(Transaction()) { runPending() }
    }
  }

  private func runPending() {
    let owner = state.withLock { $0.owner }
    var rounds = 0
    while true {
      let batch = state.withLock { state in
        defer { state.pending = [] }
        if state.pending.isEmpty { state.isScheduled = false }
        return state.pending
      }
      guard let first = batch.first else { return }
      rounds += 1
      // A sentence of `precondition` is lost in release builds.
      guard rounds <= Self.roundLimit else {
        fatalError("observe: the closure registered at \(first.place) is run again without end: it changes what is observed")
      }
      for observer in batch.sorted(by: { $0.number < $1.number }) { observer.runPending(on: owner) }
    }
  }

  /// The queue of an isolation; where there is none, that of the run which this is a part of.
  static func of(_ isolation: (any Actor)?, _ fileID: StaticString, _ line: UInt) -> TurnQueue {
    if let isolation { return of(isolation) }
    if let current, current.isHere() { return current }
    fatalError(
      "observe at \(fileID):\(line): no isolation is known here whose turns could be observed; call it in an actor's own code, or give an ObservationTurn"
    )
  }

  /// The queue of an isolation.
  static func of(_ isolation: any Actor) -> TurnQueue {
    let id = Key(isolation)
    // What was found and is not used goes only after the lock: its end takes the lock, too.
    let (queue, _): (TurnQueue, unused: TurnQueue?) = all.withLock { queues in
      let found = queues[id]?.queue
      if let found, found.isOwned(by: isolation) { return (found, nil) }
      let made = TurnQueue(owner: isolation)
      queues[id] = Entry(queue: made)
      return (made, found)
    }
    return queue
  }

  /// Another actor may have come to live at the address of one that is gone.
  private func isOwned(by isolation: any Actor) -> Bool { state.withLock { $0.owner === isolation } }

  /// Whether this code runs where the owner does; an owner whose code runs elsewhere stops the program.
  private func isHere() -> Bool {
    guard key != nil else { return true }
    guard let owner = state.withLock({ $0.owner }) else { return false }
    owner.preconditionIsolated("observe: called from a task that has left the isolation of the run that started it")
    return true
  }

  /// An isolation, and where it runs: the main actor of each simulation is the same object on another executor.
  private struct Key: Hashable {
    var owner: ObjectIdentifier
    var executor: UInt

    init(_ owner: any Actor) {
      self.owner = ObjectIdentifier(owner)
      executor = unsafe unsafeBitCast(owner.unownedExecutor, to: (UInt, UInt).self).0
    }
  }

  private struct Entry: Sendable {
    weak var queue: TurnQueue?
  }

  /// The queues of all isolations that observe something now.
  private static let all = Mutex<[Key: Entry]>([:])
}
