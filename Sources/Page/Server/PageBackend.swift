/// What a server asks of the page, on any thread.
///
/// Answers are delivered where the models are, in the order of what happens there: the whole state that is delivered
/// comes in the stream before the change that follows it.
public protocol PageBackend: Sendable {
  /// Asks for the event with the whole state of a browser's view.
  ///
  /// - Parameter isFirst: whether a connection that follows it begins with that, until ``left(_:)``.
  func hello(_ browser: PageBrowser, isFirst: Bool, _ deliver: @escaping @Sendable (ServerSentEvent) -> Void)

  /// A connection that followed the view of a browser is closed.
  func left(_ browser: PageBrowser)

  /// Asks for an answer.
  func answer(_ question: PageQuestion, _ deliver: @escaping @Sendable (PageResponse) -> Void)
}

/// What a request asks that only the models know.
public enum PageQuestion: Hashable, Sendable {
  /// The networks as JSON.
  case scan
  /// Figures for Prometheus.
  case metrics(PageStatistics)
  /// What becomes of an action in the view of a browser.
  case action(PageAction, PageBrowser)
}
