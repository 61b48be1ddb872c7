import Models
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

    func makers(of addresses: [MACAddress]) async throws(SlowFactProblem) -> [MACAddress: String] {
      if let problem { throw problem }
      return addresses.first.map { [$0: "Acme \u{1B}[31mRadio"] } ?? [:]
    }

    func survey() async throws(SlowFactProblem) -> [Survey] {
      if let problem { throw problem }
      return surveys
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
    source.surveys = [(5180, 30), (2437, 20), (2412, 10)].compactMap { megahertz, busy in
      var writer = AttributeWriter()
      writer.nest(NL80211.Attribute.surveyInfo) { writer in
        writer.write(1, UInt32(megahertz))
        writer.write(4, UInt64(100))
        writer.write(5, UInt64(busy))
      }
      return Survey(GenericNetlinkMessage(command: NL80211.Command.newSurveyResults, attributes: writer.bytes))
    }
    #expect(source.surveys.count == 3)
    await model.surveyWanted()?.run()
    #expect(stage.viewer.loads(of: stage.viewer[row: 0].network).map(\.channel) == ["Channel 36, 5 GHz", "Channel 6, 2.4 GHz"])
    #expect(stage.line("Channel 36, 5 GHz")?.contains("busy 30 %") == true)
    let networks = stage.viewer.ids.compactMap { stage.viewer[$0]?.network }
    let alone = networks.filter { $0.bands == [.ghz2_4] && $0.ssid.description == "Nacho Wi-Fi" }
    #expect(alone.map { stage.viewer.loads(of: $0).map(\.channel) } == [["Channel 1"]])
  }
}
