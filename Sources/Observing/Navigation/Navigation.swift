/// Keeps what a presenter shows in step with the state, for as long as it is retained.
///
/// ```swift
/// navigation = Navigation(presenter) { root in
///   root.sheet("connect", Binding(settings, \.destination).connect) { connect, sheet in
///     sheet.alert("incorrectPassword", Binding(connect, \.incorrectPasswordAlertIsPresented))
///   }
///   root.push("detail", Binding(settings, \.destination).detail)
/// }
/// ```
///
/// State that is there from the beginning is presented at once: that is a deep link. All that one turn changes is
/// applied together: first what goes is dismissed, the topmost first, then what comes is presented, in order of
/// declaration, and last what lies over it.
public final class Navigation {
  private let level: NavigationLevel

  /// Presents what `declare` declares, in the isolation of the caller.
  ///
  /// - Precondition: an isolation is known, as for `observe`.
  public init(
    _ presenter: any Presenter, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line, _ declare: (NavigationScope) -> Void
  ) {
    level = NavigationLevel(presenter, in: .of(isolation, fileID, line), declare)
    level.start(Transaction())
  }

  /// Presents what `declare` declares, and what changes at the end of each turn.
  public init(_ presenter: any Presenter, in turn: ObservationTurn, _ declare: (NavigationScope) -> Void) {
    level = NavigationLevel(presenter, in: turn.queue, declare)
    level.start(Transaction())
  }

  deinit { level.stop() }

  /// Dismisses all that is presented, the topmost first, without a change of the state, and ends.
  public func end() {
    level.stop()
    level.dismissAll(Transaction())
  }
}
