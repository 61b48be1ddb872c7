import Foundation
import Simulator
import Testing

@testable import Harness

@Suite struct ListedNamesTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: ScenarioFixtures.folder.deletingLastPathComponent().appending(path: path), encoding: .utf8)
  }

  private static let article = "Sources/Harness/Harness.docc/WritingAScenario.md"

  @Test(arguments: [article, "docs/man/simulate.md"])
  func `each fault and each world is listed`(file: String) throws {
    let text = try Self.text(file)
    #expect((FaultCatalog.names + SimulatedWorlds.names).filter { !text.contains("`\($0)`") } == [])
  }

  @Test func `each step is listed, and all that can be tapped`() throws {
    let text = try Self.text(Self.article)
    #expect(ScenarioReader.StepKey.allCases.map(\.rawValue).filter { !text.contains("| `\($0)") } == [])
    #expect(ScenarioAction.Control.allCases.map(\.rawValue).filter { !text.contains("`\($0)`") } == [])
  }
}
