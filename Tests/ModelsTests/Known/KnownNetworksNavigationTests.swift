import Isolations
import Models
import Observing
import Testing
import WiFi

/// What the page of known networks presents, in order, on the main actor.
@Suite(.timeLimit(.minutes(10))) @MainActor struct KnownNetworksNavigationTests {
  let home = makeKnown("Home", 0)
  let office = makeKnown("Office", 1)

  @Test func `pages, sheet and question come and go with the state`() async throws {
    let recorder = WiFiSettingsNavigationTests.Recorder()
    let store = HandStore()
    let settings = WiFiSettingsModel(
      source: ListSource(), joiner: QuickJoiner(), knownNetworks: store, onIssue: { Issue.record("\($0)") },
      destination: { $0.knownNetworksModel(networks: [home, office]).map { .known($0) } })
    var attempts: [KnownNetworkAttempt] = []
    let navigation = Navigation(recorder) { settings.declareNavigation(in: $0) { attempts.append($0) } }
    let model = try #require(settings.destination?.known)
    model.networkTapped(home.id)
    await endTurn()
    model.path.last?.duplicateButtonTapped()
    await endTurn()
    // The user swipes the sheet away.
    recorder.shown.last?.dismissed()
    await endTurn()
    #expect(model.addSheet == nil)
    model.path.last?.forgetButtonTapped()
    await endTurn()
    let question = try #require(recorder.shown.last)
    #expect(question.question?.buttons.map(\.title) == ["Forget", "Cancel"])
    question.answered(0)
    await endTurn()
    #expect(attempts.count == 1)
    settings.wifiToggled(to: false)
    await endTurn()
    #expect(
      recorder.log == [
        "present push known", "present push edit", "present sheet add", "present alert forgetKnown", "dismiss push edit",
        "dismiss push known",
      ])
    navigation.end()
  }

  @Test func `a page that the user goes back from takes those over it with it`() async throws {
    let recorder = WiFiSettingsNavigationTests.Recorder()
    let model = KnownNetworksModel(
      networks: [home, office], store: HandStore(), onIssue: { Issue.record("\($0)") },
      path: { [$0.editModel(of: home), $0.editModel(of: office)] })
    let navigation = Navigation(recorder) { model.declareNavigation(in: $0) { _ in } }
    let pages = model.path
    recorder.shown[0].dismissed()
    await endTurn()
    #expect(model.path.isEmpty)
    #expect(pages.allSatisfy { !$0.isSaving })
    navigation.end()
  }
}
