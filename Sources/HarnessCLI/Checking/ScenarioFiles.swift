import ArgumentParser
import DaemonControl
import Determinism
import Harness
import Models
import ScanTools
import Scanner
import WiFi

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
      throw Failure(.noInput, "\(PrintableText.escape(path)) holds no scenario: no file there ends in .yaml.")
    }
    return found
  }

  /// Checks files, several at once, and gives the results in the order of the files.
  static func check(
    _ files: [String], source: ScenarioSource?, daemon: ScenarioDaemon?, worldCommand: String?, traces: ScenarioCheck.GoldenTraces,
    via view: ViewKind, jobs: Int
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
      throw Failure.withoutDaemons
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
