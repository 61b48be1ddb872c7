import Foundation

/// The test program of a copied package, run again and again with a part of its tests.
struct TestProgram {
  enum Library: String, CaseIterable { case xctest, swiftTesting = "swift-testing" }

  /// What a test is called, with the library that runs it.
  struct Test: Hashable, Comparable {
    var name: String
    var library: Library
    static func < (left: Test, right: Test) -> Bool { left.name < right.name }
  }

  /// How a process runs its tests.
  struct Mode {
    /// The seeds of simulations; `nil` without any.
    var seeds: Range<UInt64>?
    var order = ""
    var times = 1
    /// Whether no simulation goes on beside another.
    var isSerial = true
  }

  let folder: URL
  let binary: URL

  /// Builds the tests of a package.
  init(building folder: URL) throws {
    self.folder = folder
    let log = folder.deletingLastPathComponent().appending(path: "build.log")
    let build = try Program.start("swift", ["build", "--build-tests"], in: folder, output: log, errors: log)
    build.waitUntilExit()
    guard Program.status(of: build) == 0 else {
      let lines = Program.text(of: log).split(separator: "\n").filter { $0.contains("error:") }.prefix(10).joined(separator: "\n")
      throw Failure(65, "the copy with wrapped tests does not build; all of it is in \(log.path).\n\(lines)")
    }
    let (_, output, _) = try Program.run("swift", ["build", "--show-bin-path"], in: folder)
    let place = URL(filePath: output.trimmingCharacters(in: .whitespacesAndNewlines))
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path).filter { $0.hasSuffix(".xctest") }
    guard let name = names.first else { throw Failure(65, "the build made no test program in \(place.path).") }
    binary = place.appending(path: name)
  }

  /// A program that is there already.
  init(folder: URL, binary: URL) { (self.folder, self.binary) = (folder, binary) }

  /// The tests that there are.
  func tests() throws -> [Test] {
    let xctest = try Program.run(binary.path, ["--list-tests"], in: folder).output
    let testing = try Program.run(binary.path, ["--testing-library", "swift-testing", "--list-tests"], in: folder).output
    let cases = xctest.split(separator: "\n").filter { !$0.hasPrefix("Listing ") && $0.contains("/") }
    return cases.map { Test(name: String($0), library: .xctest) }
      + testing.split(separator: "\n").filter { $0.contains("/") || $0.contains(".") }
      .map { Test(name: Self.identity(String($0)), library: .swiftTesting) }
  }

  /// The name of a test of Swift Testing without its place in the source.
  static func identity(_ name: String) -> String {
    let parts = name.split(separator: "/")
    guard let last = parts.last, last.contains(".swift:") else { return name }
    return parts.dropLast().joined(separator: "/")
  }

  /// Runs tests in one process or, where that ends or stands still on the way, in several.
  ///
  /// - Returns: the runs of each test that ran, and how many seconds it took.
  func run(_ tests: [Test], _ mode: Mode) throws -> (runs: [Test: [Run]], seconds: Double) {
    let began = ContinuousClock.now
    var runs: [Test: [Run]] = [:]
    for library in Library.allCases {
      var batches = [tests.filter { $0.library == library }]
      while var left = batches.popLast() {
        while !left.isEmpty {
          let (ended, open, end) = try process(left, library, mode)
          for (test, run) in ended { runs[Test(name: test, library: library), default: []].append(run) }
          guard let end else { break }
          // What ran beside the one that ended the process runs again.
          let culprits = open.isEmpty ? [] : mode.isSerial || open.count == 1 ? [open[open.count - 1]] : open
          let finished = Set(ended.map(\.test)).subtracting(culprits.map(\.test))
          for (test, run) in culprits { runs[Test(name: test, library: library), default: []].append(run) }
          let count = left.count
          left.removeAll { test in finished.contains(test.name) || culprits.contains { $0.test == test.name } }
          guard left.count == count else { continue }
          // What ends the process is not recorded, as a test that could not be wrapped: each of the rest by itself.
          if open.isEmpty, count > 1 { batches += left.map { [$0] } }
          if open.isEmpty, count == 1 { runs[left[0], default: []].append(end) }
          break
        }
      }
    }
    let duration = began.duration(to: .now)
    return (runs, duration / .seconds(1))
  }

  /// Runs tests in one process.
  ///
  /// - Returns: the runs that ended, those that did not, and how the process ended where that was on the way.
  private func process(
    _ tests: [Test], _ library: Library, _ mode: Mode
  ) throws -> (ended: [(test: String, run: Run)], open: [(test: String, run: Run)], end: Run?) {
    let place = folder.deletingLastPathComponent()
    let (record, log) = (place.appending(path: "record"), place.appending(path: "run.log"))
    try? FileManager.default.removeItem(at: record)
    var environment = ["SIMULATED_SUITES_RECORD": record.path, "SIMULATED_SUITES_TIMES": "\(mode.times)"]
    if let seeds = mode.seeds { environment["SIMULATED_SUITES_SEEDS"] = "\(seeds)" }
    environment["SIMULATED_SUITES_ORDER"] = mode.order
    let process = try Program.start(
      binary.path, arguments(tests, library, mode), in: folder, environment: environment, output: log, errors: log)
    var (size, changed, isHung) = (-1, ContinuousClock.now, false)
    while process.isRunning {
      Thread.sleep(forTimeInterval: 0.02)
      let now = (try? FileManager.default.attributesOfItem(atPath: record.path)[.size] as? Int) ?? 0
      if now != size { (size, changed) = (now, .now) }
      if changed.duration(to: .now) > .seconds(60) {
        isHung = true
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }
    var (ended, open) = Run.runs(ofRecord: Program.text(of: record))
    let status = Program.status(of: process)
    let signs = ["Fatal error", "Precondition failed", "Assertion failed"]
    let fatal = Program.text(of: log).split(separator: "\n").last { line in signs.contains { line.contains($0) } }.map(String.init)
    var end = Run(outcome: isHung ? .hung : .trapped, seed: mode.seeds?.lowerBound)
    end.words = isHung ? "no end within 60 s" : fatal ?? "the process ended with \(status < 0 ? "signal \(-status)" : "status \(status)")"
    for index in open.indices { (open[index].run.outcome, open[index].run.words) = (end.outcome, end.words) }
    // A status is that of tests that failed.
    if open.isEmpty { return (ended, [], status < 0 ? end : nil) }
    ended.removeAll { one in open.contains { $0.test == one.test } }
    return (ended, open, end)
  }

  private func arguments(_ tests: [Test], _ library: Library, _ mode: Mode) -> [String] {
    switch library {
    case .xctest: return [tests.map(\.name).joined(separator: ",")]
    case .swiftTesting:
      let pattern = tests.map { "^" + NSRegularExpression.escapedPattern(for: $0.name) + "(/|$)" }
      let filters = pattern.flatMap { ["--filter", $0] }
      return ["--testing-library", "swift-testing"] + (mode.isSerial ? ["--no-parallel"] : []) + filters
    }
  }
}
