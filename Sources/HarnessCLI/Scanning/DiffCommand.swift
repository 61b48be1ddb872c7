import ArgumentParser
import ScanTools
import WiFi

/// The command `wifi-harness diff`.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare what two recordings, captures or saved scans heard.",
    discussion: """
      Lists access points that were added, are gone or were replaced by another of the same name, that moved to another \
      channel or width, changed their name, security or capabilities, and whose median signal differs. Access points are \
      matched by their BSSID.

      That an access point was heard on one side only counts as a difference where Fisher's exact test says so and it was \
      heard in at least half of the scans; a signal, where the medians differ by at least \
      \(ScanComparison.leastSignalChangeDB) dB and the Mann-Whitney U test says so. The level is \(ScanComparison.level), \
      divided by the number of access points. Ten scans on each side are enough for most. What is not established is \
      listed with a question mark.

      Exit status: 0 no difference is established, and the audit finds nothing new; 1 they differ, or the audit finds something new; \
      65 a file is no recording, capture or saved scan, or holds no scan, or is damaged, and what could be read of it was compared; \
      66 a file cannot be opened.
      """)

  @Argument(
    help: ArgumentHelp("A recording, a capture or a scan of --format json; - is standard input.", valueName: "before"),
    completion: .file())
  var before: String

  @Argument(help: ArgumentHelp("What to compare with it.", valueName: "after"), completion: .file())
  var after: String

  @OptionGroup(title: "Filters") var filter: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Leave out these kinds of differences: \(ScanComparison.Kind.allCases.map(\.rawValue).joined(separator: ", ")). "
        + "Separated by commas, repeatable.", valueName: "list"),
    completion: .list(ScanComparison.Kind.allCases.map(\.rawValue)))
  var ignore: [String] = []

  @Flag(help: "Exit with 1 for differences that are not established, too: for single scans.")
  var strict = false

  @Flag(
    help:
      "Audit both sides, and list what is found on one side only. What was heard before counts as known, so an access point that imitates one of its networks is named."
  )
  var audit = false

  @Option(help: "Print the differences in this format.")
  var format = TableFormat.table

  @Flag(help: "The same as --format json.")
  var json = false

  @Flag(help: "Write JSON with one field a line.")
  var pretty = false

  @Option(help: ArgumentHelp("Colour the table; auto does so on a terminal.", valueName: "when"))
  var color = ColourChoice.auto

  mutating func validate() throws {
    if json { format = .json }
    if pretty, format != .json { throw ValidationError("--pretty goes with --format json.") }
    if color == .always, format != .table { throw ValidationError("--color goes with --format table.") }
    try SourceOptions.check(inputs: [before, after])
    _ = try ignored()
  }

  /// The kinds that are to be left out.
  private func ignored() throws -> Set<ScanComparison.Kind> { Set(try CommaList.choices(ignore, "--ignore")) }

  func run() async throws {
    let query = try filter.query()
    let comparison = ScanComparison(
      try await ScanSummary.of(file: before, query), try await ScanSummary.of(file: after, query), ignoring: try ignored())
    let audited = audit ? AuditComparison(comparison.before, comparison.after, maker: AddressRegistry.makers()) : nil
    var report = ComparisonReport(comparison, audit: audited)
    report.isColoured = color.isOn
    switch format {
    case .table: try StandardStreams.write(report.text)
    case .json: try StandardStreams.write(report.json(pretty: pretty))
    }
    if comparison.accessPointCount == 0 {
      if query.isEmpty {
        StandardStreams.say("no access point was heard on either side.")
      } else {
        filter.warnThatNothingPasses(" on either side")
      }
    }
    SourceOptions.exitWhereDamaged()
    if comparison.differs || audited.map({ !$0.new.isEmpty }) ?? false || strict && !comparison.differences.isEmpty {
      StandardStreams.exit(.checkFailed)
    }
  }
}
