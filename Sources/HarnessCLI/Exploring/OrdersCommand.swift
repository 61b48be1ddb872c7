import ArgumentParser
import Determinism
import Harness
import ScanTools
import WiFi

/// The command `wifi-harness explore orders`.
struct OrdersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orders", abstract: "Run scenarios in every order of their tasks.",
    discussion: """
      Where several tasks are runnable, `check` runs the one that became runnable first. This command tries the \
      others, too: it changes one choice of a run, then two, up to --deviations. Each order is run once and checked \
      against the expectations and the properties, not against the golden trace, which is that of one order. The first that fails is printed \
      as lines for the file; no order that differs in fewer choices fails.

      Exit status: 0 every order that was tried passed; 1 one failed; 65 a scenario cannot be read, or its source is an adapter; \
      66 a file cannot be opened, or the folder holds no scenario.
      """)

  /// Takes options that both have, also where they stand behind `orders`.
  @ParentCommand var explore: ExploreCommand

  @Argument(help: ArgumentHelp("Scenario files, or folders of them.", valueName: "path"), completion: .file())
  var paths: [String]

  @Option(parsing: .unconditional, help: ArgumentHelp("Change at most this many choices of an order, 0 to 1000.", valueName: "n"))
  var deviations = 2

  @Option(parsing: .unconditional, help: ArgumentHelp("Try at most this many orders of a scenario.", valueName: "n"))
  var runs = 10_000

  @Flag(help: "Interleave a waiting user with all other tasks, even if the file does not request it.")
  var races = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Search this many scenarios at once; the default is one for each core.", valueName: "jobs"))
  var jobs: Int?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write each scenario that fails, with its order, to this folder.", valueName: "folder"), completion: .directory)
  var output: String?

  func validate() throws {
    if !(0...1000).contains(deviations) { throw ValidationError("--deviations takes 0 to 1000.") }
    if !(1...10_000_000).contains(runs) { throw ValidationError("--runs takes 1 to 10000000.") }
    try Concurrently.check(jobs: jobs)
  }

  func run() async throws {
    try explore.refuseOptions(of: "orders", but: ["--jobs", "--output"])
    try OutputFile.refuseNoFolder(givenOutput, option: "--output")
    // Each scenario is searched for what is written of it.
    if givenOutput != nil { StandardStreams.outliveReader("the reader of standard output is gone; the search goes on.") }
    let files = try paths.flatMap { try ScenarioFiles.find($0) }
    let places = givenOutput.map { Self.places(of: files, in: $0) }
    try namedFiles(places ?? [], read: files).refuseSame()
    for place in places ?? [] { try OutputFile.refuseUnwritable(place, option: "--output", makesFolder: true) }
    var status = ExitStatus.success
    let (deviations, runs, races) = (deviations, runs, races)
    var reports: [Int: Searched] = [:]
    var next = 0
    try await Concurrently.each(files, jobs: jobs ?? explore.jobs ?? SystemFiles.coreCount) { file in
      await Searched(file, deviations: deviations, runs: runs, races: races)
    } _: { place, searched in
      // In the order of the files.
      reports[place] = searched
      while let searched = reports.removeValue(forKey: next) {
        let one = try report(searched, to: places?[next])
        next += 1
        if one != .success, status == .success || status == .checkFailed { status = one }
      }
      return true
    }
    if status != .success { StandardStreams.exit(status) }
  }

  private var givenOutput: String? { output ?? explore.output }

  /// The files of a folder that scenarios are written to, each by its name, and a number where an earlier one has that.
  private static func places(of files: [String], in folder: String) -> [String] {
    var taken: Set<String> = []
    return files.map { file in
      let stem = file.split(separator: "/").last.map { $0.replacing(".yaml", with: "").replacing(".yml", with: "") } ?? "scenario"
      var (place, number) = ("\(folder)/\(stem)-order.yaml", 2)
      while !taken.insert(place).inserted {
        place = "\(folder)/\(stem)-order-\(number).yaml"
        number += 1
      }
      return place
    }
  }

  /// The files of the command, whose scenarios are listed once, as it runs.
  private func namedFiles(_ places: [String], read files: [String]) -> NamedFiles {
    NamedFiles(
      written: places.map { (option: "--output", path: Optional($0)) }, read: files.map { (words: "a scenario", path: Optional($0)) })
  }

  /// Prints the result of a search, and writes the scenario that fails to a file where one is given.
  private func report(_ searched: Searched, to place: String?) throws -> ExitStatus {
    let file = PrintableText.escape(searched.file)
    switch searched.outcome {
    case .failure(let problem as ScenarioProblem):
      problem.write()
      return problem.status
    case .failure(let error):
      StandardStreams.say("\(file): \(error)")
      return .software
    case .success(let result):
      guard let choices = result.failing else {
        let orders = result.runs.counted("order")
        try StandardStreams.write(
          result.isComplete
            ? "good    \(file)  \(orders) tried (up to \(deviations) of \(result.longest) choices changed)\n"
            : "good    \(file)  \(orders) of more; see --runs\n")
        return .success
      }
      if place == nil { StandardStreams.endWithoutReader(as: .checkFailed) }
      try StandardStreams.write("FAILED  \(file)  in order \(result.runs)\n")
      for line in result.failures.flatMap({ $0.split(separator: "\n", omittingEmptySubsequences: false) }) {
        try StandardStreams.write("  \(line)\n")
      }
      let lines = ScenarioWriter.lines(.chosen(choices), races: races)
      let yaml = ScenarioWriter.yaml(searched.text, with: lines)
      if let place {
        try Failure.wrap(Files.replace(place, with: Array(yaml.utf8), makesFolder: true))
        try StandardStreams.write("  repeat: wifi-harness check \(PrintableText.escape(place))\n")
      } else if !lines.isEmpty {
        try StandardStreams.write("  repeat with these lines in the file:\n")
        for line in lines { try StandardStreams.write("    \(line)\n") }
      }
      return .checkFailed
    }
  }
}

/// A scenario file and the result of a search for its orders.
private struct Searched: Sendable {
  let file: String
  private(set) var text = ""
  private(set) var outcome: Result<OrderSearch.Result, any Error>

  @concurrent init(_ file: String, deviations: Int, runs: Int, races: Bool) async {
    self.file = file
    do {
      let bytes = try Files.read(file)
      text = String(decoding: bytes, as: UTF8.self)
      var scenario = try ScenarioCheck(path: file, text: bytes).scenario()
      if races { scenario.races = true }
      outcome = .success(try await OrderSearch(scenario, deviations: deviations, runs: runs).run())
    } catch let failure as FileFailure {
      outcome = .failure(ScenarioProblem(file: file, failure))
    } catch {
      outcome = .failure(error)
    }
  }
}
