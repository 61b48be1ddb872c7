import Determinism
import Harness
import Models
import Testing
import WiFi

/// Scenarios about known networks: what the reader refuses, and what a run says where something is not as expected.
@Suite struct KnownScenarioTests {
  static let bad: [BadScenario] = [
    .with("known of a wrong kind", "start: { known: Home }", "3:17: “known” is a list, not “Home”."),
    .with("no name", "start: { known: [ { security: psk } ] }", "3:19: a known network has no “name”."),
    .with("empty name", "start: { known: [ \"\" ] }", "3:19: the name of a known network has 1 to 32 bytes, this one 0."),
    .with(
      "short password", "start: { known: [ { name: Home, security: psk, password: short } ] }",
      "3:19: The password cannot be right: a WPA password has 8 to 63 characters, or 64 hexadecimal digits; this one has 5."),
    .with(
      "two joined", "start: { known: [ { name: A, joined: on }, { name: B, joined: on } ] }", "3:17: at most one network is joined."),
    .with("link", "start: { link: elsewhere }", "3:16: “elsewhere” is no link; there are known, known/add and known/NAME/edit."),
    .with(
      "priority", "start: { known: [ { name: A, priority: 1000 } ] }", "3:40: “priority” is a whole number from -999 to 999, not “1000”."),
    .steps("types nothing", "  - type: {}\n  - expect: { wifi: on }", "4:11: “type” types nothing."),
    .steps("expects nothing", "  - expect: { known: {} }", "4:22: an expectation of nothing cannot fail."),
    .steps(
      "row without facts", "  - expect: { known: { row: { name: A } } }",
      "4:29: “row” says nothing of the row; use “rows” for whether it is there."),
    .steps(
      "contradiction", "  - expect: { destination: none, known: { rows: none } }",
      "4:13: this can never be so: the destination is another, and something is expected of the known networks."),
    .steps("two events", "  - world: { known: { forget: A, takes: 1s } }\n  - expect: { wifi: on }", "4:21: one thing happens at a time."),
    BadScenario(
      "replay", "scenario: x\nsource: { replay: x.ndjson }\nstart: { known: [ A ] }\nsteps: [ { expect: { wifi: on } } ]\n",
      "3:17: “known” is for simulated worlds; other sources keep no networks."),
  ]

  @Test(arguments: bad)
  func `what cannot be read is told with its place`(bad: BadScenario) throws {
    let problem = #expect(throws: ScenarioProblem.self) { try ScenarioReader(file: "x.yaml").read(bad.text) }
    #expect(problem?.description == "x.yaml:\(bad.sentence)")
  }

  private func failures(_ steps: String, start: String = "known: [ Home, Office ]") async throws -> [String] {
    let text =
      "scenario: x\nsource: { simulate: { world: preview, seed: 7, churn: off } }\nstart: { \(start) }\nsteps:\n\(steps)\n  - expect: { wifi: on }\n"
    let scenario = try ScenarioReader(file: "x.yaml").read(text)
    let known = scenario.start.known
    return try await ScenarioRun(scenario).run { simulation in
      SimulatedWorlds.make(.init(world: "preview", seed: 7), networks: [], known: known, clock: simulation.clock)
    }.failures
  }

  @Test(arguments: [
    ("  - expect: { known: { rows: none } }", "known: the page of known networks is not there"),
    ("  - tap: save", "there is no “save” on the screen; nothing lies over the list."),
    (
      "  - tap: knownNetworks\n  - advance: 1s\n  - tap: Cabin",
      "no known network is called Cabin; there are Home, Office."
    ),
    ("  - tap: knownNetworks\n  - type: { priority: 1 }", "there is no form of a known network on the screen."),
    (
      "  - tap: knownNetworks\n  - advance: 1s\n  - tap: Home\n  - type: { name: Other }",
      "the page of a known network has no field for the name; duplicate it under another."
    ),
    (
      "  - tap: knownNetworks\n  - advance: 1s\n  - expect: { known: { rows: [ Office ], loading: on, row: { name: Home, priority: 2 } } }",
      "known rows: expected Office, is Home, Office\n  known loading: expected on, is off\n  known row Home: expected priority 2, is 0"
    ),
    ("  - world: { known: { forget: Cabin } }", "no network “Cabin” is known."),
    (
      "  - tap: knownNetworks\n  - advance: 1s\n  - tap: Home\n  - type: { password: secret one }\n  - expect: { known: { password: secret two } }",
      "known password: expected 10 other characters, was 10 characters"
    ),
  ])
  func `what is not as expected is told`(steps: String, sentence: String) async throws {
    let failure = try #require(try await failures(steps).first)
    #expect(failure.contains(sentence), "\(failure)")
    #expect(!failure.contains("secret"))
  }

  @Test func `what another program forgot goes as the list is read again`() async throws {
    let forgotten = "  - tap: knownNetworks\n  - advance: 1s\n  - world: { known: { forget: Home } }\n  - advance: 1s\n"
    let before = "  - expect: { known: { rows: [ Home, Office ] } }\n"
    let after = "  - tap: listAgain\n  - wait: { until: { known: { rows: [ Office ] } }, within: 1s }"
    #expect(try await failures(forgotten + before + after) == [])
    let failure = try #require(try await failures("  - tap: listAgain").first)
    #expect(failure.contains("there is no “listAgain” on the screen"), "\(failure)")
  }
}
