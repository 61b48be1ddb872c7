import Determinism
import Dispatch
import Foundation
import Testing

/// A model whose functions are inlined in a release build.
@MainActor private final class Waiter {
  nonisolated static let line = #line + 1
  func load() { usleep(1) }
  func loadInTask() -> Task<Void, Never> { Task(name: "loads") { load() } }
  func loadUnnamed() -> Task<Void, Never> { Task { load() } }
  nonisolated static let sleepLine = #line + 1
  func sleep() { Thread.sleep(forTimeInterval: 0.000_001) }
  nonisolated static let queueLine = #line + 1
  func enqueue() { DispatchQueue.global().async {} }
}

/// Reports say the line, in a release build, too, where functions are inlined into others and their names are gone.
@Suite struct PlaceTests {
  @Test func `the body of a test on the main actor`() async {
    let escapes = await escapes { @MainActor _ in Waiter().load() }
    #expect(escapes.map(\.place) == ["PlaceTests.swift:\(Waiter.line)"], "\(escapes)")
    #expect(escapes.map(\.task) == ["the body of simulate"])
  }

  @Test func `a task of a model, by its name, and one without`() async {
    let named = await escapes { @MainActor _ in await Waiter().loadInTask().value }
    #expect(named.map(\.place) == ["PlaceTests.swift:\(Waiter.line)"] && named.map(\.task) == ["loads"], "\(named)")
    let unnamed = await escapes { @MainActor _ in await Waiter().loadUnnamed().value }
    #expect(unnamed.map(\.place) == ["PlaceTests.swift:\(Waiter.line)"], "\(unnamed)")
    #expect(unnamed.map(\.task) == ["a task without a name"])
  }

  @Test func `what Foundation and Dispatch do`() async {
    let slept = await escapes { @MainActor _ in Waiter().sleep() }
    #expect(slept.map(\.place) == ["PlaceTests.swift:\(Waiter.sleepLine)"], "\(slept)")
    let queued = await escapes { @MainActor _ in Waiter().enqueue() }
    #expect(queued.map(\.place) == ["PlaceTests.swift:\(Waiter.queueLine)"], "\(queued)")
  }

  @Test func `a task that another started is no other`() async throws {
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 7) { simulation in
        await simulation.task("polls") { Task { usleep(1) } }.finished()
      }
    }
    #expect(failure?.description.contains("a task of “polls” without a name called usleep") == true, "\(failure as Any)")
  }
}
