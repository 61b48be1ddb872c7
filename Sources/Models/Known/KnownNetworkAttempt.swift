import WiFi

/// A request about known networks that began with a tap, to be run once.
public struct KnownNetworkAttempt {
  private let body: () async -> Void

  init(_ body: @escaping () async -> Void) { self.body = body }

  /// Asks the store, in the caller's isolation, and returns when the request has ended.
  ///
  /// What comes of it shows nowhere where its sheet or page is gone or the attempt was given up; the list takes in what
  /// changed anyway.
  public func run() async { await body() }
}

/// Counts the attempts of one sheet or page, so that an outcome never reaches another attempt.
struct AttemptCounter {
  /// The number of the attempt whose outcome counts.
  private(set) var current = 0
  private var lastRun = 0

  /// Begins an attempt, whose number this is.
  mutating func begin() -> Int {
    current += 1
    return current
  }

  /// Gives up the attempt that runs.
  mutating func end() { current += 1 }

  /// Whether an attempt is to be run: it counts still, and was not run before.
  mutating func mayRun(_ number: Int) -> Bool {
    guard number == current, number != lastRun else { return false }
    lastRun = number
    return true
  }
}

extension KnownNetworkStore {
  /// The answer or the error as a value.
  func outcome(of request: KnownNetworkRequest) async -> Result<KnownNetworkAnswer, KnownNetworkError> {
    do throws(KnownNetworkError) { return .success(try await perform(request)) } catch { return .failure(error) }
  }
}
