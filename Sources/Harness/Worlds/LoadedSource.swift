import Determinism
import ScanTools
import WiFi

/// What a scenario's source needs from outside, read once.
struct LoadedSource: Sendable {
  private let scenario: Scenario
  private let scans: [Scan]

  /// Reads what the source names.
  ///
  /// - Throws: ``ScenarioProblem`` where it is not there or no recording.
  init(_ scenario: Scenario) throws(ScenarioProblem) {
    self.scenario = scenario
    guard case .replay(let path, let place) = scenario.source else {
      scans = []
      return
    }
    scans = try Self.scans(path, scenario.file, place)
  }

  private static func scans(
    _ path: String, _ file: String, _ place: ScenarioProblem.Place
  ) throws(ScenarioProblem) -> [Scan] {
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    // From the scenario's folder, or from the one above, as `recordings/office.ndjson` beside `scenarios/`.
    let candidates = path.hasPrefix("/") || folder.isEmpty ? [path] : ["\(folder)/\(path)", "\(folder)/../\(path)", path]
    var bytes: [UInt8] = []
    var failure: FileFailure?
    for candidate in candidates {
      do throws(FileFailure) {
        bytes = try Files.read(candidate)
        failure = nil
        break
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw ScenarioProblem(file: file, place: place, failure) }
    func problem(_ reason: some CustomStringConvertible) -> ScenarioProblem {
      ScenarioProblem(file: file, place: place, sentence: "\(PrintableText.escape(path)) cannot be replayed: \(reason).")
    }
    let contents: Recording.Contents
    do throws(Recording.Failure) { contents = try Recording.read(bytes) } catch { throw problem(error) }
    // A check of a part of what was heard would prove nothing.
    if let complaint = contents.complaints.first { throw problem(complaint) }
    return contents.scans
  }

  func world(
    in simulation: Simulation, _ daemon: ScenarioDaemon?,
    _ openAdapter: (String?, ScenarioDaemon?) throws -> ScenarioAdapter?
  ) throws -> any ScenarioWorld {
    switch scenario.source {
    case .interface(let name):
      guard let adapter = try openAdapter(name, daemon) else {
        throw ScenarioProblem(file: scenario.file, sentence: "adapters cannot be read here; give another source.")
      }
      return SourceScenarioWorld(adapter)
    case .simulate(let source):
      let start = scenario.start
      return SimulatedWorlds.make(source, networks: start.networks, known: start.known, radioIsOn: start.isOn, clock: simulation.clock)
    case .replay: return RecordedScenarioWorld(scans, clock: simulation.clock)
    }
  }
}
