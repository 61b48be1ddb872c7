import Determinism
import Harness
import Models
import Scanner
import Simulator
import Testing
import WiFi

/// Facts that take time: loading, late, failed, and of what is not shown any more.
@Suite struct SlowFactsTests {
  private static let addresses = (1...6).map { MACAddress(0x9825_4A00_0000 + UInt64($0) << 24) }

  @Test func `a fact is on its way, then known`() async throws {
    try await simulate(seed: 7) { simulation in
      let source = SimulatedFacts(seed: 7, world: nil, clock: simulation.clock)
      let model = SlowFactsModel(source: source)
      #expect(model.makers == .unasked)
      let attempt = model.show(Array(Self.addresses.prefix(2)))
      #expect(model.makers == .loading)
      // What is shown already is not asked for again.
      #expect(model.show(Array(Self.addresses.prefix(2))) == nil)
      let task = simulation.task("asks") { await attempt?.run() }
      await simulation.advance(by: .milliseconds(49))
      #expect(model.makers == .loading)
      await simulation.advance(by: .seconds(2))
      #expect(model.makers.value?.count == 2)
      _ = task
    }
  }

  @Test func `a late answer for what is gone shows nowhere`() async throws {
    try await simulate(seed: 7) { simulation in
      let source = SimulatedFacts(seed: 7, world: nil, clock: simulation.clock)
      let model = SlowFactsModel(source: source)
      let first = model.show([Self.addresses[0]])
      _ = simulation.task("asks first") { await first?.run() }
      #expect(model.show([]) == nil && model.makers == .unasked)
      await simulation.advance(by: .seconds(2))
      #expect(model.makers == .unasked)
      let second = model.show([Self.addresses[1]])
      _ = simulation.task("asks second") { await second?.run() }
      model.dismissed()
      await simulation.advance(by: .seconds(2))
      #expect(model.makers == .unasked && model.loads == .unasked)
    }
  }

  @Test func `why a fact cannot be had is said`() async throws {
    try await simulate(seed: 7) { simulation in
      let source = SimulatedFacts(seed: 7, world: nil, clock: simulation.clock)
      let model = SlowFactsModel(source: source)
      source.problem = SlowFactProblem("The list of makers is not installed: apt install ieee-data.")
      let attempt = model.show([Self.addresses[0]])
      let survey = model.surveyWanted()
      #expect(model.loads == .loading)
      _ = simulation.task("asks") { await attempt?.run() }
      _ = simulation.task("asks for the survey") { await survey?.run() }
      await simulation.advance(by: .seconds(2))
      #expect(model.makers == .unavailable("The list of makers is not installed: apt install ieee-data."))
      #expect(model.loads.value == nil)
    }
  }

  @Test func `the survey of a simulated kernel is read message by message`() async throws {
    try await simulate(seed: 7) { simulation in
      let world = SimulatedWorlds.make(.init(world: "home", seed: 7), networks: [], clock: simulation.clock)
      let model = SlowFactsModel(source: SimulatedFacts(seed: 7, world: world, clock: simulation.clock))
      let attempt = model.surveyWanted()
      _ = simulation.task("asks for the survey") { await attempt?.run() }
      await simulation.advance(by: .seconds(3))
      let load = try #require(model.load(frequencyKHz: 2_412_000))
      #expect(load.noiseDBm == -92 && load.busyPercent != nil)
      #expect(load.description.hasPrefix("busy "))
    }
  }

  @Test func `the link of a simulated machine has the rate that its signal allows, as long as it is joined`() async throws {
    try await simulate(seed: 7) { simulation in
      let made = SimulatedWorlds.make(.init(world: "home", seed: 7), networks: [], clock: simulation.clock)
      let world = try #require(made as? KernelScenarioWorld)
      let model = SlowFactsModel(source: SimulatedFacts(seed: 7, world: world, clock: simulation.clock))
      let scan = try #require(try await world.source.nextScan())
      let strongest = try #require(scan.bss.max { ($0.signalMBm ?? 0) < ($1.signalMBm ?? 0) })
      let index = try #require(try await Scanner(link: world.kernel.link()).interfaces().first?.index)
      func ask() async {
        let attempt = model.surveyWanted()
        _ = simulation.task("asks") { await attempt?.run() }
        await simulation.advance(by: .seconds(3))
      }
      await ask()
      #expect(model.station == nil)
      world.kernel.setAssociation(strongest.bssid, interface: index)
      await ask()
      let rate = try #require(model.station?.sendingRate)
      #expect(model.station?.address == strongest.bssid)
      #expect(rate.mcs != nil && rate.rate100kbps ?? 0 > 0 && rate.description.contains("MCS"))
      world.kernel.setAssociation(nil, interface: index)
      await ask()
      #expect(model.station == nil)
    }
  }

  /// Any order of showing other things, leaving, asking and waiting: what is shown is never an answer to something else.
  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `whatever is shown meanwhile, an answer is of what is shown`(seed: UInt64) async throws {
    try await simulate(seed: seed) { simulation in
      var random = RandomStream(seed: seed, name: "user")
      let source = SimulatedFacts(seed: seed, world: nil, clock: simulation.clock)
      let model = SlowFactsModel(source: source)
      var tasks: [SimulatedTask] = []
      var wanted: [MACAddress] = []
      for _ in 0..<40 {
        switch random.next(below: 6) {
        case 0, 1:
          let count = Int(random.next(below: 4))
          wanted = Array(Self.addresses.dropFirst(Int(random.next(below: 3))).prefix(count))
          // The view cancels what it asked before, or is late with it.
          if random.next(below: 2) == 0 { for task in tasks { task.cancel() } }
          if let attempt = model.show(wanted) { tasks.append(simulation.task("asks") { await attempt.run() }) }
        case 2:
          model.dismissed()
          wanted = []
        case 3: source.problem = random.next(below: 3) == 0 ? SlowFactProblem("No.") : nil
        default: await simulation.advance(by: .milliseconds(Int64(random.next(below: 900))))
        }
        #expect(model.addresses == wanted)
        switch model.makers {
        case .unasked: #expect(wanted.isEmpty)
        case .loading, .unavailable: #expect(!wanted.isEmpty)
        case .known(let makers): #expect(Set(makers.keys) == Set(wanted), "seed \(seed): an answer to something else")
        }
      }
      source.problem = nil
      if let attempt = model.show([Self.addresses[5]]) { tasks.append(simulation.task("asks last") { await attempt.run() }) }
      await simulation.advance(by: .seconds(5))
      #expect(model.makers.value?.keys.map(\.self) == [Self.addresses[5]])
    }
  }
}
