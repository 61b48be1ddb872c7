/// The time since boot, kept by any clock.
struct BootClock {
  private let elapsed: () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let bootTime: Duration

  /// Time since boot, which is `bootTime` at the present instant of `clock`.
  init(_ clock: some Clock<Duration>, bootTime: Duration) {
    let epoch = clock.now
    elapsed = { epoch.duration(to: clock.now) }
    sleep = { elapsed in try await clock.sleep(until: epoch.advanced(by: elapsed), tolerance: nil) }
    self.bootTime = bootTime
  }

  var now: Duration { bootTime + elapsed() }

  /// Waits until a time since boot; `false` where the task was cancelled by then.
  func waits(until time: Duration) async -> Bool {
    do { try await sleep(time - bootTime) } catch { return false }
    return !Task.isCancelled
  }

  /// Waits until a time since boot in a task of its own.
  func sleeper(until time: Duration) -> @Sendable () async throws -> Void {
    let sleep = sleep
    let offset = time - bootTime
    return { try await sleep(offset) }
  }
}
