import Determinism
import Testing

extension SimulationLimits {
  /// For what comes back on a busy machine.
  static var unhurried: SimulationLimits {
    var limits = SimulationLimits()
    limits.escapeGrace = .seconds(30)
    limits.realTime = nil
    return limits
  }
}

/// What left a simulation; a test in which nothing did fails.
func escapes(
  _ limits: SimulationLimits = SimulationLimits(), _ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Void
) async -> [Escape] {
  let failure = await #expect(throws: SimulationFailure.self) { try await simulate(seed: 7, limits: limits, body) }
  guard case .escaped(let escapes)? = failure?.reason else {
    Issue.record("\(failure as Any)")
    return []
  }
  return escapes
}
