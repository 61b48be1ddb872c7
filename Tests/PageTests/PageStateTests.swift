import Models
import Observing
import Testing
import ViewStage
import WiFi

@testable import Page

@Suite struct PageStateTests {
  private func text(_ value: some Describable) -> String {
    var fields = FieldWriter()
    fields.object { value.describe(into: &$0) }
    return fields.text
  }

  @Test func `a row tells all that is drawn in it`() {
    let stage = PageStage()
    stage.hear(SampleAir.home)
    #expect(
      stage.state.rows.map(text) == [
        #"{"key":"n:426c6f6220486f757365:3","name":"Blob House","isNamed":true,"dBm":-48,"percent":87,"bars":4,"heardMs":110000,"channel":36,"bands":"2.4/5","widthMHz":20,"generation":"Wi-Fi 6","security":"WPA3","isSecured":true,"isWeak":false,"isJoined":false,"isLost":false,"accessPointCount":2}"#,
        #"{"key":"n:4174746963203645:3","name":"Attic 6E","isNamed":true,"dBm":-63,"percent":62,"bars":3,"heardMs":110000,"channel":37,"bands":"6","widthMHz":20,"generation":"Wi-Fi 6E","security":"WPA3","isSecured":true,"isWeak":false,"isJoined":false,"isLost":false,"accessPointCount":1}"#,
        #"{"key":"n:4e6163686f2057692d4669:3","name":"Nacho Wi-Fi","isNamed":true,"dBm":-71,"percent":48,"bars":2,"heardMs":110000,"channel":1,"bands":"2.4","widthMHz":20,"generation":"Wi-Fi 6","security":"WPA2","isSecured":true,"isWeak":false,"isJoined":false,"isLost":false,"accessPointCount":1}"#,
        #"{"key":"n:4f6c64205072696e746572:0","name":"Old Printer","isNamed":true,"dBm":-88,"percent":20,"bars":1,"heardMs":110000,"channel":11,"bands":"2.4","widthMHz":20,"generation":"Wi-Fi 6","security":"Open","isSecured":false,"isWeak":true,"isJoined":false,"isLost":false,"accessPointCount":1}"#,
      ])
  }

  @Test func `a header tells what is scanned and how that goes`() {
    let stage = PageStage()
    #expect(
      text(stage.state.header)
        == #"{"isOn":true,"interface":"wlan0","country":"DE","phase":"starting","scanCount":0,"totalCount":0,"originMs":100000,"isTimeOfDay":false,"clockRuns":true,"joins":true}"#
    )
    stage.turn { stage.viewer.sourceFailed("The radio is blocked: rfkill unblock wifi.") }
    #expect(stage.state.header.phase == "failing")
    #expect(stage.state.header.problem == "The radio is blocked: rfkill unblock wifi.")
    stage.turn { stage.viewer.sourceFailed("There is no Wi-Fi adapter.", hasAdapter: false) }
    #expect(stage.state.header.phase == "absent")
  }

  @Test func `the details name the access point of the link`() throws {
    let stage = PageStage()
    stage.hear(SampleAir.home)
    let ssid = try #require(SSID(typed: "Blob House"))
    stage.turn { stage.viewer.take(.joined(ssid, bssid: MACAddress(0x0200_0000_0002))) }
    #expect(stage.state.details?.summary.members.map(\.isJoined) == [false, true])
  }

  @Test func `the details of the joined network say what the link is like`() async throws {
    let stage = PageStage()
    let model = SlowFactsModel(source: SampleLink(MACAddress(0x0200_0000_0001)))
    stage.viewer.slowFacts = model
    stage.hear(SampleAir.home)
    await model.surveyWanted()?.run()
    func link() -> String? { stage.state.details?.summary.facts.first { $0.name == "Link" }?.value }
    #expect(link() == nil)
    let ssid = try #require(SSID(typed: "Blob House"))
    stage.turn { stage.viewer.take(.joined(ssid, bssid: MACAddress(0x0200_0000_0001))) }
    #expect(link() == "−48 dBm, sends 1200.9 Mb/s (HE MCS 11, 80 MHz, 2 streams), 10 packets received")
  }

  @Test func `no state holds a password`() throws {
    let stage = PageStage()
    stage.hear(SampleAir.home)
    stage.act(.tap(try #require(stage.id("Nacho Wi-Fi"))))
    stage.top(.password("correct horse"))
    let hello = String(decoding: stage.feed.hello(mayAct: true).data, as: UTF8.self)
    #expect(hello.contains(#""passwordCount":13"#))
    #expect(!hello.contains("correct"))
    #expect(!hello.contains("horse"))
  }

  @Test func `who may only read is told nothing of what is typed and known`() async throws {
    let stage = PageStage(known: [KnownNetworkDraft(ssid: try #require(SSID(typed: "Cabin")), security: .open)])
    stage.hear(SampleAir.home)
    _ = stage.feed.hello(mayAct: true)
    func told(_ change: () -> Void) throws -> (whole: String, open: String) {
      change()
      let event = try #require(stage.feed.event(of: stage.feed.look(), Transaction()))
      return (String(decoding: event.bytes, as: UTF8.self), String(decoding: event.openBytes, as: UTF8.self))
    }
    let id = try #require(stage.id("Nacho Wi-Fi"))
    let sheet = try told {
      stage.act(.tap(id))
      stage.top(.password("correct horse"))
    }
    #expect(sheet.whole.contains(#""passwordCount":13"#))
    #expect(!sheet.open.contains("password") && sheet.open.contains(#""layers":[]"#))
    #expect(!String(decoding: stage.feed.hello(mayAct: false).data, as: UTF8.self).contains("password"))
    stage.top(.cancel)
    stage.act(.known)
    await stage.viewer.settings.destination?.known?.load()
    let known = try told { stage.turn.end() }
    #expect(known.whole.contains("Cabin"))
    #expect(!known.open.contains("Cabin"))
    #expect(!String(decoding: stage.feed.hello(mayAct: false).data, as: UTF8.self).contains("Cabin"))
  }

  @Test func `names of others are text that moves no cursor and ends no event`() throws {
    let stage = PageStage()
    stage.hear(SampleAir.hostile)
    let bytes = stage.feed.hello(mayAct: false).bytes
    // One event: three lines and an empty one.
    #expect(bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count == 5)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && PrintableText.mustEscape($0) })
    let value = try #require(JSONValue(stage.feed.hello(mayAct: false).data))
    guard case .array(let rows)? = value["rows"] else {
      Issue.record("no rows")
      return
    }
    #expect(rows.count == SampleAir.hostile.count)
    #expect(rows.allSatisfy { $0["isJoined"]?.truth == false })
    #expect(rows.contains { $0["name"]?.text == "<script>alert(1)</script>" })
    #expect(rows.contains { $0["name"]?.text == #"a\x0a\x0aevent: hello\x0adata: {}"# })
    #expect(rows.contains { $0["name"]?.text == "(hidden)" })
  }

  @Test func `the first event counts as one, and whoever comes later gets the state that changes led to`() {
    let stage = PageStage()
    stage.hear(SampleAir.home)
    #expect(stage.feed.hello(mayAct: true).id == 1)
    stage.hear(SampleAir.many(3))
    #expect(stage.feed.event(of: stage.state, Transaction())?.id == 2)
    #expect(stage.feed.hello(mayAct: true).id == 2)
  }
}
