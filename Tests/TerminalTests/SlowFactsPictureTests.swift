import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewStage
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

  private func makeStage() -> (PanelStage, Source, SlowFactsModel) {
    let stage = PanelStage()
    let source = Source()
    let model = SlowFactsModel(source: source)
    stage.viewer.slowFacts = model
    stage.hear(SampleAir.home)
    return (stage, source, model)
  }

  @Test func `a maker is looked up, then shown, and only of what is shown`() async {
    let (stage, _, model) = makeStage()
    #expect(!stage.shows("Made by"))
    let attempt = model.show(stage.viewer.addressesOfInterest)
    #expect(stage.shows("Made by looking up…"))
    await attempt?.run()
    #expect(stage.line("Made by")?.contains("Acme") == true)
    #expect(stage.picture.lines.allSatisfy { !$0.contains("\u{1B}") })
    // Another row is highlighted, which nobody asked about yet.
    stage.press(.down, .down)
    #expect(!stage.shows("Made by"))
  }

  @Test func `what is missing is said`() async {
    let (stage, source, model) = makeStage()
    source.problem = SlowFactProblem("The list of makers is not installed: apt install ieee-data.")
    await model.show(stage.viewer.addressesOfInterest)?.run()
    #expect(stage.shows("Made by The list of makers is not"))
    let survey = model.surveyWanted()
    stage.press(.character("c"))
    #expect(stage.shows("busy  …"))
    // Another scan ends meanwhile.
    #expect(model.surveyWanted() == nil)
    await survey?.run()
    #expect(model.surveyWanted() != nil)
    #expect(!stage.shows("busy"))
  }

  @Test func `a network on several bands says which channel is of which band`() async {
    let (stage, source, model) = makeStage()
    source.count([(5180, 30), (2437, 20), (2412, 10)])
    #expect(source.surveys.count == 3)
    await model.surveyWanted()?.run()
    #expect(stage.viewer.loads(of: stage.viewer[row: 0].network).map(\.channel) == ["Channel 36, 5 GHz", "Channel 6, 2.4 GHz"])
    #expect(stage.line("Channel 36, 5 GHz")?.contains("busy 30 %") == true)
    let networks = stage.viewer.ids.compactMap { stage.viewer[$0]?.network }
    let alone = networks.filter { $0.bands == [.ghz2_4] && $0.ssid.description == "Nacho Wi-Fi" }
    #expect(alone.map { stage.viewer.loads(of: $0).map(\.channel) } == [["Channel 1"]])
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
    let (stage, source, model) = makeStage()
    stage.size = try #require(Size(size))
    stage.hear(SampleAir.home + SampleAir.many(65).dropFirst(5))
    let channels: [(Band, [Int])] = [
      (.ghz2_4, Array(1...13)), (.ghz5, Array(stride(from: 36, through: 64, by: 4))), (.ghz6, Array(stride(from: 1, through: 93, by: 4))),
    ]
    source.count(
      channels.flatMap { band, numbers in numbers.compactMap { band.frequencyKHz(channel: $0) }.map { ($0 / 1000, $0 / 1000 % 90) } })
    await model.surveyWanted()?.run()
    stage.press(.character("c"))
    let lines = stage.picture.lines
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
    let (stage, source, model) = makeStage()
    source.link = SampleLink.station(of: MACAddress(0x0200_0000_0001))
    let id = try #require(stage.id("Blob House"))
    await model.surveyWanted()?.run()
    #expect(!stage.shows("Link"))
    stage.turn { stage.viewer.settings.selectedNetworkID = id }
    stage.viewer.update()
    stage.viewer.highlight(id)
    #expect(stage.shows("Link sends 1200.9 Mb/s (HE MCS"))
    #expect(stage.picture.lines.contains { $0.contains("MHz, 2 streams)") })
    stage.press(.character("i"))
    #expect(stage.shows("Link -48 dBm, sends 1200.9 Mb/s (HE MCS 11, 80 MHz, 2 streams), 10 packets received"))
    // Of another access point it says nothing: that is another network's.
    source.link = SampleLink.station(of: MACAddress(99))
    await model.surveyWanted()?.run()
    #expect(!stage.shows("Link"))
  }
}
