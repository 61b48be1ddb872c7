import ArgumentParser
import DaemonControl
import Determinism
import Harness
import Models
import ScanTools
import Scanner
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
    if daemon == .auto, source.interface == nil { throw ValidationError("--daemon auto needs an --interface, whose owner it is.") }
    if daemon != nil, update { throw ValidationError("--update writes the traces of the scenarios' own daemons; leave out --daemon.") }
    if daemon != nil, source.replay != nil { throw ValidationError("--daemon joins, and a recording (--replay) cannot be joined.") }
    if worldCommand != nil, source.interface == nil || daemon == nil {
      throw ValidationError("--world-command goes with --interface and --daemon; simulated worlds need none.")
    }
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes 1 to 1024.") }
    if update, source.isGiven {
      throw ValidationError("--update writes the traces of the scenarios' own sources; leave out the other source.")
    }
  }

  func run() async throws {
    let files = try paths.flatMap { try ScenarioFiles.find($0) }
    for (option, output) in [("--junit", junit), ("--markdown", markdown)] {
      if let output, files.contains(where: { Files.isSame($0, output) }) {
        throw Failure(
          .usage, "\(option) names a scenario, \(PrintableText.escape(Array(output.utf8))), which it would replace; give another name.")
      }
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

  private func report(_ result: CheckResult) throws {
    if format == .ndjson {
      if case .unusable(let problem) = result.verdict { problem.write() }
      return try StandardStreams.write(CheckSummary.line(result, withTrace: trace))
    }
    if format == .github { for line in GitHubAnnotations.lines(result) { try StandardStreams.write(line + "\n") } }
    let file = PrintableText.escape(Array(result.file.utf8))
    let name = PrintableText.escape(Array(result.name.utf8))
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
    let problems = results.compactMap { result in if case .unusable(let problem) = result.verdict { problem } else { nil } }
    if format != .ndjson {
      try StandardStreams.write(
        "\(results.count) \(results.count == 1 ? "scenario" : "scenarios"): \(results.count - failed - problems.count) passed, \(failed) failed"
          + (problems.isEmpty ? "\n" : ", \(problems.count) invalid\n"))
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

/// Scenario files on disk.
enum ScenarioFiles {
  /// The scenario files that a path means: the file itself, or those of a folder and of the folders in it, in order.
  static func find(_ path: String) throws(Failure) -> [String] {
    guard let names = Files.names(in: path) else { return [path] }
    var found: [String] = []
    for name in names where !name.hasPrefix(".") {
      let inner = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        found.append(inner)
      } else if Files.names(in: inner) != nil {
        found += (try? find(inner)) ?? []
      }
    }
    if found.isEmpty {
      throw Failure(.noInput, "\(PrintableText.escape(Array(path.utf8))) holds no scenario: no file there ends in .yaml.")
    }
    return found
  }

  /// Checks files, several at once, and gives the results in the order of the files.
  static func check(
    _ files: [String], source: ScenarioSource?, daemon: ScenarioDaemon? = nil, worldCommand: String? = nil,
    traces: ScenarioCheck.GoldenTraces, via view: ViewKind = .headless, jobs: Int
  ) async throws -> [CheckResult] {
    var results: [CheckResult?] = Array(repeating: nil, count: files.count)
    try await Concurrently.each(files, jobs: jobs) { path in
      await check(path, source, daemon, worldCommand, traces, view)
    } _: { place, result in
      results[place] = result
      return true
    }
    return results.compactMap { $0 }
  }

  /// Scans of a wireless interface, every two seconds, and its daemon where that is to join.
  static func openAdapter(
    _ name: String?, _ daemon: ScenarioDaemon? = nil, worldCommand: String? = nil, refusal: AdapterRefusal
  ) throws -> ScenarioAdapter? {
    let clock = ContinuousClock()
    let source = AdapterRefusal.Source(
      AdapterSource(
        scanner: try SourceOptions.scanner(), configuration: ScanSession.Configuration(interface: name), interval: .seconds(2)
      ) { try await clock.sleep(for: $0) }, refusal: refusal)
    guard let daemon else { return ScenarioAdapter(source: source) }
    #if os(Linux)
      guard let name else { throw Failure(.usage, "--daemon joins for real: name the interface.") }
      let owner: JoinDaemon? = if case .named(let named) = daemon { named } else { nil }
      try DaemonOptions.checkBus(owner)
      let access = DaemonAccess(over: owner, interface: { name }) { () throws(LinkError) in
        try LiveControlLink(paths: DaemonOptions.paths)
      }
      let pause = JoiningPause(DaemonNetworkJoiner(access), source, clock: clock)
      var adapter = ScenarioAdapter(source: pause)
      adapter.joiner = pause
      adapter.knownNetworks = DaemonKnownNetworks(access)
      adapter.associationObserver = DaemonAssociationObserver(access) { try await clock.sleep(for: $0) }
      if let worldCommand { adapter.onWorldEvent = { event throws(WorldCannot) in try WorldCommand(path: worldCommand).run(event) } }
      return adapter
    #else
      throw Failure(.unavailable, "this system has none of the daemons that join networks: NetworkManager, iwd, wpa_supplicant.")
    #endif
  }

  @concurrent private static func check(
    _ path: String, _ source: ScenarioSource?, _ daemon: ScenarioDaemon?, _ worldCommand: String?,
    _ traces: ScenarioCheck.GoldenTraces, _ view: ViewKind
  ) async -> CheckResult {
    // What comes from standard input has no place for a golden trace.
    let traces = path == "-" ? .ignore : traces
    do {
      let refusal = AdapterRefusal()
      var result = await ScenarioCheck(path: path, text: try Files.read(path)).run(
        source: source, daemon: daemon, traces: traces, via: view
      ) { try openAdapter($0, $1, worldCommand: worldCommand, refusal: refusal) }
      if let error = refusal.error { result.verdict = .unusable(ScenarioProblem(file: path, error)) }
      return result
    } catch {
      return CheckResult(name: path, file: path, verdict: .unusable(ScenarioProblem(file: path, error)))
    }
  }
}

extension CheckCommand: ScansAdapter {
  var scansAdapter: Bool { source.interface != nil }
}
