import Determinism
import Foundation
import Harness
import ScanTools
import Testing

/// A scenario file that cannot be used, and the whole sentence that says so.
struct BadScenario: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  var sentence: String
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ sentence: String) {
    self.name = name
    self.text = text
    self.sentence = sentence
  }

  /// A scenario whose steps begin in line 4.
  static func steps(_ name: String, _ steps: String, _ sentence: String) -> BadScenario {
    BadScenario(name, "scenario: x\nsource: { simulate: { world: preview, seed: 7 } }\nsteps:\n\(steps)\n", sentence)
  }

  /// A scenario with something in line 3 beside a step that is right.
  static func with(_ name: String, _ line: String, _ sentence: String) -> BadScenario {
    BadScenario(
      name, "scenario: x\nsource: { simulate: { world: preview, seed: 7 } }\n\(line)\nsteps: [ { expect: { wifi: on } } ]\n", sentence)
  }

  /// A scenario with another source, in line 2.
  static func source(_ name: String, _ source: String, _ sentence: String) -> BadScenario {
    BadScenario(name, "scenario: x\nsource: \(source)\nsteps: [ { expect: { wifi: on } } ]\n", sentence)
  }
}

@Suite struct BadScenarioTests {
  static let notYAML: [BadScenario] = [
    BadScenario("empty", "", "1:1: the file is empty; a scenario begins with “scenario:”."),
    BadScenario("blank", "\n \n", "1:1: the file is empty; a scenario begins with “scenario:”."),
    BadScenario("comment", "# later\n", "1:1: the file is empty; a scenario begins with “scenario:”."),
    BadScenario(
      "tab", "scenario: x\nsource:\n\tsimulate: 1\n",
      "3:1: not YAML: found character that cannot start any token while scanning for the next token."),
    BadScenario("indentation", "scenario: x\n  source: y\n", "2:9: not YAML: mapping values are not allowed in this context."),
    BadScenario("two colons", "scenario: a: b\n", "1:12: not YAML: mapping values are not allowed in this context."),
    BadScenario(
      "open bracket", "scenario: x\nsteps: [ { expect: { wifi: on }\n",
      "3:1: not YAML: did not find expected ',' or '}' while parsing a flow mapping."),
    BadScenario(
      "open quote", "scenario: \"x\n", "2:1: not YAML: found unexpected end of stream while scanning a quoted scalar."),
    BadScenario("key twice", "scenario: x\nscenario: y\n", "2:1: not YAML: the key “scenario” stands here twice."),
    .steps("key twice in a step", "  - expect: { wifi: on, wifi: off }", "4:25: not YAML: the key “wifi” stands here twice."),
    BadScenario("control character", "scenario: é\u{1}\n", "1:12: not YAML: control characters are not allowed."),
    BadScenario(
      "nested deeply", "steps: " + String(repeating: "[", count: 100_000), "1:1007: not YAML: lists and mappings are nested too deeply."),
    BadScenario(
      "two documents", "scenario: x\n---\nscenario: y\n", "3:1: a second document; one file is one scenario."),
    BadScenario(
      "list", "- scenario: x\n", "1:1: a scenario is a mapping with {keys}, not a list."),
    BadScenario(
      "another file", "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n",
      "1:1: a scenario is a mapping with {keys}, not a text of 79 characters."),
    BadScenario(
      "a line of passwords", "root:$6$salt$hash: 1\n", "1:1: a text of 17 characters is not known in a scenario; known are {keys}."),
    BadScenario(
      "text", "just words\n", "1:1: a scenario is a mapping with {keys}, not “just words”."),
    BadScenario("anchor", "scenario: &a x\n", "1:11: \(noAlias)"),
    BadScenario("alias", "scenario: x\nsteps: [ *a ]\n", "2:10: \(noAlias)"),
    BadScenario("alias as a key", "a: &a [ x ]\n? *a\n: y\n", "1:4: \(noAlias)"),
  ]

  static let noAlias = "“&” and “*” begin an anchor and an alias, which a scenario does not have; write it out, or put a text in quotes."

  static let notAScenario: [BadScenario] = [
    .with("unknown key", "stpes: []", "3:1: “stpes” is not known in a scenario; known are {keys}. Did you mean “steps”?"),
    .with("unknown key without a near one", "colour: red", "3:1: “colour” is not known in a scenario; known are {keys}."),
    .with("unknown order", "jobs: shufled", "3:7: “jobs” is one of {keys}, not “shufled”. Did you mean “shuffled”?"),
    .with(
      "too many changes", "jobs: { prioritized: 17 }",
      "3:22: “prioritized”, the number of changes, is a whole number from 0 to 16, not “17”."),
    .with("choice without a task", "jobs: [ { choice: 1 } ]", "3:9: a choice has no “takes”."),
    .with(
      "choice before the first", "jobs: [ { choice: 0, takes: 1 } ]", "3:19: “choice” is a whole number from 1 to 1000000000, not “0”."),
    .with(
      "choices out of order", "jobs: [ { choice: 2, takes: 2 }, { choice: 2, takes: 1 } ]",
      "3:44: choices are in order; 2 does not come after 2."),
    .with("races of something", "races: always", "3:8: “races” is on or off (or true or false), not “always”."),
    .with("merge key", "<<: { start: 1 }", "3:1: “<<” is not known in a scenario; known are {keys}."),
    .steps("unknown step", "  - tpa: Home", "4:5: “tpa” is not known in a step; known are {keys}. Did you mean “tap”?"),
    .steps("two steps in one", "  - tap: Home\n    info: Home", "5:5: a step is one thing at a time; begin another step for “info”."),
    .steps("no step", "  - {}", "4:5: a step says nothing."),
    .steps("step of text", "  - tap", "4:5: a step is a mapping with {keys}, not “tap”."),
    .steps("no expectation", "  - tap: Home", "4:3: a scenario that expects nothing cannot fail; add an “expect”."),
    .steps("empty expectation", "  - expect: {}", "4:13: an expectation of nothing cannot fail."),
    .steps(
      "unknown expectation", "  - expect: { destnation: none }",
      "4:15: “destnation” is not known in an expectation; known are {keys}. Did you mean “destination”?"),
    BadScenario("no source", "scenario: x\nsteps: []\n", "1:1: a scenario has no “source”."),
    BadScenario("no name", "source: { simulate: { world: preview, seed: 7 } }\nsteps: []\n", "1:1: a scenario has no “scenario”."),
    BadScenario(
      "no steps", "scenario: x\nsource: { simulate: { world: preview, seed: 7 } }\n", "1:1: a scenario has no “steps”."),
    BadScenario(
      "no step at all", "scenario: x\nsource: { simulate: { world: preview, seed: 7 } }\nsteps: []\n",
      "3:8: a scenario needs at least one step."),
    BadScenario(
      "empty name", "scenario: \"\"\nsource: { simulate: { world: preview, seed: 7 } }\nsteps: []\n",
      "1:11: the name of a scenario is one line of text."),
    .source(
      "daemon of the preview", "{ simulate: { world: preview, seed: 7, daemon: iwd } }",
      "2:56: “daemon” is for worlds with a kernel; the preview world has none."),
    .source(
      "daemon that there is not", "{ simulate: { world: still, seed: 7, daemon: connman } }",
      "2:54: “daemon” is one of supplicant, networkmanager, iwd, not “connman”."),
    .source(
      "messages of no daemon", "{ simulate: { world: still, seed: 7, takes: 5ms } }",
      "2:53: “takes” is how long each message of a daemon takes; say which with “daemon”."),
    .source(
      "fault of joins without a daemon", "{ simulate: { world: still, seed: 7, daemon: iwd, faults: [ wrongPassword ] } }",
      "2:69: “wrongPassword” is for joins without a daemon; over one, “world: { join: … }” says what access points do."),
    .with(
      "security in the preview", "start: { networks: [{ name: Home, security: psk }] }",
      "3:20: “security” and “password” are for the world still; in the preview a network is secured or not."),
    .with(
      "security twice", "start: { networks: [{ name: Home, secured: on, security: psk }] }",
      "3:58: “security” says whether the network is secured; leave out “secured”."),
    .with(
      "password of an open network", "start: { networks: [{ name: Home, secured: off, password: x }] }",
      "3:59: an open network takes no password."),
    .source(
      "unknown world", "{ simulate: { world: ofice, seed: 7 } }",
      "2:30: unknown world “ofice”; choose from {keys}. Did you mean “office”?"),
    .source("no seed", "{ simulate: { world: preview } }", "2:21: “simulate” has no “seed”."),
    .source(
      "negative seed", "{ simulate: { world: preview, seed: -1 } }",
      "2:45: a seed is a whole number from 0 to 18446744073709551615, not “-1”."),
    .source("two sources", "{ replay: a, interface: b }", "2:22: a source is one thing, and here are “replay” and “interface”: keep one."),
    .source(
      "churn elsewhere", "{ simulate: { world: still, seed: 7, churn: off } }",
      "2:53: “churn” is for the preview world; a radio world has its access points."),
    .source(
      "devices elsewhere", "{ simulate: { world: still, seed: 7, devices: 20 } }",
      "2:55: “devices” is for a radio world; the networks of still are those of “start”."),
    .source(
      "too few devices", "{ simulate: { world: home, seed: 7, devices: 1 } }",
      "2:54: “devices” is a whole number from 3 to 100000, not “1”."),
    .source(
      "faults in the preview", "{ simulate: { world: preview, seed: 7, faults: [] } }",
      "2:56: “faults” is for worlds with a kernel; the preview world has none."),
    .steps("duration", "  - advance: 5 minutes", "4:14: “advance” is a duration such as 1s, 500ms, 1.5s, 10m or 2h, not “5 minutes”."),
    .steps("negative duration", "  - advance: -1s", "4:14: “advance” is a duration such as 1s, 500ms, 1.5s, 10m or 2h, not “-1s”."),
    .steps("duration without a unit", "  - advance: 10", "4:14: “advance” is a duration such as 1s, 500ms, 1.5s, 10m or 2h, not “10”."),
    .steps(
      "endless duration", "  - advance: 1000000h", "4:14: “advance” is a duration such as 1s, 500ms, 1.5s, 10m or 2h, not “1000000h”."),
    .steps("number", "  - expect: { count: many }", "4:22: “count” is a whole number from 0 to 1000000, not “many”."),
    .steps("switch", "  - switch: { wifi: maybe }", "4:21: “wifi” is on or off (or true or false), not “maybe”."),
    .steps(
      "alert", "  - expect: { alert: incorectPassword }",
      "4:22: “alert” is one of none, incorrectPassword, forget, forgetKnown, not “incorectPassword”. Did you mean “incorrectPassword”?"),
    .steps(
      "destination", "  - expect: { destination: sheet }",
      "4:28: “destination” is none, connect, detail or known, or { connect: NETWORK }, not “sheet”."),
    .steps("rows", "  - expect: { rows: Home }", "4:21: “rows” is a list, not “Home”."),
    .steps("wait without a limit", "  - wait: { until: { count: 1 } }", "4:11: “wait” has no “within”."),
    .steps("dismiss", "  - dismiss: sheet", "4:14: “dismiss” is one of top, not “sheet”."),
    .steps("type", "  - type: blob", "4:11: “type” is a mapping with name, password, security, priority, autoconnect, hidden, not “blob”."),
    .steps(
      "name of 33 bytes", "  - tap: \(String(repeating: "a", count: 33))",
      "4:10: the name of a network has at most 32 bytes, this one 33."),
    .steps(
      "tap on nothing", "  - tap:\n  - expect: { wifi: on }",
      "4:9: the name of a network is missing; one that hides its name is \"\"."),
    .steps("info of nothing", "  - info: { network: }", "4:22: the name of a network is missing; one that hides its name is \"\"."),
    .steps("number of a network", "  - tap: { network: Home, number: 0 }", "4:35: “number” is a whole number from 1 to 100000, not “0”."),
    .steps(
      "number of the selected network", "  - expect: { selected: { network: Home, number: 2 } }",
      "4:50: the selected network is the first row, whatever its number was; identify it by “row” and its strength."),
    .steps(
      "time at once", "  - atOnce: [ tap: join, advance: 1s ]",
      "4:26: in “atOnce” there is no time and no rest, so no advance, wait, expect or atOnce."),
    .steps("one thing at once", "  - atOnce: [ tap: join ]", "4:13: “atOnce” needs at least two steps."),
    .with("networks", "start: { networks: some }", "3:20: “networks” is mocks, none, a list of networks or { count: N }, not “some”."),
    .with(
      "connectivity", "start: { networks: [ { name: A, connectivity: 1.5 } ] }",
      "3:47: “connectivity” is a number from 0.01 to 1 with at most two decimals, not “1.5”."),
    .with(
      "connectivity of three decimals", "start: { networks: [ { name: A, connectivity: 0.123 } ] }",
      "3:47: “connectivity” is a number from 0.01 to 1 with at most two decimals, not “0.123”."),
    .with(
      "connectivity with a sign among its decimals", "start: { networks: [ { name: A, connectivity: 0.+5 } ] }",
      "3:47: “connectivity” is a number from 0.01 to 1 with at most two decimals, not “0.+5”."),
    .with(
      "hidden name", "start: { networks: [ { name: A, hidden: on } ] }",
      "3:20: “A” cannot hide its name in the preview world; there a network without a name is hidden."),
    .with(
      "destination while off", "start: { wifi: off, networks: mocks, destination: { detail: Nacho Wi-Fi } }",
      "3:51: while Wi-Fi is off there is no destination."),
    .with(
      "alert of a page", "start: { destination: { detail: { network: A, alert: incorrectPassword } } }",
      "3:54: the alert of “detail” is forget."),
    .with(
      "alert of a sheet", "start: { destination: { connect: { network: A, alert: forget } } }",
      "3:55: the alert of “connect” is incorrectPassword."),
    .source(
      "control character in a name", "{ simulate: { world: \"a\\e[31m\", seed: 7 } }",
      "2:30: unknown world “a\\x1b[31m”; choose from {keys}."),
  ]

  static let contradictions: [BadScenario] = [
    .steps(
      "no sheet, yet joining", "  - expect: { destination: none, connecting: on }",
      "4:13: this can never be so: no destination, and connecting."),
    .steps(
      "page with a password", "  - expect: { destination: detail, password: x }",
      "4:13: this can never be so: the destination is a detail page, and a password."),
    .steps(
      "sheet with Forget", "  - expect: { destination: connect, canForget: on }",
      "4:13: this can never be so: the destination is the connect sheet, and Forget is offered."),
    .steps(
      "off with a sheet", "  - expect: { wifi: off, destination: connect }",
      "4:13: this can never be so: Wi-Fi is off, and there is a destination."),
    .steps("off with rows", "  - expect: { wifi: off, count: 2 }", "4:13: this can never be so: Wi-Fi is off, and 2 rows are shown."),
    .steps(
      "joining with an alert", "  - expect: { connecting: on, alert: incorrectPassword }",
      "4:13: this can never be so: connecting, and an alert for a wrong password."),
    .steps(
      "there and missing", "  - expect: { contains: [Home], missing: [Home] }",
      "4:13: this can never be so: Home is there, and it is missing."),
    .steps("rows and count", "  - expect: { rows: [Home], count: 2 }", "4:13: this can never be so: 2 rows, and 1 names of rows."),
    .steps(
      "rows and contains", "  - expect: { rows: [Home], contains: [Cafe] }",
      "4:13: this can never be so: Cafe is there, and it is not among the rows."),
    .steps(
      "out of range, yet nothing selected", "  - expect: { selected: none, outOfRange: on }",
      "4:13: this can never be so: nothing is selected, and the selected network is out of range."),
    .steps(
      "one after the other", "  - expect: { wifi: on }\n  - expect: { wifi: off }",
      "5:5: this contradicts line 4: nothing happens between the two, yet “wifi” differs."),
    .steps(
      "destination after another", "  - expect: { destination: { connect: A } }\n  - expect: { destination: { connect: B } }",
      "5:5: this contradicts line 4: nothing happens between the two, yet “destination” differs."),
  ]

  @Test(arguments: notYAML + notAScenario + contradictions)
  func `a bad scenario is a sentence with its place`(bad: BadScenario) async {
    let check = ScenarioCheck(path: "bad.yaml", text: Array(bad.text.utf8))
    let result = await check.run(traces: .ignore)
    #expect(withoutKeys(result.problem?.description, like: bad.sentence) == "bad.yaml:\(bad.sentence)")
    #expect(result.problem?.failure == nil)
  }

  @Test func `all that is wrong with a file is said at once, in its order`() async throws {
    let text = """
      scenario: x
      abuot: y
      source: { simulate: { world: home, seed: -1, devices: 7, faults: [ bsuy, { busy: { permille: 1001 } } ] } }
      start: { wfi: on, viewCancels: maybe }
      steps:
        - tpa: Home
        - expect: { wifi: maybe, cuont: 3, rows: Home }
        - expect: { destination: none, connecting: on }
        - advance: 5
      """
    let result = await ScenarioCheck(path: "bad.yaml", text: Array(text.utf8)).run(traces: .ignore)
    let all = try #require(result.problem).all
    let expected = [
      ("2:1", "Did you mean “about”?"), ("3:42", "not “-1”."), ("3:68", "Did you mean “busy”?"), ("3:94", "not “1001”."),
      ("4:10", "Did you mean “wifi”?"), ("4:32", "not “maybe”."), ("6:5", "Did you mean “tap”?"), ("7:21", "not “maybe”."),
      ("7:28", "Did you mean “count”?"), ("7:44", "not “Home”."), ("8:13", "no destination, and connecting."), ("9:14", "not “5”."),
    ]
    #expect(all.map { "\($0.place.line):\($0.place.column)" } == expected.map(\.0))
    for (problem, end) in zip(all, expected) { #expect(problem.sentence.hasSuffix(end.1), "\(problem)") }
    #expect(GitHubAnnotations.lines(result).count == expected.count)
    for problem in all {
      #expect(JUnitReport.xml([result]).contains("bad.yaml:\(problem.place.line):\(problem.place.column): "))
      #expect(GitHubAnnotations.lines(result).contains { $0.contains("line=\(problem.place.line),col=\(problem.place.column),") })
      #expect(String(decoding: CheckSummary.line(result), as: UTF8.self).contains("bad.yaml:\(problem.place.line):"))
    }
  }

  @Test func `what only follows from something that is wrong is not said`() async throws {
    let text = """
      scenario: x
      source: { simulate: { wrold: home, seed: 7 } }
      judgedBy: properties
      start: { networks: mocks, known: [] }
      stpes: [ { tap: join } ]
      """
    let result = await ScenarioCheck(path: "bad.yaml", text: Array(text.utf8)).run(traces: .ignore)
    #expect(try #require(result.problem).all.map(\.place.line) == [2, 5])
  }

  /// What the reader knows grows; a sentence with `{keys}` is about any list of them.
  private func withoutKeys(_ text: String?, like sentence: String) -> String? {
    let parts = sentence.split(separator: "{keys}", omittingEmptySubsequences: false)
    guard let text, parts.count == 2, let start = text.firstRange(of: parts[0])?.upperBound, text.hasSuffix(parts[1]) else { return text }
    let keys = text[start...].dropLast(parts[1].count)
    guard keys.split(separator: ", ").allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0 == "-" } }) else { return text }
    return text[..<start] + "{keys}" + parts[1]
  }

  @Test func `what is not UTF-8 is a sentence`() async {
    let result = await ScenarioCheck(path: "bad.yaml", text: [0x73, 0xFF, 0xFE]).run(traces: .ignore)
    #expect(result.problem?.description == "bad.yaml:1:1: not YAML: the file is no valid UTF-8.")
  }

  @Test func `aliases within aliases end soon`() async {
    var text = "a: &a [x,x,x,x,x,x,x,x,x]\n"
    for (name, earlier) in zip("bcdefghijklmnop", "abcdefghijklmno") {
      text += "\(name): &\(name) [" + String(repeating: "*\(earlier),", count: 9) + "]\n"
    }
    let result = await ScenarioCheck(path: "bad.yaml", text: Array((text + "? [*p]\n: x\n").utf8)).run(traces: .ignore)
    #expect(result.problem?.description == "bad.yaml:1:4: \(Self.noAlias)")
  }

  @Test(arguments: [
    "about: |\n  *this* & that\n  &more", "about: \"quoted *a &b\"", "about: 'it''s *a'", "about: R*n &amp", "about: x # *no &no",
    "about: >-\n\n  a\n\n  *b",
  ])
  func `a text may have the characters of an alias`(about: String) throws {
    let text = """
      scenario: x
      source: { simulate: { world: preview, seed: 7 } }
      \(about)
      steps: [ { expect: { contains: [ "*a", a*b, '&' ] } } ]
      """
    _ = try ScenarioReader(file: "good.yaml").read(text)
  }

  @Test func `a byte order mark is no part of a scenario`() throws {
    let text = "\u{FEFF}scenario: x\nsource: { simulate: { world: preview, seed: 7 } }\nsteps: [ { expect: { wifi: on } } ]\n"
    #expect(try ScenarioReader(file: "good.yaml").read(text).name == "x")
  }

  // MARK: What only a run can know

  static let starts: [BadScenario] = [
    .with(
      "nobody selected", "start: { networks: mocks, selected: Nobody }",
      "3:37: “start” means Nobody, which is not among the networks before the first step."),
    .with(
      "one of two", "start: { networks: [Home, Home], selected: Home }",
      "3:44: “start” means one of 2 networks called Home; say which with { network: …, number: 1 }."),
    .with(
      "the third of two", "start: { networks: [Home, Home], selected: { network: Home, number: 3 } }",
      "3:44: “start” means Home (number 3), but of that name there are 2."),
    .with(
      "sheet of nobody", "start: { networks: mocks, destination: { connect: Nobody } }",
      "3:40: “start” means Nobody, which is not among the networks before the first step."),
  ]

  @Test(arguments: starts)
  func `a start that means a network that is not there is a sentence`(bad: BadScenario) async {
    let result = await ScenarioCheck(path: "bad.yaml", text: Array(bad.text.utf8)).run(traces: .ignore)
    #expect(result.problem?.description == "bad.yaml:\(bad.sentence)")
  }

  static let cannots: [BadScenario] = [
    .steps("no such row", "  - tap: Nobody\n  - expect: { wifi: on }", "4:5: no row is called Nobody; the list is empty."),
    .steps("no button", "  - tap: join\n  - expect: { wifi: on }", "4:5: there is no “join” on the screen; nothing lies over the list."),
    .steps("nothing to dismiss", "  - dismiss\n  - expect: { wifi: on }", "4:5: nothing lies over the list that could be dismissed."),
    .steps("no field", "  - type: { password: x }\n  - expect: { wifi: on }", "4:5: there is no password field on the screen."),
    .steps(
      "a row under a sheet", "  - world: { find: A }\n  - advance: 1s\n  - tap: A\n  - info: A\n  - expect: { wifi: on }",
      "7:5: A cannot be tapped: sheet connect lies over the list."),
    .steps(
      "a button of another screen", "  - world: { find: A }\n  - advance: 1s\n  - info: A\n  - tap: forget\n  - expect: { wifi: on }",
      "7:5: there is no “forget” on the screen; there is back."),
    .steps(
      "one of two rows", "  - world: { find: A }\n  - world: { find: A }\n  - advance: 1s\n  - tap: A\n  - expect: { wifi: on }",
      "7:5: 2 rows are called A; say which with { network: …, number: 1 }."),
    .steps(
      "the third of two rows",
      "  - world: { find: A }\n  - world: { find: A }\n  - advance: 1s\n  - tap: { network: A, number: 3 }\n  - expect: { wifi: on }",
      "7:5: there is no A (number 3): 2 rows are called that."),
    .steps("lost and not there", "  - world: { lose: A }\n  - expect: { wifi: on }", "4:5: A is not there, so it cannot be lost."),
    .steps("join of nobody", "  - world: { join: { network: A } }\n  - expect: { wifi: on }", "4:5: A is not known."),
    .steps(
      "late and still there", "  - world: { find: A }\n  - advance: 1s\n  - stale: { tap: A }\n  - expect: { wifi: on }",
      "6:5: A is in the list, so a tap on it is not late; use “tap” or “info”."),
    .steps(
      "waiting in vain", "  - wait: { until: { selected: A }, within: 3s }", "4:5: not met within 3 s:\n  selected: expected A, is none"),
    .steps(
      "wrong count", "  - expect: { count: 2, wifi: off, destination: none }",
      "4:5: wifi: expected off, is on\n  count: expected 2 rows, there are 0"),
  ]

  @Test(arguments: cannots.filter { $0.name != "wrong count" })
  func `what cannot be done fails with its place`(bad: BadScenario) async {
    let text = bad.text.replacing("seed: 7", with: "seed: 7, churn: off")
    let result = await ScenarioCheck(path: "bad.yaml", text: Array(text.utf8)).run(traces: .ignore)
    #expect(result.failures == ["bad.yaml:\(bad.sentence)"])
    #expect(result.trace.last?.contains(" stops at line ") == true)
  }

  @Test func `every difference of an expectation is told at once`() async {
    let text = """
      scenario: x
      source: { simulate: { world: preview, seed: 7, churn: off } }
      start: { networks: [Home, Cafe], selected: Home }
      steps:
        - expect:
            selected: none
            destination: connect
            rows: [Home, Cafe]
            row: { network: Cafe, secured: off, bars: 1 }
            issues: 2
      """
    let result = await ScenarioCheck(path: "x.yaml", text: Array(text.utf8)).run(traces: .ignore)
    #expect(
      result.failures == [
        """
        x.yaml:5:5: destination: expected connect, is none
          selected: expected none, is Home \(bssid(result.trace))
          rows (- expected, + shown):
            - Home
              Cafe
          row Cafe: expected open, is secured
          row Cafe: expected 1 bars, has 4
          issues: expected 2, is 0
        """
      ])
  }

  /// The address in the line about the selected network.
  private func bssid(_ trace: [String]) -> String {
    trace.first { $0.contains("begins with selected") }?.split(separator: " ").last.map(String.init) ?? ""
  }

  @Test func `a password that is another one is told by its length only`() async {
    let text = """
      scenario: x
      source: { simulate: { world: preview, seed: 7, churn: off } }
      start: { networks: [Home], destination: { connect: { network: Home, password: tip-top-secret } } }
      steps:
        - expect: { password: another secret }
      """
    let result = await ScenarioCheck(path: "x.yaml", text: Array(text.utf8)).run(traces: .ignore)
    #expect(result.failures == ["x.yaml:5:5: password: expected 14 other characters, was 14 characters"])
    #expect(!(result.trace + result.failures).contains { $0.contains("secret") })
  }

  // MARK: Recordings

  @Test func `a recording that is not there is missing input`() async throws {
    let folder = try TemporaryFolder()
    let text = "scenario: x\nsource: { replay: recordings/none.ndjson }\nsteps: [ { expect: { wifi: on } } ]\n"
    let result = await (try folder.check("x", text)).run(traces: .ignore)
    let problem = try #require(result.problem)
    #expect(problem.failure?.isNoInput == true)
    #expect(problem.place == .init(line: 2, column: 19))
    #expect(problem.sentence.hasSuffix("recordings/none.ndjson: No such file or directory."))
  }

  @Test(arguments: [
    ("{\"format\":\"wifi-harness/recording/99\",\"source\":\"x\"}\n", "line 1"),
    ("not a recording\n", "line 1"), ("", "line 1"),
    ("{\"format\":\"wifi-harness/recording/1\",\"source\":\"x\"}\n{\"interface\":3}\n", "line 2"),
  ])
  func `a recording that cannot be read is bad data`(recording: String, line: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(recording, to: "recordings/r.ndjson")
    let text = "scenario: x\nsource: { replay: recordings/r.ndjson }\nsteps: [ { expect: { wifi: on } } ]\n"
    let result = await (try folder.check("x", text)).run(traces: .ignore)
    let problem = try #require(result.problem)
    #expect(problem.failure == nil)
    #expect(problem.sentence.hasPrefix("recordings/r.ndjson cannot be replayed: \(line): "))
  }

  @Test func `without an adapter a scenario of an interface cannot be checked`() async throws {
    let text = "scenario: x\nsource: { interface: any }\nsteps: [ { expect: { wifi: on } } ]\n"
    let result = await ScenarioCheck(path: "x.yaml", text: Array(text.utf8)).run()
    #expect(result.problem?.failure == nil)
    #expect(result.problem?.sentence == "adapters cannot be read here; give another source.")
  }
}
