public import Observing

extension WiFiSettingsModel {
  /// Declares all that the panel presents: sheet `connect` with alert `incorrectPassword`, and page `detail` with
  /// alert `forget`.
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
}
