import Determinism
import Foundation
import Harness
import Testing
import WiFi

@testable import StrictFormats

/// A run that is told so that somebody understands it.
@Suite struct ExplanationTests {
  static func explanation(_ steps: String, file: String = "lan.yaml") async throws -> Explanation {
    let text = """
      scenario: the LAN party
      about: Somebody wants in.
      source: { simulate: { world: preview, seed: 7, churn: off } }
      start: { networks: [Blob's World, { name: Café, secured: off, connectivity: 0.3 }] }
      steps:
      \(steps)
      """
    return try await Explanation(ScenarioCheck(path: file, text: Array(text.utf8)))
  }

  @Test func `an order of tasks that is not the plain one is told`() async throws {
    func source(_ order: String) async throws -> String {
      let text = """
        scenario: a race
        \(order)
        source: { simulate: { world: preview, seed: 7, churn: off } }
        start: { networks: mocks }
        steps: [ { advance: 1s }, { expect: { count: 4 } } ]

        """
      let words = try await Explanation(ScenarioCheck(path: "race.yaml", text: Array(text.utf8))).source
      return words.replacing("the simulated world preview, seed 7, networks stay", with: "")
    }
    #expect(try await source("races: off") == "")
    #expect(try await source("jobs: shuffled") == "; tasks go on in any order")
    #expect(try await source("jobs: { prioritized: 2 }") == "; tasks go on by priorities, of which 2 change")
    #expect(
      try await source("jobs: [ { choice: 2, takes: 3 } ]\nraces: on")
        == "; at choice 2 task 3 goes on; a user acts amid what else happens")
  }

  @Test func `a terminal is told what was done, what came of it, and what somebody saw`() async throws {
    let explanation = try await Self.explanation(
      """
        - tap: Blob's World
        - type: { password: blob }
        - tap: join
        - world: { lose: Café }
        - advance: 3s
        - expect: { count: 0 }
        - expect: { selected: Café, connecting: off }
        - tap: Blob's World
      """)
    let expected = """
      the LAN party
      lan.yaml
      Somebody wants in.
      from the simulated world preview, seed 7, networks stay
      failed: 7 steps in 3 s of virtual time, hash \(TraceHash.text(explanation.hash))
      ✗ lan.yaml:12:5: selected: expected Café, is Blob's World 02:b4:df:91:4b:18

      at 0 s: the beginning
         │ Wi-Fi [on]
         │ ▮▮▮▮ locked Blob's World
         │ ▮▮▯▯ open   Café

      1  at 0 s: tap the row Blob's World  (line 6)
         user     taps Blob's World 02:b4:df:91:4b:18
         screen   shows sheet connect
         models   destination: none → connect Blob's World 02:b4:df:91:4b:18
         │ the list as before
         │   ┌ sheet: Join “Blob's World”
         │   │ Password: nothing typed
         │   └ [Join] [Cancel]

      2  at 0 s: type a password of 4 characters  (line 7)
         user     types a password of 4 characters
         models   password: 0 characters → 4 characters
         │ the list as before
         │   ┌ sheet: Join “Blob's World”
         │   │ Password: 4 characters
         │   └ [Join] [Cancel]

      3  at 0 s: tap Join  (line 8)
         user     taps join
         world    is asked to join Blob's World 02:b4:df:91:4b:18 with a password of 4 characters
         models   connecting: off → on
         │ the list as before
         │   ┌ sheet: Join “Blob's World”
         │   │ Password: 4 characters
         │   │ Connecting…
         │   └ [Join] [Cancel]

      4  at 0 s: the world loses Café  (line 9)
         world    loses Café
         world    Café 02:72:ed:ee:4a:1f leaves the air

      5  at 0 s: 3 s pass  (line 10)
         at 1 s
         scanner  scan complete: 1 access point; not heard Café
         world    has joined Blob's World 02:b4:df:91:4b:18
         screen   panel move Blob's World 02:b4:df:91:4b:18 at the end of top
         screen   panel update Blob's World 02:b4:df:91:4b:18: 4 bars, 100 %, secured, selected
         screen   panel remove Café 02:72:ed:ee:4a:1f
         screen   takes away sheet connect
         models   selected: none → Blob's World 02:b4:df:91:4b:18
         models   destination: connect Blob's World 02:b4:df:91:4b:18 → none
         │ Wi-Fi [on]
         │ ▮▮▮▮ locked Blob's World, selected  ← changed
         scanner  2 scans from 2 s to 3 s changed nothing

      6  at 3 s: expect 0 rows  (line 11)
         OK

      7  at 3 s: expect not connecting, Café selected  (line 12)
         ✗ selected: expected Café, is Blob's World 02:b4:df:91:4b:18

      repeat: wifi-harness check lan.yaml

      """
    let difference = LineDifference.text(
      expected: expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
      actual: explanation.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    #expect(difference.isEmpty, "\(difference.joined(separator: "\n"))")
  }

  /// All but the one that takes as long as all others.
  @Test(arguments: ScenarioFixtures.names.filter { $0 != "ten-thousand-networks" })
  func `looking on changes nothing, and every step is told`(name: String) async throws {
    let explanation = try await Explanation(ScenarioFixtures.check(name))
    #expect(explanation.failures == [])
    #expect(explanation.difference == nil)
    let check = try await ScenarioFixtures.check(name).run()
    #expect(explanation.hash == check.hash)
    #expect(explanation.end == check.end)

    let scenario = try ScenarioFixtures.check(name).scenario()
    #expect(explanation.account.steps.count == scenario.steps.count + 1)
    #expect(explanation.account.steps.compactMap(\.line) == scenario.steps.map(\.place.line))
    // Every line of the trace belongs to a moment but what came after the last.
    let lines = explanation.account.moments.flatMap(\.events).compactMap(\.line)
    #expect(lines == Array(0..<lines.count))

    let page = explanation.page
    #expect(page.components(separatedBy: "<section ").count - 1 == explanation.account.steps.count)
    #expect(page.range(of: "id=\"step-\(scenario.steps.count)\"") != nil)
  }

  @Test(arguments: [
    "forget-asks-and-forgets", "join-wrong-then-right", "names-are-shown-safely", "selected-network-lost", "wifi-off-while-it-joins",
  ])
  func `a page is well formed and stands by itself`(name: String) async throws {
    let explanation = try await Explanation(ScenarioFixtures.check(name))
    let page = try Page(explanation.page)
    #expect(page.complaints == [])
    let steps = page.ids.filter { $0.hasPrefix("step-") }
    #expect(steps == explanation.account.steps.indices.map { "step-\($0)" })
  }

  @Test func `the first difference from the golden trace is marked where it happens`() async throws {
    let folder = try TemporaryFolder()
    let name = "join-wrong-password-alerts"
    let check = try folder.check(name, String(decoding: ScenarioFixtures.text(name), as: UTF8.self))
    var golden = try ScenarioFixtures.golden(name)
    let index = try #require(golden.firstIndex { $0.contains("shows alert") })
    golden.remove(at: index)
    try folder.write(golden.map { $0 + "\n" }.joined(), to: "traces/\(name).trace")
    let explanation = try await Explanation(check)
    #expect(explanation.failures == ["It did something else than its golden trace says."])
    #expect(explanation.difference?.line == index)
    #expect(explanation.difference?.actual == "1.000 screen shows alert incorrectPassword")
    #expect(explanation.difference?.expected == golden[index])
    #expect(explanation.text().contains("here it first differs from the golden trace"))
    let page = try Page(explanation.page)
    #expect(page.complaints == [])
    let wrong = page.elements("section").filter { $0.attributes["class"]?.split(separator: " ").contains("wrong") == true }
    #expect(wrong.map { $0.attributes["id"] } == ["step-4"])
    #expect(wrong.first?.allText.contains("Here it first differs from the golden trace") == true)
  }

  @Test func `what must always hold and did not stands at its moment`() async throws {
    @Sendable func neverASheet() -> SettingsProperty {
      SettingsProperty("never a sheet <b>") { moment -> String? in
        moment.shown.isEmpty ? nil : "there is \(moment.shown.joined(separator: " & "))"
      }
    }
    let scenario = try ScenarioFixtures.check("join-wrong-password-alerts").scenario()
    let run = SettingsRun(
      try #require(RunPlan(scenario)), steps: scenario.steps.map(\.action).filter { $0 != scenario.steps.last?.action })
    let observer = RunObserver()
    let plain = await run.run()
    let outcome = await run.run(properties: { [neverASheet().ofSettings] }, observer: observer)
    #expect(outcome.violations.count == 1)
    #expect(await run.run(observer: RunObserver()).hash == plain.hash)
    let explanation = Explanation(scenario, observer, failures: outcome.violations.map(\.description), hash: outcome.traceHash)
    #expect(explanation.account.steps[1].moments.flatMap(\.violations) == outcome.violations)
    #expect(explanation.text().contains("   ✗ never a sheet <b>, at 0 s: there is connect"))
    let page = try Page(explanation.page)
    #expect(page.complaints == [])
    #expect(page.elements("section").filter { $0.attributes["class"] == "step wrong" }.map { $0.attributes["id"] } == ["step-1"])
    #expect(page.root.allText.contains("never a sheet <b>, at 0 s: there is connect"))
  }

  @Test func `hostile names are text, in both`() async throws {
    let names = [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "abc\u{202E}fed", "\u{1B}[31mred", "&lt;b&gt;",
      "a\u{301}\u{0338}>\u{0338}", "مقهى", "' onload='x", "tab\tnew",
    ]
    let quoted = names.map { name in
      "\"" + name.unicodeScalars.map { "\\U" + String(String(0x1_0000_0000 + UInt64($0.value), radix: 16).dropFirst()) }.joined() + "\""
    }
    let text = """
      scenario: \(quoted[1])
      about: \(quoted[2])
      source: { simulate: { world: preview, seed: 7, churn: off } }
      start: { networks: [\(quoted.joined(separator: ", "))] }
      steps:
      \(quoted.map { "  - tap: \($0)\n  - tap: cancel" }.joined(separator: "\n"))
        - expect: { rows: [\(quoted.joined(separator: ", "))], selected: \(quoted[0]) }
      """
    let explanation = try await Explanation(ScenarioCheck(path: "hostile\u{202E}<i>.yaml", text: Array(text.utf8)))
    #expect(explanation.failures.count == 1)
    let page = try Page(explanation.page)
    #expect(page.complaints == [])
    #expect(page.elements("img").isEmpty && page.elements("i").isEmpty && page.elements("script").count == 1)
    for element in page.elements("bdi") { #expect(element.attributes.keys.allSatisfy { $0 == "class" }) }
    for name in names { #expect(page.root.allText.contains(PrintableText.escape(name))) }
    for output in [explanation.page, explanation.text()] {
      #expect(!output.unicodeScalars.contains { $0 != "\n" && PrintableText.mustEscape($0) })
    }
  }

  @Test func `no password is told, only its length`() async throws {
    let explanation = try await Self.explanation(
      """
        - tap: Blob's World
        - type: { password: hunter2hunter2 }
        - expect: { password: hunter3hunter3 }
      """)
    for output in [explanation.page, explanation.text(), explanation.text(isColoured: true)] {
      #expect(!output.contains("hunter"))
      #expect(output.contains("14 characters"))
    }
  }

  @Test func `of a long list the first rows are shown, what changed, and how many there are`() async throws {
    let text = """
      scenario: many
      source: { simulate: { world: preview, seed: 7, churn: off } }
      start: { networks: { count: 10000 } }
      steps:
        - world: { find: Newcomer }
        - advance: 1s
        - expect: { count: 10001 }
      """
    let explanation = try await Explanation(ScenarioCheck(path: "many.yaml", text: Array(text.utf8)))
    #expect(explanation.page.utf8.count < 100_000)
    let page = try Page(explanation.page)
    #expect(page.complaints == [])
    #expect(page.root.allText.contains("and 9988 rows more"))
    #expect(page.root.allText.contains("… 9988 rows …"))
    #expect(explanation.text().contains("│ ▮▮▮▮ locked Newcomer  ← new"))
  }

  @Test func `a scenario that is none is a sentence`() async {
    await #expect(throws: ScenarioProblem.self) { try await Explanation(ScenarioCheck(path: "x.yaml", text: Array("steps: []".utf8))) }
  }
}

/// A page, read as strictly as XML is.
struct Page {
  let root: StrictXML
  /// Every element, in order.
  let everything: [StrictXML]
  let ids: [String]
  private let text: String

  init(_ page: String) throws {
    let doctype = "<!DOCTYPE html>"
    guard page.hasPrefix(doctype) else { throw StrictXML.Failure(description: "no document type") }
    text = page
    root = try StrictXML(#"<?xml version="1.0" encoding="UTF-8"?>"# + page.dropFirst(doctype.count))
    everything = root.everything
    ids = everything.compactMap { $0.attributes["id"] }
  }

  func elements(_ name: String) -> [StrictXML] { everything.filter { $0.name == name } }

  /// What a page must not have that stands by itself, is read aloud, and is used without a mouse.
  var complaints: [String] {
    var complaints: [String] = []
    let places = Set(ids)
    for element in everything {
      for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }) {
        if name == "src" || name == "action" || name.hasPrefix("on") { complaints.append("\(element.name) has \(name)") }
        if name == "href" {
          if !value.hasPrefix("#") { complaints.append("a link to \(value)") }
          if !places.contains(String(value.dropFirst())) { complaints.append("a link to \(value), which is nowhere") }
        }
      }
      if element.name == "svg", element.attributes["aria-label"] == nil { complaints.append("a picture without words") }
      if ["link", "img", "iframe", "object", "embed", "form"].contains(element.name) { complaints.append("a \(element.name)") }
    }
    if places.count != ids.count { complaints.append("an id twice") }
    for word in ["http://", "https://", "@import", "url(", "//cdn"] where text.contains(word) { complaints.append(word) }
    if elements("h1").count != 1 { complaints.append("\(elements("h1").count) h1") }
    if elements("html").first?.attributes["lang"] != "en" { complaints.append("no language") }
    if elements("main").count != 1 { complaints.append("no main") }
    return complaints
  }
}

extension StrictXML {
  /// This element and all in it.
  var everything: [StrictXML] { [self] + children.flatMap(\.everything) }

  /// All text, that of what is in it behind its own.
  var allText: String { ([text] + children.map(\.allText)).joined(separator: " ") }
}

/// Verdicts for continuous integration.
@Suite struct CheckSummaryTests {
  static let results: [CheckResult] = [
    CheckResult(name: "good", file: "a.yaml", verdict: .passed),
    CheckResult(
      name: "bad <b> | `x`", file: "b|c.yaml", verdict: .failed(["b.yaml:1:1: @everybody see https://x\u{202E}\n  ```\n  rows"])),
    CheckResult(
      name: "c.yaml", file: "c.yaml",
      verdict: .unusable(ScenarioProblem(file: "c.yaml", place: .init(line: 1, column: 1), sentence: "not YAML."))),
  ]

  @Test(arguments: [false, true])
  func `lines keep their schema`(withTrace: Bool) throws {
    let schema = try JSONSchema(file: "check-result-1.json")
    try schema.checkKeywords()
    for result in Self.results {
      let value = try StrictJSON(CheckSummary.line(result, withTrace: withTrace))
      #expect(try schema.violations(of: value) == [])
    }
    #expect(try StrictJSON(CheckSummary.line(Self.results[1]))["verdict"]?.text == "failed")
  }

  @Test func `nothing in a table is markup`() {
    let text = CheckSummary(Self.results).markdown
    #expect(text.contains("1 of 3 scenarios passed."))
    #expect(text.contains(#"| b\|c.yaml | failed | b.yaml:1:1: &#64;everybody see https&#58;//x\\xe2\\x80\\xae |"#))
    #expect(text.contains("| c.yaml | unusable | c.yaml:1:1: not YAML. |"))
    #expect(text.contains("<details><summary>bad &lt;b&gt; \\| \\`x\\`</summary>\n\n````text\n"))
    #expect(CheckSummary([Self.results[0]]).markdown == "## wifi-harness check\n\n1 of 1 scenarios passed.\n")
  }

  @Test func `an exploration is a test case for each thing that must hold`() throws {
    var report = ExplorationReport()
    var batch = Batch(seeds: 0..<64)
    let violation = Violation(property: "no row twice", sentence: "a row <b> is there twice", time: .seconds(3))
    batch.findings = [.init(seed: 7, violation: violation), .init(seed: 9, violation: violation)]
    report.add(batch)
    let junit = try StrictXML(ExplorationSummary(report).junit)
    let cases = junit.all("testcase")
    #expect(Set(cases.compactMap { $0.attributes["name"] }).count == cases.count)
    let failing = cases.filter { !$0.all("failure").isEmpty }
    #expect(failing.map { $0.attributes["name"] } == ["no row twice", SelfCheck.name])
    #expect(failing[0].all("failure").first?.text == "2 seeds, the first 7, at 3 s: a row <b> is there twice")
  }
}
