import Harness
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
      await simulation.task("loads") { try await Task.sleep(for: .milliseconds(100)) }.finished()
    }
    let file = "HarnessTests/TaskOriginTests.swift"
    #expect(escaped.contains("loads came back from another thread at 0 s (started at \(file):\(line))"), "\(escaped)")
    let stalled = await failure { simulation in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      await simulation.task("reads") { for await _ in stream {} }.finished()
      continuation.finish()
    }
    #expect(stalled.contains("nor runnable (started at \(file):\(line + 6))"), "\(stalled)")
  }
}
