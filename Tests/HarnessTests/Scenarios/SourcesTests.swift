import Determinism
import Foundation
import Harness
import ScanTools
import Testing

/// One scenario file over several sources; with an adapter it runs in the kernel lane.
@Suite struct SourcesTests {
  static let fixtures = ScenarioFixtures.folder.path

  @Test func `the lab scenario passes on a simulated kernel and on the recording of a real one`() async throws {
    let path = "\(Self.fixtures)/scenarios/lab-scan-and-navigation.yaml"
    let check = ScenarioCheck(path: path, text: try Files.read(path))
    let simulated = await check.run()
    #expect(simulated.verdict == .passed)
    let recording = "\(Self.fixtures)/recordings/lab.ndjson"
    let replayed = await check.run(source: .replay(path: recording, place: .init(line: 1, column: 1)))
    #expect(replayed.verdict == .passed)
    #expect(replayed.trace != simulated.trace)
  }

  @Test func `it fails on a recording without its networks`() async throws {
    let path = "\(Self.fixtures)/scenarios/lab-scan-and-navigation.yaml"
    var text = String(decoding: try Files.read(path), as: UTF8.self)
    text.replace("Lab WPA2, Lab SAE", with: "Nobody, Lab SAE")
    let check = ScenarioCheck(path: path, text: Array(text.utf8))
    let result = await check.run(
      source: .replay(path: "\(Self.fixtures)/recordings/lab.ndjson", place: .init(line: 1, column: 1)))
    guard case .failed(let failures) = result.verdict else {
      Issue.record("it passed")
      return
    }
    #expect(failures.first?.contains("expected Nobody among them") == true, "\(failures)")
  }
}
