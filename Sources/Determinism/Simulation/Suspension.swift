/// A task that waits, to be resumed exactly once.
///
/// Unchecked for speed; the heap of sleepers and the executor are the only ones that hold it, and each gives it up as
/// it resumes it.
@safe struct Suspension: Sendable {
  private let continuation: UnsafeContinuation<Void, any Error>

  init(_ continuation: UnsafeContinuation<Void, any Error>) { unsafe self.continuation = unsafe continuation }

  func resume() { unsafe continuation.resume() }
  func cancel() { unsafe continuation.resume(throwing: CancellationError()) }

  /// Suspends the task that runs now, and gives it to `body`.
  static func suspend(_ body: (Suspension) -> Void) async throws {
    try await unsafe withUnsafeThrowingContinuation { unsafe body(Suspension($0)) }
  }
}
