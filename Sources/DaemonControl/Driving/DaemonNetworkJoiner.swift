public import WiFi

/// Joins networks over a daemon, simulated or real.
///
/// One at a time: a join cancels the one before, and begins when that has undone what it did. So each attempt finds the
/// daemon as it was before all of them.
public final class DaemonNetworkJoiner: NetworkJoiner {
  /// Why the attempt that ended last failed, with its certainty and its evidence; `nil` where it did not.
  public private(set) var lastFailure: JoinFailure?
  /// Called with a sentence on how far an attempt has come, and why it failed; with `nil` when one begins.
  public var onNote: (String?) -> Void = { _ in }

  private let access: DaemonAccess
  /// The attempt that began last, as long as it runs.
  private var latest: Attempt?

  /// Joins over the daemon of an interface.
  public init(_ access: DaemonAccess) { self.access = access }

  /// Joins a network; what the daemon says in detail is in ``lastFailure`` then.
  public func join(_ network: Network, password: String?) async throws(JoinError) {
    let attempt = Attempt(after: latest)
    latest = attempt
    await attempt.turn()
    lastFailure = nil
    onNote(nil)
    let failure = await failure(of: attempt, network, password.map { Secret($0) })
    if latest === attempt { latest = nil }
    attempt.end()
    onNote(failure.map { "\($0)" })
    guard let failure else { return }
    lastFailure = failure
    throw JoinError(failure)
  }

  private func failure(of attempt: Attempt, _ network: Network, _ password: Secret?) async -> JoinFailure? {
    if access.daemon == nil, let interface = access.interface() { onNote("asking who owns \(interface)") }
    switch await access.open() {
    case .success((let joiner, let daemon, let interface)):
      guard attempt.begin(joiner) else { return JoinFailure(.cancelled) }
      let request = JoinRequest(interface: interface, network: network, password: password)
      return await joiner.join(request, over: daemon) { [onNote] progress in onNote(progress.step.rawValue) }.failure
    case .failure(let failure): return failure
    }
  }
}

/// One of several attempts, of which one runs at a time.
private final class Attempt {
  private let earlier: Attempt?
  private var joiner: Joiner?
  private var isReplaced = false
  private var isOver = false
  private var next: CheckedContinuation<Void, Never>?

  init(after earlier: Attempt?) { self.earlier = earlier }

  /// Waits until the one before has ended, which is cancelled.
  func turn() async {
    guard let earlier, !earlier.isOver else { return }
    earlier.isReplaced = true
    earlier.joiner?.cancel()
    await withCheckedContinuation { earlier.next = $0 }
  }

  /// Begins, unless another is to begin in its place.
  func begin(_ joiner: Joiner) -> Bool {
    self.joiner = joiner
    return !isReplaced
  }

  func end() {
    isOver = true
    next?.resume()
  }
}
