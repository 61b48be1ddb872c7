/// How a view goes from one state to the next.
public struct Animation: Hashable, Sendable {
  /// What the view calls it.
  public var name: String
  /// How long it takes.
  public var duration: Duration

  /// Makes an animation from its parts.
  public init(name: String, duration: Duration) {
    self.name = name
    self.duration = duration
  }

  /// What the view does where nothing else is said: 350 ms.
  public static let `default` = Animation(name: "default", duration: .milliseconds(350))
}

extension Transaction {
  private enum AnimationKey: TransactionKey { static var defaultValue: Animation? { nil } }
  private enum CauseKey: TransactionKey { static var defaultValue: String? { nil } }

  /// How to animate the change; `nil` where it is not animated.
  public var animation: Animation? {
    get { self[AnimationKey.self] }
    set { self[AnimationKey.self] = newValue }
  }

  /// Why the change was made, for a trace.
  public var cause: String? {
    get { self[CauseKey.self] }
    set { self[CauseKey.self] = newValue }
  }
}

/// Makes changes that are animated.
public func withAnimation<Result>(_ animation: Animation? = .default, _ change: () throws -> Result) rethrows -> Result {
  try withTransaction(\.animation, animation, change)
}
