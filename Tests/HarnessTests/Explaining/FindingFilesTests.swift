import Determinism
import Testing

@testable import Harness

/// What is written of a finding.
@Suite struct FindingFilesTests {
  private func files(_ view: ViewKind) async throws -> FindingFiles {
    let (run, outcome) = try #require(await violating(noPage, seeds: 0..<24).first)
    let result = Shrinker(noPage.name, run.through(view), outcome, properties: { [noPage.ofSettings] })
    return await FindingFiles(.init(seed: run.seed, violation: try #require(outcome.violations.first)), result)
  }

  @Test(arguments: ViewKind.allCases) func `a finding is repeated through the view that found it`(view: ViewKind) async throws {
    let files = try await files(view)
    let isPlain = view == .headless
    // The command of the text and of the page, and the test.
    #expect(files.text.contains("\nrepeat: wifi-harness check \(files.stem).yaml\(isPlain ? "" : " --via \(view)")\n"), "\(files.text)")
    #expect(files.html.contains("wifi-harness check \(files.stem).yaml\(isPlain ? "" : " --via \(view)")<"))
    #expect(files.text.contains("text: try Files.read(path)).run(\(isPlain ? "" : "via: .\(view)"))\n"), "\(files.text)")
  }
}
