import CDeterminism
import Synchronization

/// The threads that runs are drained on, and the turns of runs.
///
/// A run has its thread to itself, so that what it waits for elsewhere finds a thread of the pool, and so that one
/// whose job never returns can be given up. Runs begin in the order in which they were asked for; one that is exclusive
/// begins when no other goes on.
enum RunThreads {
  /// Something to run; whether its thread may be used again.
  typealias Work = @Sendable () -> Bool

  private struct Turn {
    var isExclusive: Bool
    /// On a thread of these, or where a caller waits.
    var place: Place

    enum Place {
      case thread(Work)
      case caller(Gate)
    }
  }

  private struct State {
    /// The turns that wait, by the number that each drew.
    private var queue: [Int: Turn] = [:]
    private var (first, last) = (0, 0)
    /// What may begin, for the next thread that is free.
    var ready: [(work: Work, isExclusive: Bool)] = []
    var idle: [Gate] = []
    /// Threads that run something and are not given up, or are about to.
    var busy = 0
    /// Runs that have begun and not ended.
    var runs = 0
    /// Whether one of them is exclusive: then it is the only one.
    var isExclusive = false

    /// Lets those begin whose turn it is; the gates to open for that without the lock, `nil` for a thread to start.
    mutating func admit() -> [Gate?] {
      var gates: [Gate?] = []
      while let turn = queue[first], !isExclusive, !turn.isExclusive || runs == 0 {
        switch turn.place {
        case .caller(let gate): gates.append(gate)
        case .thread(let work):
          if busy >= limit { return gates }
          busy += 1
          ready.append((work, turn.isExclusive))
          gates.append(idle.popLast())
        }
        queue[first] = nil
        first += 1
        (runs, isExclusive) = (runs + 1, turn.isExclusive)
      }
      return gates
    }

    mutating func wait(for turn: Turn) {
      queue[last] = turn
      last += 1
    }

    mutating func end(_ wasExclusive: Bool) {
      runs -= 1
      if wasExclusive { isExclusive = false }
    }
  }

  private static let state = Mutex(State())
  /// The most runs at once: enough that all processors are busy, and few enough that other threads get time.
  private static let limit = max(4, Int(determinism_processor_count()))

  private static func change(_ body: (inout sending State) -> Void) {
    let gates = state.withLock { state in
      body(&state)
      return state.admit()
    }
    for gate in gates { if let gate { gate.open() } else { startThread() } }
  }

  /// Runs `work` on a thread of its own, now or when another run has ended.
  static func run(isExclusive: Bool, _ work: @escaping Work) {
    change { $0.wait(for: Turn(isExclusive: isExclusive, place: .thread(work))) }
  }

  /// Blocks the caller until it is the turn of a run on its own thread.
  static func begin(isExclusive: Bool) {
    let gate = Gate()
    change { $0.wait(for: Turn(isExclusive: isExclusive, place: .caller(gate))) }
    gate.wait()
  }

  /// Ends a run that was begun so.
  static func end(isExclusive: Bool) { change { $0.end(isExclusive) } }

  /// Counts a thread no more, whose work will not return.
  static func giveUp(isExclusive: Bool) {
    change {
      $0.busy -= 1
      $0.end(isExclusive)
    }
  }

  /// Waits in real time on a thread of a run, which counts as none meanwhile.
  static func waiting<Result>(_ wait: () -> Result) -> Result {
    change { $0.busy -= 1 }
    defer { state.withLock { $0.busy += 1 } }
    return wait()
  }

  private static func startThread() {
    let gate = unsafe Unmanaged.passRetained(Gate()).toOpaque()
    let isStarted = unsafe determinism_start_thread(
      { gate in if let gate = unsafe gate { unsafe RunThreads.serve(Unmanaged<Gate>.fromOpaque(gate).takeRetainedValue()) } },
      gate)
    if !isStarted { fatalError("no thread can be started to run a simulation on") }
  }

  /// What a thread does: all that may begin, then it waits a few seconds for more.
  private static func serve(_ gate: Gate) {
    while true {
      if let next = state.withLock({ $0.ready.isEmpty ? nil : $0.ready.removeFirst() }) {
        if !next.work() { return }
        change {
          $0.busy -= 1
          $0.end(next.isExclusive)
          $0.idle.append(gate)
        }
      } else {
        state.withLock { $0.idle.append(gate) }
      }
      if gate.wait(.seconds(5)) { continue }
      let isOver = state.withLock { state in
        guard let index = state.idle.firstIndex(where: { $0 === gate }) else { return false }
        state.idle.remove(at: index)
        return true
      }
      if isOver { return }
      // Taken at the last moment: the gate is open, or about to be.
      gate.wait()
    }
  }
}
