import Foundation
import Observation

/// A stopwatch as most people write it: on the main actor, with a task of its own, on the clock there is.
@MainActor @Observable
public final class StopwatchModel {
  public private(set) var seconds = 0
  public private(set) var laps: [Lap] = []
  private var ticks: Task<Void, Never>?

  public init() {}

  public func startButtonTapped() {
    guard ticks == nil else { return }
    ticks = Task {
      while true {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        seconds += 1
      }
    }
  }

  public func lapButtonTapped() {
    laps.append(Lap(id: UUID(), date: Date(), seconds: seconds))
  }

  public func stopButtonTapped() {
    ticks?.cancel()
    ticks = nil
  }
}

/// What the stopwatch showed when its lap button was tapped.
public struct Lap: Hashable, Identifiable, Sendable {
  /// Distinguishes it from every other lap.
  public let id: UUID
  /// When the button was tapped.
  public let date: Date
  /// What the stopwatch showed.
  public let seconds: Int
}
