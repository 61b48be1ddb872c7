import Determinism
import Synchronization
import Testing

/// Tasks that begin at once, in a simulation as outside of one.
struct ImmediateTests {
  final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var text: String { lines.withLock { $0.joined(separator: " ") } }
  }

  actor Room {
    func use(_ log: Log) async {
      await withTaskGroup(of: Void.self) { group in
        group.addImmediateTask {
          log.add("child")
          await Task.yield()
        }
        log.add("parent")
      }
      Task.immediate { log.add("immediate") }
      log.add("behind")
    }

    /// Outside it is done while the caller goes on.
    func visit() {}
  }

  enum Body: String, CaseIterable, Sendable {
    case plain, main, nested, throwing, discarding, hopping, detached, actor, cancelled

    func run(_ log: Log) async {
      switch self {
      case .plain: await plain(log)
      case .main: await main(log)
      case .nested: await nested(log)
      case .throwing: await throwing(log)
      case .discarding: await discarding(log)
      case .hopping: await hopping(log)
      case .detached: await detached(log)
      case .actor: await Room().use(log)
      case .cancelled: await cancelled(log)
      }
    }

    private func plain(_ log: Log) async {
      await withTaskGroup(of: Void.self) { group in
        group.addImmediateTask {
          log.add("first")
          try? await Task.sleep(for: .milliseconds(100))
          log.add("later")
        }
        log.add("parent")
      }
    }

    @MainActor private func main(_ log: Log) async {
      await withTaskGroup(of: Void.self) { group in
        group.addImmediateTask { @MainActor in
          log.add("first")
          try? await Task.sleep(for: .milliseconds(100))
          log.add("later")
        }
        log.add("parent")
        group.addImmediateTask { log.add("second") }
        log.add("parent again")
      }
      Task.immediate { log.add("immediate") }
      log.add("behind")
    }

    @MainActor private func nested(_ log: Log) async {
      await withTaskGroup(of: Void.self) { group in
        group.addImmediateTask { @MainActor in
          log.add("child")
          await withTaskGroup(of: Void.self) { inner in
            inner.addImmediateTask { @MainActor in log.add("grandchild") }
            log.add("child again")
          }
          log.add("child ends")
        }
        log.add("parent")
      }
    }

    @MainActor private func throwing(_ log: Log) async {
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addImmediateTask { @MainActor in
            log.add("throws")
            throw CancellationError()
          }
          log.add("parent")
          try await group.waitForAll()
        }
      } catch { log.add("caught") }
    }

    @MainActor private func discarding(_ log: Log) async {
      await withDiscardingTaskGroup { group in
        for number in 0..<3 { group.addImmediateTask { @MainActor in log.add("\(number)") } }
        log.add("parent")
      }
    }

    @MainActor private func hopping(_ log: Log) async {
      let room = Room()
      await withTaskGroup(of: Void.self) { group in
        group.addImmediateTask { @MainActor in
          log.add("first")
          await room.visit()
          log.add("back")
        }
        log.add("parent")
      }
    }

    @MainActor private func detached(_ log: Log) async {
      let task = Task.immediateDetached { log.add("detached") }
      log.add("parent")
      await task.value
    }

    @MainActor private func cancelled(_ log: Log) async {
      let task = Task { @MainActor in
        await withTaskGroup(of: Void.self) { group in
          group.addImmediateTask { @MainActor in log.add("\(Task.isCancelled)") }
          log.add("\(group.addImmediateTaskUnlessCancelled { @MainActor in log.add("never") })")
        }
      }
      task.cancel()
      await task.value
    }
  }

  @Test(arguments: Body.allCases) func `what begins at once does so in a simulation`(_ body: Body) async throws {
    let outside = Log()
    await body.run(outside)
    for seed: UInt64 in 0..<20 {
      let inside = Log()
      try await simulate(seed: seed) { _ in await body.run(inside) }
      #expect(inside.text == outside.text, "seed \(seed)")
    }
    let byHand = Log()
    try await simulate(seed: 1, order: .inOrder) { @MainActor _ in await body.run(byHand) }
    #expect(byHand.text == outside.text)
  }

  @Test func `a task that begins at once sleeps in virtual time`() async throws {
    let times = try await simulate(seed: 7) { @MainActor simulation in
      await Task.immediate { try? await Task.sleep(for: .seconds(1)) }.value
      let first = simulation.clock.now.offset
      await withTaskGroup(of: Void.self) { group in
        group.addImmediateTask { @MainActor in try? await Task.sleep(for: .seconds(1)) }
      }
      return [first, simulation.clock.now.offset]
    }
    #expect(times == [.seconds(1), .seconds(2)])
  }
}
