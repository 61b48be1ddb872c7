import ArgumentParser
import WiFi

/// The command `wifi-harness doctor`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Diagnose adapters: list what can scan, what prevents a scan, and what to do about it.",
    discussion: """
      Starts no scan and needs no privilege.

      Exit status: 0 a scan can start; 69 nothing can scan; 77 only the privilege is missing.
      """)

  @Option(help: "Print the findings in this format.")
  var format = TableFormat.table

  @Flag(help: "The same as --format json.")
  var json = false

  mutating func validate() throws { if json { format = .json } }

  func run() async throws {
    let report = try await Examination.make()
    switch format {
    case .table: try StandardStreams.write(report.text)
    case .json: try StandardStreams.write(report.json)
    }
    if report.status != .success { StandardStreams.exit(report.status) }
  }
}

extension DoctorCommand: ScansAdapter {
  var scansAdapter: Bool { true }
}
