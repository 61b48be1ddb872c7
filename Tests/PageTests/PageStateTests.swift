import Models
import Observing
import Testing
import ViewFixture
import WiFi

@testable import Page

@Suite struct PageStateTests {
  private func text(_ value: some Describable) -> String {
    var fields = FieldWriter()
    fields.object { value.describe(into: &$0) }
    return fields.text
  }

  @Test func `a row tells all that is drawn in it`() {
    let fixture = PageFixture(hearing: SampleAir.home)
    #expect(
      fixture.state.rows.map(text) == [
        #"{"key":"n:426c6f6220486f757365:3","name":"Blob House","isNamed":true,"dBm":-48,"percent":87,"bars":4,"heardMs":110000,"channel":36,"bands":"2.4/5","widthMHz":20,"generation":"Wi-Fi 6","security":"WPA3","isSecured":true,"isWeak":false,"isJoined":false,"isLost":false,"accessPointCount":2}"#,
        #"{"key":"n:4174746963203645:3","name":"Attic 6E","isNamed":true,"dBm":-63,"percent":62,"bars":3,"heardMs":110000,"channel":37,"bands":"6","widthMHz":20,"generation":"Wi-Fi 6E","security":"WPA3","isSecured":true,"isWeak":false,"isJoined":false,"isLost":false,"accessPointCount":1}"#,
        #"{"key":"n:4e6163686f2057692d4669:3","name":"Nacho Wi-Fi","isNamed":true,"dBm":-71,"percent":48,"bars":2,"heardMs":110000,"channel":1,"bands":"2.4","widthMHz":20,"generation":"Wi-Fi 6","security":"WPA2","isSecured":true,"isWeak":false,"isJoined":false,"isLost":false,"accessPointCount":1}"#,
        #"{"key":"n:4f6c64205072696e746572:0","name":"Old Printer","isNamed":true,"dBm":-88,"percent":20,"bars":1,"heardMs":110000,"channel":11,"bands":"2.4","widthMHz":20,"generation":"Wi-Fi 6","security":"Open","isSecured":false,"isWeak":true,"isJoined":false,"isLost":false,"accessPointCount":1}"#,
      ])
  }

  @Test func `a header tells what is scanned and how that goes`() {
    let fixture = PageFixture()
    #expect(
      text(fixture.state.header)
        == #"{"isOn":true,"interface":"wlan0","country":"DE","phase":"starting","scanCount":0,"totalCount":0,"originMs":100000,"isTimeOfDay":false,"clockRuns":true,"joins":true}"#
    )
    fixture.turn { fixture.viewer.sourceFailed("The radio is blocked: rfkill unblock wifi.") }
    #expect(fixture.state.header.phase == "failing")
    #expect(fixture.state.header.problem == "The radio is blocked: rfkill unblock wifi.")
    fixture.turn { fixture.viewer.sourceFailed("There is no Wi-Fi adapter.", hasAdapter: false) }
    #expect(fixture.state.header.phase == "absent")
  }

  @Test func `the details name the access point of the link`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    let ssid = try #require(SSID(typed: "Blob House"))
    fixture.turn { fixture.viewer.take(.joined(ssid, bssid: MACAddress(0x0200_0000_0002))) }
    #expect(fixture.state.details?.summary.members.map(\.isJoined) == [false, true])
  }

  @Test func `the details of the joined network say what the link is like`() async throws {
    let fixture = PageFixture()
    let model = SlowFactsModel(source: SampleLink(MACAddress(0x0200_0000_0001)))
    fixture.viewer.slowFacts = model
    fixture.hear(SampleAir.home)
    await model.surveyWanted()?.run()
    func link() -> String? { fixture.state.details?.summary.facts.first { $0.name == "Link" }?.value }
    #expect(link() == nil)
    let ssid = try #require(SSID(typed: "Blob House"))
    fixture.turn { fixture.viewer.take(.joined(ssid, bssid: MACAddress(0x0200_0000_0001))) }
    #expect(link() == "−48 dBm, sends 1200.9 Mb/s (HE MCS 11, 80 MHz, 2 streams), 10 packets received")
  }

  @Test func `no state holds a password`() throws {
    let fixture = PageFixture(hearing: SampleAir.home)
    fixture.act(.tap(try #require(fixture.id("Nacho Wi-Fi"))))
    fixture.top(.password("correct horse"))
    let hello = String(decoding: fixture.feed.hello(mayAct: true).data, as: UTF8.self)
    #expect(hello.contains(#""passwordCount":13"#))
    #expect(!hello.contains("correct"))
    #expect(!hello.contains("horse"))
  }

  @Test func `who may only read is told nothing of what is typed and known`() async throws {
    let fixture = PageFixture(known: [KnownNetworkDraft(ssid: try #require(SSID(typed: "Cabin")), security: .open)])
    fixture.hear(SampleAir.home)
    _ = fixture.feed.hello(mayAct: true)
    func told(_ change: () -> Void) throws -> (whole: String, open: String) {
      change()
      let event = try #require(fixture.feed.event(of: fixture.feed.look(), Transaction()))
      return (String(decoding: event.bytes, as: UTF8.self), String(decoding: event.openBytes, as: UTF8.self))
    }
    let id = try #require(fixture.id("Nacho Wi-Fi"))
    let sheet = try told {
      fixture.act(.tap(id))
      fixture.top(.password("correct horse"))
    }
    #expect(sheet.whole.contains(#""passwordCount":13"#))
    #expect(!sheet.open.contains("password") && sheet.open.contains(#""layers":[]"#))
    #expect(!String(decoding: fixture.feed.hello(mayAct: false).data, as: UTF8.self).contains("password"))
    fixture.top(.cancel)
    fixture.act(.known)
    await fixture.viewer.settings.destination?.known?.load()
    let known = try told { fixture.turn.end() }
    #expect(known.whole.contains("Cabin"))
    #expect(!known.open.contains("Cabin"))
    #expect(!String(decoding: fixture.feed.hello(mayAct: false).data, as: UTF8.self).contains("Cabin"))
  }

  @Test func `names of others are text that moves no cursor and ends no event`() throws {
    let fixture = PageFixture(hearing: SampleAir.hostile)
    let bytes = fixture.feed.hello(mayAct: false).bytes
    // One event: three lines and an empty one.
    #expect(bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count == 5)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && PrintableText.mustEscape($0) })
    let value = try #require(JSONValue(fixture.feed.hello(mayAct: false).data))
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
    let fixture = PageFixture(hearing: SampleAir.home)
    #expect(fixture.feed.hello(mayAct: true).id == 1)
    fixture.hear(SampleAir.many(3))
    #expect(fixture.feed.event(of: fixture.state, Transaction())?.id == 2)
    #expect(fixture.feed.hello(mayAct: true).id == 2)
  }
}
