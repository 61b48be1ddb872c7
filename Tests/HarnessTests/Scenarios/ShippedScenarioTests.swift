import Determinism
import Harness
import Testing

@Suite struct ShippedScenarioTests {
  @Test func `there are scenarios, and each that is judged by a golden trace has one`() {
    #expect(ScenarioFixtures.traced.count >= 40)
    #expect(ScenarioFixtures.traced == ScenarioFixtures.traces)
  }

  @Test(arguments: ScenarioFixtures.names)
  func `passes`(name: String) async throws {
    let result = await (try ScenarioFixtures.check(name)).run()
    #expect(result.verdict == .passed)
    #expect(result.hash != 0)
  }

  @Test(arguments: ScenarioFixtures.names)
  func `says what it is about`(name: String) throws {
    let scenario = try ScenarioFixtures.check(name).scenario()
    #expect(scenario.about?.hasSuffix(".") == true)
    #expect(!scenario.name.hasSuffix("."))
    #expect(name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
  }

  @Test func `titles differ`() throws {
    var seen: [String: String] = [:]
    for name in ScenarioFixtures.names {
      let title = try ScenarioFixtures.check(name).scenario().name
      #expect(seen.updateValue(name, forKey: title) == nil, "\(title): \(name) and \(seen[title] ?? "")")
    }
  }

  /// Where a scan and the answer to a join, or a tap and a switch, come at the same instant, their order is the order of
  /// jobs; what a user sees in the end must not depend on it, the trace does.
  static let withTies: Set<String> = [
    "join-tapped-as-wifi-goes-off", "join-wrong-then-right", "network-lost-while-it-joins",
    "networks-found-in-the-same-second-as-an-answer",
  ]
  /// To make ten thousand networks takes seconds in a debug build, and a thousand show the same.
  static let slow: Set<String> = ["ten-thousand-networks"]

  @Test(arguments: ScenarioFixtures.traced.filter { !slow.contains($0) }, [1, 2, 3] as [UInt64])
  func `does the same in any order of jobs`(name: String, seed: UInt64) async throws {
    // Where a user races, the order is what the scenario is about.
    if try ScenarioFixtures.check(name).scenario().races { return }
    let outcome = try await ScenarioFixtures.run(name, order: ScenarioFixtures.anyOrder(seed))
    #expect(outcome.failures == [])
    if Self.withTies.contains(name) { return }
    #expect(LineDifference.text(expected: try ScenarioFixtures.golden(name), actual: outcome.trace) == [])
  }

  @Test(arguments: withTies.sorted())
  func `two runs in one order of jobs are one run`(name: String) async throws {
    for seed: UInt64 in 0..<4 {
      let first = try await ScenarioFixtures.run(name, order: ScenarioFixtures.anyOrder(seed))
      let second = try await ScenarioFixtures.run(name, order: ScenarioFixtures.anyOrder(seed))
      #expect(first.trace == second.trace)
      #expect(first.hash == second.hash)
    }
  }

  @Test func `no trace holds a password`() throws {
    for name in ScenarioFixtures.traced {
      for line in try ScenarioFixtures.golden(name) {
        for secret in ["blob", "nope", "something else", "whatever"] {
          #expect(!line.split(separator: " ").contains(Substring(secret)) && !line.contains("“\(secret)”"), "\(name): \(line)")
        }
      }
    }
  }
}
