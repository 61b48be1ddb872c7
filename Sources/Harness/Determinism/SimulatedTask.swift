import Synchronization

/// A task of a simulation, by name.
public final class SimulatedTask: Sendable {
  /// The task that runs now, where it was started by a simulation.
  @TaskLocal public static var current: SimulatedTask?

  /// The name of the task that runs the body of `simulate`.
  static let bodyName = "the body of simulate"

  /// What it is called in reports.
  public let name: String
  /// The line of source that started it, such as `Harness/SettingsPerson.swift:80`, where that is known.
  public let origin: String?

  private struct State {
    var jobID: UInt64?
    var isFinished = false
    var task: Task<Void, Never>?
  }
  private let state = Mutex(State())

  init(name: String, origin: String? = nil) {
    self.name = name
    self.origin = origin
  }

  /// Its name in quotation marks, and where it was started.
  var title: String { "“\(name)”" + Self.started(origin) }

  /// Words to put behind what is told of a task.
  static func started(_ origin: String?) -> String { origin.map { " (started at \($0))" } ?? "" }

  /// Whether it has ended.
  public var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Cancels it, as `Task.cancel()` does.
  public func cancel() { state.withLock { $0.task }?.cancel() }

  /// Waits until it has ended.
  public func finished() async { await state.withLock { $0.task }?.value }

  var jobID: UInt64? { state.withLock { $0.jobID } }

  func begin(jobID: UInt64?) { state.withLock { $0.jobID = jobID } }
  func finish() {
    state.withLock {
      $0.isFinished = true
      $0.task = nil
    }
  }
  func attach(_ task: Task<Void, Never>) { state.withLock { if !$0.isFinished { $0.task = task } } }
}
