import Models
import Observing
import Testing
import ViewFixture
import WiFi

@testable import Page

@Suite struct PageActionTests {
  static let good: [(String, PageAction)] = [
    (#"{"do":"highlight","network":null}"#, .highlight(nil)),
    (#"{"do":"tap","network":"b:02:00:00:00:00:01"}"#, .tap(.bss(MACAddress(0x0200_0000_0001)))),
    (#"{"do":"filter","value":"blöb"}"#, .filter("blöb")), (#"{"do":"band","value":"all"}"#, .bands([])),
    (#"{"do":"band","value":"6GHz"}"#, .bands(.ghz6)), (#"{"do":"minimumSignal","value":-70}"#, .minimumSignal(-70)),
    (#"{"do":"minimumSignal","value":null}"#, .minimumSignal(nil)), (#"{"do":"follow"}"#, .follow),
    (#"{"do":"protection","value":"open"}"#, .protection(.open)), (#"{"do":"minimumGeneration","value":6}"#, .minimumGeneration(6)),
    (#"{"do":"sort","value":"name","isReversed":true}"#, .sort(NetworkSort(.name, isReversed: true))),
    (#" {"over":3,"do":"password","value":"\u00e9\ud83c\udf08"} "#, .top(3, .password("é🌈"))),
    (#"{"do":"answer","over":1,"value":0}"#, .top(1, .answer(0))),
    (#"{"do":"interval","value":30}"#, .interval(30)), (#"{"do":"scan"}"#, .scan), (#"{"do":"seek","value":4}"#, .seek(4)),
  ]

  @Test(arguments: good)
  func `an action is read`(text: String, action: PageAction) { #expect(PageAction(json: text.utf8) == action) }

  @Test func `what changes a view alone is listed by the name that it is read by`() throws {
    let fixture = PageFixture()
    let hello = try #require(JSONValue(fixture.feed.hello(mayAct: false).data))
    guard case .array(let names)? = hello["viewActions"] else {
      Issue.record("the first event lists no actions")
      return
    }
    let listed = Set(names.compactMap(\.text))
    for (text, action) in Self.good {
      let name = try #require(JSONValue(text.utf8)?["do"]?.text)
      #expect(listed.contains(name) == (action.ofView != nil), "\(name)")
      #expect(action.ofView == nil || action.ofView?.rawValue == name)
    }
    #expect(listed == Set(Self.good.map(\.1).compactMap(\.ofView?.rawValue)))
  }

  @Test(arguments: [
    "", "{}", "[]", "null", #"{"do":"explode"}"#, #"{"do":"tap"}"#, #"{"do":"tap","network":"x"}"#, #"{"do":"join"}"#,
    #"{"do":"join","over":1.5}"#,
    #"{"do":"band","value":"60GHz"}"#, #"{"do":"minimumSignal","value":5}"#, #"{"do":"interval","value":0}"#,
    #"{"do":"interval","value":1e400}"#,
    #"{"do":"answer","over":1,"value":-1}"#, #"{"do":"scan"} x"#, #"{"do":"scan","do":"scan"}"#, #"{"do":"scan",}"#, #"{'do':'scan'}"#,
    #"{"do":"sc"#,
    "{\"do\":\"filter\",\"value\":\"\u{1}\"}", #"{"do":"filter","value":"\ud800"}"#, #"{"do":"interval","value":01}"#,
  ])
  func `anything else is none`(text: String) { #expect(PageAction(json: text.utf8) == nil) }

  @Test func `a text has a longest length, and values a greatest depth`() {
    #expect(PageAction(json: #"{"do":"filter","value":"\#(String(repeating: "a", count: 256))"}"#.utf8) != nil)
    #expect(PageAction(json: #"{"do":"filter","value":"\#(String(repeating: "a", count: 257))"}"#.utf8) == nil)
    for (count, isTaken) in [(1024, true), (1025, false)] {
      let password = String(repeating: "a", count: count)
      #expect((PageAction(json: #"{"do":"password","over":1,"value":"\#(password)"}"#.utf8) != nil) == isTaken)
    }
    #expect(JSONValue((String(repeating: "[", count: 16) + String(repeating: "]", count: 16)).utf8) != nil)
    #expect(JSONValue((String(repeating: "[", count: 17) + String(repeating: "]", count: 17)).utf8) == nil)
    #expect(JSONValue(String(repeating: "[", count: 100_000).utf8) == nil)
  }

  @Test func `a wrong password is a question over the sheet, and what is typed then is joined with`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    fixture.act(.tap(try #require(fixture.id("Nacho Wi-Fi"))))
    guard case .sheet(let sheet)? = fixture.state.layers.last?.content else {
      Issue.record("no sheet")
      return
    }
    #expect(sheet.name == "Nacho Wi-Fi" && sheet.passwordCount == 0)
    fixture.top(.password("nope"))
    fixture.top(.join)
    #expect(fixture.attempts.count == 1)
    #expect(fixture.sheet?.isConnecting == true)
    fixture.turn { fixture.sheet?.incorrectPasswordAlertIsPresented = true }
    guard case .question(let title, _, let buttons)? = fixture.state.layers.last?.content else {
      Issue.record("no question")
      return
    }
    #expect(title == "Incorrect password" && buttons.map(\.title) == ["OK"])
    fixture.top(.answer(0))
    #expect(fixture.state.layers.count == 1)
    fixture.top(.password("blob"))
    #expect(fixture.sheet?.password == "blob")
  }

  @Test func `a scan that is asked for is answered with why none begins`() {
    let fixture = PageFixture()
    #expect(fixture.act(.scan) == nil)
    fixture.act(.pause(true))
    #expect(fixture.act(.scan) == "Paused: nothing is scanned until it goes on.")
    fixture.act(.wifi(false))
    #expect(fixture.act(.scan) == "Wi-Fi is off; nothing is scanned until it is on.")
    #expect(fixture.scansAskedFor == 3)
  }

  @Test func `what is done to something that is gone changes nothing`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    fixture.act(.tap(try #require(fixture.id("Nacho Wi-Fi"))))
    let number = try #require(fixture.presenter.entries.last?.number)
    fixture.top(.cancel)
    fixture.act(.tap(try #require(fixture.id("Attic 6E"))))
    fixture.act(.top(number, .password("for another network")))
    fixture.act(.top(number, .join))
    #expect(fixture.sheet?.password == "")
    #expect(fixture.attempts.isEmpty)
    fixture.act(.highlight(.bss(MACAddress(99))))
    #expect(fixture.viewer.cursor != .bss(MACAddress(99)))
    #expect(fixture.act(.tap(.bss(MACAddress(99)))) != nil)
  }

  @Test func `an open network is joined at once, shown, and forgotten after a question`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    let printer = try #require(fixture.id("Old Printer"))
    fixture.act(.tap(printer))
    #expect(fixture.state.rows.first?.isJoined == true)
    fixture.act(.tap(printer))
    guard case .detail(_, canForget: true, isLost: false)? = fixture.state.layers.last?.content else {
      Issue.record("\(fixture.state.layers)")
      return
    }
    fixture.top(.forget)
    #expect(fixture.state.layers.count == 2)
    fixture.top(.answer(0))
    #expect(fixture.state.layers.isEmpty)
    #expect(fixture.state.rows.allSatisfy { !$0.isJoined })
  }
}
