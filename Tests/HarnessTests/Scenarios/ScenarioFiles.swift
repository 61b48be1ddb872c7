import Determinism
import Foundation
import Harness
import ScanTools
import WiFi

/// The scenarios in `fixtures/scenarios`.
enum ScenarioFixtures {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures")

  /// The names of all scenarios, in order.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "scenarios").path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// The golden traces, without the scenarios that they belong to.
  static let traces: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "traces").path)) ?? []
    return files.filter { $0.hasSuffix(".trace") }.map { String($0.dropLast(6)) }.sorted()
  }()

  /// The scenarios that are judged by their golden traces, not only by what must always be so.
  static let traced: [String] = names.filter { name in (try? check(name).scenario().isJudgedByProperties) != true }

  static func path(_ name: String) -> String { folder.appending(path: "scenarios/\(name).yaml").path }

  static func text(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  static func check(_ name: String) throws -> ScenarioCheck { ScenarioCheck(path: path(name), text: try text(name)) }

  static func golden(_ name: String) throws -> [String] {
    let url = folder.appending(path: "traces/\(name).trace")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// An order that is drawn, while the scenario keeps its seed.
  static func anyOrder(_ seed: UInt64) -> JobOrder {
    var stream = RandomStream(seed: seed, name: "order")
    return .chosen((0..<10_000).map { .init(number: $0, index: Int(stream.next(below: 4))) })
  }

  /// Runs a scenario with another order of jobs.
  static func run(_ name: String, order: JobOrder) async throws -> ScenarioRun.Outcome {
    var scenario = try check(name).scenario()
    scenario.jobs = order
    let source = scenario.source
    let networks = scenario.start.networks
    let known = scenario.start.known
    var recorded: [Scan] = []
    if case .replay(let path, _) = source {
      recorded = try Recording.read(Array(try Data(contentsOf: folder.appending(path: path)))).scans
    }
    let scans = recorded
    return try await ScenarioRun(scenario).run { simulation in
      if case .simulate(let simulated) = source {
        return SimulatedWorlds.make(simulated, networks: networks, known: known, clock: simulation.clock)
      }
      return RecordedScenarioWorld(scans, clock: simulation.clock)
    }
  }
}

/// A folder for one test, removed with its last owner.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "wifi-harness-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: url.appending(path: "scenarios"), withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A scenario file in the folder, written.
  func check(_ name: String, _ text: String) throws -> ScenarioCheck {
    let file = url.appending(path: "scenarios/\(name).yaml")
    try text.write(to: file, atomically: false, encoding: .utf8)
    return ScenarioCheck(path: file.path, text: Array(text.utf8))
  }

  func trace(_ name: String) -> String? {
    try? String(contentsOf: url.appending(path: "traces/\(name).trace"), encoding: .utf8)
  }

  func write(_ text: String, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: false, encoding: .utf8)
  }
}

extension CheckResult {
  /// The sentences of a failure; empty where it passed.
  var failures: [String] { if case .failed(let failures) = verdict { failures } else { [] } }

  /// The problem that kept it from running, if any.
  var problem: ScenarioProblem? { if case .unusable(let problem) = verdict { problem } else { nil } }
}
