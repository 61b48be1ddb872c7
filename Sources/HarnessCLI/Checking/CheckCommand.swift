import ArgumentParser
import DaemonControl
import Determinism
import Harness
import Models
import ScanTools
import WiFi

/// The command `wifi-harness check`.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Run scenarios and check their expectations and golden traces.",
    discussion: """
      A scenario is a YAML file with a source of networks, a start state, user actions and expectations. It is checked \
      against its expectations, the properties and its golden trace (traces/NAME.trace beside the folder of the scenarios), which \
      holds every change, so an unexpected change fails. --update rewrites golden traces; a run that rewrote one \
      fails, so that it does not happen by accident. Time is virtual.

      With --replay, --interface or --simulate the networks come from there instead, and only the expectations are \
      checked.

      With --daemon, joins go through that daemon: a simulated one, or with --interface the one of this machine, \
      which then joins, leaves and forgets networks for real. Of a golden trace the actions, the outcomes and the \
      states must be the same; times and signals may differ.

      Exit status: 0 every scenario passed; 1 a scenario failed, or a golden trace was written; 65 a scenario cannot be read or \
      contradicts itself, or the capture that it replays is damaged; 66 a file cannot be opened, a scenario or the \
      recording that it names, or the folder holds no scenario.
      """)

  @Argument(help: ArgumentHelp("Scenario files, or folders of them; - is standard input.", valueName: "path"), completion: .file())
  var paths: [String]

  @Flag(help: "Rewrite golden traces; a run that changes one fails once.")
  var update = false

  @Option(help: ArgumentHelp("Write the verdicts as JUnit XML, too.", valueName: "file"), completion: .file())
  var junit: String?

  @Option(help: ArgumentHelp("Write the verdicts as a Markdown table, too, for a pull request.", valueName: "file"), completion: .file())
  var markdown: String?

  @Option(
    help: ArgumentHelp(
      "Print the verdicts in this format; github adds annotations for GitHub Actions to the text.", valueName: "format"))
  var format: CheckFormat = .text

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Run this many scenarios at once; the default is one for each core.", valueName: "jobs"))
  var jobs: Int?

  @Flag(help: "Print the trace of each scenario.")
  var trace = false

  @Option(help: ArgumentHelp("Run through this view; the trace is the same.", valueName: "view"))
  var via = ViewKind.headless

  @Option(
    help: ArgumentHelp(
      "Join through this daemon; auto is the one that owns the interface. Traces are compared without times.",
      valueName: "daemon"))
  var daemon: CheckDaemon?

  @Option(
    help: ArgumentHelp(
      "With --interface and --daemon: run this program for each event of the world, with arguments such as: lose Home.",
      valueName: "program"),
    completion: .file())
  var worldCommand: String?

  @OptionGroup(title: "Source") var source: SourceOptions

  func validate() throws {
    if update, paths.contains("-") {
      throw ValidationError("--update writes traces beside the folder of a scenario, and standard input (-) has none: name a file.")
    }
    try SourceOptions.check(inputs: paths + [source.replay])
    if daemon == .auto, source.interface == nil { throw ValidationError("--daemon auto needs an --interface, whose owner it is.") }
    if daemon != nil, update { throw ValidationError("--update writes the traces of the scenarios' own daemons; leave out --daemon.") }
    if daemon != nil, source.replay != nil { throw ValidationError("--daemon joins, and a recording (--replay) cannot be joined.") }
    if worldCommand != nil, source.interface == nil || daemon == nil {
      throw ValidationError("--world-command goes with --interface and --daemon; simulated worlds need none.")
    }
    try Concurrently.check(jobs: jobs)
    if update, source.isGiven {
      throw ValidationError("--update writes the traces of the scenarios' own sources; leave out the other source.")
    }
  }

  func run() async throws {
    let files = try paths.flatMap { try ScenarioFiles.find($0) }
    try namedFiles(of: files).refuseSame()
    if update { try Self.refuseSharedTraces(of: files) }
    for (option, output) in [("--junit", junit), ("--markdown", markdown)] {
      try OutputFile.refuseUnwritable(output, option: option)
    }
    let override = try source.scenarioSource()
    let results = try await ScenarioFiles.check(
      files, source: override, daemon: daemon?.daemon, worldCommand: worldCommand, traces: update ? .update : .compare, via: via,
      jobs: jobs ?? (daemon != nil && source.interface != nil ? 1 : SystemFiles.coreCount))
    // First of all: a reader of standard output may have seen enough, and then this ends quietly, with its status.
    do throws(FileFailure) {
      if let junit { try Files.replace(junit, with: Array(JUnitReport.xml(results).utf8)) }
      if let markdown { try Files.replace(markdown, with: Array(CheckSummary(results).markdown.utf8)) }
    } catch {
      throw Failure(.inputOutput, "\(error).")
    }
    StandardStreams.endWithoutReader(as: status(of: results))
    for result in results { try report(result) }
    try conclude(results)
  }

  /// The files of the command, whose scenarios are listed once, as it runs.
  private func namedFiles(of files: [String]) -> NamedFiles {
    if junit == nil, markdown == nil { return NamedFiles(written: []) }
    var read: [(words: String, path: String?)] = [("what is read", source.replay), ("the program of --world-command", worldCommand)]
    for file in files where file != "-" {
      read.append(("a scenario", file))
      read.append(("a golden trace", ScenarioCheck.tracePath(of: file)))
      read.append(("golden pictures", ScenarioCheck.picturePath(of: file, via: via)))
    }
    return NamedFiles(written: [("--junit", junit), ("--markdown", markdown)], read: read)
  }

  /// Refuses two scenarios of one golden trace, of which each run would write its own over that of the other.
  private static func refuseSharedTraces(of files: [String]) throws(Failure) {
    var earlier: [String: [String]] = [:]
    for file in files {
      let trace = ScenarioCheck.tracePath(of: file)
      let name = trace.split(separator: "/").last.map(String.init) ?? trace
      for other in earlier[name] ?? [] where !Files.isSame(other, file) {
        guard Files.excludeEachOther(ScenarioCheck.tracePath(of: other), trace) else { continue }
        let both = "\(PrintableText.escape(other)) and \(PrintableText.escape(file))"
        throw Failure(.usage, "--update: \(both) have one golden trace, \(PrintableText.escape(trace)); give one of them another name.")
      }
      earlier[name, default: []].append(file)
    }
  }

  private func report(_ result: CheckResult) throws {
    if format == .ndjson {
      if case .unusable(let problem) = result.verdict { problem.write() }
      return try StandardStreams.write(CheckSummary.line(result, withTrace: trace))
    }
    if format == .github { for line in GitHubAnnotations.lines(result) { try StandardStreams.write(line + "\n") } }
    let file = PrintableText.escape(result.file)
    let name = PrintableText.escape(result.name)
    if trace { try StandardStreams.write(result.trace.map { "  \($0)\n" }.joined()) }
    switch result.verdict {
    case .passed: try StandardStreams.write("passed  \(file)  \(name)\n")
    case .failed(let failures):
      try StandardStreams.write("FAILED  \(file)  \(name)\n")
      for line in failures.flatMap({ $0.split(separator: "\n", omittingEmptySubsequences: false) }) {
        try StandardStreams.write("  \(line)\n")
      }
    case .unusable(let problem):
      try StandardStreams.write("INVALID  \(file)\n")
      problem.write()
    }
  }

  private func conclude(_ results: [CheckResult]) throws {
    let failed = results.count { if case .failed = $0.verdict { true } else { false } }
    let invalid = results.count { if case .unusable = $0.verdict { true } else { false } }
    if format != .ndjson {
      try StandardStreams.write(
        "\(results.count.counted("scenario")): \(results.count - failed - invalid) passed, \(failed) failed"
          + (invalid == 0 ? "\n" : ", \(invalid) invalid\n"))
    }
    let status = status(of: results)
    if status != .success { StandardStreams.exit(status) }
  }

  /// The status of the gravest result.
  private func status(of results: [CheckResult]) -> ExitStatus {
    let statuses = results.map { result -> ExitStatus in
      switch result.verdict {
      case .passed: .success
      case .failed: .checkFailed
      case .unusable(let problem): problem.status
      }
    }
    let order = [ExitStatus.systemError, .inputOutput, .dataError, .noInput, .unavailable, .checkFailed]
    return order.first { statuses.contains($0) } ?? .success
  }
}

/// Which daemon joins.
enum CheckDaemon: String, ExpressibleByArgument, CaseIterable {
  case auto, supplicant, networkmanager, iwd

  var daemon: ScenarioDaemon { JoinDaemon(rawValue: rawValue).map { .named($0) } ?? .owner }
}

/// How verdicts are printed.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson, github
}

extension CheckCommand: ScansAdapter {
  var scansAdapter: Bool { source.interface != nil }
}
