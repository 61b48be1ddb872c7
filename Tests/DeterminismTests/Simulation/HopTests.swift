import Determinism
import Foundation
import Testing

/// A hop from one isolation to another, which an optimized build leaves out where nothing needs it, takes no turn.
struct HopTests {
  /// What a task waits for in an actor.
  enum Call: String, CaseIterable {
    case nothing, value, state, valueThenHop, valueGuard
  }

  /// For each seed, whether the task that calls comes last: whatever it calls, and in every build.
  private static let golden = "1111010100100001100000111110001010011000101100111010111100100111"

  private actor Server {
    private var count = 0

    private nonisolated func pause() async { try? await Task.sleep(for: .milliseconds(30)) }

    func nothing() async { await pause() }

    func value() async -> Bool {
      await pause()
      return true
    }

    func state() async -> Int {
      await pause()
      return count
    }

    func hop() { count += 1 }
  }

  @MainActor private final class Log {
    var text = ""
  }

  @MainActor private static func call(_ call: Call, _ server: Server) async {
    switch call {
    case .nothing: await server.nothing()
    case .value: _ = await server.value()
    case .state: _ = await server.state()
    case .valueThenHop:
      _ = await server.value()
      await server.hop()
    case .valueGuard:
      guard await server.value() else { return }
      await server.hop()
    }
  }

  @Test(arguments: Call.allCases) func `a seed is one order in debug and in release`(_ call: Call) async throws {
    var orders = ""
    for seed: UInt64 in 0..<64 {
      orders += try await simulate(seed: seed) { @MainActor _ in
        let (server, log) = (Server(), Log())
        let caller = Task {
          await Self.call(call, server)
          log.text += "a"
        }
        let other = Task {
          try? await Task.sleep(for: .milliseconds(30))
          log.text += "b"
        }
        await caller.value
        await other.value
        return log.text == "ab" ? "0" : "1"
      }
    }
    #expect(orders == Self.golden)
  }
}
