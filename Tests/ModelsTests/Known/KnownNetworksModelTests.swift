import Models
import Observing
import Simulator
import Testing
import WiFi

@Suite(.timeLimit(.minutes(10))) @MainActor struct KnownNetworksModelTests {
  let home = makeKnown("Home", 0)
  let office = makeKnown("Office", 1, .sae, priority: 5)
  let cafe = makeKnown("Cafe", 2, .open)
  let store = HandStore()

  func makeModel(_ networks: [KnownNetwork], found: [Network] = []) -> KnownNetworksModel {
    KnownNetworksModel(
      networks: networks, foundNetworks: FoundNetworksModel(networks: found), store: store, onIssue: { Issue.record("\($0)") })
  }

  /// Starts something and waits until the store is asked.
  func start(_ count: Int = 1, _ body: @escaping @MainActor () async -> Void) async -> Task<Void, Never> {
    let before = store.asked.count
    let task = Task { await body() }
    while store.asked.count < before + count { await Task.yield() }
    return task
  }

  // MARK: The list

  @Test func `the joined network comes first, then those in range, then by priority and name`() {
    var joined = cafe
    joined.isJoined = true
    let model = makeModel([home, office, joined, makeKnown("Attic", 3)], found: [makeNetwork("Home")])
    #expect(model.rows.map(\.name) == ["Cafe", "Home", "Office", "Attic"])
    #expect(model.rows.map(\.isInRange) == [false, true, false, false])
  }

  @Test func `a network of the same name and another security is not in range`() {
    let model = makeModel([home, cafe], found: [makeNetwork("Home", secured: false), makeNetwork("Cafe", 2)])
    #expect(model.rows.allSatisfy { !$0.isInRange })
  }

  @Test func `a network that is found or lost changes the rows of an observer`() async {
    let model = makeModel([home])
    let turn = ObservationTurn()
    var seen: [[Bool]] = []
    let token = observe(in: turn) { seen.append(model.rows.map(\.isInRange)) }
    model.foundNetworks.apply(makeScan([makeBSS("Home", heard: .seconds(2))], end: .seconds(2)))
    turn.end()
    #expect(seen == [[false], [true]])
    token.cancel()
  }

  @Test func `the list is loading until the store answers, and says why it could not be read`() async {
    let model = makeModel([])
    let task = await start { await model.load() }
    #expect(model.isLoading)
    store.asked[0].finish(.failure(.noPermission))
    await task.value
    #expect(!model.isLoading)
    #expect(model.failure == .noPermission)
    let again = await start { await model.load() }
    store.asked[1].finish(.success(KnownNetworkAnswer(networks: [home])))
    await again.value
    #expect(model.failure == nil)
    #expect(model.networks == [home])
  }

  @Test func `a list that was read before a change does not undo it on the screen`() async throws {
    let model = makeModel([home])
    let listing = await start { await model.load() }
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    page.priority = 3
    let attempt = try #require(page.saveButtonTapped())
    let saving = await start { await attempt.run() }
    var changed = home
    changed.priority = 3
    store.asked[1].finish(.success(KnownNetworkAnswer(networks: [changed], changed: home.id)))
    await saving.value
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [home])))
    await listing.value
    #expect(model.networks == [changed])
    #expect(!model.isLoading)
  }

  @Test func `of two lists the later counts, whichever comes first`() async {
    let model = makeModel([])
    let first = await start { await model.load() }
    let second = await start { await model.load() }
    store.asked[1].finish(.success(KnownNetworkAnswer(networks: [office])))
    await second.value
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [home])))
    await first.value
    #expect(model.networks == [office])
  }

  @Test func `a tap on a network that is not known is an issue`() {
    var issues: [ModelIssue] = []
    let model = KnownNetworksModel(networks: [home], store: store, onIssue: { issues.append($0) })
    model.networkTapped(office.id)
    #expect(issues == [.tappedUnknownProfile(office.id)])
    #expect(model.path.isEmpty)
  }

  @Test func `two taps before the page is there open one page, that of the second`() {
    let model = makeModel([home, office])
    model.networkTapped(home.id)
    model.networkTapped(office.id)
    #expect(model.path.map(\.network) == [office])
  }

  // MARK: Editing

  @Test func `only what was changed is sent`() async throws {
    let model = makeModel([home])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    #expect(page.saveButtonTapped() == nil, "nothing is changed")
    page.joinsAutomatically = false
    page.password = "another one"
    let attempt = try #require(page.saveButtonTapped())
    #expect(page.isSaving)
    #expect(page.saveButtonTapped() == nil, "a second tap does nothing")
    let task = await start { await attempt.run() }
    #expect(store.asked[0].request == .edit(home.id, KnownNetworkEdit(password: Secret("another one"), joinsAutomatically: false)))
    var changed = home
    changed.joinsAutomatically = false
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [changed], changed: home.id)))
    await task.value
    #expect(!page.isSaving)
    #expect(page.password.isEmpty)
    #expect(!page.hasChanges)
    #expect(model.networks == [changed])
    // It was run; a second run asks nobody.
    await attempt.run()
    #expect(store.asked.count == 1)
  }

  @Test func `a password that no network can have is refused before anybody is asked`() throws {
    let model = makeModel([home])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    page.password = "short"
    #expect(page.saveButtonTapped() == nil)
    #expect(page.failure == .impossiblePassword(.tooShort(count: 5, minimum: 8)))
    #expect(!page.isSaving)
    #expect(store.asked.isEmpty)
  }

  @Test func `a refusal stays on its page with what was typed, and goes with the next attempt`() async throws {
    let model = makeModel([home])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    page.priority = 4
    let first = try #require(page.saveButtonTapped())
    let task = await start { await first.run() }
    store.asked[0].finish(.failure(.noPermission))
    await task.value
    #expect(page.failure == .noPermission)
    #expect(page.priority == 4)
    #expect(model.networks == [home])
    _ = page.saveButtonTapped()
    #expect(page.failure == nil)
  }

  @Test(arguments: [true, false])
  func `an outcome never reaches a page that is gone, or its next attempt`(succeeds: Bool) async throws {
    let model = makeModel([home, office])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    page.priority = 4
    let first = try #require(page.saveButtonTapped())
    let task = await start { await first.run() }
    model.path = []
    #expect(!page.isSaving)
    model.networkTapped(home.id)
    let next = try #require(model.path.last)
    next.priority = 7
    let second = try #require(next.saveButtonTapped())
    var changed = home
    changed.priority = 4
    store.asked[0].finish(succeeds ? .success(KnownNetworkAnswer(networks: [changed, office], changed: home.id)) : .failure(.busy))
    await task.value
    #expect(next.isSaving)
    #expect(next.failure == nil && page.failure == nil)
    #expect(next.priority == 7)
    // What happened is shown in the list all the same.
    #expect(model.networks.first == (succeeds ? changed : home))
    let last = await start { await second.run() }
    store.asked[1].finish(.failure(.daemonLost))
    await last.value
    #expect(next.failure == .daemonLost)
  }

  @Test func `a field that nobody touched follows the store, and one that was touched stays`() async throws {
    let model = makeModel([home])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    page.isHidden = true
    var changed = home
    changed.priority = 8
    changed.isHidden = false
    let task = await start { await model.load() }
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [changed])))
    await task.value
    #expect(page.priority == 8)
    #expect(page.isHidden)
    #expect(page.network == changed)
  }

  @Test func `a network that another program forgot is gone on its page, and cannot be saved`() async throws {
    let model = makeModel([home])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    let task = await start { await model.load() }
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [])))
    await task.value
    #expect(page.isGone)
    page.priority = 2
    #expect(page.saveButtonTapped() == nil)
    #expect(page.failure == .unknownNetwork(home.ssid))
    // The page may be of a simulated world, which no command asks.
    #expect(page.failure.map { "\($0)" } == "No network “\(home.ssid)” is known any more.")
    page.forgetButtonTapped()
    #expect(!page.forgetAlertIsPresented)
    #expect(model.path.last === page)
  }

  // MARK: Forgetting

  @Test func `forgetting asks, and closes the page`() async throws {
    let model = makeModel([home, office])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    page.forgetButtonTapped()
    let question = try #require(page.forgetQuestion)
    #expect(question.title == "Forget “Home”?")
    #expect(page.forgetQuestionAnswered(.keep) == nil)
    #expect(!page.forgetAlertIsPresented)
    page.forgetButtonTapped()
    let attempt = try #require(page.forgetQuestionAnswered(.forget))
    let task = await start { await attempt.run() }
    #expect(store.asked[0].request == .forget(home.id))
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [office], changed: home.id)))
    await task.value
    #expect(model.path.isEmpty)
    #expect(model.networks == [office])
  }

  @Test func `over a page there is the question or the sheet, whichever was asked for first`() throws {
    let model = makeModel([home])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    page.forgetButtonTapped()
    page.duplicateButtonTapped()
    #expect(page.forgetAlertIsPresented && model.addSheet == nil)
    page.cancelForgetButtonTapped()
    page.duplicateButtonTapped()
    page.forgetButtonTapped()
    #expect(!page.forgetAlertIsPresented && model.addSheet != nil)
  }

  // MARK: Adding and copying

  @Test func `the sheet adds what its fields say, and closes`() async throws {
    let model = makeModel([home])
    model.addButtonTapped()
    let sheet = try #require(model.addSheet)
    #expect(sheet.addButtonTapped() == nil)
    #expect(sheet.failure == .nameMissing)
    sheet.name = "Cabin"
    sheet.security = .sae
    sheet.password = "logs"
    sheet.isHidden = true
    let attempt = try #require(sheet.addButtonTapped())
    #expect(sheet.isSaving && sheet.failure == nil)
    let task = await start { await attempt.run() }
    let draft = KnownNetworkDraft(
      ssid: try #require(SSID(typed: "Cabin")), security: .sae, password: Secret("logs"), isHidden: true)
    #expect(store.asked[0].request == .add(draft))
    let cabin = makeKnown("Cabin", 9, .sae)
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [home, cabin], changed: cabin.id)))
    await task.value
    #expect(model.addSheet == nil)
    #expect(model.networks == [home, cabin])
    #expect(model.path.isEmpty)
  }

  @Test func `a copy opens the page of the copy over that of its original`() async throws {
    let model = makeModel([home])
    model.networkTapped(home.id)
    let page = try #require(model.path.last)
    page.duplicateButtonTapped()
    let sheet = try #require(model.addSheet)
    #expect(sheet.name == "Home")
    #expect(sheet.password.isEmpty)
    sheet.name = "Home 5G"
    sheet.priority = 2
    let attempt = try #require(sheet.addButtonTapped())
    let task = await start { await attempt.run() }
    #expect(store.asked[0].request == .duplicate(home.id, KnownNetworkEdit(ssid: SSID(typed: "Home 5G"), priority: 2)))
    let copy = makeKnown("Home 5G", 4, priority: 2)
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [home, copy], changed: copy.id)))
    await task.value
    #expect(model.path.map(\.network) == [home, copy])
    model.path = [page]
    #expect(model.path.last === page)
  }

  @Test func `a sheet that was closed while it added takes nothing with it, and the list has what was added`() async throws {
    let model = makeModel([])
    model.addButtonTapped()
    let sheet = try #require(model.addSheet)
    sheet.name = "Cafe"
    sheet.security = .open
    let attempt = try #require(sheet.addButtonTapped())
    let task = await start { await attempt.run() }
    model.addSheet = nil
    model.addButtonTapped()
    let next = try #require(model.addSheet)
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [cafe], changed: cafe.id)))
    await task.value
    #expect(model.addSheet === next)
    #expect(model.networks == [cafe])
  }

  @Test func `cancel gives up what runs, and closes where nothing does`() throws {
    let model = makeModel([])
    model.addButtonTapped()
    let sheet = try #require(model.addSheet)
    sheet.name = "Cafe"
    sheet.security = .open
    _ = sheet.addButtonTapped()
    sheet.cancelButtonTapped()
    #expect(!sheet.isSaving)
    #expect(model.addSheet === sheet)
    sheet.cancelButtonTapped()
    #expect(model.addSheet == nil)
  }

  // MARK: From the settings, and by a link

  func makeSettings(_ store: (any KnownNetworkStore)?, _ onIssue: @escaping (ModelIssue) -> Void = { Issue.record("\($0)") })
    -> WiFiSettingsModel
  {
    WiFiSettingsModel(source: ListSource(), joiner: QuickJoiner(), knownNetworks: store, onIssue: onIssue)
  }

  @Test func `the settings show the known networks, and take them away when Wi-Fi goes off`() async throws {
    let settings = makeSettings(store)
    settings.knownNetworksButtonTapped()
    let model = try #require(settings.destination?.known)
    let task = await start { await model.load() }
    settings.wifiToggled(to: false)
    #expect(settings.destination == nil)
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [home])))
    await task.value
    #expect(model.networks.isEmpty, "what comes for a page that is gone shows nowhere")
  }

  @Test func `where nobody keeps networks there is no page`() {
    var issues: [ModelIssue] = []
    let settings = makeSettings(nil) { issues.append($0) }
    settings.knownNetworksButtonTapped()
    settings.open(.known)
    #expect(settings.destination == nil)
    #expect(issues == [.noKnownNetworks, .noKnownNetworks])
  }

  @Test func `a link opens the page of a network once the networks are listed`() async throws {
    let settings = makeSettings(store)
    settings.open(try #require(DeepLink("known/Home/edit")))
    let model = try #require(settings.destination?.known)
    #expect(model.path.isEmpty)
    let task = await start { await model.load() }
    store.asked[0].finish(.success(KnownNetworkAnswer(networks: [office, home])))
    await task.value
    #expect(model.path.map(\.network) == [home])
    settings.open(.editKnown(cafe.ssid))
    let other = try #require(settings.destination?.known)
    let again = await start { await other.load() }
    store.asked[1].finish(.success(KnownNetworkAnswer(networks: [office, home])))
    await again.value
    #expect(other.path.isEmpty)
    #expect(other.failure == .unknownNetwork(cafe.ssid))
    settings.open(.addKnown)
    #expect(settings.destination?.known?.addSheet != nil)
  }

  @Test(arguments: ["known", "known/add", #"known/A\x2fB/edit"#, "known/café/edit"])
  func `a link is written as it is read`(text: String) throws {
    #expect(try #require(DeepLink(text)).description == text)
  }

  @Test(arguments: ["", "known/", "known/Home", "known//edit", "known/a/b/edit", "other", "known/Home/edit/", #"known/\x/edit"#])
  func `what is no link is none`(text: String) { #expect(DeepLink(text) == nil) }

  @Test func `every field can be given`() throws {
    let settings = makeSettings(store)
    let model = try #require(
      settings.knownNetworksModel(
        networks: [home, office], isLoading: true, failure: .busy,
        path: { [$0.editModel(of: home, password: "x", priority: 9, isSaving: true, failure: .noDaemon, forgetAlertIsPresented: true)] },
        sheet: { $0.addModel(copying: office, name: "Other", password: "y", isHidden: true, isSaving: true, failure: .passwordMissing) }))
    settings.destination = .known(model)
    let page = try #require(model.path.last)
    #expect(model.isLoading && model.failure == .busy)
    #expect(page.password == "x" && page.priority == 9 && page.isSaving && page.failure == .noDaemon && page.forgetAlertIsPresented)
    let sheet = try #require(model.addSheet)
    #expect(sheet.name == "Other" && sheet.security == .sae && sheet.priority == 5 && sheet.isHidden && sheet.isSaving)
    model.dismissed()
    #expect(model.path.isEmpty && model.addSheet == nil && !page.isSaving && !sheet.isSaving)
  }
}
