import Foundation
import Models
import ScanTools
import Testing
import WiFi

@Suite struct ReplayTests {
  /// What `record` printed in the kernel lane while it wrote `lab.ndjson`, `replay` prints again.
  @Test func `replaying a recording of a real kernel gives the lines that were printed when it was made`() async throws {
    let folder = fixtures.appending(path: "recordings")
    let contents = try Recording.read(Array(try Data(contentsOf: folder.appending(path: "lab.ndjson"))))
    let expected = try String(contentsOf: folder.appending(path: "lab.txt"), encoding: .utf8)
    let start = try #require(contents.scans.first?.start)
    let model = FoundNetworksModel()
    let source = RecordingSource(contents.scans)
    var lines = ""
    while let scan = try await source.nextScan() {
      for change in model.apply(scan).networks {
        if let line = ChangeReport(change, at: scan.end - start).line { lines += line + "\n" }
      }
    }
    #expect(lines == expected)
    #expect(lines.split(separator: "\n").count { $0.contains("  lost     Lab Mortal  ") } == 1)
  }
}
