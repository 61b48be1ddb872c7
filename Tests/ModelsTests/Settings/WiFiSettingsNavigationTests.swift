import Isolations
import Models
import Observing
import Testing
import WiFi

/// What the panel presents, in order, on the main actor.
@Suite(.timeLimit(.minutes(10))) @MainActor struct WiFiSettingsNavigationTests {
  final class Recorder: Presenter {
    var log: [String] = []
    var shown: [Presentation] = []

    func present(_ presentation: Presentation, _ transaction: Transaction) {
      log.append("present \(presentation)")
      shown.append(presentation)
    }

    func dismiss(_ presentation: Presentation, _ transaction: Transaction) {
      log.append("dismiss \(presentation)")
      shown.removeAll { $0 === presentation }
    }
  }

  let home = makeNetwork("Home", 1)
  let recorder = Recorder()

  func makeModel(selected: Network? = nil) -> WiFiSettingsModel {
    WiFiSettingsModel(
      foundNetworks: FoundNetworksModel(networks: [home]), selectedNetworkID: selected?.id, source: ListSource(),
      joiner: QuickJoiner(), onIssue: { Issue.record("\($0)") })
  }

  @Test func `wrong password, Wi-Fi off: the alert goes before its sheet`() async throws {
    let model = makeModel()
    let navigation = Navigation(recorder, model.declareNavigation)
    model.networkTapped(home.id)
    await endTurn()
    let sheet = try #require(recorder.shown.last?.item as? ConnectToNetworkModel)
    sheet.password = "nope"
    await sheet.joinButtonTapped()?.run()
    await endTurn()
    model.wifiToggled(to: false)
    await endTurn()
    #expect(
      recorder.log == [
        "present sheet connect", "present alert incorrectPassword", "dismiss alert incorrectPassword",
        "dismiss sheet connect",
      ])
    navigation.end()
  }

  @Test func `a sheet that is swiped away ends its join`() async throws {
    let model = makeModel()
    let navigation = Navigation(recorder, model.declareNavigation)
    model.networkTapped(home.id)
    await endTurn()
    let presentation = try #require(recorder.shown.last)
    let sheet = try #require(model.destination?.connect)
    sheet.password = "blob"
    let join = Task { if let attempt = sheet.joinButtonTapped() { await attempt.run() } }
    presentation.dismissed()
    await join.value
    await endTurn()
    #expect(model.destination == nil)
    #expect(model.selectedNetworkID == nil)
    #expect(recorder.log == ["present sheet connect"])
    navigation.end()
  }

  @Test func `forgetting closes alert and page`() async throws {
    let model = makeModel(selected: home)
    let navigation = Navigation(recorder, model.declareNavigation)
    model.networkTapped(home.id)
    model.destination?.detail?.forgetButtonTapped()
    await endTurn()
    model.destination?.detail?.confirmForgetButtonTapped()
    await endTurn()
    #expect(
      recorder.log == ["present push detail", "present alert forget", "dismiss alert forget", "dismiss push detail"])
    navigation.end()
  }

  @Test func `the question whether to forget is answered by its buttons`() async throws {
    let model = makeModel(selected: home)
    let navigation = Navigation(recorder, model.declareNavigation)
    model.networkTapped(home.id)
    model.destination?.detail?.forgetButtonTapped()
    await endTurn()
    let keeping = try #require(recorder.shown.last)
    #expect(keeping.question?.title == "Forget “Home”?")
    #expect(keeping.question?.buttons.map(\.title) == ["Forget", "Cancel"])
    #expect(keeping.question?.buttons.map(\.role) == [.destructive, .cancel])
    keeping.answered(1)
    await endTurn()
    #expect(model.selectedNetworkID == home.id)
    #expect(model.destination?.detail?.forgetAlertIsPresented == false)
    model.destination?.detail?.forgetButtonTapped()
    await endTurn()
    try #require(recorder.shown.last).answered(0)
    await endTurn()
    #expect(model.selectedNetworkID == nil)
    #expect(model.destination == nil)
    #expect(recorder.log.last == "dismiss push detail")
    navigation.end()
  }

  @Test func `the alert of a wrong password keeps sheet and password when it is closed`() async throws {
    let model = makeModel()
    let navigation = Navigation(recorder, model.declareNavigation)
    model.networkTapped(home.id)
    let sheet = try #require(model.destination?.connect)
    sheet.password = "nope"
    await sheet.joinButtonTapped()?.run()
    await endTurn()
    let alert = try #require(recorder.shown.last)
    #expect(alert.question?.title == "Incorrect password")
    #expect(alert.question?.message == "“Home” does not accept this password.")
    alert.answered(0)
    await endTurn()
    #expect(!sheet.incorrectPasswordAlertIsPresented)
    #expect(model.destination?.connect === sheet)
    #expect(sheet.password == "nope")
    navigation.end()
  }
}
