extension WiFiSettingsModel {
  /// Declares all that the panel presents: sheet `connect` with alerts `incorrectPassword` and `failure`, and page
  /// `detail` with alert `forget`.
  ///
  /// ```swift
  /// navigation = Navigation(presenter, model.declareNavigation)
  /// ```
  public func declareNavigation(in scope: NavigationScope) {
    scope.sheet("connect", Binding(self, \.destination).connect) { sheet, scope in
      scope.alert("incorrectPassword", Binding(sheet, \.incorrectPasswordAlertIsPresented))
      scope.alert("failure", Binding(sheet, \.failure))
    }
    scope.push("detail", Binding(self, \.destination).detail) { page, scope in
      scope.alert("forget", Binding(page, \.forgetAlertIsPresented))
    }
  }
}
