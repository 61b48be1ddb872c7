/// Keeps one observation alive.
///
/// When it is let go, or cancelled, nothing runs any more, not even what a change of this turn was about to run, and the
/// closures are let go. Of each field that was read the runtime keeps a few words until its next change: it offers no way
/// to stop watching one.
public final class ObservationToken: Sendable {
  private let observer: Observer

  init(_ observer: Observer) { self.observer = observer }

  deinit { observer.cancel() }

  /// Ends the observation.
  public func cancel() { observer.cancel() }
}
