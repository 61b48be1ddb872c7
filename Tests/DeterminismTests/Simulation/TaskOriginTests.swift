import CDeterminism
import Determinism
import Foundation
import Synchronization
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

  private actor Counter {
    private(set) var count = 0
    func add() { count += 1 }
  }

  @Test func `a recorded order names tasks by where they were made, and who calls an actor`() async throws {
    let words = Mutex<[String]>([])
    let count = try await simulate(seed: 7, order: .chosen((0..<20).map { .init(number: $0, index: 1) })) { simulation in
      simulation.record(choices: ChoiceRecord())
      simulation.onOvertaking { text in words.withLock { $0.append(text) } }
      let counter = Counter()
      let task = Task { await counter.add() }
      async let other: Void = counter.add()
      await withTaskGroup { group in
        group.addTask { await counter.add() }
        group.addTask(name: "named") { await counter.add() }
      }
      await task.value
      await other
      return await counter.count
    }
    #expect(count == 4)
    let (all, here) = (words.withLock { $0.joined(separator: "\n") }, #line - 11)
    for line in [here, here + 1, here + 3, here + 4] {
      #expect(all.contains("(started at TaskOriginTests.swift:\(line))"), "\(line): \(all)")
    }
    #expect(all.contains("the actor Counter, which a task without a name in ") && all.contains(" calls, goes on before "), "\(all)")
  }

  @Test func `a recorded order of a seed looks up no places, as it names none`() async throws {
    for (order, keeps) in [(JobOrder.shuffled, false), (.inOrder, false), (.chosen([]), true)] {
      try await simulate(seed: 7, order: order) { simulation in
        simulation.record(choices: ChoiceRecord())
        let keepsOrigins = unsafe determinism_this_thread().pointee.keeps_origins
        #expect(keepsOrigins == keeps, "\(order)")
      }
    }
  }
}
