import Determinism
import Models
import Testing
import WiFi

@testable import Harness

/// The reference agrees with the settings, and with settings that anything else happened to it does not.
@Suite struct SettingsReferenceTests {
  /// Runs steps in a world with the secured network Home and the open network Cafe, beside a reference that does not
  /// hear of some events.
  private func difference(_ steps: [ScenarioAction], without isIgnored: @escaping @Sendable (WorldLog.Event) -> Bool) async -> String? {
    var plan = RunPlan(seed: 1, worlds: ["still"])
    (plan.start, plan.source.faults, plan.source.faultsUntil, plan.source.interval) = (ScenarioStart(), [], nil, .seconds(2))
    var cafe = ScenarioNetwork(name: "Cafe")
    (cafe.isSecured, cafe.connectivityPercent) = (false, 60)
    // An attempt that was given up goes on behind the screen.
    plan.start.viewCancels = false
    plan.start.networks = [ScenarioNetwork(name: "Home"), cafe]
    let run = SettingsRun(plan, steps: [.advance(.seconds(5))] + steps)
    return await run.run(properties: {
      var reference: SettingsReference?
      return [
        Property<SettingsSubject>("test") { settings -> String? in
          guard let moment = settings.moment else { return nil }
          var now = reference ?? SettingsReference(settings.plan.start, moment.log, grouping: moment.grouping, order: moment.order)
          for event in moment.log.takeEvents() where !isIgnored(event) { now.take(event, moment.log) }
          reference = now
          return now.difference(from: moment)
        }
      ]
    }).violations.first?.sentence
  }

  private static let home = NetworkReference(name: "Home")
  private static let cafe = NetworkReference(name: "Cafe")
  private static let joinHome: [ScenarioAction] = [.tapNetwork(home), .typePassword("blob"), .tap(.join), .advance(.seconds(2))]
  private static let rejoin: [ScenarioAction] = [.tapNetwork(cafe), .tapNetwork(cafe)]

  /// What happens, the name of what the reference does not hear of, and what it says then.
  static let inputs: [(steps: [ScenarioAction], deaf: String, words: String)] = [
    ([.tapNetwork(home)], "tapRow", "over the list there is connect"),
    ([.tapNetwork(cafe)], "tapRow", "Cafe is selected; it should be nothing"),
    (rejoin, "tapRow", "Cafe is selected"),
    ([.info(home)], "tapInfo", "over the list there is detail"),
    ([.tapNetwork(home), .typePassword("x")], "type", "the field of Home does not hold"),
    ([.tapNetwork(home), .tap(.join)], "join", "no tap on Join waits for that"),
    ([.tapNetwork(home), .typePassword("a"), .tap(.join)], "type", "does not hold what was typed"),
    ([.tapNetwork(home), .tap(.join), .tap(.cancel)], "cancel", "should say that it connects"),
    ([.tapNetwork(home), .tap(.cancel)], "cancel", "it should be connect"),
    ([.tapNetwork(home), .tap(.join), .advance(.seconds(2)), .tap(.ok)], "close", "it should be connect, then incorrectPassword"),
    ([.tapNetwork(home), .dismiss], "close", "it should be connect"),
    ([.info(home), .tap(.back)], "close", "it should be detail"),
    (rejoin + [.tap(.forget)], "forget", "detail, then forget"),
    (rejoin + [.tap(.forget), .tap(.cancelForget)], "keep", "it should be detail, then forget"),
    (rejoin + [.tap(.forget), .tap(.confirmForget)], "confirmForget", "nothing is selected; it should be Cafe"),
    ([.switchWiFi(isOn: false)], "switchWiFi", "Wi-Fi should be on"),
    ([], "scan", "should not be listed"),
    (joinHome, "attemptBegan", "the world was not asked to join"),
    (joinHome, "attemptEnded", "Home is selected; it should be nothing"),
  ]

  @Test(arguments: inputs.indices) func `each kind of event counts`(index: Int) async {
    let (steps, deaf, words) = Self.inputs[index]
    let found = await difference(steps) { $0.name == deaf }
    #expect(found?.contains(words) == true, "\(found ?? "no difference")")
  }

  @Test func `with all events there is no difference`() async {
    for (steps, _, _) in Self.inputs { #expect(await difference(steps) { _ in false } == nil) }
  }
}

extension WorldLog.Event {
  fileprivate var name: String {
    switch self {
    case .scan: "scan"
    case .associated: "associated"
    case .radio: "radio"
    case .attemptBegan: "attemptBegan"
    case .attemptEnded: "attemptEnded"
    case .input(let input): String("\(input)".prefix { $0 != "(" })
    }
  }
}
