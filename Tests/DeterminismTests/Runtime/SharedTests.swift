import Determinism
import DeterminismTesting
import Foundation
import Synchronization
import Testing

/// What all tests of a process share: actors, hooks of the runtime, and what Foundation sets up when it is first used.
@Suite(.serialized) struct SharedTests {
  actor Cache {
    private var count = 0

    func bump() async {
      for _ in 0..<50 {
        count += 1
        await Task.yield()
      }
    }

    func compute() { for number in 0..<200_000 { count &+= number } }
  }

  private func use(_ cache: Cache, exclusive: Bool) async -> [any Error] {
    await withTaskGroup(of: (any Error)?.self) { group in
      for seed: UInt64 in 0..<4 { group.addTask { await self.failure(seed, cache, exclusive: exclusive) } }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
  }

  private func failure(_ seed: UInt64, _ cache: Cache, exclusive: Bool) async -> (any Error)? {
    do {
      try await simulate(seed: seed, exclusive: exclusive) { _ in
        for _ in 0..<40 {
          await cache.compute()
          await cache.bump()
        }
      }
      return nil
    } catch { return error }
  }

  @Test func `an actor that runs side by side share is named`() async throws {
    // On a busy machine they may miss each other.
    var failures: [String] = []
    for _ in 0..<100 where failures.isEmpty { failures = await use(Cache(), exclusive: false).map { "\($0)" } }
    let failure = try #require(failures.first)
    // Either run may see it first: that whose task another ran, or that which ran it.
    #expect(failure.contains("the actor DeterminismTests.SharedTests.Cache "), "\(failures)")
    #expect(failure.contains("make the runs that share it exclusive: .simulated(seed: 7, exclusive: true)"), "\(failures)")
  }

  @Test func `exclusive runs may share an actor`() async {
    #expect(await use(Cache(), exclusive: true).isEmpty)
  }

  /// How many runs go on now, and what was seen.
  final class Census: Sendable {
    private struct State {
      var all = 0
      var exclusive = 0
      var most = 0
      var isMixed = false
    }
    private let state = Mutex(State())

    func during(exclusive: Bool) {
      state.withLock {
        $0.all += 1
        $0.exclusive += exclusive ? 1 : 0
        $0.most = max($0.most, $0.all)
        if $0.exclusive > 0, $0.all > 1 { $0.isMixed = true }
      }
      var value = 0
      for number in 0..<300_000 { value &+= number }
      state.withLock {
        $0.all -= value == 1 ? 2 : 1
        $0.exclusive -= exclusive ? 1 : 0
      }
    }

    var most: Int { state.withLock { $0.most } }
    var isMixed: Bool { state.withLock { $0.isMixed } }
  }

  @Test(arguments: [1, 3]) func `an exclusive run is alone, on its own thread and on that of its caller`(_ every: Int) async throws {
    let census = Census()
    try await withThrowingTaskGroup { group in
      for number in 0..<90 {
        let isExclusive = number % every == 0
        group.addTask {
          if number % 2 == 0 {
            try await simulate(seed: 1, exclusive: isExclusive) { simulation in
              await simulation.advance(by: .seconds(1))
              census.during(exclusive: isExclusive)
            }
          } else {
            try withSimulation(seed: 1, exclusive: isExclusive) { _ in census.during(exclusive: isExclusive) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(!census.isMixed)
    if every == 1 { #expect(census.most == 1) }
  }

  private static let isEndless = Atomic(true)

  @Test func `an exclusive run that never returns gives its turn to others`() async throws {
    let limits = {
      var limits = SimulationLimits()
      limits.realTime = .milliseconds(100)
      return limits
    }()
    await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 1, limits: limits, exclusive: true) { _ in
        while Self.isEndless.load(ordering: .relaxed) {}
      }
    }
    Self.isEndless.store(false, ordering: .relaxed)
    try await simulate(seed: 1, exclusive: true) { _ in
      try await simulate(seed: 2, exclusive: true) { simulation in await simulation.advance(by: .seconds(1)) }
    }
  }

  @Test(.simulated(seeds: 0..<3, exclusive: true)) func `a test may be exclusive`() async {
    #expect(Simulation.current != nil)
  }

  // MARK: Foundation

  @Test(arguments: 0..<5) func `what Foundation sets up once may be set up by several runs at once`(_: Int) async {
    // In a process of its own nothing is set up yet.
    await #expect(processExitsWith: .success) { try await SharedTests.useFoundation() }
  }

  private static func useFoundation() async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          try await simulate(seed: 1) { _ in
            if number % 2 == 0 { _ = UserDefaults.standard.string(forKey: "name") }
            _ = TimeZone.current.localizedName(for: .standard, locale: Locale(identifier: "de_DE"))
            if !Date().formatted(date: .long, time: .shortened).contains("2026") { throw CancellationError() }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a sleep of no time is none`() throws {
    try withSimulation(seed: 1) { _ in
      _ = sleep(0)
      usleep(0)
    }
  }

  // MARK: Hooks of the runtime

  typealias Original = @convention(thin) (UnownedJob) -> Void
  typealias EnqueueHook = @convention(thin) (UnownedJob, Original) -> Void

  private static func hook<Function>(_ name: String) throws -> UnsafeMutablePointer<Function?> {
    try unsafe #require(dlsym(dlopen(nil, 0), name)).assumingMemoryBound(to: Function?.self)
  }

  /// What `withMainSerialExecutor` of swift-concurrency-extras does: it asks whether the hook is set, sets it, and puts it
  /// back by the answer.
  private func withMainSerialExecutor(_ body: () async throws -> Void) async throws {
    let hook: UnsafeMutablePointer<EnqueueHook?> = try unsafe Self.hook("swift_task_enqueueGlobal_hook")
    let wasSet = unsafe hook.pointee != nil
    #expect(!wasSet, "nothing sets it in a program that links simulations")
    unsafe hook.pointee = { job, _ in MainActor.shared.enqueue(job) }
    defer { if !wasSet { unsafe hook.pointee = nil } }
    try await body()
  }

  private func bumpByTen(_ simulation: Simulation) async {
    let cache = Cache()
    await withTaskGroup { group in
      for _ in 0..<10 {
        group.addTask {
          await cache.bump()
          try? await Task.sleep(for: .seconds(1))
        }
      }
    }
    #expect(simulation.clock.now.offset == .seconds(1))
  }

  @Test func `withMainSerialExecutor works beside simulations, around them and in them`() async throws {
    try await withMainSerialExecutor { await Task.detached {}.value }
    try await simulate(seed: 1) { await bumpByTen($0) }
    try await withMainSerialExecutor { try await simulate(seed: 1) { await bumpByTen($0) } }
    try await simulate(seed: 1) { simulation in try await withMainSerialExecutor { await bumpByTen(simulation) } }
    try await withThrowingTaskGroup { group in
      group.addTask { try await withMainSerialExecutor { for _ in 0..<1000 { await Task.yield() } } }
      for seed: UInt64 in 0..<50 { group.addTask { try await simulate(seed: seed) { await bumpByTen($0) } } }
      try await group.waitForAll()
    }
  }

  typealias IsMainOriginal = @convention(thin) (UnownedSerialExecutor) -> Bool
  typealias IsMainHook = @convention(thin) (UnownedSerialExecutor, IsMainOriginal) -> Bool

  @Test func `a hook that is taken before a run is chained, and one that is taken in it is named`() async {
    // In a process of its own it is taken from no run beside.
    await #expect(processExitsWith: .success) { try await SharedTests.takeHook() }
  }

  private static func takeHook() async throws {
    nonisolated(unsafe) let hook: UnsafeMutablePointer<IsMainHook?> = try unsafe Self.hook("swift_task_isMainExecutor_hook")
    let other: IsMainHook = { executor, original in unsafe original(executor) }
    unsafe hook.pointee = other
    try await simulate(seed: 1) { @MainActor _ in MainActor.assertIsolated() }
    await MainActor.run { MainActor.assertIsolated() }
    let failure = await #expect(throws: SimulationFailure.self) {
      try await simulate(seed: 1) { _ in unsafe hook.pointee = unsafe other }
    }
    let sentence = "a hook of the Swift runtime was replaced during the run by a closure in static DeterminismTests.SharedTests.takeHook()"
    #expect(failure?.description.contains(sentence) == true, "\(failure?.description ?? "")")
    try await simulate(seed: 1) { @MainActor _ in MainActor.assertIsolated() }
  }
}
