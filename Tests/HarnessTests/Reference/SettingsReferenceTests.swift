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
    plan.start.known = SimulatedWorlds.knownAtFirst
    let run = SettingsRun(plan, steps: [.advance(.seconds(5))] + steps)
    return await run.run(properties: {
      var reference: SettingsReference?
      return [
        Property<SettingsSubject>("test") { settings -> String? in
          guard let moment = settings.moment else { return nil }
          var now = reference ?? SettingsReference(moment)
          for event in moment.log.takeEvents() where !isIgnored(event) { now.take(event, moment.log) }
          reference = now
          return now.difference(from: moment)?.sentence
        }
      ]
    }).violations.first?.sentence
  }

  private static let home = NetworkReference(name: "Home")
  private static let cafe = NetworkReference(name: "Cafe")
  private static let joinHome: [ScenarioAction] = [.tapNetwork(home), .typePassword("blob"), .tap(.join), .advance(.seconds(2))]
  private static let rejoin: [ScenarioAction] = [.tapNetwork(cafe), .tapNetwork(cafe)]

  private static let cabin = NetworkReference(name: "Cabin")
  private static let known: [ScenarioAction] = [.tap(.knownNetworks), .advance(.seconds(1))]
  private static let page = known + [.tapNetwork(cabin)]
  private static func fill(_ name: String?, _ priority: Int) -> ScenarioAction {
    var fields = KnownNetworkFields()
    (fields.name, fields.priority) = (name, priority)
    if name != nil { fields.password = "correct horse" }
    return .fill(fields)
  }

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
    ([.tap(.knownNetworks)], "showKnownNetworks", "it should be nothing"),
    (known + [.tap(.back)], "close", "it should be known"),
    (known, "knownAsked", "whether the known networks are being listed"),
    (known, "knownAnswered", "the known networks are other than those"),
    (page, "tapKnown", "it should be known"),
    (page + [.tap(.back)], "close", "it should be known, then edit"),
    (page + [fill(nil, 7)], "fill", "hold other values than were filled in"),
    (page + [fill(nil, 7), .tap(.save)], "save", "no tap waits for that"),
    (page + [fill(nil, 7), .tap(.save), .advance(.seconds(1))], "knownAnswered", "the known networks are other than those"),
    (page + [.tap(.forget)], "forget", "it should be known, then edit"),
    (page + [.tap(.forget), .tap(.cancelForget)], "keep", "it should be known, then edit, then forgetKnown"),
    (page + [.tap(.forget), .tap(.confirmForget)], "confirmForget", "no tap waits for that"),
    (page + [.tap(.duplicate)], "duplicate", "it should be known, then edit"),
    (page + [.tap(.duplicate), fill("Hut", 3), .tap(.save), .advance(.seconds(1))], "fill", "hold other values than were filled in"),
    (known + [.tap(.add)], "addKnown", "it should be known"),
    (known + [.tap(.add), .tap(.save)], "save", "says “"),
    (known + [.tap(.add), fill("Hut", 3), .tap(.save), .tap(.cancel)], "cancel", "should say that a request runs"),
    (known + [.tap(.add), .tap(.cancel)], "cancel", "it should be known, then add"),
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
    case .radioAsked: "radioAsked"
    case .radioReported: "radioReported"
    case .attemptBegan: "attemptBegan"
    case .attemptEnded: "attemptEnded"
    case .knownAsked: "knownAsked"
    case .knownAnswered: "knownAnswered"
    case .knownChangedInVain: "knownChangedInVain"
    case .input(let input): String("\(input)".prefix { $0 != "(" })
    }
  }
}
