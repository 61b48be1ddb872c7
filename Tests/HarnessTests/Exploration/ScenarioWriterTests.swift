import Determinism
import Harness
import Testing
import WiFi

@Suite struct ScenarioWriterTests {
  @Test func `a written run reads back as the same run`() async throws {
    for seed: UInt64 in 0..<60 {
      let run = SettingsRun(
        RunPlan(seed: seed, worlds: ["preview", "still", "home"], accessPoints: seed % 5 == 0 ? 30 : nil))
      var explicit = run
      let outcome = await run.run()
      explicit.actions = outcome.actions
      let text = ScenarioWriter.yaml(explicit, name: "seed \(seed)")
      let scenario = try ScenarioReader(file: "seed.yaml").read(text)
      let read = try #require(SettingsRun(scenario))
      #expect(scenario.isJudgedByProperties)
      #expect(read.start.source == run.start.source)
      #expect(read.order == run.order)
      #expect(read.start.quietLength == run.start.quietLength)
      #expect(read.start.start.networks == run.start.start.networks)
      #expect(read.start.start.selected == run.start.start.selected)
      #expect(read.start.start.destination == run.start.start.destination)
      #expect(read.steps == outcome.steps)
      #expect(ScenarioWriter.yaml(read, name: "seed \(seed)") == text)
      if seed < 12 {
        // Told again step by step it goes the same way.
        let again = await read.run()
        #expect(again.hash == outcome.hash, "seed \(seed)")
      }
    }
  }

  @Test func `every kind of step is written so that it reads back`() throws {
    let network = NetworkReference(name: "join")
    let strange = NetworkReference(name: "a\u{202E}\"\\: #1", number: 2)
    var answer = ScenarioAction.JoinAnswer()
    answer.failure = .rejected
    answer.duration = .milliseconds(1500)
    var found = ScenarioNetwork(name: "  on")
    found.isSecured = false
    found.connectivityPercent = 7
    var steps: [ScenarioAction] = ScenarioAction.Control.allCases.map { .tap($0) }
    steps += [
      .tapNetwork(network), .tapNetwork(strange), .info(network), .info(strange), .stale(strange, isInfo: true),
      .stale(network, isInfo: false), .typePassword(""), .typePassword("yes"), .typePassword("\u{7}é"), .switchWiFi(isOn: true),
      .switchWiFi(isOn: false), .dismiss, .advance(.nanoseconds(1)), .advance(.milliseconds(1500)), .world(.lose(strange)),
      .world(.find(found)), .world(.join(network, .init())), .world(.join(strange, answer)),
    ]
    var fields = KnownNetworkFields()
    fields.name = "a\u{202E}\"\\: #1"
    fields.security = .pskOrSAE
    fields.password = "no"
    fields.priority = -3
    fields.joinsAutomatically = false
    fields.isHidden = true
    var rule = KnownNetworkAnswerRule()
    rule.failure = .busy
    steps += [
      .fill(fields), .world(.known(.forget("yes"))), .world(.known(.joined("#1"))), .world(.known(.joined(nil))),
      .world(.known(.answer(rule))),
    ]
    steps.append(.atOnce([.tap(.join), .dismiss, .tapNetwork(network)]))
    let run = SettingsRun(RunPlan(seed: 1, worlds: ["still"]), steps: steps)
    let scenario = try ScenarioReader(file: "steps.yaml").read(ScenarioWriter.yaml(run, name: "all: \"of\" them"))
    #expect(scenario.steps.map(\.action) == steps)
    #expect(scenario.name == "all: \"of\" them")
  }
}
