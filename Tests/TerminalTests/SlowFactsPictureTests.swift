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

    func makers(of addresses: [MACAddress]) async throws(SlowFactProblem) -> [MACAddress: String] {
      if let problem { throw problem }
      return addresses.first.map { [$0: "Acme \u{1B}[31mRadio"] } ?? [:]
    }

    func survey() async throws(SlowFactProblem) -> [Survey] {
      if let problem { throw problem }
      return []
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
}
