import ArgumentParser
import Determinism
import Foundation

/// The command: runs the tests of a package in simulations, and says what they depend on.
@main
struct SimulatedTests: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulated-tests",
    abstract: "Run the tests of a package in simulations, and sort those that fail.",
    discussion: """
      Copies the package to .build/simulated-tests in its folder, wraps each test of the copy, and builds it once. Runs the suite as \
      it is, and then each test in the simulations of several seeds: on virtual time, each seed with another order of tasks. A test \
      that fails is sorted: it depends on the clock, on the order of tasks, or on shared state, or it fails everywhere. What uses \
      queues, threads, sockets or calls that block cannot be simulated; it is listed with the call and its line.

      Nothing of the package itself is changed. Works on Linux.

      Exit status: 0 nothing was found; 1 a test was found that may fail; 64 usage; 65 the copy cannot be made or built; \
      66 no package is there.
      """)

  @Argument(help: ArgumentHelp("The folder of the package.", valueName: "path"))
  var path = "."

  @Option(help: ArgumentHelp("Judge only the tests of this test target; can be given several times.", valueName: "name"))
  var target: [String] = []

  @Option(help: ArgumentHelp("Judge only tests whose name has a match of this regular expression.", valueName: "pattern"))
  var filter: String?

  @Option(help: ArgumentHelp("The seeds of the simulations, such as '0..<20'.", valueName: "range"))
  var seeds = "0..<20"

  @Option(help: ArgumentHelp("How often to run the suite as it is.", valueName: "count"))
  var times = 3

  @Option(help: ArgumentHelp("Write the report to this file, as Markdown; by default to standard output.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Write the verdicts to this file, as JUnit XML.", valueName: "file"))
  var junit: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the package wifi-harness; by default the one that this program was built in.", valueName: "folder"))
  var library: String?

  func validate() throws {
    guard Self.range(seeds) != nil else { throw ValidationError("--seeds \(seeds): this is a range of seeds, such as '0..<20'.") }
    guard (1...100).contains(times) else { throw ValidationError("--times \(times): this is a number from 1 to 100.") }
    if let output, let junit, Self.place(of: output) == Self.place(of: junit) {
      throw ValidationError("--output and --junit name one file, \(junit), in which one would replace the other; give another name.")
    }
    if let filter, (try? Regex(filter)) == nil { throw ValidationError("--filter \(filter): this is no regular expression.") }
  }

  /// Where a file is, whatever links lead to it.
  private static func place(of file: String) -> String { URL(filePath: file).standardizedFileURL.resolvingSymlinksInPath().path }

  /// A range of seeds, such as `0..<20`.
  static func range(_ text: String) -> Range<UInt64>? {
    guard text.contains("..<") else { return nil }
    return try? EnvironmentSeeds.seeds(of: text)
  }

  func run() throws {
    do {
      if try judge() { throw ExitCode(1) }
    } catch let failure as Failure {
      FileHandle.standardError.write(Data("simulated-tests: \(failure)\n".utf8))
      throw ExitCode(failure.status)
    }
  }

  private func judge() throws -> Bool {
    try refuseUnwritable()
    let package = URL(filePath: path).standardizedFileURL
    let shadow = try Shadow(of: package, library: try libraryFolder())
    say("copying \(package.path)")
    let targets = try shadow.prepare(targets: target)
    say("building the tests of \(targets.joined(separator: ", "))")
    let program = try TestProgram(building: shadow.folder)
    let pattern = try filter.map { try Regex($0) }
    let tests = try program.tests().filter { test in
      targets.contains { test.name.hasPrefix("\($0).") } && (pattern.map { test.name.firstMatch(of: $0) != nil } ?? true)
    }
    guard !tests.isEmpty else { throw Failure(65, "no test is left to judge\(filter.map { " with --filter \($0)" } ?? "").") }
    let court = Court(program: program, seeds: Self.range(seeds) ?? 0..<20, times: times, say: say)
    let judgement = try court.judge(tests.sorted())
    let report = Report(package: package.lastPathComponent, judgement: judgement)
    if let output { try write(report.markdown, to: output) } else { print(report.markdown, terminator: "") }
    if let junit { try write(report.junit, to: junit) }
    return judgement.hasFindings
  }

  /// Refuses files that could not be written when all tests have run.
  private func refuseUnwritable() throws {
    for file in [output, junit].compactMap(\.self) {
      let folder = URL(filePath: file).standardizedFileURL.deletingLastPathComponent().path
      guard FileManager.default.isWritableFile(atPath: folder) else {
        throw Failure(74, "\(file) cannot be written: \(folder) is no folder that may be written to.")
      }
    }
  }

  private func write(_ text: String, to file: String) throws {
    do { try text.write(toFile: file, atomically: true, encoding: .utf8) } catch {
      throw Failure(74, "\(file) cannot be written: \(error.localizedDescription)")
    }
  }

  private func say(_ words: String) { FileHandle.standardError.write(Data("simulated-tests: \(words)\n".utf8)) }

  /// The package that this program is built from, above the folder of its build.
  private func libraryFolder() throws -> URL {
    if let library { return URL(filePath: library).standardizedFileURL }
    var folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    while folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      for place in [folder, folder.appending(path: "checkouts/wifi-harness")] {
        if FileManager.default.fileExists(atPath: place.appending(path: "Sources/SimulatedSuites").path) { return place }
      }
    }
    throw Failure(65, "the package wifi-harness is not found above this program: give its folder with --library.")
  }
}
