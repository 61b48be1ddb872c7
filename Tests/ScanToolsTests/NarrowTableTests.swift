import ScanTools
import Terminal
import Testing
import WiFi

@Suite struct NarrowTableTests {
  func lines(_ width: Int) throws -> [String] {
    NetworkTable(width: width).lines(of: ScanReport(try capturedScan("lab")))
  }

  @Test(arguments: [20, 40, 60, 80, 100, 120])
  func `no line is wider than the terminal`(width: Int) throws {
    #expect(try lines(width).allSatisfy { DisplayWidth.columns($0) <= width })
  }

  @Test func `on eighty columns names are told apart, and addresses and ages are left out`() throws {
    let lines = try lines(80)
    #expect(lines.contains { $0.hasPrefix("Lab Enterprise 192  ") })
    #expect(lines[0].contains("SECURITY") && !lines[0].contains("AGE") && !lines[0].contains("BSSID"))
  }
}
