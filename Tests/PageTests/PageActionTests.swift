import Models
import Observing
import Testing
import ViewStage
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
    let stage = PageStage()
    let hello = try #require(JSONValue(stage.feed.hello(mayAct: false).data))
    guard case .array(let names)? = hello["viewActions"] else {
      Issue.record("the first event lists no actions")
      return
    }
    let listed = Set(names.compactMap(\.text))
    for (text, action) in Self.good {
      let name = try #require(JSONValue(text.utf8)?["do"]?.text)
      #expect(listed.contains(name) == action.isOfView, "\(name)")
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
    #expect(JSONValue((String(repeating: "[", count: 16) + String(repeating: "]", count: 16)).utf8) != nil)
    #expect(JSONValue((String(repeating: "[", count: 17) + String(repeating: "]", count: 17)).utf8) == nil)
    #expect(JSONValue(String(repeating: "[", count: 100_000).utf8) == nil)
  }

  @Test func `a wrong password is a question over the sheet, and what is typed then is joined with`() throws {
    let stage = PageStage()
    stage.hear(SampleAir.home)
    stage.act(.tap(try #require(stage.id("Nacho Wi-Fi"))))
    guard case .sheet(let sheet)? = stage.state.layers.last?.content else {
      Issue.record("no sheet")
      return
    }
    #expect(sheet.name == "Nacho Wi-Fi" && sheet.passwordCount == 0)
    stage.top(.password("nope"))
    stage.top(.join)
    #expect(stage.attempts.count == 1)
    #expect(stage.sheet?.isConnecting == true)
    stage.turn { stage.sheet?.incorrectPasswordAlertIsPresented = true }
    guard case .question(let title, _, let buttons)? = stage.state.layers.last?.content else {
      Issue.record("no question")
      return
    }
    #expect(title == "Incorrect password" && buttons.map(\.title) == ["OK"])
    stage.top(.answer(0))
    #expect(stage.state.layers.count == 1)
    stage.top(.password("blob"))
    #expect(stage.sheet?.password == "blob")
  }

  @Test func `what is done to something that is gone changes nothing`() throws {
    let stage = PageStage()
    stage.hear(SampleAir.home)
    stage.act(.tap(try #require(stage.id("Nacho Wi-Fi"))))
    let number = try #require(stage.presenter.entries.last?.number)
    stage.top(.cancel)
    stage.act(.tap(try #require(stage.id("Attic 6E"))))
    stage.act(.top(number, .password("for another network")))
    stage.act(.top(number, .join))
    #expect(stage.sheet?.password == "")
    #expect(stage.attempts.isEmpty)
    stage.act(.highlight(.bss(MACAddress(99))))
    #expect(stage.viewer.cursor != .bss(MACAddress(99)))
    #expect(stage.act(.tap(.bss(MACAddress(99)))) != nil)
  }

  @Test func `an open network is joined at once, shown, and forgotten after a question`() throws {
    let stage = PageStage()
    stage.hear(SampleAir.home)
    let printer = try #require(stage.id("Old Printer"))
    stage.act(.tap(printer))
    #expect(stage.state.rows.first?.isJoined == true)
    stage.act(.tap(printer))
    guard case .detail(_, canForget: true, isLost: false)? = stage.state.layers.last?.content else {
      Issue.record("\(stage.state.layers)")
      return
    }
    stage.top(.forget)
    #expect(stage.state.layers.count == 2)
    stage.top(.answer(0))
    #expect(stage.state.layers.isEmpty)
    #expect(stage.state.rows.allSatisfy { !$0.isJoined })
  }
}
