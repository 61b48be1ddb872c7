public import Observing

extension KnownNetworksModel {
  /// Declares all that the page presents: stack `edit` with alert `forgetKnown` on each page, and sheet `add`.
  ///
  /// - Parameter run: runs an attempt that an answered alert begins, in a task that ends with the page.
  public func declareNavigation(in scope: NavigationScope, running run: @escaping (KnownNetworkAttempt) -> Void) {
    let path: Binding<[KnownNetworkEditModel]> = bind(\.path)
    scope.stack(
      "edit", path: path, id: { ObjectIdentifier($0) },
      { page, scope in
        scope.alert("forgetKnown", page.bind(\.forgetQuestion)) { answer in
          if let attempt = page.forgetQuestionAnswered(answer) { run(attempt) }
        }
      })
    scope.sheet("add", bind(\.addSheet))
  }
}
