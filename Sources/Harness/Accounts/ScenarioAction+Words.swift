import Determinism
import Models
import WiFi

extension ScenarioAction {
  /// What happens, in words; of a password only its length.
  var words: String {
    switch self {
    case .tap(let control): "tap \(control.words)"
    case .tapNetwork(let network): "tap the row \(network)"
    case .info(let network): "tap the info button of \(network)"
    case .stale(let network, let isInfo): "a late tap\(isInfo ? " on the info button of" : " on") \(network), which is gone"
    case .typePassword(""): "empty the password field"
    case .typePassword(let password): "type a password of \(password.count.counted("character"))"
    case .fill(let fields): "fill in \(fields)"
    case .switchWiFi(let isOn): "turn Wi-Fi \(isOn.onOrOff)"
    case .dismiss: "dismiss what is on top"
    case .view(.filter(let text)): text.isEmpty ? "list all networks again" : "list only what contains “\(text)”"
    case .view(.sort(let criterion)): "sort the list by \(criterion.rawValue)"
    case .view(.showsPassword(let isShown)): isShown ? "show the password" : "hide the password"
    case .advance(let duration): "\(VirtualTime.text(duration)) \(duration == .seconds(1) ? "passes" : "pass")"
    case .wait(let expected, let limit): "wait at most \(VirtualTime.text(limit)) until \(expected.words)"
    case .expect(let expected): "expect \(expected.words)"
    case .world(.lose(let network)): "the world loses \(network)"
    case .world(.find(let network)):
      "the world has a network more, \(NetworkReference(name: network.name))"
    case .world(.join(let network, let answer)):
      "from now on joins of \(network) take \(VirtualTime.text(answer.duration)) and "
        + (answer.failure.map { "fail: \($0.words)" } ?? "go as the password says")
    case .world(.link(.dismissed(let reason))): "the access point ends the link with reason code \(reason)"
    case .world(.link(.roams)): "the daemon moves to another access point"
    case .world(.radio(let isOn)): isOn ? "another program lets the radio send again" : "another program blocks the radio"
    case .world(.known(.forget(let name))): "another program forgets the known network \(name)"
    case .world(.known(.joined(let name))): name.map { "the known network \($0) is joined" } ?? "the joined network is left"
    case .world(.known(.answer(let rule))):
      "from now on requests about known networks take \(VirtualTime.text(rule.duration ?? KnownNetworkAnswerRule.usualDuration))"
        + (rule.failure.map { " and fail: \($0.rawValue)" } ?? "")
    case .atOnce(let actions): "at once: \(actions.map(\.words).joined(separator: ", then "))"
    }
  }

  /// Whether it only asks whether something is so.
  var isExpectation: Bool { if case .expect = self { true } else { false } }
}

extension ScenarioAction.Control {
  fileprivate var words: String {
    switch self {
    case .join, .cancel, .forget, .back, .add, .save, .duplicate: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    case .confirmForget: "Forget, and mean it"
    case .cancelForget: "Cancel, and do not forget"
    case .ok: "OK"
    case .knownNetworks: "Known Networks"
    case .listAgain: "List again"
    }
  }
}

extension ExpectedFailure {
  fileprivate var words: String {
    switch self {
    case .timedOut: "timed out"
    case .outOfRange: "out of range"
    case .rejected: "rejected"
    }
  }
}

/// What is expected, one after the other, in words.
struct ExpectationWords {
  private(set) var parts: [String] = []

  @inline(never)
  mutating func add(_ words: String) { parts.append(words) }

  /// One of two texts, where one of both is expected.
  @inline(never)
  mutating func add(_ value: Bool?, _ yes: String, _ no: String) { if let value { add(value ? yes : no) } }
}

extension Expectations {
  var words: String {
    func shown(_ name: String) -> String { NetworkReference(name: name).description }
    var words = ExpectationWords()
    words.add(isOn, "Wi-Fi on", "Wi-Fi off")
    switch destination {
    case .some(.none): words.add("nothing over the list")
    case .connect(let network): words.add("the sheet\(network.map { " of \($0)" } ?? "")")
    case .detail(let network): words.add("the page\(network.map { " of \($0)" } ?? "")")
    case .known: words.add("the known networks")
    case nil: break
    }
    words.add(isConnecting, "connecting", "not connecting")
    if let alert { words.add(alert == .none ? "no alert" : "the alert \(alert.rawValue)") }
    if let failure { words.add(failure.map { "the failure “\($0.words)”" } ?? "no failure") }
    if let password { words.add("a password of \(password.count.counted("character"))") }
    if let selected { words.add(selected.map { "\($0) selected" } ?? "nothing selected") }
    words.add(isOutOfRange, "the selected network out of range", "the selected network in range")
    words.add(isLost, "its network lost", "its network not lost")
    words.add(canForget, "Forget offered", "Forget not offered")
    if let rows { words.add("the rows \(rows.map(shown).joined(separator: ", "))") }
    if !contains.isEmpty { words.add("\(contains.map(\.description).joined(separator: ", ")) among the rows") }
    if !missing.isEmpty { words.add("\(missing.map(\.description).joined(separator: ", ")) not among the rows") }
    if let count { words.add(count.counted("row")) }
    for row in row {
      let facts = [row.isSecured.map { $0 ? "secured" : "open" }, row.bars.map { "with \($0.counted("bar"))" }]
      words.add("\(row.network) \(facts.compactMap { $0 }.joined(separator: " "))")
    }
    if let issueCount { words.add(issueCount == 0 ? "no issues" : issueCount.counted("issue")) }
    if let radio { words.add(radio == "none" ? "the radio switched" : "the radio not switched: \(radio)") }
    if let known { words.add(known.words) }
    return words.parts.isEmpty ? "nothing in particular" : words.parts.joined(separator: ", ")
  }
}
