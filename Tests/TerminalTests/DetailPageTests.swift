import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewStage
import WiFi

/// The page about a network: searched and folded.
@Suite struct DetailPageTests {
  private func page() -> PanelStage {
    let stage = PanelStage(size: Size(columns: 80, rows: 24))
    stage.hear(SampleAir.home)
    stage.press(.down, .character("i"))
    return stage
  }

  @Test func `a text of the page is found, and the next one after it`() {
    let stage = page()
    #expect(!stage.shows("pairwise"))
    stage.type("/PAIRWISE")
    #expect(stage.shows("/PAIRWISE") && stage.shows("pairwise"))
    // Letters are text, not keys, until the search is done.
    #expect(stage.presenter.shown.count == 1)
    stage.press(.enter)
    let first = stage.state.pageScroll
    stage.type("n")
    #expect(stage.state.pageScroll > first && stage.shows("pairwise"))
    // Behind the last one it begins anew.
    stage.type("n")
    #expect(stage.state.pageScroll == first)
    stage.type("/no such text")
    #expect(stage.state.message?.contains("no such text") == true)
    stage.press(.escape)
    #expect(!stage.shows("/no such") && stage.presenter.shown.count == 1)
    stage.press(.escape)
    #expect(stage.presenter.shown.isEmpty)
    stage.press(.character("i"))
    #expect(stage.state.pageSearch == "")
  }

  @Test func `elements are folded to their names, and unfolded`() {
    let stage = page()
    stage.size = Size(columns: 100, rows: 200)
    #expect(stage.shows("RSN") && stage.shows("pairwise") && stage.shows("fold"))
    stage.type("z")
    #expect(stage.shows("RSN") && !stage.shows("pairwise") && stage.shows("unfold"))
    stage.type("z")
    #expect(stage.shows("pairwise"))
    // The last line that is shown stays the last one there is.
    stage.size = Size(columns: 80, rows: 24)
    stage.press(.end)
    stage.type("z")
    #expect(!stage.shows("more lines"))
  }

  @Test func `a row is highlighted at the start, and not again after Escape`() throws {
    let stage = PanelStage()
    stage.keys.listed()
    #expect(stage.viewer.cursor == nil)
    stage.hear(SampleAir.home)
    stage.keys.listed()
    #expect(stage.shows("▌ Blob House"))
    stage.press(.escape)
    stage.hear(SampleAir.home)
    stage.keys.listed()
    #expect(stage.viewer.cursor == nil)
    let joined = PanelStage()
    joined.hear(SampleAir.home)
    joined.turn { joined.viewer.settings.selectedNetworkID = joined.id("Nacho Wi-Fi") }
    joined.viewer.update()
    joined.keys.listed()
    #expect(joined.viewer.cursor == joined.id("Nacho Wi-Fi"))
  }

  @Test func `the chart of a page is drawn as far as there is room, and scrolls with it`() {
    let stage = PanelStage(size: Size(columns: 60, rows: 15))
    stage.hear(SampleAir.home)
    stage.press(.character("i"))
    var parts: Set<[Bool]> = []
    for _ in 0..<20 {
      let lines = stage.picture.lines
      parts.insert(["  -30┤", " -100┤", "      5 min ago"].map { part in lines.contains { $0.hasPrefix(part) } })
      stage.press(.down)
    }
    #expect(
      parts == [
        [false, false, false], [true, false, false], [true, true, false], [true, true, true], [false, true, true], [false, false, true],
      ])
  }

  @Test func `a name is cut in the picture of the channels, and the signal is not`() {
    let stage = PanelStage()
    stage.hear([(AccessPoint("A name that is much too long", bssid: 1, channel: 1), -57)])
    stage.press(.character("c"))
    #expect(stage.shows("A name that is … -57"))
    #expect(stage.shows("┼ primary channel"))
    // Where it fits on neither side of its bar, it stands where most of it does.
    for channel in [3, 6, 9] {
      let narrow = PanelStage(size: Size(columns: 40, rows: 15))
      narrow.hear([(AccessPoint("A name that is much too long", bssid: 1, channel: channel), -57)])
      narrow.press(.character("c"))
      #expect(narrow.picture.lines.contains { $0.contains("A name") && $0.contains("-57") && $0.contains("┼") }, "\(channel)")
    }
  }

  @Test func `the details name the access point of the link, and the next one after roaming`() throws {
    let stage = PanelStage()
    stage.hear(SampleAir.home)
    let ssid = try #require(SSID(typed: "Blob House"))
    let (near, far) = (MACAddress(0x0200_0000_0001), MACAddress(0x0200_0000_0002))
    stage.turn { stage.viewer.take(.joined(ssid, bssid: near)) }
    #expect(stage.shows("\(near)●") && stage.shows("\(far) "))
    stage.turn { stage.viewer.take(.roamed(ssid, from: near, to: far, .unknown)) }
    #expect(stage.shows("\(near) ") && stage.shows("\(far)●"))
  }

  @Test func `from an hour on a time is hours, minutes and seconds`() {
    let style = TimeStyle(since: .seconds(100))
    #expect(style.text(.seconds(100 + 86_394)) == "+23:59:54")
    #expect(style.text(.seconds(100 + 3600)) == "+1:00:00")
    #expect(style.text(.milliseconds(3_699_900)) == "+3599.9 s")
    #expect(style.text(.seconds(100 - 7265)) == "−2:01:05")
  }
}
