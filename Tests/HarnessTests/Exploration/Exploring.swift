import Determinism
import Foundation
import Harness

/// A property that is there to be violated: it says that no page is ever shown.
var noPage: SettingsProperty {
  SettingsProperty("test: no page is ever shown") { moment -> String? in
    moment.state.destination == "detail" ? "a page is shown" : nil
  }
}

/// A property that needs three steps to be violated: it says that Wi-Fi is not turned on again twice.
var notOnAgainTwice: SettingsProperty {
  var count = 0
  return SettingsProperty("test: Wi-Fi is not turned on again twice") { moment -> String? in
    if let previous = moment.previous, moment.state.isOn, !previous.isOn { count += 1 }
    return count > 1 ? "Wi-Fi was turned on \(count) times" : nil
  }
}

/// Runs in which a property is violated, and what became of them.
func violating(
  _ property: @autoclosure @escaping @Sendable () -> SettingsProperty, seeds: Range<UInt64>, worlds: [String] = ["preview", "still"]
) async -> [(run: SettingsRun, outcome: SettingsRun.Outcome)] {
  var found: [(SettingsRun, SettingsRun.Outcome)] = []
  for seed in seeds {
    let run = SettingsRun(RunPlan(seed: seed, worlds: worlds))
    let outcome = await run.run(properties: { [property().ofSettings] })
    if !outcome.violations.isEmpty { found.append((run, outcome)) }
  }
  return found
}

/// The planted bugs beside these tests.
enum PlantedBugs {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Mutations")

  /// The first lines of all, by the names of the files.
  static func firstLines() throws -> [String: String] {
    var lines: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".patch") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      lines[file] = String(text.prefix { $0 != "\n" })
    }
    return lines
  }
}
