/// Which connections are open, and which of them have to go.
///
/// A pure value on the time that it is given. A client that connects and then sends nothing, or a byte now and then,
/// has ``PageLimits/headerTime`` until its request has to be there, and is the first to go where another one comes and
/// there are ``PageLimits/maximumConnections`` already: so those that send a request at once get through.
package struct ConnectionTable: Sendable {
  /// What a connection does.
  enum Phase: Hashable, Sendable {
    /// A request is awaited or on its way; since when.
    case reading(since: Duration, isFirst: Bool)
    /// A request is being answered; since when.
    case answering(since: Duration)
    /// It follows events; whether it gave the token.
    case streaming(hasToken: Bool)

    var isStreaming: Bool { if case .streaming = self { true } else { false } }
  }

  private let limits: PageLimits
  private var phases: [Int: Phase] = [:]
  private var next = 0
  /// The number of connections that follow events.
  package private(set) var streamCount = 0

  package init(limits: PageLimits) { self.limits = limits }

  /// The number of open connections.
  package var count: Int { phases.count }

  /// Adds a connection, and returns the one that has to go for it.
  ///
  /// - Returns: `nil` for the number where there is no room for it.
  package mutating func open(at now: Duration) -> (number: Int?, closes: Int?) {
    var closes: Int?
    if phases.count >= limits.maximumConnections {
      guard let oldest = oldestReading ?? oldestAnswering(before: now - limits.answerTime) else { return (nil, nil) }
      phases[oldest] = nil
      closes = oldest
    }
    next += 1
    phases[next] = .reading(since: now, isFirst: true)
    return (next, closes)
  }

  /// The request of a connection is there.
  package mutating func answers(_ number: Int, at now: Duration) { if phases[number] != nil { phases[number] = .answering(since: now) } }

  /// The answer of a connection was sent.
  package mutating func answered(_ number: Int, at now: Duration) {
    if phases[number] != nil { phases[number] = .reading(since: now, isFirst: false) }
  }

  /// A connection follows events from now on, and another one has to go for it.
  ///
  /// - Returns: whether there is room; a stream with the token takes the place of one without.
  package mutating func streams(_ number: Int, hasToken: Bool) -> (isAccepted: Bool, closes: Int?) {
    guard let phase = phases[number], !phase.isStreaming else { return (false, nil) }
    var closes: Int?
    if streamCount >= limits.maximumStreams {
      let others = phases.compactMap { number, phase in phase == .streaming(hasToken: false) ? number : nil }
      guard hasToken, let oldest = others.min() else { return (false, nil) }
      close(oldest)
      closes = oldest
    }
    phases[number] = .streaming(hasToken: hasToken)
    streamCount += 1
    return (true, closes)
  }

  /// A connection is closed.
  package mutating func close(_ number: Int) { if phases.removeValue(forKey: number)?.isStreaming == true { streamCount -= 1 } }

  /// The connections that have been silent for too long, in order, which are closed by that.
  package mutating func expired(at now: Duration) -> [Int] {
    let late = phases.compactMap { number, phase -> Int? in
      switch phase {
      case .reading(let since, isFirst: true): now - since >= limits.headerTime ? number : nil
      case .reading(let since, isFirst: false), .answering(let since): now - since >= limits.idleTime ? number : nil
      case .streaming: nil
      }
    }
    for number in late { phases[number] = nil }
    return late.sorted()
  }

  /// Numbers grow, so the least is the oldest.
  private var oldestReading: Int? {
    phases.compactMap { number, phase in if case .reading = phase { number } else { nil } }.min()
  }

  /// A client that does not read its answer.
  private func oldestAnswering(before time: Duration) -> Int? {
    phases.compactMap { number, phase in if case .answering(let since) = phase, since <= time { number } else { nil } }.min()
  }
}
