package import Determinism
import WiFi

/// What is written of a finding.
///
/// The shrunk scenario, a page that explains it, its trace, where it first differs from a run that is good, and a test.
package struct FindingFiles: Sendable {
  /// The name of the files, without an extension.
  package var stem: String
  /// The scenario.
  package var yaml: String
  /// Everything that is known, for people.
  package var text: String
  /// What happened, step by step, as a page for a browser.
  package var html: String

  /// Describes a shrunk run.
  package init(_ finding: Batch.Finding, _ result: Shrinker<SettingsSubject, RunPlan>) async {
    let property = finding.violation.property
    stem = Self.stem(property, finding.seed)
    let count = result.run.steps?.count ?? 0
    yaml = ScenarioWriter.yaml(
      result.run, name: property, about: "Found with seed \(finding.seed), shrunk to \(count) steps.")
    let failing = await result.run.run(recorder: RunRecorder(keeps: .trace))
    var lines = [
      "\(property)", "", "  \(failing.violations.first { $0.property == property }?.description ?? finding.violation.description)",
      "", "found with seed \(finding.seed); shrunk to \(count) steps in \(result.candidates) tries",
      "", "repeat: \(Self.command(stem, result.run))", "", "trace:",
    ]
    lines += failing.trace.map { "  \($0)" }
    if let nearest = result.nearest {
      let passing = await nearest.run(recorder: RunRecorder(keeps: .trace))
      let common = zip(failing.trace, passing.trace).prefix { $0 == $1 }.count
      // Where nothing that is written differs there is nothing to say.
      if common < max(failing.trace.count, passing.trace.count) {
        lines += ["", "first difference from the nearest run that is good:"]
        lines.append("  bad:  \(common < failing.trace.count ? failing.trace[common] : "the end")")
        lines.append("  good: \(common < passing.trace.count ? passing.trace[common] : "the end")")
      }
    }
    lines += ["", "as a test:", ""] + Self.test(property, stem).map { "  \($0)" }
    text = lines.joined(separator: "\n") + "\n"
    html = await Explanation(finding, result, file: "\(stem).yaml").page
  }

  /// Describes a shrunk run that ends its process, or never ends: it is not run here.
  package init(lost finding: Batch.Finding, _ result: Shrinker<SettingsSubject, RunPlan>) {
    let property = finding.violation.property
    stem = Self.stem(property, finding.seed)
    let count = result.run.steps?.count ?? 0
    yaml = ScenarioWriter.yaml(
      result.run, name: property, about: "Found with seed \(finding.seed), shrunk to \(count) steps.")
    let lines = [
      "\(property)", "", "  \(finding.violation.description)", "",
      "found with seed \(finding.seed); shrunk to \(count) steps in \(result.candidates) tries", "",
      "repeat: \(Self.command(stem, result.run))", "", "as a test:", "",
    ]
    text = (lines + Self.test(property, stem).map { "  \($0)" }).joined(separator: "\n") + "\n"
    html = ""
  }

  private static func command(_ stem: String, _ run: SettingsRun) -> String {
    let view = run.start.view
    return "wifi-harness check \(stem).yaml" + (view == .headless ? "" : " --via \(view.rawValue)")
  }

  /// A name for files: the words of the property and the seed.
  static func stem(_ property: String, _ seed: UInt64) -> String {
    let words = property.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.joined(separator: "-") + "-seed-\(seed)"
  }

  private static func test(_ property: String, _ stem: String) -> [String] {
    [
      "import Harness", "import Testing", "",
      "@Test func `\(property)`() async throws {",
      "  let path = \"fixtures/scenarios/\(stem).yaml\"",
      "  let result = await ScenarioCheck(path: path, text: try Files.read(path)).run()",
      "  #expect(result.verdict == .passed)", "}",
    ]
  }
}
