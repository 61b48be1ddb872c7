public import Observing

extension WiFiSettingsModel {
  /// Declares what the panel presents without the known networks: sheet `connect` with alert `incorrectPassword`, and
  /// page `detail` with alert `forget`.
  ///
  /// A failure of a join is text on the sheet, not an alert.
  ///
  /// ```swift
  /// navigation = Navigation(presenter, model.declareNavigation)
  /// ```
  public func declareNavigation(in scope: NavigationScope) {
    scope.sheet("connect", bind(\.destination).connect) { sheet, scope in
      scope.alert("incorrectPassword", sheet.bind(\.incorrectPasswordQuestion)) { _ in }
    }
    scope.push("detail", bind(\.destination).detail) { page, scope in
      scope.alert("forget", page.bind(\.forgetQuestion)) { page.forgetQuestionAnswered($0) }
    }
  }

  /// Declares all that the panel presents: what ``declareNavigation(in:)`` does, and page `known` with all that lies
  /// over it.
  ///
  /// ```swift
  /// navigation = Navigation(presenter) {
  ///   model.declareNavigation(in: $0) { attempt in tasks.append(Task { await attempt.run() }) }
  /// }
  /// ```
  ///
  /// - Parameter run: runs an attempt that an answered alert begins, in a task that ends with the page.
  public func declareNavigation(in scope: NavigationScope, running run: @escaping (KnownNetworkAttempt) -> Void) {
    declareNavigation(in: scope)
    scope.push("known", bind(\.destination).known) { page, scope in page.declareNavigation(in: scope, running: run) }
  }
}
