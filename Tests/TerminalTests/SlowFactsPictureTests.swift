import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewFixture
import WiFi

/// Facts that take time, in pictures: on their way, known, and not to be had.
@Suite struct SlowFactsPictureTests {
  private final class Source: SlowFactSource {
    var problem: SlowFactProblem?
    var surveys: [Survey] = []
    var link: Station?

    func makers(of addresses: [MACAddress]) async throws(SlowFactProblem) -> [MACAddress: String] {
      if let problem { throw problem }
      return addresses.first.map { [$0: "Acme \u{1B}[31mRadio"] } ?? [:]
    }

    func survey() async throws(SlowFactProblem) -> [Survey] {
      if let problem { throw problem }
      return surveys
    }

    func station() async throws(SlowFactProblem) -> Station? { link }

    /// How busy channels are in percent, by their frequencies in MHz.
    func count(_ loads: [(Int, Int)]) {
      surveys = loads.compactMap { megahertz, busy in
        var writer = AttributeWriter()
        writer.nest(NL80211.Attribute.surveyInfo) { writer in
          writer.write(1, UInt32(megahertz))
          writer.write(4, UInt64(100))
          writer.write(5, UInt64(busy))
        }
        return Survey(GenericNetlinkMessage(command: NL80211.Command.newSurveyResults, attributes: writer.bytes))
      }
    }
  }

  private func makeFixture() -> (PanelFixture, Source, SlowFactsModel) {
    let fixture = PanelFixture()
    let source = Source()
    let model = SlowFactsModel(source: source)
    fixture.viewer.slowFacts = model
    fixture.hear(SampleAir.home)
    return (fixture, source, model)
  }

  @Test func `a maker is looked up, then shown, and only of what is shown`() async {
    let (fixture, _, model) = makeFixture()
    #expect(!fixture.shows("Made by"))
    let attempt = model.show(fixture.viewer.addressesOfInterest)
    #expect(fixture.shows("Made by looking up…"))
    await attempt?.run()
    #expect(fixture.line("Made by")?.contains("Acme") == true)
    #expect(fixture.picture.lines.allSatisfy { !$0.contains("\u{1B}") })
    // Another row is highlighted, which nobody asked about yet.
    fixture.press(.down, .down)
    #expect(!fixture.shows("Made by"))
  }

  @Test func `what is missing is said`() async {
    let (fixture, source, model) = makeFixture()
    source.problem = SlowFactProblem("The list of makers is not installed: apt install ieee-data.")
    await model.show(fixture.viewer.addressesOfInterest)?.run()
    #expect(fixture.shows("Made by The list of makers is not"))
    let survey = model.surveyWanted()
    fixture.press(.character("c"))
    #expect(fixture.shows("busy  …"))
    // Another scan ends meanwhile.
    #expect(model.surveyWanted() == nil)
    await survey?.run()
    #expect(model.surveyWanted() != nil)
    #expect(!fixture.shows("busy"))
  }

  @Test func `a network on several bands says which channel is of which band`() async {
    let (fixture, source, model) = makeFixture()
    source.count([(5180, 30), (2437, 20), (2412, 10)])
    #expect(source.surveys.count == 3)
    await model.surveyWanted()?.run()
    #expect(fixture.viewer.loads(of: fixture.viewer[row: 0].network).map(\.channel) == ["Channel 36, 5 GHz", "Channel 6, 2.4 GHz"])
    #expect(fixture.line("Channel 36, 5 GHz")?.contains("busy 30 %") == true)
    let networks = fixture.viewer.ids.compactMap { fixture.viewer[$0]?.network }
    let alone = networks.filter { $0.bands == [.ghz2_4] && $0.ssid.description == "Nacho Wi-Fi" }
    #expect(alone.map { fixture.viewer.loads(of: $0).map(\.channel) } == [["Channel 1"]])
  }

  /// The texts of a line by the columns that they begin and end in, behind the margin.
  private func words(_ line: String) -> [(columns: ClosedRange<Int>, text: String)] {
    var words: [(columns: ClosedRange<Int>, text: String)] = []
    for (column, character) in line.enumerated() where column >= 8 && character != " " {
      if let last = words.last, last.columns.upperBound == column - 1 {
        words[words.count - 1] = (last.columns.lowerBound...column, last.text + String(character))
      } else {
        words.append((column...column, String(character)))
      }
    }
    return words
  }

  @Test(arguments: ["40x15", "60x20", "80x24", "100x30"])
  func `each figure of the channels stands under a number, and no line is blank while bars are left out`(size: String) async throws {
    let (fixture, source, model) = makeFixture()
    fixture.size = try #require(Size(size))
    fixture.hear(SampleAir.home + SampleAir.many(65).dropFirst(5))
    let channels: [(Band, [Int])] = [
      (.ghz2_4, Array(1...13)), (.ghz5, Array(stride(from: 36, through: 64, by: 4))), (.ghz6, Array(stride(from: 1, through: 93, by: 4))),
    ]
    source.count(
      channels.flatMap { band, numbers in numbers.compactMap { band.frequencyKHz(channel: $0) }.map { ($0 / 1000, $0 / 1000 % 90) } })
    await model.surveyWanted()?.run()
    fixture.press(.character("c"))
    let lines = fixture.picture.lines
    let titles = lines.indices.filter { lines[$0].hasPrefix(" 2.4 GHz") || lines[$0].hasPrefix(" 5 GHz") || lines[$0].hasPrefix(" 6 GHz") }
    #expect(titles.count == 3)
    for (title, band) in zip(titles, channels.map(\.0)) where lines[title + 1].hasPrefix(" busy %") {
      let (numbers, figures) = (words(lines[title]), words(lines[title + 1]))
      #expect(numbers.count == figures.count && numbers.count > 3, "\(lines[title])\n\(lines[title + 1])")
      for (number, figure) in zip(numbers, figures) {
        #expect(number.columns.overlaps(figure.columns))
        let frequency = try #require(Int(number.text).flatMap { band.frequencyKHz(channel: $0) })
        #expect(figure.text == "\(frequency / 1000 % 90)")
      }
    }
    // Every channel with a bar of its own that is drawn is among them where there is room: the strongest always.
    #expect(words(lines[titles[1]]).contains { $0.text == "36" })
    let shown = lines[2..<(lines.count - 1)]
    if shown.contains(where: { $0.contains(" weaker") }) { #expect(!shown.contains("")) }
  }

  @Test func `the joined network shows how fast the link is, and its page what the driver counts`() async throws {
    let (fixture, source, model) = makeFixture()
    source.link = SampleLink.station(of: MACAddress(0x0200_0000_0001))
    let id = try #require(fixture.id("Blob House"))
    await model.surveyWanted()?.run()
    #expect(!fixture.shows("Link"))
    fixture.turn { fixture.viewer.settings.selectedNetworkID = id }
    fixture.viewer.update()
    fixture.viewer.highlight(id)
    #expect(fixture.shows("Link sends 1200.9 Mb/s (HE MCS"))
    #expect(fixture.picture.lines.contains { $0.contains("MHz, 2 streams)") })
    fixture.press(.character("i"))
    #expect(fixture.shows("Link -48 dBm, sends 1200.9 Mb/s (HE MCS 11, 80 MHz, 2 streams), 10 packets received"))
    // Of another access point it says nothing: that is another network's.
    source.link = SampleLink.station(of: MACAddress(99))
    await model.surveyWanted()?.run()
    #expect(!fixture.shows("Link"))
  }
}
