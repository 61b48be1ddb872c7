public import Determinism
public import WiFi

/// Access points do not answer a join in time.
public struct ConnectTimeoutFault: FaultRule {
  public let name = "connect timeout"
  /// How many of a thousand joins.
  public var permille: Int
  /// How long the join is waited for.
  public var duration: Duration

  /// Makes a rule from its parts.
  public init(permille: Int = 100, after duration: Duration = .seconds(10)) {
    self.permille = permille
    self.duration = duration
  }

  public mutating func rule(forJoining network: Network, _ rule: JoinRule, _ random: inout RandomStream) -> JoinRule? {
    guard random.bool(UInt64(permille), in: 1000) else { return nil }
    return JoinRule(password: rule.password, duration: duration, failure: .timedOut)
  }
}
