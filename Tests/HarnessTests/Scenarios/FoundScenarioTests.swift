import Harness
import ScanTools
import Testing

/// What explorations found and what was mended, kept as the scenarios they were shrunk to.
@Suite struct FoundScenarioTests {
  static let names = (Files.names(in: "\(SourcesTests.fixtures)/found") ?? []).filter { $0.hasSuffix(".yaml") }

  @Test func `there are some`() { #expect(!Self.names.isEmpty) }

  @Test(arguments: names, ViewKind.allCases)
  func `passes`(name: String, view: ViewKind) async throws {
    let path = "\(SourcesTests.fixtures)/found/\(name)"
    let check = ScenarioCheck(path: path, text: try Files.read(path))
    #expect(try check.scenario().isJudgedByProperties)
    let result = await check.run(via: view)
    #expect(result.verdict == .passed, "\(result)")
  }
}
