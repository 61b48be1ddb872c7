import Determinism
import ScanTools
import WiFi

/// Checks one scenario file: by its expectations, and by its golden trace, which holds every change.
public struct ScenarioCheck: Sendable {
  /// What to do with golden traces.
  public enum GoldenTraces: Hashable, Sendable {
    /// A run must do what the trace says, and nothing else.
    case compare
    /// The trace is rewritten; a check whose trace changed fails this once.
    case update
    /// There is none to compare with: the source is another one than the file's.
    case ignore
    /// What counts of the trace must be the same, its times aside (``TraceOutline``): the daemon is another one than
    /// the file's.
    case outline
  }

  /// The file.
  public let path: String
  private let text: [UInt8]

  /// The scenario file at `path`, whose bytes are `text`.
  public init(path: String, text: [UInt8]) {
    self.path = path
    self.text = text
  }

  /// Reads the scenario.
  ///
  /// - Throws: ``ScenarioProblem``.
  public func scenario() throws(ScenarioProblem) -> Scenario {
    guard let string = String(validating: text, as: UTF8.self) else {
      throw ScenarioProblem(file: path, sentence: "not YAML: the file is no valid UTF-8.")
    }
    return try ScenarioReader(file: path).read(string)
  }

  /// Where the golden trace of a scenario file is: in the folder `traces` beside the folder of the scenario.
  package static func tracePath(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = String(parts.last ?? "")
    let stem = name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name.hasSuffix(".yml") ? String(name.dropLast(4)) : name
    let folder = parts.dropLast().joined(separator: "/")
    let above = folder.isEmpty ? ".." : parts.count == 2 && parts[0] != ".." && parts[0] != "." ? "" : folder + "/.."
    if parts.dropLast().last == "scenarios" {
      let root = parts.dropLast(2).joined(separator: "/")
      return (root.isEmpty && !path.hasPrefix("/") ? "" : root + "/") + "traces/\(stem).trace"
    }
    return (above.isEmpty ? "" : above + "/") + "traces/\(stem).trace"
  }

  /// Runs the scenario and judges it.
  ///
  /// - Parameters:
  ///   - source: another source than the file's.
  ///   - daemon: another daemon that joins than the file's; with an interface of the machine it joins for real. Of the
  ///     golden trace only its outline is compared then.
  ///   - traces: what to do with the golden trace.
  ///   - view: which view it goes through. Where that draws and there is a file of golden pictures, they are judged,
  ///     too.
  ///   - openAdapter: opens a wireless interface, and the daemon that joins with it where there is to be one; `nil` is
  ///     the first interface that can scan. Without it an interface cannot be the source.
  public func run(
    source: ScenarioSource? = nil, daemon: ScenarioDaemon? = nil, traces: GoldenTraces = .compare, via view: ViewKind = .headless,
    openAdapter: @escaping @Sendable (String?, ScenarioDaemon?) throws -> ScenarioAdapter? = { _, _ in nil }
  ) async -> CheckResult {
    var result = CheckResult(name: Self.name(of: path), file: path, verdict: .passed)
    do {
      var scenario = try scenario()
      result.name = scenario.name
      let hasDaemon = scenario.hasDaemon
      if let source { scenario.source = source }
      if let daemon { try scenario.use(daemon) }
      if scenario.isJudgedByProperties, source == nil, var run = SettingsRun(scenario) {
        run.start.view = view
        return await judge(run, result)
      }
      let loaded = try LoadedSource(scenario)
      let run = ScenarioRun(scenario)
      let outcome = try await run.run(via: view) { simulation in try loaded.world(in: simulation, daemon, openAdapter) }
      result.trace = outcome.trace
      result.hash = outcome.hash
      result.end = outcome.end
      var failures = outcome.failures
      var traces = source == nil ? traces : .ignore
      // What an adapter hears is never the same twice.
      if case .interface = scenario.source { traces = .ignore }
      if daemon != nil { traces = hasDaemon ? .outline : .ignore }
      switch traces {
      case .ignore: break
      case .outline: if failures.isEmpty { failures += try compareOutline(outcome.trace) }
      case .compare: if failures.isEmpty { failures += try compare(outcome.trace) + comparePictures(outcome.pictures, view) }
      case .update:
        if failures.isEmpty { failures += update(outcome.trace, &result) + updatePictures(outcome.pictures, view, &result) }
      }
      if !failures.isEmpty { result.verdict = .failed(failures) }
    } catch let problem as ScenarioProblem {
      result.verdict = .unusable(problem)
    } catch {
      result.verdict = .failed(["\(shown(path)): \(error)"])
    }
    return result
  }

  /// A path as it may be printed.
  private func shown(_ path: String) -> String { PrintableText.escape(path) }

  private func judge(_ run: SettingsRun, _ result: CheckResult) async -> CheckResult {
    var result = result
    let outcome = await run.run(recorder: RunRecorder(keeps: .trace))
    result.trace = outcome.trace
    result.hash = outcome.traceHash
    if !outcome.violations.isEmpty {
      result.verdict = .failed(outcome.violations.map { $0.failure(of: path) })
    }
    return result
  }

  private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Where the golden pictures of a scenario file are: in the folder `pictures` beside the folder of the scenario.
  ///
  /// Those of the page are its changes, in the folder `pages`.
  package static func picturePath(of path: String, via view: ViewKind = .terminal) -> String {
    let trace = tracePath(of: path)
    let name = trace.split(separator: "/").last.map { $0.hasSuffix(".trace") ? String($0.dropLast(6)) : String($0) } ?? ""
    let folder = trace.dropLast("traces/\(name).trace".count)
    return view == .page ? "\(folder)pages/\(name).txt" : "\(folder)pictures/\(name).txt"
  }

  static func lines(_ bytes: [UInt8], omittingEmpty: Bool = true) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: omittingEmpty, whereSeparator: \.isNewline).map(String.init)
  }

  /// The lines of a golden file; `nil` where there is none.
  ///
  /// - Throws: ``ScenarioProblem`` where there may be one, and it cannot be read.
  private func read(golden: String, omittingEmptyLines: Bool = true) throws(ScenarioProblem) -> [String]? {
    do throws(FileFailure) { return Self.lines(try Files.read(golden), omittingEmpty: omittingEmptyLines) } catch {
      if error.isNoInput { return nil }
      throw ScenarioProblem(file: path, error)
    }
  }

  /// The difference from a golden file, as a failure; empty where there is none.
  ///
  /// - Parameter isNeeded: whether the file has to be there.
  private func compare(_ lines: [String], with golden: String, isNeeded: Bool, hint: String) throws(ScenarioProblem) -> [String] {
    guard let expected = try read(golden: golden, omittingEmptyLines: isNeeded) else {
      if !isNeeded { return [] }
      return [
        "there is no golden trace \(shown(golden)). A scenario is judged by its trace too; write it with: wifi-harness check --update "
          + shown(path)
      ]
    }
    let failures = differences("it did something else than \(shown(golden)) says", expected, isNeeded ? lines : lines + [""])
    return failures.map { $0 + "\n  If that is as it should be: wifi-harness check \(hint) \(shown(path))" }
  }

  /// A failure with the lines that differ; empty where none does.
  private func differences(_ what: String, _ expected: [String], _ actual: [String]) -> [String] {
    let difference = LineDifference.text(expected: expected, actual: actual)
    guard !difference.isEmpty else { return [] }
    return ["\(shown(path)): \(what) (- golden, + this run):\n" + difference.map { "  \($0)" }.joined(separator: "\n")]
  }

  private func compare(_ trace: [String]) throws(ScenarioProblem) -> [String] {
    try compare(trace, with: Self.tracePath(of: path), isNeeded: true, hint: "--update")
  }

  private func compareOutline(_ trace: [String]) throws(ScenarioProblem) -> [String] {
    let golden = Self.tracePath(of: path)
    guard let expected = try read(golden: golden) else { return ["there is no golden trace \(shown(golden))."] }
    return differences(
      "over this daemon it did something else than \(shown(golden)) says, times aside", TraceOutline.lines(of: expected),
      TraceOutline.lines(of: trace))
  }

  private func comparePictures(_ pictures: [String], _ view: ViewKind) throws(ScenarioProblem) -> [String] {
    if pictures.isEmpty { return [] }
    return try compare(pictures, with: Self.picturePath(of: path, via: view), isNeeded: false, hint: "--via \(view.rawValue) --update")
  }

  private func update(_ lines: [String], at golden: String, _ result: inout CheckResult) -> [String] {
    let text = lines.map { $0 + "\n" }.joined()
    if let old = try? Files.read(golden), old == Array(text.utf8) { return [] }
    do {
      try Files.replace(golden, with: Array(text.utf8), makesFolder: true)
    } catch {
      return ["\(error)."]
    }
    result.isUpdated = true
    return ["\(shown(golden)) was written anew; look at the difference, then check again."]
  }

  private func update(_ trace: [String], _ result: inout CheckResult) -> [String] {
    update(trace, at: Self.tracePath(of: path), &result)
  }

  /// Rewrites golden pictures where there are any; an empty file asks for them.
  private func updatePictures(_ pictures: [String], _ view: ViewKind, _ result: inout CheckResult) -> [String] {
    let golden = Self.picturePath(of: path, via: view)
    guard !pictures.isEmpty, (try? Files.read(golden)) != nil else { return [] }
    return update(pictures, at: golden, &result)
  }
}

extension Scenario {
  /// Whether its joins go through a simulated daemon.
  fileprivate var hasDaemon: Bool { if case .simulate(let source) = source { source.daemon != nil } else { false } }

  /// Lets joins go through another daemon.
  ///
  /// - Throws: ``ScenarioProblem`` where the source has none.
  fileprivate mutating func use(_ daemon: ScenarioDaemon) throws(ScenarioProblem) {
    func problem(_ sentence: String) -> ScenarioProblem { ScenarioProblem(file: file, sentence: sentence) }
    switch source {
    case .interface: return
    case .replay: throw problem("a recording joins nothing, so no daemon can; choose another source.")
    case .simulate(var simulated):
      guard case .named(let name) = daemon else { throw problem("no daemon owns the interface of a simulated world; name one.") }
      guard simulated.world != "preview" else { throw problem("a daemon is for worlds with a kernel; the preview world has none.") }
      simulated.daemon = name
      source = .simulate(simulated)
    }
  }
}
