import Determinism
import Foundation
import Harness
import ScanTools
import Testing

@Suite struct GoldenTraceTests {
  static let run = """
    scenario: an open network
    source: { simulate: { world: preview, seed: 7, churn: off } }
    start: { networks: mocks }
    steps:
      - tap: Blob's World
      - expect: { selected: Blob's World }

    """

  @Test func `without a golden trace a scenario fails and says how to write one`() async throws {
    let folder = try TemporaryFolder()
    let check = try folder.check("open", Self.run)
    let result = await check.run()
    let failure = try #require(result.failures.first)
    #expect(failure.hasPrefix("there is no golden trace "))
    #expect(failure.hasSuffix("write it with: wifi-harness check --update \(check.path)"))
    #expect(folder.trace("open") == nil)
  }

  #if os(Linux)
    /// As with too many open files, `--update` would not help.
    @Test func `a golden trace that cannot be read is a problem of the file, not of the scenario`() async throws {
      let folder = try TemporaryFolder()
      let check = try folder.check("open", Self.run)
      try FileManager.default.createDirectory(at: folder.url.appending(path: "traces"), withIntermediateDirectories: true)
      // Reading at address 0 of a process is an error of input.
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.appending(path: "traces/open.trace").path, withDestinationPath: "/proc/self/mem")
      let problem = try #require(await check.run().problem)
      #expect(problem.failure?.number == EIO)
      #expect(problem.sentence.hasPrefix("cannot read ") && !problem.sentence.contains("--update"))
    }
  #endif

  @Test func `update writes the trace, fails once, and then all is well`() async throws {
    let folder = try TemporaryFolder()
    let check = try folder.check("open", Self.run)
    let first = await check.run(traces: .update)
    #expect(first.isUpdated)
    #expect(first.failures.count == 1)
    #expect(first.failures.first?.hasSuffix("was written anew; look at the difference, then check again.") == true)
    #expect(folder.trace("open") == first.trace.map { $0 + "\n" }.joined())
    let second = await check.run(traces: .update)
    #expect(second.verdict == .passed)
    #expect(!second.isUpdated)
    let third = await check.run()
    #expect(third.verdict == .passed)
    #expect(third.trace == first.trace)
    #expect(third.hash == first.hash)
  }

  @Test func `a change that nobody expected fails with what changed`() async throws {
    let folder = try TemporaryFolder()
    let check = try folder.check("open", Self.run)
    _ = await check.run(traces: .update)
    // Nobody asked about the row that was lost: the expectations hold, the trace does not.
    let other = try folder.check(
      "open", Self.run.replacing("  - tap: Blob's World", with: "  - world: { lose: Nacho Wi-Fi 5G }\n  - tap: Blob's World"))
    let result = await other.run()
    let lines = try #require(result.failures.first).split(separator: "\n").map(String.init)
    #expect(lines.first?.hasSuffix("says (- golden, + this run):") == true)
    #expect(lines.filter { $0.hasPrefix("  + ") } == ["  + 0.000 world loses Nacho Wi-Fi 5G"])
    #expect(lines.filter { $0.hasPrefix("  - ") } == [])
    #expect(lines.contains("    … 3 lines as expected") || lines.contains("    … 4 lines as expected"), "\(lines)")
    #expect(lines.last == "  If that is as it should be: wifi-harness check --update \(check.path)")
  }

  @Test func `a golden trace of another run differs line by line`() async throws {
    let folder = try TemporaryFolder()
    let check = try folder.check("open", Self.run)
    _ = await check.run(traces: .update)
    let golden = try #require(folder.trace("open"))
    try folder.write(golden.replacing("selected: none → Blob's World", with: "selected: none → Somebody"), to: "traces/open.trace")
    let result = await check.run()
    let lines = try #require(result.failures.first).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("  - ") } == 1)
    #expect(lines.count { $0.hasPrefix("  + ") } == 1)
  }

  @Test func `line ends of another system make no difference`() async throws {
    let folder = try TemporaryFolder()
    let check = try folder.check("open", Self.run)
    _ = await check.run(traces: .update)
    let golden = try #require(folder.trace("open"))
    try folder.write(golden.replacing("\n", with: "\r\n"), to: "traces/open.trace")
    #expect(await check.run().verdict == .passed)
  }

  @Test func `a failed expectation is told before the trace, and writes none`() async throws {
    let folder = try TemporaryFolder()
    let check = try folder.check("open", Self.run.replacing("expect: { selected: Blob's World }", with: "expect: { selected: none }"))
    for traces in [ScenarioCheck.GoldenTraces.compare, .update] {
      let result = await check.run(traces: traces)
      #expect(result.failures.count == 1)
      #expect(result.failures.first?.contains(":6:5: selected: expected none, is Blob's World ") == true)
      #expect(folder.trace("open") == nil)
    }
  }

  @Test func `another source than the file's is judged by the expectations alone`() async throws {
    let folder = try TemporaryFolder()
    let check = try folder.check("open", "scenario: x\nsource: { interface: any }\nsteps: [ { expect: { count: 0 } } ]\n")
    let result = await check.run(source: .simulate(.init(world: "preview", seed: 7)))
    #expect(result.verdict == .passed)
    #expect(folder.trace("open") == nil)
  }

  @Test func `a trace that cannot be written is a failure`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a file in the place of the folder", to: "traces")
    let check = try folder.check("open", Self.run)
    let result = await check.run(traces: .update)
    #expect(result.failures.count == 1)
    #expect(!result.isUpdated)
  }

  @Test(arguments: [
    ("fixtures/scenarios/join.yaml", "fixtures/traces/join.trace"), ("scenarios/join.yaml", "traces/join.trace"),
    ("./scenarios/join.yml", "./traces/join.trace"), ("../scenarios/join.yaml", "../traces/join.trace"),
    ("/scenarios/join.yaml", "/traces/join.trace"), ("/a/scenarios/join.yaml", "/a/traces/join.trace"),
    ("join.yaml", "../traces/join.trace"), ("./join.yaml", "./../traces/join.trace"), ("../join.yaml", "../../traces/join.trace"),
    ("runs/join.yaml", "traces/join.trace"), ("a/runs/join.yaml", "a/runs/../traces/join.trace"),
    ("scenarios/join", "traces/join.trace"),
  ])
  func `the golden trace stands in a folder beside that of the scenario`(scenario: String, trace: String) {
    #expect(ScenarioCheck.tracePath(of: scenario) == trace)
  }
}
