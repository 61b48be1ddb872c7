import ArgumentParser
import ScanTools
import WiFi

/// The command `wifi-harness audit`.
struct AuditCommand: AsyncParsableCommand, ReadsSource {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "List what makes networks weak or doubtful, with the clause of the standard.",
    discussion: """
      Scans once, or reads a recording, a capture or a simulated world. Of a file it audits all scans, unless --at names one. \
      Findings are grouped by network, the most severe first.

      Exit status: 0 nothing was found; 1 something was.
      """)

  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Scan request") var request: RequestOptions
  @OptionGroup(title: "Filters") var filter: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Check only these rules: \(AuditRule.allCases.map(\.rawValue).joined(separator: ", ")). Separated by commas, repeatable.",
      valueName: "list"), completion: .list(AuditRule.allCases.map(\.rawValue)))
  var rules: [String] = []

  @Option(
    help: ArgumentHelp(
      "Compare with what is known: a scan, a recording or a capture to be trusted, or the output of known list --format json.",
      valueName: "file"), completion: .file())
  var known: String?

  @Option(
    name: .customLong("at"), parsing: .unconditional,
    help: ArgumentHelp("With --replay: audit the scan with this number, from 1; the default is all of them.", valueName: "n"))
  var number: Int?

  @Option(help: "Print the findings in this format.")
  var format = TableFormat.table

  @Flag(help: "The same as --format json.")
  var json = false

  @Flag(help: "Write JSON with one field a line.")
  var pretty = false

  mutating func validate() throws {
    if json { format = .json }
    if pretty, format != .json { throw ValidationError("--pretty goes with --format json.") }
    try SourceOptions.check(inputs: [known, source.replay])
    if number != nil, source.replay == nil { throw ValidationError("--at goes with --replay.") }
    if let number, number < 1 { throw ValidationError("--at counts from 1.") }
    try request.validate(with: source)
    _ = try chosen()
  }

  func run() async throws {
    let (query, baseline) = (try filter.query(), try await baseline())
    let list: [AuditedBSS]
    if let file = source.replay, number == nil {
      list = try await ScanSummary.of(file: file, query).audited
      if list.isEmpty, !query.isEmpty { filter.warnThatNothingPasses("") }
    } else {
      let scan: Scan
      do {
        scan = try await ScanReader(source: source, request: request, query: query, number: number).read().scan
      } catch { throw Failure.ofScanning(error) }
      ScanReader.warn(of: scan)
      list = AuditedBSS.list(scan.bss.map { BSSFacts($0) }.filter(query.accepts))
      try filter.warn(wherePasses: list.count, of: scan)
    }
    let audit = Audit(list, baseline: baseline, rules: try chosen(), maker: AddressRegistry.makers())
    let report = AuditReport(audit)
    try StandardStreams.write(format == .json ? report.json(pretty: pretty) : Array(report.text.utf8))
    SourceOptions.exitWhereDamaged()
    if !audit.findings.isEmpty { StandardStreams.exit(.checkFailed) }
  }

  /// What to look for.
  private func chosen() throws -> Set<AuditRule> {
    if rules.isEmpty { return Set(AuditRule.allCases) }
    return Set(try CommaList.choices(rules, "--rules"))
  }

  /// What is known.
  private func baseline() async throws(Failure) -> AuditBaseline {
    guard let known else { return AuditBaseline() }
    if known != "-", let bytes = try? Files.read(known, limit: 16 << 20) {
      do throws(AuditBaseline.Failure) {
        if let baseline = try AuditBaseline(knownNetworks: bytes) { return baseline }
      } catch {
        throw Failure(.dataError, "\(PrintableText.escape(known)), \(error).")
      }
    }
    return AuditBaseline(try await ScanSummary.of(file: known, BSSQuery()).audited)
  }
}

extension AddressRegistry {
  /// Who was assigned an address, where the list of the IEEE is installed.
  static func makers() -> ((MACAddress) -> String?)? {
    guard let registry = try? installed() else { return nil }
    return { registry.maker(of: $0) }
  }
}
