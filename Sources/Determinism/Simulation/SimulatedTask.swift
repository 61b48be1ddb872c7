import Synchronization

/// A task of a simulation, by name.
public final class SimulatedTask: Sendable {
  /// The task that runs now, where it was started by a simulation.
  @TaskLocal package static var current: SimulatedTask?

  /// The name of the task that runs the body of `simulate`.
  package static let bodyName = "the body of simulate"

  /// What it is called in reports.
  public let name: String
  private let place: (file: String, line: Int)?

  private struct State {
    var jobID: UInt64?
    /// Where the task itself is, which is its own job as long as it lives.
    var job: UInt = 0
    var isFinished = false
    var task: Task<Void, Never>?
    var waiting: [Int: Suspension] = [:]
    var lastWait = 0
  }
  private let state = Mutex(State())

  /// Whether it may go on until the run ends, and is cancelled then.
  let isCancelledAtEnd: Bool

  init(name: String, at place: (file: String, line: Int)? = nil, isCancelledAtEnd: Bool = false) {
    self.name = name
    self.place = place
    self.isCancelledAtEnd = isCancelledAtEnd
  }

  /// The line of source that started it, such as `Harness/SettingsUser.swift:80`, where that is known.
  package var origin: String? { place.map { "\($0.file):\($0.line)" } }

  /// What happens to a task that has not ended when the body of its run has.
  public enum AtEnd: Sendable {
    /// The run fails, and says what the task waits for.
    case fail
    /// The task is cancelled, as a view's task is when the view goes.
    case cancel
  }

  /// Its name in quotation marks, and where it was started.
  package var title: String { "“\(name)”" + Self.started(origin) }

  /// Words to put behind the description of a task.
  package static func started(_ origin: String?) -> String { origin.map { " (started at \($0))" } ?? "" }

  /// Whether it has ended.
  public var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Cancels it, as `Task.cancel()` does.
  public func cancel() { state.withLock { $0.task }?.cancel() }

  /// Waits until it has ended, or the caller's task is cancelled.
  public func finished() async {
    if isFinished { return }
    let number = state.withLock { state in
      state.lastWait += 1
      return state.lastWait
    }
    await withTaskCancellationHandler {
      try? await Suspension.suspend { suspension in
        let isOver = state.withLock { state in
          if state.isFinished || Task.isCancelled { return true }
          state.waiting[number] = suspension
          return false
        }
        if isOver { suspension.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }

  var jobID: UInt64? { state.withLock { $0.jobID } }

  var job: UInt { state.withLock { $0.job } }

  func begin(jobID: UInt64?, job: UInt) { state.withLock { ($0.jobID, $0.job) = (jobID, job) } }
  func finish() {
    let waiting = state.withLock { state in
      (state.isFinished, state.task) = (true, nil)
      defer { state.waiting = [:] }
      return state.waiting
    }
    for number in waiting.keys.sorted() { waiting[number]?.resume() }
  }
  func attach(_ task: Task<Void, Never>) { state.withLock { if !$0.isFinished { $0.task = task } } }
}
