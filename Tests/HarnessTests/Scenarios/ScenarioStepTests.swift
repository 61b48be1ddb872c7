import Determinism
import Harness
import Testing

@Suite struct ScenarioStepTests {
  /// Runs steps in a preview world without churn, judged by expectations alone.
  private func run(_ start: String = "{ networks: mocks }", _ steps: String) async -> CheckResult {
    let head = "scenario: x\nsource: { simulate: { world: preview, seed: 7, churn: off } }\n"
    return await ScenarioCheck(path: "x.yaml", text: Array((head + "start: \(start)\nsteps:\n" + steps).utf8)).run(traces: .ignore)
  }

  @Test func `a number beside a name is compared`() async {
    let two = "{ networks: [Home, Home] }"
    let right = await run(
      two, "  - tap: { network: Home, number: 2 }\n  - expect: { destination: { connect: { network: Home, number: 2 } } }\n")
    #expect(right.verdict == .passed)
    let wrong = await run(
      two, "  - tap: { network: Home, number: 2 }\n  - expect: { destination: { connect: { network: Home, number: 1 } } }\n")
    #expect(wrong.failures.first?.contains("destination: expected connect of Home (number 1), is of Home ") == true)
  }

  @Test func `contains and missing count networks of one name`() async {
    let two = "{ networks: [Home, Home] }"
    let right = await run(two, "  - expect: { contains: [{ network: Home, number: 2 }], missing: [{ network: Home, number: 3 }] }\n")
    #expect(right.verdict == .passed)
    let more = await run(two, "  - expect: { contains: [{ network: Home, number: 3 }] }\n")
    #expect(more.failures == ["x.yaml:5:5: rows: expected Home (number 3) among them; 2 of 2 have that name"])
    let fewer = await run(two, "  - expect: { missing: [{ network: Home, number: 2 }] }\n")
    #expect(fewer.failures == ["x.yaml:5:5: rows: expected no Home (number 2), but it is there"])
  }

  @Test func `what happens at once comes to rest once`() async throws {
    let steps =
      "  - tap: Nacho Wi-Fi\n  - atOnce: [tap: cancel, dismiss, tap: Nacho Wi-Fi 5G]\n  - expect: { destination: { connect: Nacho Wi-Fi 5G } }\n"
    let result = await run(steps)
    // The sheet is gone as soon as it is swiped away, so the row under it can be tapped in the same turn.
    #expect(result.verdict == .passed)
    #expect(result.trace.count { $0.contains("screen shows sheet connect") } == 2)
  }

  private func run(_ steps: String) async -> CheckResult { await run("{ networks: mocks }", steps) }

  @Test func `what cannot be done at once fails with the place of the step`() async {
    let result = await run("  - atOnce: [tap: Nacho Wi-Fi, tap: join]\n  - expect: { wifi: on }\n")
    #expect(result.failures == ["x.yaml:5:5: there is no “join” on the screen; nothing lies over the list."])
  }

  @Test func `a late tap means the row that was there last`() async throws {
    let result = await run(
      "  - world: { lose: Nacho Wi-Fi }\n  - advance: 1s\n  - atOnce: [stale: { tap: Nacho Wi-Fi }, stale: { tap: Never There }]\n  - expect: { issues: 2 }\n"
    )
    #expect(result.verdict == .passed)
    let row = try #require(result.trace.first { $0.contains(" Nacho Wi-Fi 02:") }?.split(separator: " ").first { $0.hasPrefix("02:") })
    let late = result.trace.filter { $0.contains("a late tap on ") }
    #expect(late.first?.hasSuffix("Nacho Wi-Fi, \(row.prefix(17))") == true)
    #expect(late.last?.hasSuffix("Never There, 02:ff:ff:ff:ff:ff") == true)
  }

  @Test func `a view that forgets to cancel gets its answer`() async {
    let steps =
      "  - tap: Nacho Wi-Fi\n  - type: { password: blob }\n  - tap: join\n  - dismiss\n  - advance: 2s\n  - expect: { selected: none }\n"
    let answers = await run("{ networks: mocks, viewCancels: off }", steps).trace.filter { $0.contains("world has") }
    #expect(answers.count == 1 && answers[0].contains("1.000 world has joined Nacho Wi-Fi"))
    let none = await run(steps).trace.filter { $0.contains("world has") }
    #expect(none.count == 1 && none[0].hasSuffix("nobody waited for it any more"))
  }

  @Test func `two absent networks of equally long names are two`() async {
    let result = await run(
      "{ networks: none, selected: { network: Home, outOfRange: on }, destination: { connect: { network: Cafe, lost: on } } }",
      "  - expect: { selected: Home, destination: { connect: Cafe }, lost: on }\n  - tap: cancel\n  - tap: Home\n"
        + "  - expect: { destination: { detail: Home } }\n")
    #expect(result.verdict == .passed)
  }

  @Test func `many changes in one turn are told by their number`() async {
    let result = await run("{ networks: { count: 101 } }", "  - switch: { wifi: off }\n  - expect: { count: 0 }\n")
    #expect(result.trace.count < 10)
    #expect(result.trace.contains { $0.contains("panel begins in networks with 101 rows, hash ") })
    #expect(result.trace.contains { $0.contains("panel changes 102 times, hash ") })
  }

  /// A scan and the answer to a join at the same time take effect in the order in which they were waited for.
  @Test func `equal deadlines take effect in the order of registration`() async throws {
    let result = await run(
      "  - tap: Nacho Wi-Fi\n  - world: { find: New }\n  - tap: join\n  - advance: 1s\n  - expect: { alert: incorrectPassword }\n")
    let found = try #require(result.trace.firstIndex { $0.hasPrefix("1.000 panel insert New ") })
    let alert = try #require(result.trace.firstIndex { $0 == "1.000 screen shows alert incorrectPassword" })
    #expect(found < alert)
  }

  // MARK: Several things in one turn

  @Test func `Wi-Fi that goes off and on in one turn follows networks still`() async {
    let result = await run(
      "  - atOnce: [switch: { wifi: off }, switch: { wifi: on }]\n  - world: { find: Newcomer }\n  - advance: 2s\n"
        + "  - expect: { contains: [Newcomer] }\n")
    #expect(result.verdict == .passed)
  }

  @Test func `the password of a join is that of the tap, whatever is typed in the same turn`() async {
    let result = await run(
      "  - tap: Nacho Wi-Fi\n  - type: { password: blob }\n  - atOnce: [tap: join, type: { password: something else }]\n"
        + "  - advance: 1s\n  - expect: { selected: Nacho Wi-Fi }\n")
    #expect(result.verdict == .passed)
  }

  @Test func `a join of a sheet that goes in the same turn is cancelled`() async {
    let result = await run(
      "  - tap: Nacho Wi-Fi\n  - type: { password: blob }\n  - atOnce: [tap: join, switch: { wifi: off }]\n"
        + "  - advance: 5s\n  - expect: { wifi: off, selected: none }\n")
    #expect(result.verdict == .passed)
    #expect(!result.trace.contains { $0.contains("world has joined") })
  }
}
