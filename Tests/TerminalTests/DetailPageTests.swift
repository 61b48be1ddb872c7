import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewFixture
import WiFi

/// The page about a network: searched and folded.
@Suite struct DetailPageTests {
  private func page() -> PanelFixture {
    let fixture = PanelFixture(size: Size(columns: 80, rows: 24), hearing: SampleAir.home)
    fixture.press(.down, .character("i"))
    return fixture
  }

  @Test func `a text of the page is found, and the next one after it`() {
    let fixture = page()
    #expect(!fixture.shows("pairwise"))
    fixture.type("/PAIRWISE")
    #expect(fixture.shows("/PAIRWISE") && fixture.shows("pairwise"))
    // Letters are text, not keys, until the search is done.
    #expect(fixture.presenter.shown.count == 1)
    fixture.press(.enter)
    let first = fixture.state.pageScroll
    fixture.type("n")
    #expect(fixture.state.pageScroll > first && fixture.shows("pairwise"))
    // Behind the last one it begins anew.
    fixture.type("n")
    #expect(fixture.state.pageScroll == first)
    fixture.type("/no such text")
    #expect(fixture.state.message?.contains("no such text") == true)
    fixture.press(.escape)
    #expect(!fixture.shows("/no such") && fixture.presenter.shown.count == 1)
    fixture.press(.escape)
    #expect(fixture.presenter.shown.isEmpty)
    fixture.press(.character("i"))
    #expect(fixture.state.pageSearch == "")
  }

  @Test func `pasted text is searched for, while a text of the page is typed alone`() {
    let fixture = page()
    fixture.send(.paste("pairwise"))
    #expect(fixture.state.pageSearch == "" && !fixture.shows("pairwise"))
    fixture.type("/p")
    fixture.send(.paste("airwise\n"))
    #expect(fixture.state.pageSearch == "pairwise")
    #expect(fixture.shows("/pairwise") && fixture.state.pageScroll > 0)
    fixture.send(.paste("\n"))
    #expect(fixture.state.pageSearch == "pairwise")
    fixture.press(.enter)
    fixture.send(.paste("x"))
    #expect(fixture.state.pageSearch == "pairwise")
  }

  @Test(arguments: [40, 41, 44, 60, 80]) func `in a narrow terminal nothing stands over Forget`(columns: Int) {
    let fixture = PanelFixture(size: Size(columns: columns, rows: 15), hearing: SampleAir.home)
    fixture.turn { fixture.viewer.settings.selectedNetworkID = fixture.id("Nacho Wi-Fi") }
    fixture.viewer.update()
    fixture.keys.listed()
    fixture.press(.character("i"))
    for letters in ["", "/", "a", "b", "c", "d", "efghijkl", "mnopqrstuvwxyz"] {
      fixture.type(letters)
      let line = fixture.picture.lines.first { $0.contains("‹ Back") } ?? ""
      #expect(line.hasSuffix(" [ Forget ]"), "\(line)")
      #expect(letters.isEmpty || line.contains(" /"), "\(line)")
    }
  }

  @Test func `elements are folded to their names, and unfolded`() {
    let fixture = page()
    fixture.size = Size(columns: 100, rows: 200)
    #expect(fixture.shows("RSN") && fixture.shows("pairwise") && fixture.shows("fold"))
    fixture.type("z")
    #expect(fixture.shows("RSN") && !fixture.shows("pairwise") && fixture.shows("unfold"))
    fixture.type("z")
    #expect(fixture.shows("pairwise"))
    // The last line that is shown stays the last one there is.
    fixture.size = Size(columns: 80, rows: 24)
    fixture.press(.end)
    fixture.type("z")
    #expect(!fixture.shows("more lines"))
  }

  @Test func `a row is highlighted at the start, and not again after Escape`() throws {
    let fixture = PanelFixture()
    fixture.keys.listed()
    #expect(fixture.viewer.cursor == nil)
    fixture.hear(SampleAir.home)
    fixture.keys.listed()
    #expect(fixture.shows("▌ Blob House"))
    fixture.press(.escape)
    fixture.hear(SampleAir.home)
    fixture.keys.listed()
    #expect(fixture.viewer.cursor == nil)
    let joined = PanelFixture(hearing: SampleAir.home)
    joined.turn { joined.viewer.settings.selectedNetworkID = joined.id("Nacho Wi-Fi") }
    joined.viewer.update()
    joined.keys.listed()
    #expect(joined.viewer.cursor == joined.id("Nacho Wi-Fi"))
  }

  @Test func `the chart of a page is drawn as far as there is room, and scrolls with it`() {
    let fixture = PanelFixture(size: Size(columns: 60, rows: 15), hearing: SampleAir.home)
    fixture.press(.character("i"))
    var parts: Set<[Bool]> = []
    for _ in 0..<20 {
      let lines = fixture.picture.lines
      parts.insert(["  -30┤", " -100┤", "      5 min ago"].map { part in lines.contains { $0.hasPrefix(part) } })
      fixture.press(.down)
    }
    #expect(
      parts == [
        [false, false, false], [true, false, false], [true, true, false], [true, true, true], [false, true, true], [false, false, true],
      ])
  }

  @Test func `a name is cut in the picture of the channels, and the signal is not`() {
    let fixture = PanelFixture(hearing: [(AccessPoint("A name that is much too long", bssid: 1, channel: 1), -57)])
    fixture.press(.character("c"))
    #expect(fixture.shows("A name that is … -57"))
    #expect(fixture.shows("┼ primary channel"))
    // Where it fits on neither side of its bar, it stands where most of it does.
    for channel in [3, 6, 9] {
      let narrow = PanelFixture(size: Size(columns: 40, rows: 15))
      narrow.hear([(AccessPoint("A name that is much too long", bssid: 1, channel: channel), -57)])
      narrow.press(.character("c"))
      #expect(narrow.picture.lines.contains { $0.contains("A name") && $0.contains("-57") && $0.contains("┼") }, "\(channel)")
    }
  }

  @Test func `the details name the access point of the link, and the next one after roaming`() throws {
    let fixture = PanelFixture(hearing: SampleAir.home)
    let ssid = try #require(SSID(typed: "Blob House"))
    let (near, far) = (MACAddress(0x0200_0000_0001), MACAddress(0x0200_0000_0002))
    fixture.turn { fixture.viewer.take(.joined(ssid, bssid: near)) }
    #expect(fixture.shows("\(near)●") && fixture.shows("\(far) "))
    fixture.turn { fixture.viewer.take(.roamed(ssid, from: near, to: far, .unknown)) }
    #expect(fixture.shows("\(near) ") && fixture.shows("\(far)●"))
  }

  @Test func `from an hour on a time is hours, minutes and seconds`() {
    let style = TimeStyle(since: .seconds(100))
    #expect(style.text(.seconds(100 + 86_394)) == "+23:59:54")
    #expect(style.text(.seconds(100 + 3600)) == "+1:00:00")
    #expect(style.text(.milliseconds(3_699_900)) == "+3599.9 s")
    #expect(style.text(.seconds(100 - 7265)) == "−2:01:05")
  }
}
