/// Keeps one observation alive.
///
/// When it is released or cancelled, nothing runs any more, not even what a change of this turn was about to run, and
/// the closures are released. Of each field that was read the runtime keeps a few words until its next change: it
/// offers no way to stop watching one.
public final class ObservationToken: Sendable {
  let observer: Observer

  init(_ observer: Observer) { self.observer = observer }

  deinit { observer.cancel() }

  /// Ends the observation.
  public func cancel() { observer.cancel() }

  /// Keeps the observation in a collection, such as an array of tokens, which ends it when it goes.
  public func store(in tokens: inout some RangeReplaceableCollection<ObservationToken>) { tokens.append(self) }
}
