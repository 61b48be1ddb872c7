import Determinism
import Models
import Testing
import WiFi

@testable import Harness

/// Shrinks a run that violates a property.
private func shrunk(
  _ property: @autoclosure @escaping @Sendable () -> SettingsProperty, _ run: SettingsRun, _ outcome: SettingsRun.Outcome,
  limit: Int = 2000
) async -> Shrinker<SettingsSubject, RunPlan> {
  let shrinker = Shrinker(property().name, run, outcome, limit: limit, properties: { [property().ofSettings] })
  await shrinker.shrink()
  return shrinker
}

/// A property that is there to be violated: it says that no page of a known network is shown.
private var noKnownPage: SettingsProperty {
  SettingsProperty("test: no page of a known network is shown") { moment -> String? in
    moment.shown.last == "edit" ? "a page is shown" : nil
  }
}

@Suite struct ShrinkerTests {
  @Test func `a planted violation is found and shrunk to its least number of steps`() async throws {
    let found = await violating(noPage, seeds: 0..<24)
    #expect(found.count > 3)
    for (run, outcome) in found.prefix(4) {
      let result = await shrunk(noPage, run, outcome)
      #expect(result.outcome.violations.map(\.property) == [noPage.name])
      // In a world with a kernel a page cannot be there from the beginning but of a network that is lost.
      #expect((result.run.steps?.count ?? .max) <= 1, "\(ScenarioWriter.yaml(result.run, name: "left over"))")
      #expect(result.run.start.source.faults.isEmpty)
      #expect(result.run.start.start.networks.count <= 1)
      #expect(result.candidates <= 2000)
    }
  }

  @Test func `steps that only together violate a property stay`() async throws {
    let found = await violating(notOnAgainTwice, seeds: 0..<60)
    let (run, outcome) = try #require(found.first)
    let result = await shrunk(notOnAgainTwice, run, outcome)
    #expect(result.run.steps == [true, false, true].map { .switchWiFi(isOn: $0) })
    #expect(!result.run.start.start.isOn)
  }

  @Test func `the same run is shrunk to the same, and the smallest to itself`() async throws {
    for (run, outcome) in await violating(noPage, seeds: 0..<24).prefix(3) {
      let once = await shrunk(noPage, run, outcome)
      let again = await shrunk(noPage, run, outcome)
      #expect(once.run == again.run && once.outcome == again.outcome && once.candidates == again.candidates)
      let smallest = await shrunk(noPage, once.run, once.outcome)
      #expect(smallest.run == once.run)
      #expect(smallest.outcome == once.outcome)
    }
  }

  /// A run in a radio world: one network is joined, and an open one is tapped.
  private static var joining: StartedRun<ScenarioAction, RunPlan> {
    var plan = RunPlan(seed: 7, worlds: ["home"])
    (plan.source.daemon, plan.start) = (.iwd, ScenarioStart())
    let steps: [ScenarioAction] = [
      .advance(.seconds(5)), .tapNetwork(.init(name: "Home")), .typePassword("blob blob"), .tap(.join), .advance(.seconds(2)),
      .tapNetwork(.init(name: "Cafe")),
    ]
    return StartedRun(start: plan, actions: steps.map { .step($0) })
  }

  @Test func `a radio world becomes a still one with the networks of the steps, secured as the steps say`() {
    let still = SettingsSubject.simplerStarts(of: Self.joining).filter { $0.start.source.world == "still" }
    let secured = still.map { candidate in candidate.start.start.networks.map { "\($0.name) \($0.isSecured)" } }
    #expect(secured.first == ["Home true", "Cafe false"] && Set(secured).count == 3, "\(secured)")
    // Where the network was out of range, the password is wrong now.
    let typed = still.map { candidate in
      candidate.actions.compactMap { if case .step(.typePassword(let password)) = $0 { password } else { nil } }
    }
    #expect(Set(typed) == [["blob blob"], ["nope"]])
  }

  @Test func `a start in place of a tap waits for the list as the tap did, or does not`() {
    let opened = SettingsSubject.simplerStarts(of: Self.joining).filter {
      $0.start.start.destination != nil && $0.start.source.world == "home"
    }
    #expect(opened.contains { $0.actions.first == .step(.typePassword("blob blob")) })
    #expect(opened.contains { Array($0.actions.prefix(2)) == [.step(.advance(.seconds(5))), .step(.typePassword("blob blob"))] })
  }

  @Test func `a network that was joined is joined from the start, as late as it was`() {
    var after = Self.joining.start
    after.start.selected = .init(name: "Home")
    let later = SettingsSubject.later(Self.joining, after: 5, from: after).filter { $0.start.start.known.contains(where: \.isJoined) }
    #expect(later.map { $0.actions.count } == [1, 2, 2])
    #expect(later.last?.actions.first == .step(.advance(.seconds(7))))
  }

  @Test func `a network that was added is known from the start with the password that was filled in`() throws {
    var (fields, plan) = (KnownNetworkFields(), RunPlan(seed: 7, worlds: ["still"]))
    (plan.source.daemon, plan.start) = (.supplicant, ScenarioStart())
    (fields.name, fields.password) = ("Home", "another one")
    let actions: [ScenarioAction] = [.fill(fields), .tap(.save), .advance(.seconds(1)), .tapNetwork(.init(name: "Home"))]
    var after = plan
    // What a run is like by then is a start of the preview.
    after.source = .init(world: "preview", seed: 7)
    after.start.link = .known
    let home = try #require(SSID(typed: "Home"))
    let draft = KnownNetworkDraft(ssid: home, security: .psk, password: Secret(ScenarioKnownNetwork.defaultPassword))
    after.start.known = [ScenarioKnownNetwork(draft), ScenarioKnownNetwork(KnownNetworkDraft(ssid: home, security: .open))]
    let run = StartedRun(start: plan, actions: actions.map { Action.step($0) })
    let later = SettingsSubject.later(run, after: 3, from: after).filter { $0.start.source.daemon != nil }
    #expect(!later.isEmpty && later.allSatisfy { $0.start.start.known.map(\.draft.password) == [Secret("another one"), nil] })
  }

  /// A user forgets a known network of a daemon, whose answers become slow, and goes back meanwhile.
  private static var forgetting: StartedRun<ScenarioAction, RunPlan> {
    var plan = RunPlan(seed: 7, worlds: ["still"])
    (plan.source.daemon, plan.source.latency, plan.start) = (.supplicant, .zero, ScenarioStart())
    var rule = KnownNetworkAnswerRule()
    rule.duration = .milliseconds(5)
    let steps: [ScenarioAction] = [
      .world(.known(.answer(rule))), .tap(.knownNetworks), .tapNetwork(.init(name: "Home", number: 2)), .tap(.forget),
      .tap(.confirmForget), .advance(.milliseconds(60)), .tap(.back),
    ]
    return StartedRun(start: plan, actions: steps.map { .step($0) })
  }

  @Test func `a daemon whose answers become slow answers so from the start`() {
    let slow = SettingsSubject.simplerStarts(of: Self.forgetting).filter { $0.start.source.latency == .milliseconds(5) }
    #expect(slow.map(\.actions) == [Array(Self.forgetting.actions.dropFirst())])
  }

  @Test func `a list is open from the start, also where answers become slow before`() {
    let listed = SettingsSubject.simplerStarts(of: Self.forgetting).filter { $0.start.start.link == .known }
    var left = Self.forgetting.actions
    left.remove(at: 1)
    #expect(listed.map(\.actions).contains(left))
    var adding = Self.forgetting
    (adding.start.start.link, adding.actions) = (.addKnown, [.step(.dismiss), .step(.tap(.add))])
    let closed = SettingsSubject.simplerStarts(of: adding).filter { $0.start.start.link == .known }
    #expect(closed.map(\.actions).contains([.step(.tap(.add))]))
  }

  @Test func `a page of a daemon's network is open from the start, and what was between two messages is so again`() throws {
    var (run, after) = (Self.forgetting, Self.forgetting.start)
    run.actions.insert(.step(.world(.find(ScenarioNetwork(name: "Cafe")))), at: 0)
    // What a run is like by then is a start of the preview.
    after.source = .init(world: "preview", seed: 7)
    after.start.link = .editKnown(try #require(SSID(typed: "Home")))
    after.start.known = [ScenarioKnownNetwork(KnownNetworkDraft(ssid: try #require(SSID(typed: "Home")), security: .open))]
    let later = SettingsSubject.later(run, after: 4, from: after).filter { $0.start.source.daemon != nil }
    #expect(later.allSatisfy { $0.start.start.link == after.start.link && $0.start.start.known == after.start.known })
    #expect(later.allSatisfy { $0.start.start.networks.map(\.name) == ["Cafe"] })
    let left = Array(run.actions.dropFirst(4))
    #expect(later.first?.actions == [.step(.advance(.seconds(1)))] + left)
    // As many milliseconds as messages take.
    let slow = later.filter { $0.start.source.latency == .milliseconds(5) }.compactMap { $0.actions.dropLast().last }
    #expect(slow == (1...40).map { .step(.advance(.milliseconds(5 * $0))) })
  }

  @Test func `a known network is plain from the start, and the first of its name`() throws {
    var (run, draft) = (Self.forgetting, KnownNetworkDraft(ssid: try #require(SSID(typed: "Home")), security: .open))
    (draft.priority, draft.isHidden) = (3, true)
    var known = ScenarioKnownNetwork(draft)
    known.isJoined = true
    run.start.start.known = [known]
    let plainer = SettingsSubject.simplerStarts(of: run).compactMap(\.start.start.known.first).filter { $0 != known }
    let plain = ScenarioKnownNetwork(KnownNetworkDraft(ssid: draft.ssid, security: .open))
    #expect(plainer == [ScenarioKnownNetwork(draft), plain])
    let first = SettingsSubject.simpler(.tapNetwork(.init(name: "Home", number: 2)))
    #expect(first == [.tapNetwork(.init(name: "Home", number: 1))])
    #expect(SettingsSubject.simpler(.tapNetwork(.init(name: "Home", number: 1))).isEmpty)
  }

  @Test func `a known network that was added is known from the start, where its page is shown`() async throws {
    var plan = RunPlan(seed: 7, worlds: ["preview"])
    (plan.source.churns, plan.start) = (false, ScenarioStart())
    let second = ScenarioAction.advance(.seconds(1))
    let run = SettingsRun(
      plan,
      steps: [
        .tap(.knownNetworks), second, .tap(.add), .fill(fields("Home", password: "nope nope")), .fill(fields("Cafe")), .tap(.save), second,
        .tapNetwork(.init(name: "Cafe")),
      ])
    let outcome = await run.run(properties: { [noKnownPage.ofSettings] })
    #expect(!outcome.violations.isEmpty)
    let result = await shrunk(noKnownPage, run, outcome)
    #expect(result.run.steps?.filter { $0 != second } == [], "\(ScenarioWriter.yaml(result.run, name: "left over"))")
    #expect(result.run.start.start.known.map(\.draft.ssid.description) == ["Cafe"])
    #expect(result.run.start.start.link?.description == "known/Cafe/edit")
  }

  private func fields(_ name: String, password: String? = nil) -> KnownNetworkFields {
    var fields = KnownNetworkFields()
    (fields.name, fields.password) = (name, password)
    return fields
  }

  @Test func `what is typed twice in a row is typed once, as it was last`() {
    let typed = ScenarioAction.fill(fields("Home", password: "blob blob")).joined(.fill(fields("Cafe")))
    #expect(typed == .fill(fields("Cafe", password: "blob blob")))
    #expect(ScenarioAction.typePassword("nope").joined(.typePassword("blob")) == .typePassword("blob"))
    #expect(ScenarioAction.typePassword("nope").joined(.fill(fields("Home"))) == nil)
  }

  @Test func `no more candidates are told than the limit says`() async throws {
    let (run, outcome) = try #require(await violating(noPage, seeds: 0..<24).first)
    for limit in [0, 1, 5] {
      let result = await shrunk(noPage, run, outcome, limit: limit)
      #expect(result.candidates == limit)
      #expect(!result.outcome.violations.isEmpty)
    }
  }
}
