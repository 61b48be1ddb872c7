import Determinism
import Harness
import ScanTools
import Testing

/// What a run does does not depend on the view that it goes through.
@Suite struct ViewsAgreeTests {
  @Test(arguments: 1..<13 as Range<UInt64>)
  func `random user input gives one trace headless and through the terminal`(seed: UInt64) async {
    var run = SettingsRun(RunPlan(seed: seed))
    let headless = await run.run(recorder: RunRecorder(keeps: .trace))
    run.start.view = .terminal
    let terminal = await run.run(recorder: RunRecorder(keeps: .trace))
    let first = zip(headless.trace, terminal.trace).first { $0 != $1 }
    #expect(first == nil, "seed \(seed): headless “\(first?.0 ?? "")”, terminal “\(first?.1 ?? "")”")
    #expect(headless.trace.count > 10)
    #expect(headless.hash == terminal.hash)
    #expect(terminal.violations.isEmpty)
  }

  @Test(arguments: ScenarioFixtures.names)
  func `each shipped scenario gives its golden trace through the terminal, and its golden pictures`(name: String) async throws {
    let result = await (try ScenarioFixtures.check(name)).run(via: .terminal)
    #expect(result.verdict == .passed)
  }

  @Test(arguments: ScenarioFixtures.names)
  func `each shipped scenario gives its golden trace through the page, and its golden changes`(name: String) async throws {
    let result = await (try ScenarioFixtures.check(name)).run(via: .page)
    #expect(result.verdict == .passed)
  }

  @Test(arguments: [ViewKind.terminal, .page])
  func `a dozen scenarios have golden pictures, and so have known networks`(view: ViewKind) {
    let golden = ScenarioFixtures.names.filter { name in
      let path = ScenarioCheck.picturePath(of: ScenarioFixtures.path(name), via: view)
      return (try? Files.read(path))?.isEmpty == false
    }
    #expect(golden.count >= 12)
    #expect(golden.count { $0.hasPrefix("known-network") } >= 4)
  }
}
