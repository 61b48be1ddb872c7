import CDeterminism

/// Waits in real time, suspended: only in runs at the pace of real time.
func sleepForReal(_ duration: Duration) async { try? await Task.sleep(for: duration) }

/// The real time since it was made; also where clocks are virtual.
package struct Stopwatch: Sendable {
  private let start = determinism_real_nanoseconds()

  package init() {}

  package var elapsed: Duration { .nanoseconds(determinism_real_nanoseconds() - start) }
}

/// What a thread waits at in real time.
@safe final class Gate: @unchecked Sendable {
  private let gate = unsafe determinism_gate_make()

  deinit { unsafe determinism_gate_free(gate) }

  /// Lets the waiting side go on, or the next who will.
  func open() { unsafe determinism_gate_open(gate) }

  /// Blocks the thread until the gate is opened, and closes it behind; whether it was opened before `limit` was over.
  @discardableResult
  func wait(_ limit: Duration? = nil) -> Bool {
    let nanoseconds = limit.map { Int64(clamping: max(0, $0.attoseconds / 1_000_000_000)) } ?? -1
    return unsafe determinism_gate_wait(gate, nanoseconds)
  }
}
