import Determinism
import Harness
import Testing
import WiFi

/// Scenarios whose joins go through a simulated daemon.
@Suite struct DaemonScenarioTests {
  static let names = ScenarioFixtures.names.filter { name in
    guard case .simulate(let source)? = try? ScenarioFixtures.check(name).scenario().source else { return false }
    return source.daemon != nil
  }

  /// Without those of what one daemon alone does, whose names begin with its own.
  static let shared = names.filter { name in !JoinDaemon.allCases.contains { name.hasPrefix("\($0.rawValue)-") } }

  @Test func `there are scenarios over each daemon`() throws {
    var daemons: Set<JoinDaemon> = []
    for name in Self.names {
      if case .simulate(let source) = try ScenarioFixtures.check(name).scenario().source, let daemon = source.daemon {
        daemons.insert(daemon)
      }
    }
    #expect(daemons == Set(JoinDaemon.allCases))
  }

  @Test(arguments: shared, JoinDaemon.allCases)
  func `does the same over every daemon, times aside`(name: String, daemon: JoinDaemon) async throws {
    let result = await (try ScenarioFixtures.check(name)).run(daemon: .named(daemon))
    #expect(result.verdict == .passed)
  }

  @Test func `a scenario without a daemon can be run over one`() async throws {
    let text = """
      scenario: x
      source: { simulate: { world: still, seed: 7 } }
      start: { networks: [{ name: Home, password: right horse }] }
      steps:
        - wait: { until: { count: 1 }, within: 10s }
        - tap: Home
        - type: { password: right horse }
        - tap: join
        - wait: { until: { destination: none }, within: 30s }
        - expect: { selected: Home }
      """
    let check = ScenarioCheck(path: "x.yaml", text: Array(text.utf8))
    for daemon in JoinDaemon.allCases { #expect(await check.run(daemon: .named(daemon)).verdict == .passed, "\(daemon)") }
  }

  @Test(arguments: [
    ("preview", ScenarioDaemon.named(.iwd), "a daemon is for worlds with a kernel; the preview world has none."),
    ("still", .owner, "no daemon owns the interface of a simulated world; name one."),
  ])
  func `a source that has no daemon says so`(world: String, daemon: ScenarioDaemon, sentence: String) async throws {
    let text = "scenario: x\nsource: { simulate: { world: \(world), seed: 7 } }\nsteps: [{ expect: { wifi: on } }]\n"
    let result = await ScenarioCheck(path: "x.yaml", text: Array(text.utf8)).run(daemon: daemon)
    guard case .unusable(let problem) = result.verdict else {
      Issue.record("\(result.verdict)")
      return
    }
    #expect(problem.sentence == sentence)
  }

  @Test func `an outline keeps what counts and no time`() {
    let trace = [
      "0.000 panel begins in top with Wi-Fi: on", "4.9929 user taps Home", "6.9929 model connecting: on → off",
      "6.9929 world has not joined Home: the access point refused with status 17 (refused while associating, status 17, certain)",
      "7.0 model known rows: none → Home: WPA2/WPA3-Personal, joined; Cabin: WPA3-Personal, joined by hand",
      "7.0 model known form: none → sae, password 0, priority 0", "7.0 screen shows push known",
      "7.0 model known loading: off → on", "7.0 model link: none → joined Home",
      "8.0 model link: joined Home → roamed within Home: weakSignal", "8.0 model known saving: off → on", "8.0 user taps back",
    ]
    #expect(
      TraceOutline.lines(of: trace) == [
        "user taps Home", "model connecting: on → off",
        "world has not joined Home: the access point refused with status 17 (refused, status 17)",
        "model known rows: none → Home: Personal, joined; Cabin: Personal, joined by hand",
        "model known form: none → personal, password 0, priority 0", "user taps back", "screen shows push known",
        "model link: none → joined Home", "model link: joined Home → roamed within Home",
      ])
  }

  @Test func `a world of access points is joined over a daemon`() async throws {
    for daemon in JoinDaemon.allCases {
      var source = ScenarioSource.SimulatedSource(world: "home", seed: 7)
      source.daemon = daemon
      let simulated = source
      let joined = try await simulate(seed: 7) { simulation in
        let world = SimulatedWorlds.make(simulated, networks: [], clock: simulation.clock)
        let scan = try #require(try await world.source.nextScan())
        let network = try #require(
          Network.networks(of: scan.bss.map { BSSFacts($0) }).filter {
            $0.isSecured && !$0.ssid.isHidden && $0.security.family == .personal
          }
          .max { $0.connectivity < $1.connectivity })
        await #expect(throws: JoinError.wrongPassword) { try await world.joiner.join(network, password: "wrong horse") }
        try await world.joiner.join(network, password: ScenarioKnownNetwork.defaultPassword)
        return try await world.knownNetworks?.knownNetworks().contains { $0.ssid == network.ssid && $0.isJoined }
      }
      #expect(joined == true, "\(daemon)")
    }
  }
}
