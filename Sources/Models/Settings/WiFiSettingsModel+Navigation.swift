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
    scope.sheet("connect", Binding(self, \.destination).connect) { sheet, scope in
      scope.alert("incorrectPassword", Binding(sheet, \.incorrectPasswordAlertIsPresented))
    }
    scope.push("detail", Binding(self, \.destination).detail) { page, scope in
      scope.alert("forget", Binding(page, \.forgetAlertIsPresented))
    }
  }
}
