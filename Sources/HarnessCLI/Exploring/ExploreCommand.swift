import ArgumentParser
import Determinism
import Dispatch
import Harness
import ScanTools
import WiFi

/// The command `wifi-harness explore`.
struct ExploreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore", abstract: "Search for violations: random user input, faults and task orders from many seeds.",
    discussion: """
      Each seed draws a world, a start state, faults and user input. It is run twice, in two processes, and both runs \
      must agree. Properties are checked whenever the run is at rest; then faults stop, and pending work must finish. \
      Findings are shrunk and written to the folder of --output as scenarios for `check`, each with a page that \
      explains it. Findings of earlier explorations that no longer fail are removed.

      An interrupted exploration resumes if it is started again with the same --output. With --shard it runs its share \
      of the seeds; `merge` combines the shares.

      Exit status: 0 no violation was found; 1 at least one was, or no network was ever joined in 64 seeds or more, so that nothing could \
      be found; 65 the journal in the folder belongs to another exploration; 70 a bug in this program, or the second process ended twice \
      while it ran the same seeds; 75 another exploration writes to the folder now.
      """,
    subcommands: [MergeCommand.self, CompareCommand.self, OrdersCommand.self, StatisticsCommand.self, WorkerCommand.self])

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Run these seeds, such as 10000 for the first, or 0..10000, whose end is not run; required.", valueName: "a..b"))
  var seeds: String?

  @Option(help: ArgumentHelp("Run only this share of the seeds, such as 0/4 to 3/4.", valueName: "i/n"))
  var shard: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Run this many at once; the default is one for each core.", valueName: "jobs"))
  var jobs: Int?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the journal, the report and the findings to this folder; created if missing.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp("Draw from these worlds, separated by commas; one that is named twice is drawn twice as often.", valueName: "list"),
    completion: .list(SimulatedWorlds.names))
  var worlds = Self.allWorlds

  @Option(parsing: .unconditional, help: ArgumentHelp("Run each seed this long, in virtual time, from 1s to 24h.", valueName: "time"))
  var length = TimeOption(seconds: Self.usualSeconds)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Begin with this many access points, in a radio world about as many; the default is a few, drawn from the seed.", valueName: "n"))
  var accessPoints: Int?

  @Option(
    help: ArgumentHelp("Join over this simulated daemon in worlds with a kernel; the default is any, now and then.", valueName: "daemon"))
  var daemon: JoinDaemon?

  @Option(help: ArgumentHelp("Run through this view; the default is any. The hash is the same.", valueName: "view"))
  var via: ViewKind?

  @Flag(help: "Run each seed once: twice as fast, but it cannot detect differences between runs.")
  var once = false

  @Flag(help: "Stop after the first batch of seeds that finds something.")
  var stopAtFirst = false

  @Option(parsing: .unconditional, help: ArgumentHelp("Keep at most this many findings in the folder, the newest.", valueName: "n"))
  var keep = Self.usualFindings

  @Option(help: ArgumentHelp("Write the properties and their verdicts as JUnit XML, too.", valueName: "file"), completion: .file())
  var junit: String?

  @Flag(help: "Do not shrink findings.")
  var noShrink = false

  @Option(help: "Print the report in this format.")
  var format = OutcomeFormat.text

  @Flag(help: "The same as --format json.")
  var json = false

  mutating func validate() throws {
    if json { format = .json }
    // The subcommand is given none; an exploration is, see `run()`.
    if let seeds {
      do { _ = try SeedRange(seeds) } catch { throw ValidationError("--seeds \(seeds): \(error.sentence)") }
    }
    if let shard, Shard(shard) == nil { throw ValidationError("--shard \(shard): give a number and how many there are, such as 0/4.") }
    if shard != nil, output == nil { throw ValidationError("--shard needs an --output, which `explore merge` reads.") }
    if !(1...100_000).contains(keep) { throw ValidationError("--keep takes 1 to 100000.") }
    guard Self.lengths.contains(length.duration) else {
      throw ValidationError("--length \(length): give a time from 1s to 24h, such as 60s.")
    }
    if let accessPoints, !Self.accessPointCounts.contains(accessPoints) {
      throw ValidationError(
        "--access-points takes \(Self.accessPointCounts.lowerBound) to \(Self.accessPointCounts.upperBound).")
    }
    try Concurrently.check(jobs: jobs)
    for world in worldNames { try WorldOptions.check(world: world, option: "--worlds") }
    if worldNames.isEmpty { throw ValidationError("--worlds names no world.") }
  }

  private static let allWorlds = Explorer.usualWorlds.joined(separator: ",")
  private static let usualSeconds = 75
  private static let usualFindings = 20

  /// Refuses what was given of the options of an exploration and a subcommand has no use for.
  func refuseOptions(of subcommand: String, but used: Set<String> = []) throws(Failure) {
    let options: [(isGiven: Bool, name: String)] = [
      (seeds != nil, "--seeds"), (shard != nil, "--shard"), (jobs != nil, "--jobs"), (output != nil, "--output"),
      (worlds != Self.allWorlds, "--worlds"), (length.duration != .seconds(Self.usualSeconds), "--length"),
      (accessPoints != nil, "--access-points"), (daemon != nil, "--daemon"), (via != nil, "--via"),
      (once, "--once"), (stopAtFirst, "--stop-at-first"), (keep != Self.usualFindings, "--keep"),
      (junit != nil, "--junit"),
      (noShrink, "--no-shrink"), (format != .text, "--format"),
    ]
    let unused = options.filter { $0.isGiven && !used.contains($0.name) }.map(\.name)
    guard !unused.isEmpty else { return }
    throw Failure(.usage, "explore \(subcommand) explores no seeds: leave out \(unused.joined(separator: ", ")).")
  }

  private static let lengths = Duration.seconds(1) ... .seconds(86_400)
  private static let accessPointCounts = SimulatedWorlds.minimumDevices...10_000

  /// The share of the seeds that is run; all of them where none was named.
  private var share: Shard { shard.flatMap { Shard($0) } ?? Shard(index: 0, count: 1) }

  private var worldNames: [String] { worlds.split(separator: ",").map(String.init) }

  /// The explorer that the options describe.
  var explorer: Explorer {
    var explorer = Explorer(
      worlds: worldNames, length: length.duration, accessPoints: accessPoints, runsTwice: !once)
    (explorer.daemon, explorer.view) = (daemon, via)
    return explorer
  }

  /// What makes the same explorer of another process.
  private var workerArguments: [String] {
    ["explore", "--worlds", worlds, "--length", "\(length)"] + (accessPoints.map { ["--access-points", "\($0)"] } ?? [])
      + (daemon.map { ["--daemon", $0.rawValue] } ?? []) + (via.map { ["--via", $0.rawValue] } ?? [])
      + ["worker"]
  }

  func run() async throws {
    let workers = WorkerPool(explorer, arguments: workerArguments)
    do { try await run(in: workers) } catch {
      await workers.end()
      throw error
    }
  }

  private func run(in workers: WorkerPool) async throws {
    let explorer = explorer
    guard let seeds, let range = try? SeedRange(seeds).seeds else {
      throw Failure(.usage, "--seeds is missing: give a range, such as 0..10000, whose end is not run.")
    }
    if keep != Self.usualFindings, output == nil {
      throw Failure(.usage, "--keep says how many findings stay in the folder of --output: give one.")
    }
    let shard = share
    let journal = try output.map { try ExplorationJournal(folder: $0, seeds: range, shard: shard, explorer: explorer) }
    try OutputFile.refuseUnwritable(junit, option: "--junit")
    let signals = watchSignals()
    defer { signals.end() }
    var report = ExplorationReport()
    let done = journal?.batches ?? []
    for batch in done { report.add(batch) }
    let known = Set(done.map(\.seeds))
    let missing = shard.batches(of: range).filter { !known.contains($0) }
    let missingCount = shard.seedCount(of: range) - report.seedCount
    if !done.isEmpty {
      StandardStreams.say("\(report.seedCount) seeds were run before; \(missingCount) are left.")
    }
    var first: UInt64?
    var later: [Batch] = []
    try await run(missing, count: missingCount, explorer, in: workers) { batch in
      try journal?.append(batch)
      if stopAtFirst { later.append(batch) } else { report.add(batch) }
      if batch.findsViolation { first = min(first ?? .max, batch.seeds.lowerBound) }
      return !stopAtFirst || first == nil
    }
    // The same seeds are reported, whichever batch was done first.
    for batch in later where batch.seeds.lowerBound <= first ?? .max { report.add(batch) }
    let summary = ExplorationSummary(report)
    var findings = ""
    var failure: (any Error)?
    do { try await write(report, summary, shard, workers, &findings) } catch { failure = error }
    let isBad = !report.violations.isEmpty || summary.failsSelfCheck
    // The reader may go: by then all is written.
    StandardStreams.endWithoutReader(as: isBad ? .checkFailed : .success)
    try StandardStreams.write(summary.written(as: format))
    if format == .text { try StandardStreams.write(findings) }
    if let failure { throw failure }
    await workers.end()
    if workers.replacedCount > 0 {
      let processes = workers.replacedCount == 1 ? "1 worker was" : "\(workers.replacedCount) workers were"
      StandardStreams.say("\(processes) killed or stopped, and replaced; the report is the same.")
    }
    if isBad { StandardStreams.exit(.checkFailed) }
  }

  /// Writes all files of an exploration; what was found is added to `findings` as text, too.
  private func write(
    _ report: ExplorationReport, _ summary: ExplorationSummary, _ shard: Shard, _ workers: WorkerPool, _ findings: inout String
  ) async throws {
    let written = try await write(report, workers, &findings)
    if let output {
      try ExplorationFiles.write(summary, to: output, shard)
      if shard.count == 1 {
        for stem in await KeptFindings(folder: output).dropPassing(but: written, workers) {
          StandardStreams.say("\(stem) does not fail any more and was taken away.")
        }
      }
      KeptFindings(folder: output).drop(allBut: keep)
    }
    if let junit { try Failure.wrap(Files.replace(junit, with: Array(summary.junit.utf8))) }
  }

  /// Says on Ctrl-C how to go on, and ends as it would without that.
  private func watchSignals() -> SignalWatch {
    let sentence =
      output == nil
      ? "interrupted: without --output nothing is kept."
      : "interrupted: the same command goes on where this one ended."
    return SignalWatch([SIGINT, SIGTERM], on: DispatchQueue(label: "signals")) { number in
      StandardStreams.writeError("\(StandardStreams.isErrorInteractive ? "\r\u{1B}[K" : "")wifi-harness: \(sentence)\n")
      SignalAction.end(by: number)
    }
  }

  /// Runs batches, several at once, and passes on each that is done, until one is the last.
  private func run(
    _ batches: some Sequence<Range<UInt64>>, count: Int, _ explorer: Explorer, in workers: WorkerPool, _ take: (Batch) throws -> Bool
  ) async throws {
    let progress = ExplorationProgress(total: count)
    defer { progress.end() }
    // A thread that waits for a worker runs nothing meanwhile, so that as many processes are busy as there are jobs.
    try await Concurrently.each(batches, jobs: jobs ?? SystemFiles.coreCount) { seeds in
      try await explorer.explore(seeds, in: workers)
    } _: { _, batch in
      let goesOn = try take(batch)
      progress.add(batch.seeds.count)
      return goesOn
    }
  }

  /// Shrinks and writes a finding of each property, and gives the names of the files.
  private func write(_ report: ExplorationReport, _ workers: WorkerPool, _ findings: inout String) async throws -> [String] {
    guard !noShrink else { return [] }
    var written: [String] = []
    for finding in report.violations where finding.first.violation.property != Violation.sameRunTwice {
      let property = finding.first.violation.property
      let start = ContinuousClock.now
      guard let files = try await shortestFiles(of: finding, workers) else {
        StandardStreams.say(
          "seed \(finding.first.seed) violated “\(property)” when it was run, and does not now: "
            + "explore again with another --output.")
        continue
      }
      let time = start.duration(to: .now) / .milliseconds(1)
      findings += "\n" + files.text
      StandardStreams.say("\(files.stem): shrunk in \(Int(time)) ms")
      guard let output else { continue }
      try ExplorationFiles.write(files, to: output)
      written.append(files.stem)
    }
    return written
  }
}

extension ExplorationSummary {
  /// The report as it is printed.
  func written(as format: OutcomeFormat) -> [UInt8] { format == .json ? json : Array(text.utf8) }
}

extension ExploreCommand {
  /// What is written of the first finding of a property, or, where that needs many steps, of another that needs fewer;
  /// `nil` where the first does not show again.
  private func shortestFiles(of finding: ExplorationReport.Finding, _ workers: WorkerPool) async throws -> FindingFiles? {
    guard var shortest = try await files(of: finding.first, workers) else { return nil }
    guard !Violation.endangering.contains(finding.first.violation.property) else { return shortest }
    for other in finding.lowest.dropFirst() where shortest.stepCount > FindingFiles.fewSteps {
      if let files = try await files(of: other, workers), files.stepCount < shortest.stepCount { shortest = files }
    }
    return shortest
  }

  /// What is written of a finding, shrunk; `nil` where it does not show again.
  private func files(of finding: Batch.Finding, _ workers: WorkerPool) async throws -> FindingFiles? {
    let property = finding.violation.property
    let isDangerous = Violation.endangering.contains(property)
    if !isDangerous, let files = try await workers.files(of: finding) { return files.first }
    // It, or a candidate, ends its process: each is run in one of its own.
    guard let (run, outcome) = try await workers.lostRun(of: finding.seed, finding.violation) else { return nil }
    // What never ends takes its time.
    let isEndless = isDangerous && property != Violation.endsProcess
    let limit = finding.violation.sentence.contains("said nothing") ? 20 : isEndless ? 100 : 1000
    let result = Shrinker(property, run, outcome, limit: limit, judge: { await workers.judge($0, finding.violation) })
    await result.shrink()
    return FindingFiles(lost: finding, result)
  }
}

extension ExploreCommand: WritesFiles {
  func namedFiles() -> NamedFiles {
    guard let output else { return NamedFiles(written: []) }
    let report = ExplorationFiles.report(in: output, share)
    return NamedFiles(written: [
      ("--output", ExplorationJournal.path(in: output, share)), ("--output", report.json), ("--output", report.markdown),
      ("--junit", junit),
    ])
  }
}

/// A share of an exploration: every n-th batch.
struct Shard: Sendable {
  var index: Int
  var count: Int

  init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), count >= 1, count <= 1_000_000,
      (0..<count).contains(index)
    else { return nil }
    self.init(index: index, count: count)
  }

  /// The batches of the share, in order, each made when it is asked for.
  func batches(of seeds: Range<UInt64>) -> LazyMapSequence<StrideTo<Int>, Range<UInt64>> {
    let batches = SeedBatches(of: seeds)
    return stride(from: index, to: batches.count, by: count).lazy.map { batches[$0] }
  }

  /// The number of seeds of the share: those of its batches, of which the first and the last of all may be shorter.
  func seedCount(of seeds: Range<UInt64>) -> Int {
    let batches = SeedBatches(of: seeds)
    guard index < batches.count else { return 0 }
    let own = (batches.count - 1 - index) / count + 1
    var seedCount = own * Int(SeedBatches.size)
    for (place, batch) in [(0, batches.first), (batches.count - 1, batches.count > 1 ? batches.last : nil)] {
      if let batch, place % count == index { seedCount -= Int(SeedBatches.size) - batch.count }
    }
    return seedCount
  }
}

/// How far an exploration is, on a terminal.
final class ExplorationProgress {
  private let total: Int
  private var done = 0
  private let start = ContinuousClock.now

  init(total: Int) { self.total = total }

  func add(_ count: Int) {
    done += count
    guard StandardStreams.isErrorInteractive else { return }
    let seconds = Double(start.duration(to: .now).components.seconds) + 0.001
    StandardStreams.writeError("\r\u{1B}[K\(done) of \(total) seeds, \(Int(Double(done) / seconds)) a second")
  }

  func end() { if StandardStreams.isErrorInteractive { StandardStreams.writeError("\r\u{1B}[K") } }
}
