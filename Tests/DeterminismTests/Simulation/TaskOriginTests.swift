import Determinism
import Foundation
import Testing

@Suite struct TaskOriginTests {
  private func failure(_ body: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> Void) async -> String {
    do {
      try await simulate(seed: 7, body)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func `a report says where a task was started`() async {
    let line = #line + 2
    let escaped = await failure { simulation in
      await simulation.task("loads") { _ = usleep(1) }.finished()
    }
    let file = "DeterminismTests/TaskOriginTests.swift"
    #expect(escaped.contains("loads called usleep, which blocks the thread of the simulation, in "), "\(escaped)")
    #expect(escaped.contains("in DeterminismTests.TaskOriginTests.`a"), "\(escaped)")
    #expect(escaped.contains("(started at \(file):\(line))"), "\(escaped)")
    let stalled = await failure { simulation in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      await simulation.task("reads") { for await _ in stream {} }.finished()
      continuation.finish()
    }
    #expect(stalled.contains("nor runnable (started at \(file):\(line + 8))"), "\(stalled)")
  }
}
