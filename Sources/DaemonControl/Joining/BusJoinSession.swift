import DaemonProtocols

/// A join over the system bus, with a second observer on a channel of its own.
protocol BusJoinSession: JoinSession, BusSession {
  var started: Duration { get set }
  var secondChannel: ControlChannel { get }
  /// Whether a network was joined before.
  var hadNetwork: Bool { get }
  /// Whether the network that was joined before was left, or is to be.
  var hasLeft: Bool { get }
}

extension BusJoinSession {
  /// Opens the bus, unless the request cannot work.
  mutating func start(_ problem: JoinFailure.Reason?, after first: [JoinAction] = [], _ now: Duration) -> [JoinAction] {
    started = now
    if let problem { return finish(JoinOutcome(.failure(JoinFailure(problem)), after: .zero)) }
    return first + open(now)
  }

  /// - Parameter isReturning: whether the daemon joins the network of before again.
  mutating func end(
    _ result: Result<JoinOutcome.Joined, JoinFailure>, isReturning: Bool = false, _ now: Duration
  ) -> [JoinAction] {
    let final = result.mapError { failure in
      var failure = failure
      failure.aftermath = !hadNetwork ? .nothingBefore : isReturning ? .returning : hasLeft ? .notReturning : .stayed
      return failure
    }
    return [.close(secondChannel)] + finish(JoinOutcome(final, after: now - started))
  }
}
