public import Determinism
public import WiFi

/// Joins fail as if the password were wrong.
public struct WrongPasswordFault: FaultRule {
  public let name = "wrong password"
  /// How many of a thousand joins.
  public var permille: Int

  /// Makes a rule for so many of a thousand joins.
  public init(permille: Int = 100) { self.permille = permille }

  public mutating func rule(forJoining network: Network, _ rule: JoinRule, _ random: inout RandomStream) -> JoinRule? {
    guard network.isSecured, random.bool(UInt64(permille), in: 1000) else { return nil }
    var changed = rule
    changed.failure = .wrongPassword
    return changed
  }
}
