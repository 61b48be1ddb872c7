package import Determinism
package import WiFi

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
  /// The number of steps of the scenario.
  package var stepCount: Int

  /// So many steps are read at a glance; where there are more, another seed may need fewer.
  package static let fewSteps = 5

  /// Shrinks and describes the run of a seed; `nil` where it does not violate the same when it is run.
  ///
  /// - Parameter progress: called for each candidate.
  package init?(_ finding: Batch.Finding, _ explorer: Explorer, progress: @escaping (Int, Int) -> Void = { _, _ in }) async {
    let run = explorer.run(of: finding.seed)
    let outcome = await run.run()
    guard outcome.violations.contains(where: { $0.property == finding.violation.property }) else { return nil }
    let result = Shrinker(finding.violation.property, run, outcome, progress: progress)
    await result.shrink()
    await self.init(finding, result)
  }

  /// Describes a shrunk run.
  package init(_ finding: Batch.Finding, _ result: Shrinker<SettingsSubject, RunPlan>) async {
    let property = finding.violation.property
    let observer = RunObserver()
    let failing = await result.run.run(observer: observer)
    let explanation = await Explanation(finding, result, observer, failing, file: "\(Self.stem(property, finding.seed)).yaml")
    var lines = ["", "trace:"] + failing.trace.map { "  \($0)" }
    // Where nothing that is written differs there is nothing to say.
    if let difference = explanation.difference {
      lines += ["", "first difference from the nearest run that is good:"]
      lines.append("  bad:  \(difference.actual ?? "the end")")
      lines.append("  good: \(difference.expected ?? "the end")")
    }
    self.init(finding, result, failing.violations.first { $0.property == property } ?? finding.violation, lines)
    html = explanation.page
  }

  /// Describes a shrunk run that ends its process, or never ends: it is not run here.
  package init(lost finding: Batch.Finding, _ result: Shrinker<SettingsSubject, RunPlan>) {
    self.init(finding, result, finding.violation, [])
  }

  /// Describes a shrunk run, without a page.
  ///
  /// - Parameters:
  ///   - violation: what it violates.
  ///   - details: lines of what happened.
  private init(
    _ finding: Batch.Finding, _ result: Shrinker<SettingsSubject, RunPlan>, _ violation: Violation, _ details: [String]
  ) {
    let property = finding.violation.property
    stem = Self.stem(property, finding.seed)
    stepCount = result.run.steps?.count ?? 0
    let steps = stepCount.counted("step")
    yaml = ScenarioWriter.yaml(result.run, name: property, about: "Found with seed \(finding.seed), shrunk to \(steps).")
    var lines = [
      property, "", "  \(violation)", "",
      "found with seed \(finding.seed); shrunk to \(steps) in \(Explanation.tries(result.candidates))", "",
      "repeat: \(result.run.start.view.command("\(stem).yaml"))",
    ]
    lines += details + ["", "as a test:", ""] + Self.test(property, stem, result.run).map { "  \($0)" }
    text = lines.joined(separator: "\n") + "\n"
    html = ""
  }

  /// A name for files: the words of the property and the seed.
  static func stem(_ property: String, _ seed: UInt64) -> String {
    let words = property.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.joined(separator: "-") + "-seed-\(seed)"
  }

  private static func test(_ property: String, _ stem: String, _ run: SettingsRun) -> [String] {
    let view = run.start.view
    return [
      "import Harness", "import Testing", "",
      "@Test func `\(property)`() async throws {",
      "  let path = \"fixtures/scenarios/\(stem).yaml\"",
      "  let result = await ScenarioCheck(path: path, text: try Files.read(path)).run(\(view == .headless ? "" : "via: .\(view.rawValue)"))",
      "  #expect(result.verdict == .passed)", "}",
    ]
  }
}

extension FindingFiles: Describable {
  package func describe(into fields: inout FieldWriter) {
    fields.field("stem", stem)
    fields.field("yaml", yaml)
    fields.field("text", text)
    fields.field("html", html)
    fields.field("steps", stepCount)
  }

  /// Reads the JSON that describes them; `nil` where it does not.
  package init?(json: some Collection<UInt8>) {
    guard let value = JSONValue(json), let stem = value["stem"]?.text, let yaml = value["yaml"]?.text, let text = value["text"]?.text,
      let html = value["html"]?.text, let steps = value["steps"]?.integer
    else { return nil }
    (self.stem, self.yaml, self.text, self.html, stepCount) = (stem, yaml, text, html, steps)
  }
}
