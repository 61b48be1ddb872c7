import Harness
import Testing
@testable import StrictFormats

@Suite struct JUnitReportTests {
  private func read(_ results: [CheckResult]) throws -> StrictXML { try StrictXML(JUnitReport.xml(results)) }

  @Test func `no checks are a document too`() throws {
    let report = try read([])
    #expect(report.name == "testsuites")
    #expect(report.attributes == ["tests": "0", "failures": "0", "errors": "0", "skipped": "0"])
    #expect(report.all("testcase").isEmpty)
  }

  @Test func `verdicts are counted and told whole`() throws {
    let problem = ScenarioProblem(file: "c.yaml", place: .init(line: 3, column: 7), sentence: "no step.")
    let report = try read([
      CheckResult(name: "first", file: "a.yaml", verdict: .passed),
      CheckResult(name: "second", file: "b.yaml", verdict: .failed(["it differs:\n  - old\n  + new", "and more"])),
      CheckResult(name: "c.yaml", file: "c.yaml", verdict: .unusable(problem)),
    ])
    let suite = try #require(report.all("testsuite").first)
    for element in [report, suite] {
      #expect(element.attributes["tests"] == "3")
      #expect(element.attributes["failures"] == "1")
      #expect(element.attributes["errors"] == "1")
    }
    let cases = report.all("testcase")
    #expect(cases.map { $0.attributes["name"] } == ["first", "second", "c.yaml"])
    #expect(cases.map { $0.attributes["time"] } == ["0.000", "0.000", "0.000"])
    #expect(cases.map { $0.attributes["classname"] } == ["a.yaml", "b.yaml", "c.yaml"])
    #expect(cases[0].children.isEmpty)
    #expect(cases[1].children.map(\.name) == ["failure"])
    #expect(cases[1].children[0].attributes == ["message": "it differs: - old"])
    #expect(cases[1].children[0].text == "it differs:\n  - old\n  + new\nand more")
    #expect(cases[2].children.map(\.name) == ["error"])
    #expect(cases[2].children[0].text == "c.yaml:3:7: no step.")
  }

  @Test(arguments: [
    ("<&>\"'", "<&>\"'"), ("]]>", "]]>"), ("a]]", "a]]"), ("\u{1B}[31m", "␛[31m"), ("\0\u{1}\u{1F}", "␀␁␟"), ("\r\n", "␍\n"),
    ("tab\tand\nline", "tab\tand\nline"), ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}"), ("📶 🏳️‍🌈", "📶 🏳️‍🌈"),
    ("\u{7F}\u{85}\u{9F}", "\u{7F}\u{85}\u{9F}"),
    ("\u{202E}abc", "\u{202E}abc"), ("é\u{301}", "é\u{301}"), ("&amp;", "&amp;"), ("<failure>", "<failure>"), ("", ""),
    ("\"\u{301} onclick=\"\u{20DD}x", "\"\u{301} onclick=\"\u{20DD}x"), ("&\u{301}<\u{301}>\u{301}", "&\u{301}<\u{301}>\u{301}"),
  ])
  func `hostile text is escaped and comes out as it was`(hostile: String, shown: String) throws {
    let report = try read([CheckResult(name: hostile, file: hostile, verdict: .failed([hostile + "!", hostile]))])
    let one = try #require(report.all("testcase").first)
    #expect(scalars(one.attributes["name"]) == scalars(shown))
    #expect(scalars(one.attributes["classname"]) == scalars(shown))
    #expect(scalars(one.children.first?.text) == scalars(shown + "!\n" + shown))
    if !hostile.contains(where: \.isNewline) { #expect(scalars(one.children.first?.attributes["message"]) == scalars(shown + "!")) }
  }

  /// Equal texts may be of other scalars, which would be no faithful report.
  private func scalars(_ text: String?) -> [Unicode.Scalar] { Array((text ?? "none").unicodeScalars) }

  @Test func `the strict reader refuses what is not well-formed`() {
    let head = #"<?xml version="1.0" encoding="UTF-8"?>"#
    let bodies = [
      "<a>", "<a></b>", "<a b=\"<\"/>", "<a b=\"1\" b=\"2\"/>", "<a>&x;</a>", "<a>]]></a>", "<a>\u{1}</a>", "<a/><b/>",
      "<a b='1'/>",
    ]
    for body in bodies {
      #expect(throws: StrictXML.Failure.self) { try StrictXML(head + body) }
    }
  }
}

@Suite struct GitHubAnnotationsTests {
  @Test func `each failure is an annotation at its place`() {
    let failed = CheckResult(
      name: "a, b: c", file: "x/a.yaml", verdict: .failed(["x/a.yaml:5:7: not met:\n  count 100 %", "the trace differs"]))
    #expect(
      GitHubAnnotations.lines(failed) == [
        "::error file=x/a.yaml,line=5,col=7,title=a%2C b%3A c::not met:%0A  count 100 %25",
        "::error file=x/a.yaml,title=a%2C b%3A c::the trace differs",
      ])
    let problem = ScenarioProblem(file: "c.yaml", place: .init(line: 3, column: 1), sentence: "no step.")
    #expect(
      GitHubAnnotations.lines(CheckResult(name: "c.yaml", file: "c.yaml", verdict: .unusable(problem)))
        == ["::error file=c.yaml,line=3,col=1,title=c.yaml::no step."])
    #expect(GitHubAnnotations.lines(CheckResult(name: "p", file: "p.yaml", verdict: .passed)) == [])
  }

  @Test func `no text ends its line or begins another command`() {
    let hostile = "x\n::error::y\r\u{1B}[31m"
    let lines = GitHubAnnotations.lines(CheckResult(name: hostile, file: hostile, verdict: .failed([hostile])))
    #expect(lines.count == 1)
    #expect(!lines[0].unicodeScalars.contains { $0.value < 0x20 })
  }
}
