import Synchronization

/// A task of a simulation, by name.
public final class SimulatedTask: Sendable {
  /// The task that runs now, where it was started by a simulation.
  @TaskLocal public static var current: SimulatedTask?

  /// The name of the task that runs the body of `simulate`.
  static let bodyName = "the body of simulate"

  /// What it is called in reports.
  public let name: String

  private struct State {
    var jobID: String?
    var isFinished = false
    var task: Task<Void, Never>?
  }
  private let state = Mutex(State())

  init(name: String) { self.name = name }

  /// Whether it has ended.
  public var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Cancels it, as `Task.cancel()` does.
  public func cancel() { state.withLock { $0.task }?.cancel() }

  /// Waits until it has ended.
  public func finished() async { await state.withLock { $0.task }?.value }

  var jobID: String? { state.withLock { $0.jobID } }

  func begin(jobID: String?) { state.withLock { $0.jobID = jobID } }
  func finish() {
    state.withLock {
      $0.isFinished = true
      $0.task = nil
    }
  }
  func attach(_ task: Task<Void, Never>) { state.withLock { if !$0.isFinished { $0.task = task } } }
}
