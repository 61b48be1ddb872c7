import Determinism
import Harness
import ScanTools

/// The findings in the folder of an exploration, of this one and of earlier ones.
struct KeptFindings {
  let folder: String

  /// The names of the scenarios that an exploration wrote, in order.
  private var stems: [String] {
    let scenarios = (Files.names(in: folder) ?? []).filter { $0.hasSuffix(".yaml") && $0.contains("-seed-") }
    return scenarios.map { String($0.dropLast(5)) }.filter(isOurs)
  }

  /// Whether an exploration wrote a scenario; files of others stay.
  private func isOurs(_ stem: String) -> Bool {
    guard let text = try? Files.read("\(folder)/\(stem).yaml") else { return false }
    return String(decoding: text, as: UTF8.self).contains("\nabout: \"Found with seed ")
  }

  /// Removes the findings that do not fail any more, and gives their names.
  ///
  /// - Parameter workers: run those that may end their process.
  func dropPassing(but written: [String], _ workers: WorkerPool) async -> [String] {
    var dropped: [String] = []
    for stem in stems where !written.contains(stem) {
      let path = "\(folder)/\(stem).yaml"
      guard let text = try? Files.read(path) else { continue }
      let scenario = try? ScenarioReader(file: path).read(String(decoding: text, as: UTF8.self))
      if let scenario, Violation.endangering.contains(scenario.name) {
        let violation = Violation(property: scenario.name, sentence: "", time: .zero)
        guard let run = SettingsRun(scenario), await passes({ await workers.judge(run.through($0), violation).violations.isEmpty }) else {
          continue
        }
      } else {
        guard await passes({ await ScenarioCheck(path: path, text: text).run(via: $0).verdict == .passed }) else { continue }
      }
      drop(stem)
      dropped.append(stem)
    }
    return dropped
  }

  /// Whether something holds through every view: a scenario does not say through which it was found.
  private func passes(_ holds: (ViewKind) async -> Bool) async -> Bool {
    for view in ViewKind.allCases where await !holds(view) { return false }
    return true
  }

  /// Removes all but the newest.
  func drop(allBut count: Int) {
    var byAge: [(time: Duration, stem: String)] = []
    for stem in stems { byAge.append((SystemFiles.modificationTime("\(folder)/\(stem).yaml") ?? .zero, stem)) }
    byAge.sort { $0 < $1 }
    for old in byAge.dropLast(count) { drop(old.stem) }
  }

  private func drop(_ stem: String) {
    // The scenario last: as long as it is there, the finding is.
    for ending in ["html", "txt", "yaml"] { _ = unsafe unlink("\(folder)/\(stem).\(ending)") }
  }
}
