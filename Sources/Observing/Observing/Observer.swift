import Observation
import Synchronization

/// What an observer does.
///
/// It is made, run and released in one isolation; only its wrapper travels.
struct ObserverWork: @unchecked Sendable {
  /// Runs once: tracks, and calls the last argument when something that was read is about to change.
  let run: (TurnQueue, Transaction, @escaping @Sendable () -> Void) -> Void
  /// Tracks again without running; `nil` where reading and running cannot be separated.
  var read: ((TurnQueue, @escaping @Sendable () -> Void) -> Void)?

  /// Everything is tracked.
  static func render(_ render: @escaping (Transaction) -> Void) -> ObserverWork {
    ObserverWork(run: { queue, transaction, onChange in
      queue.track({ render(transaction) }, onChange: onChange)
    })
  }

  /// The value is tracked, what is performed with it is not; performed after every change of what was read.
  static func always<Value>(reading value: @escaping () -> Value, perform: @escaping (Value, Transaction) -> Void) -> ObserverWork {
    ObserverWork(
      run: { queue, transaction, onChange in perform(queue.track(value, onChange: onChange), transaction) },
      read: { queue, onChange in _ = queue.track(value, onChange: onChange) })
  }

  /// The value is tracked, what is performed with it is not; performed where it is another value than the last.
  static func effect<Value: Equatable>(of value: @escaping () -> Value, perform: @escaping (Value, Transaction) -> Void) -> ObserverWork {
    var last: Value?
    return always(reading: value) { value, transaction in
      if let last, last == value { return }
      last = value
      perform(value, transaction)
    }
  }
}

/// One observation: its work, and whether a change waits for it.
final class Observer: Sendable {
  private struct State {
    var work: ObserverWork?
    var isPending = false
    var transaction = Transaction()
  }

  private let state: Mutex<State>
  private let queue: TurnQueue
  /// The task-locals of the registration; `nil` in a queue without an owner.
  private let context: RegistrationContext?
  /// The order of registration in its queue.
  let number: Int
  /// Where it was registered, such as `App/View.swift:12`.
  let place: String

  init(_ work: ObserverWork, in queue: TurnQueue, place: String) {
    state = Mutex(State(work: work))
    self.queue = queue
    self.place = place
    number = queue.takeNumber()
    context = queue.makeContext()
  }

  func cancel() {
    // Let go outside the lock: what the closures own may cancel something when it goes.
    let work = state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
    _ = work
    context?.end()
  }

  /// Runs the work at the end of a turn, where a change waits for it still.
  func runPending(on owner: (any Actor)?) {
    if state.withLock({ $0.isPending && $0.work != nil }) { run(on: owner) }
  }

  /// Makes a change that the observer itself made, in the context of the caller.
  ///
  /// Where nothing waited before, and nothing is left to do after, it is not run for this change, which then does not
  /// have the transaction of the turn either.
  func absorb(_ change: () -> Void, isSettled: () -> Bool) {
    let isWaiting = state.withLock { $0.isPending }
    change()
    guard !isWaiting, let work = state.withLock({ $0.isPending ? $0.work : nil }) else { return }
    work.read?(queue) { [weak self] in self?.willChange() }
    guard isSettled() else { return }
    state.withLock { state in
      state.isPending = false
      state.transaction = Transaction()
    }
  }

  /// Runs the work on the owner with the task-locals of the registration, unless it was cancelled.
  ///
  /// Without an owner it runs in the context of the caller.
  func run(on owner: (any Actor)?) {
    guard let owner, let context else { return run() }
    unsafe context.run(isolatedTo: owner.unownedExecutor) { self.run() }
  }

  /// Runs the work in the context of the caller, unless it was cancelled.
  func run() {
    let (work, transaction) = state.withLock { state in
      defer {
        state.isPending = false
        state.transaction = Transaction()
      }
      return (state.work, state.transaction)
    }
    work?.run(queue, transaction) { [weak self] in self?.willChange() }
  }

  /// Something that the last run read is about to change: run again at the end of the turn.
  private func willChange() {
    let isNew = state.withLock { state in
      guard state.work != nil, !state.isPending else { return false }
      state.isPending = true
      state.transaction = Transaction.current
      return true
    }
    if isNew { queue.enqueue(self) }
  }
}
