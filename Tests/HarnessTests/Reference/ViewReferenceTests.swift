import Determinism
import Models
import Page
import Terminal
import Testing
import WiFi

@testable import Harness

/// What a view shows agrees with the reference, and as soon as anything of it is changed it does not.
@Suite struct ViewReferenceTests {
  /// Runs steps in a world with the strong network Home, which is secured, and the weak network Cafe, which is open, and
  /// looks at the last moment of rest.
  private func look(
    _ steps: [ScenarioAction], via view: ViewKind, _ destination: ScenarioStart.Destination? = nil,
    _ body: @escaping @Sendable (SettingsReference, SettingsMoment) -> String?
  ) async -> String? {
    var plan = RunPlan(seed: 1, worlds: ["still"])
    (plan.start, plan.source.faults, plan.source.faultsUntil, plan.source.interval) = (ScenarioStart(), [], nil, .seconds(2))
    (plan.view, plan.start.destination) = (view, destination)
    var cafe = ScenarioNetwork(name: "Cafe")
    (cafe.isSecured, cafe.connectivityPercent) = (false, 20)
    plan.start.networks = [ScenarioNetwork(name: "Home"), cafe]
    plan.start.known = SimulatedWorlds.knownAtFirst
    let last = Last()
    let run = SettingsRun(plan, steps: [.advance(.seconds(5))] + steps)
    _ = await run.run(properties: {
      var reference: SettingsReference?
      return [
        Property<SettingsSubject>("test") { settings -> String? in
          guard let moment = settings.moment else { return nil }
          var now = reference ?? SettingsReference(moment)
          for event in moment.log.takeEvents() { now.take(event, moment.log) }
          reference = now
          if moment.time <= .seconds(9) { last.words = body(now, moment) }
          return nil
        }
      ]
    })
    return last.words
  }

  private final class Last: @unchecked Sendable {
    var words: String?
  }

  private static let home = NetworkReference(name: "Home")
  private static let cafe = NetworkReference(name: "Cafe")
  private static let page: [ScenarioAction] = [.tap(.knownNetworks), .advance(.seconds(1)), .tapNetwork(NetworkReference(name: "Airport"))]
  private static let failed = ScenarioStart.Destination.connect(home, failure: .timedOut, isLost: true)

  /// What happens, which text of the terminal is replaced by which, and what is said then.
  static let pictures: [(steps: [ScenarioAction], start: ScenarioStart.Destination?, text: String, other: String, words: String)] = [
    ([], nil, "  Home", "  x   ", "where the terminal should show Home"),
    ([], nil, "open", "WPA2", "where the terminal should show Cafe"),
    ([], nil, "-88", "-44", "where the terminal should show Cafe"),
    ([.tapNetwork(cafe)], nil, "●", " ", "where the terminal should show Cafe"),
    ([.tapNetwork(cafe)], nil, "▌", " ", "where the terminal should show Cafe"),
    ([.switchWiFi(isOn: false)], nil, "Wi-Fi is off", "            ", "does not say that Wi-Fi is off"),
    ([.tapNetwork(home)], nil, "Join “Home”", "Join “Cafe”", "has the title “Join “Cafe””"),
    ([.tapNetwork(home), .typePassword("abc")], nil, "•••", "•••••", "3 characters of a password were typed; 5 are shown"),
    ([.tapNetwork(home), .typePassword("x"), .tap(.join), .advance(.seconds(2))], nil, "Incorrect", "Unlikely ", "should ask"),
    ([], failed, "did not answer", "              ", "says []"),
    ([.info(cafe)], nil, " Cafe", " Home", "the page of Cafe"),
    (Array(page.dropLast()), nil, "Cabin", "Home ", "of the known networks the terminal shows"),
    (page, nil, "Airport", "Cabin  ", "the page of the known network Airport"),
    (page, nil, "‹ -1 ›", "‹ 0 › ", "it should be ‹ -1 ›"),
    (page, nil, "[off]", "[on] ", "it should be [off]"),
    (page + [.tap(.forget)], nil, "Forget “Airport”?", "                 ", "should ask “Forget “Airport”?”"),
    (page + [.tap(.duplicate)], nil, "Duplicate “Airport”", "Duplicate “x”      ", "has the title"),
  ]

  @Test(arguments: pictures.indices) func `whatever changes on the terminal is seen`(index: Int) async {
    let (steps, start, text, other, words) = Self.pictures[index]
    func look(isChanged: Bool) async -> String? {
      await self.look(steps, via: .terminal, start) { reference, moment in
        guard let viewer = moment.viewer, var picture = moment.picture else { return "no picture" }
        if isChanged {
          guard let row = picture.lines.firstIndex(where: { $0.contains(text) }), let place = picture.lines[row].firstRange(of: text) else {
            return "no “\(text)” in \(picture)"
          }
          let line = picture.lines[row]
          picture.put(other, column: line.distance(from: line.startIndex, to: place.lowerBound), row: row)
        }
        return reference.difference(from: TerminalLines(picture), viewer, seen: [:])
      }
    }
    #expect(await look(isChanged: false) == nil)
    let found = await look(isChanged: true)
    #expect(found?.contains(words) == true, "\(found ?? "no difference")")
  }

  /// What happens, what is changed of the page, and what is said then.
  static let pages: [(steps: [ScenarioAction], start: ScenarioStart.Destination?, change: Change, words: String)] = [
    ([], nil, { $0.rows = [] }, "the page has 0 rows of Home"),
    ([.tapNetwork(home)], nil, { $0.layers = [] }, "the sheet of Home"),
    ([], failed, { change(&$0) { (sheet: inout PageLayer.Sheet) in sheet.failure = nil } }, "the sheet of Home"),
    ([], failed, { change(&$0) { (sheet: inout PageLayer.Sheet) in sheet.name = "x" } }, "the sheet of Home"),
    ([.info(cafe)], nil, { $0.layers = [] }, "the page of Cafe"),
    (Array(page.dropLast()), nil, { change(&$0) { (list: inout PageKnownList) in list.rows.reverse() } }, "in another order"),
    (
      Array(page.dropLast()), nil, { change(&$0) { (list: inout PageKnownList) in list.rows = list.rows.map(renamed) } },
      "among the known networks"
    ),
    (page, nil, { change(&$0) { (form: inout PageKnownForm) in form.priority = 0 } }, "the page should show"),
    (page, nil, { change(&$0) { (form: inout PageKnownForm) in form.title = "x" } }, "the page should show"),
    (page, nil, { change(&$0) { (form: inout PageKnownForm) in form.isHidden.toggle() } }, "the page should show"),
    (page + [.tap(.forget)], nil, { $0.layers = $0.layers.dropLast() }, "should ask “Forget “Airport”?”"),
    (page, nil, { $0.layers += $0.layers.prefix(1) }, "more lies over the list"),
  ]

  private static func renamed(_ row: PageKnownList.Row) -> PageKnownList.Row {
    var row = row
    row.name = "x"
    return row
  }

  typealias Change = @Sendable (inout PageState) -> Void

  /// Changes the topmost layer of a page, where it is what is meant.
  private static func change<Content>(_ page: inout PageState, _ body: (inout Content) -> Void) {
    guard let top = page.layers.indices.last else { return }
    switch page.layers[top].content {
    case .sheet(let sheet):
      if var sheet = sheet as? Content {
        body(&sheet)
        if let sheet = sheet as? PageLayer.Sheet { page.layers[top].content = .sheet(sheet) }
      }
    case .known(let list):
      if var list = list as? Content {
        body(&list)
        if let list = list as? PageKnownList { page.layers[top].content = .known(list) }
      }
    case .knownForm(let form):
      if var form = form as? Content {
        body(&form)
        if let form = form as? PageKnownForm { page.layers[top].content = .knownForm(form) }
      }
    case .detail, .question, .other: break
    }
  }

  @Test(arguments: pages.indices) func `whatever changes on the page is seen`(index: Int) async {
    let (steps, start, change, words) = Self.pages[index]
    let plain = await look(steps, via: .page, start) { reference, moment in moment.page.map { reference.difference(from: $0) } ?? "no page"
    }
    #expect(plain == nil)
    let found = await look(steps, via: .page, start) { reference, moment in
      guard var page = moment.page else { return "no page" }
      change(&page)
      return reference.difference(from: page)
    }
    #expect(found?.contains(words) == true, "\(found ?? "no difference")")
  }

  @Test func `the strong stand above the weak, and the selected above all`() async {
    func look(_ steps: [ScenarioAction], isReversed: Bool) async -> String? {
      await self.look(steps, via: .terminal) { reference, moment in
        var views = ViewReference()
        let ids = moment.viewer?.ids ?? []
        return views.orderDifference(isReversed ? ids.reversed() : ids, nil, reference)
      }
    }
    #expect(await look([], isReversed: false) == nil)
    #expect(await look([], isReversed: true)?.contains("Home: 4 bars, 100 %, secured stands below Cafe") == true)
    #expect(await look([.tapNetwork(Self.cafe)], isReversed: false) == nil)
    #expect(await look([.tapNetwork(Self.cafe)], isReversed: true) == "Cafe is selected, and its row is not the first")
  }
}
