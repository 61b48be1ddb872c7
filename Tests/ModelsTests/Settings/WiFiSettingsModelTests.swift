import Isolations
import Models
import Observing
import Testing
import WiFi

@Suite(.timeLimit(.minutes(10))) @MainActor struct WiFiSettingsModelTests {
  let home = makeNetwork("Home", 1)
  let office = makeNetwork("Office", 2)
  let cafe = makeNetwork("Café", 3, secured: false)
  let joiner = HandJoiner()
  let issues = Issues()

  final class Issues {
    var all: [ModelIssue] = []
  }

  func makeModel(
    isOn: Bool = true, selected: Network? = nil, source: any NetworkSource = ListSource(),
    destination: (WiFiSettingsModel) -> WiFiSettingsModel.Destination? = { _ in nil }
  ) -> WiFiSettingsModel {
    let issues = issues
    return WiFiSettingsModel(
      isOn: isOn, foundNetworks: FoundNetworksModel(networks: [home, office, cafe]), selectedNetworkID: selected?.id,
      source: source, joiner: joiner, onIssue: { issues.all.append($0) }, destination: destination)
  }

  // MARK: taps

  @Test func `a tap on the selected network shows its details`() {
    let model = makeModel(selected: home)
    model.networkTapped(home.id)
    #expect(model.destination?.detail?.network == home)
    #expect(model.destination?.detail?.canForget == true)
    #expect(model.selectedNetworkID == home.id)
  }

  @Test func `a tap on a secured network asks for its password and leaves the selection`() {
    let model = makeModel(selected: home)
    model.networkTapped(office.id)
    #expect(model.destination?.connect?.network == office)
    #expect(model.selectedNetworkID == home.id)
  }

  @Test func `a tap on an open network selects it at once`() {
    let model = makeModel(selected: home)
    model.networkTapped(cafe.id)
    #expect(model.destination == nil)
    #expect(model.selectedNetworkID == cafe.id)
    #expect(model.selectedNetwork == cafe)
  }

  @Test func `the info button shows details, of any network`() {
    let model = makeModel(selected: home)
    for network in [home, office, cafe] {
      model.infoButtonTapped(network.id)
      #expect(model.destination?.detail?.network == network)
      #expect(model.destination?.detail?.canForget == (network == home))
    }
  }

  @Test func `a tap for a network that is not there is ignored and reported`() {
    let model = makeModel(selected: home)
    let ghost = makeNetwork("Ghost", 9)
    model.networkTapped(ghost.id)
    model.infoButtonTapped(ghost.id)
    model.isOn = false
    model.networkTapped(home.id)
    #expect(model.destination == nil)
    #expect(model.selectedNetworkID == home.id)
    #expect(issues.all == [.tappedUnknownNetwork(ghost.id), .detailOfUnknownNetwork(ghost.id), .tappedWhileOff(home.id)])
    #expect(issues.all.first?.description == "Ghost personal was tapped, which is not in the list; the tap is ignored.")
  }

  // MARK: joining

  /// The sheet of a network, and its join button tapped.
  func tapJoin(_ model: WiFiSettingsModel, _ network: Network) async throws -> (ConnectToNetworkModel, Task<Void, Never>) {
    model.networkTapped(network.id)
    let sheet = try #require(model.destination?.connect)
    sheet.password = "blob"
    let task = Task { if let attempt = sheet.joinButtonTapped() { await attempt.run() } }
    await endTurn()
    #expect(sheet.isConnecting)
    return (sheet, task)
  }

  @Test func `joined: the sheet closes, then the network is selected`() async throws {
    let model = makeModel(selected: home)
    var log: [String] = []
    let token = observe { log.append("\(model.destination == nil ? "list" : "sheet") \(model.selectedNetworkID.map { "\($0)" } ?? "-")") }
    let (_, task) = try await tapJoin(model, office)
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(model.destination == nil)
    #expect(model.selectedNetworkID == office.id)
    await endTurn()
    #expect(log == ["list Home personal", "sheet Home personal", "list Office personal"])
    token.cancel()
  }

  @Test func `joined, but another sheet is the destination: nothing happens`() async throws {
    let model = makeModel(selected: cafe)
    let (first, task) = try await tapJoin(model, office)
    model.networkTapped(home.id)
    let second = model.destination
    #expect(!first.isConnecting)
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(model.destination == second)
    #expect(model.selectedNetworkID == cafe.id)
  }

  @Test(arguments: ["dismissed", "swiped away", "cancelled", "switched off", "off and on again", "opened again"])
  func `a result that arrives after the attempt ended changes nothing`(end: String) async throws {
    let model = makeModel(selected: cafe)
    let (sheet, task) = try await tapJoin(model, office)
    switch end {
    case "dismissed": model.dismissed()
    case "swiped away": Binding(model, \.destination).connect.wrappedValue = nil
    case "cancelled": sheet.cancelButtonTapped()
    case "switched off": model.wifiToggled(to: false)
    case "off and on again":
      model.wifiToggled(to: false)
      model.wifiToggled(to: true)
    default:
      model.dismissed()
      model.networkTapped(office.id)
    }
    #expect(!sheet.isConnecting)
    let destination = model.destination
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(!sheet.isConnecting)
    #expect(!sheet.incorrectPasswordAlertIsPresented)
    #expect(model.destination == destination)
    #expect(model.selectedNetworkID == cafe.id)
  }

  @Test func `a cancelled task changes nothing but that it no longer connects, even where it joined`() async throws {
    let model = makeModel()
    let (sheet, task) = try await tapJoin(model, office)
    task.cancel()
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(!sheet.isConnecting)
    #expect(model.destination == .connect(sheet))
    #expect(model.selectedNetworkID == nil)
  }

  @Test func `cancel gives up the attempt, and closes the sheet where there is none`() async throws {
    let model = makeModel()
    let (sheet, task) = try await tapJoin(model, office)
    sheet.cancelButtonTapped()
    #expect(!sheet.isConnecting)
    #expect(model.destination == .connect(sheet))
    #expect(sheet.password == "blob")
    sheet.cancelButtonTapped()
    #expect(model.destination == nil)
    joiner.attempts[0].finish(nil)
    await task.value
  }

  // MARK: forgetting

  @Test func `forgotten: the page closes and the selection is cleared`() throws {
    let model = makeModel(selected: home)
    model.networkTapped(home.id)
    let page = try #require(model.destination?.detail)
    page.forgetButtonTapped()
    #expect(page.forgetAlertIsPresented)
    page.cancelForgetButtonTapped()
    #expect(!page.forgetAlertIsPresented)
    page.forgetButtonTapped()
    page.confirmForgetButtonTapped()
    #expect(model.destination == nil)
    #expect(model.selectedNetworkID == nil)
    #expect(model.selectedNetwork == nil)
    #expect(issues.all.isEmpty)
  }

  @Test func `forgotten on a page that is not the destination any more: nothing happens`() throws {
    let model = makeModel(selected: home)
    model.networkTapped(home.id)
    let page = try #require(model.destination?.detail)
    model.infoButtonTapped(office.id)
    page.confirmForgetButtonTapped()
    #expect(model.selectedNetworkID == home.id)
    #expect(model.destination?.detail?.network == office)
  }

  @Test func `a page that is open when the selection changes offers Forget accordingly`() throws {
    let model = makeModel(selected: home)
    model.infoButtonTapped(office.id)
    let page = try #require(model.destination?.detail)
    #expect(!page.canForget)
    model.selectedNetworkID = office.id
    #expect(page.canForget)
    model.selectedNetworkID = nil
    #expect(!page.canForget)
  }

  // MARK: the switch

  @Test func `Wi-Fi off closes the destination, ends its join and keeps the selection`() async throws {
    let model = makeModel(selected: home)
    let (sheet, task) = try await tapJoin(model, office)
    model.wifiToggled(to: false)
    #expect(!sheet.isConnecting)
    #expect(model.destination == nil)
    #expect(model.selectedNetworkID == home.id)
    #expect(Panel(model).description == "top\n  Wi-Fi: off")
    model.destination = .connect(sheet)
    #expect(model.destination == nil)
    joiner.attempts[0].finish(nil)
    await task.value
  }

  @Test func `the switch is bound two ways`() {
    let model = makeModel()
    model.infoButtonTapped(home.id)
    Binding(model, \.isOn).wrappedValue = false
    #expect(!model.isOn)
    #expect(model.destination == nil)
  }

  // MARK: losses

  @Test func `a selected network that is lost stays, out of range, until it is back`() {
    let model = makeModel(selected: home)
    model.apply(makeScan(losing: [home], end: .seconds(10)))
    #expect(model.foundNetworks[home.id] == nil)
    #expect(model.selectedNetworkID == home.id)
    #expect(model.selectedNetwork == home)
    #expect(model.selectedNetworkIsOutOfRange)
    #expect(Panel(model).top.last?.description == "Home: 4 bars, 83 %, secured, selected, out of range")
    model.networkTapped(home.id)
    #expect(model.destination?.detail?.networkIsLost == true)
    model.apply(makeScan([makeBSS("Home", 1, signalDBm: -70, heard: .seconds(12))], end: .seconds(12)))
    #expect(!model.selectedNetworkIsOutOfRange)
    #expect(model.selectedNetwork?.bars == 2)
    #expect(model.destination?.detail?.networkIsLost == false)
  }

  @Test func `the network of an open sheet that is lost is flagged, and a join fails with its reason`() async throws {
    let model = makeModel()
    model.networkTapped(office.id)
    let sheet = try #require(model.destination?.connect)
    sheet.password = "blob"
    model.apply(makeScan(losing: [office], end: .seconds(10)))
    #expect(model.destination == .connect(sheet))
    #expect(sheet.networkIsLost)
    #expect(sheet.password == "blob")
    let task = Task { if let attempt = sheet.joinButtonTapped() { await attempt.run() } }
    await endTurn()
    joiner.attempts[0].finish(.outOfRange)
    await task.value
    #expect(sheet.failure == .outOfRange)
    #expect(model.destination == .connect(sheet))
    model.apply(makeScan([makeBSS("Office", 2, signalDBm: -80, heard: .seconds(12))], end: .seconds(12)))
    #expect(!sheet.networkIsLost)
    #expect(sheet.network.bars == 2)
  }

  @Test func `a network that is lost while it is joined is selected, out of range`() async throws {
    let model = makeModel()
    let (_, task) = try await tapJoin(model, office)
    model.apply(makeScan(losing: [office], end: .seconds(10)))
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(model.selectedNetworkID == office.id)
    #expect(model.selectedNetwork == office)
    #expect(model.selectedNetworkIsOutOfRange)
  }

  // MARK: following

  @Test func `follows its source until it ends`() async throws {
    let source = ListSource([makeScan([makeBSS("New", 8, heard: .seconds(2))], end: .seconds(2))])
    let model = makeModel(source: source)
    try await model.followNetworks()
    #expect(model.foundNetworks.all.map(\.ssid.description).contains("New"))
  }

  @Test func `a scan that arrives while Wi-Fi is off, or after it was on again, does not show`() async throws {
    let source = HandSource()
    let model = makeModel(source: source)
    let scan = makeScan([makeBSS("New", 8, heard: .seconds(2))], end: .seconds(2))
    let first = Task { try await model.followNetworks() }
    await source.isAsked()
    model.wifiToggled(to: false)
    source.give(scan)
    try await first.value
    #expect(model.foundNetworks.count == 3)

    model.wifiToggled(to: true)
    let second = Task { try await model.followNetworks() }
    await source.isAsked()
    model.wifiToggled(to: false)
    model.wifiToggled(to: true)
    let third = Task { try await model.followNetworks() }
    await source.isAsked(2)
    source.give(scan)
    try await second.value
    #expect(model.foundNetworks.count == 3)
    source.give(scan)
    await source.isAsked()
    #expect(model.foundNetworks.count == 4)
    third.cancel()
    source.give(makeScan([makeBSS("Newer", 9, heard: .seconds(3))], end: .seconds(3)))
    try await third.value
    #expect(model.foundNetworks.count == 4)
    model.isOn = false
    model.apply(makeScan(losing: [home], end: .seconds(4)))
    #expect(model.foundNetworks.count == 4)
  }

  @Test(arguments: [true, false])
  func `a view begins again where a following ended while Wi-Fi was off`(endsByScan: Bool) async throws {
    let source = HandSource()
    let model = makeModel(source: source)
    let position = model.switchPosition
    let following = Task { try await model.followNetworks() }
    await source.isAsked()
    model.wifiToggled(to: false)
    if endsByScan { source.give(makeScan([], end: .seconds(2))) } else { source.fail(JoinError.timedOut) }
    try await following.value
    model.wifiToggled(to: true)
    #expect(model.switchPosition.isOn && model.switchPosition != position)
  }

  @Test func `a view does not begin again where a following goes on, though Wi-Fi was off`() async throws {
    let source = HandSource()
    let model = makeModel(source: source)
    let position = model.switchPosition
    let following = Task { try await model.followNetworks() }
    await source.isAsked()
    model.wifiToggled(to: false)
    #expect(model.switchPosition != position)
    model.wifiToggled(to: true)
    following.cancel()
    source.fail(JoinError.timedOut)
    try await following.value
    #expect(model.switchPosition == position)
  }

  @Test func `what the source throws is thrown, unless nobody waits for it`() async throws {
    let source = HandSource()
    let model = makeModel(source: source)
    let first = Task { try await model.followNetworks() }
    await source.isAsked()
    source.fail(JoinError.timedOut)
    await #expect(throws: JoinError.timedOut) { try await first.value }
    let second = Task { try await model.followNetworks() }
    await source.isAsked()
    model.isOn = false
    source.fail(JoinError.timedOut)
    try await second.value
  }

  // MARK: deep links

  @Test func `every field can be given at the beginning`() async throws {
    let model = makeModel(
      selected: home,
      destination: {
        .connect($0.connectModel(to: office, password: "blo", incorrectPasswordAlertIsPresented: true, failure: .timedOut))
      })
    let sheet = try #require(model.destination?.connect)
    #expect(sheet.password == "blo")
    #expect(sheet.incorrectPasswordAlertIsPresented)
    #expect(sheet.failure == .timedOut)
    #expect(!sheet.networkIsLost)
    let task = Task { if let attempt = sheet.joinButtonTapped() { await attempt.run() } }
    await endTurn()
    #expect(!sheet.incorrectPasswordAlertIsPresented && sheet.failure == nil)
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(model.selectedNetworkID == office.id)

    let ghost = makeNetwork("Ghost", 9)
    let other = WiFiSettingsModel(
      selectedNetwork: ghost, source: ListSource(), joiner: joiner, onIssue: { _ in },
      destination: { .detail($0.detailModel(of: ghost, forgetAlertIsPresented: true)) })
    #expect(other.selectedNetworkID == ghost.id)
    #expect(other.selectedNetworkIsOutOfRange)
    #expect(other.destination?.detail?.forgetAlertIsPresented == true)
    #expect(other.destination?.detail?.networkIsLost == true)
    other.destination?.detail?.confirmForgetButtonTapped()
    #expect(other.selectedNetworkID == nil)
  }

  @Test func `a panel that is released with its sheet open does not leak`() throws {
    weak var released: WiFiSettingsModel?
    weak var sheet: ConnectToNetworkModel?
    do {
      let model = makeModel(destination: { .connect($0.connectModel(to: home)) })
      released = model
      sheet = model.destination?.connect
      #expect(sheet != nil)
    }
    #expect(released == nil)
    #expect(sheet == nil)
  }
}
