import Isolations
import Models
import Observing
import Testing
import WiFi

@Suite struct PanelTests {
  let home = makeNetwork("Home", 1)
  let cafe = makeNetwork("Café", 3, secured: false, signalDBm: -72)

  func makeModel(selected: NetworkID? = nil, isOn: Bool = true) -> WiFiSettingsModel {
    WiFiSettingsModel(
      isOn: isOn, foundNetworks: FoundNetworksModel(networks: [home, makeNetwork("Office", 2), cafe]),
      selectedNetworkID: selected, source: ListSource(), joiner: QuickJoiner(), onIssue: { _ in })
  }

  @Test func `the switch and the selected network are on top, the rest below`() {
    #expect(
      Panel(makeModel(selected: home.id)).description == """
        top
          Wi-Fi: on
          Home: 4 bars, 83 %, secured, selected
        networks
          Office: 4 bars, 83 %, secured
          Café: 2 bars, 47 %, open
        """)
  }

  @Test func `while Wi-Fi is off there is only the switch`() {
    let panel = Panel(makeModel(selected: home.id, isOn: false))
    #expect(panel.top == [.wifi(isOn: false)])
    #expect(panel.networks.isEmpty)
  }

  @Test func `hidden networks and single BSSs are told apart`() {
    let bss = BSSFacts(makeBSS("", 5, heard: .seconds(1)))
    let row = NetworkRow(Network(id: bss.networkID(.network), of: [bss]))
    #expect(row.name.isEmpty)
    #expect(row.description == "(hidden) 02:00:00:00:00:05: 4 bars, 83 %, secured")
  }

  @Test func `a row is identified by its network and changed by its content`() {
    let model = makeModel()
    let tracker = PanelTracker(model)
    #expect(
      tracker.update().map(\.description) == [
        "insert Wi-Fi: on at the end of top", "insert Home: 4 bars, 83 %, secured at the end of networks",
        "insert Office: 4 bars, 83 %, secured at the end of networks",
        "insert Café: 2 bars, 47 %, open at the end of networks",
      ])
    #expect(tracker.update().isEmpty)
    let change = { (signal: Int32, time: Int) in
      model.apply(makeScan([makeBSS("Home", 1, signalDBm: signal, heard: .seconds(time))], end: .seconds(time)))
      return tracker.update().map(\.description)
    }
    #expect(change(-49, 10) == ["update Home: 4 bars, 85 %, secured"])
    // Nothing that is drawn.
    #expect(change(-49, 11).isEmpty)
    #expect(change(-80, 12) == ["move Home personal before Café open", "update Home: 2 bars, 33 %, secured"])
    // Another key of order, but the same place.
    #expect(change(-90, 13) == ["update Home: 1 bar, 17 %, secured"])
  }

  @Test func `a selected row moves to the top, and back`() {
    let model = makeModel()
    let tracker = PanelTracker(model)
    _ = tracker.update()
    model.networkTapped(cafe.id)
    #expect(
      tracker.update().map(\.description) == [
        "move Café open at the end of top", "update Café: 2 bars, 47 %, open, selected",
      ])
    model.apply(makeScan(losing: [cafe], end: .seconds(10)))
    #expect(tracker.update().map(\.description) == ["update Café: 2 bars, 47 %, open, selected, out of range"])
    model.selectedNetworkID = home.id
    #expect(
      tracker.update().map(\.description) == [
        "remove Café open", "move Home personal at the end of top", "update Home: 4 bars, 83 %, secured, selected",
      ])
    model.isOn = false
    #expect(
      tracker.update().map(\.description) == ["update Wi-Fi: off", "remove Home personal", "remove Office personal"])
    model.isOn = true
    #expect(
      tracker.update().map(\.description) == [
        "update Wi-Fi: on", "insert Home: 4 bars, 83 %, secured, selected at the end of top",
        "insert Office: 4 bars, 83 %, secured at the end of networks",
      ])
  }

  @Test(arguments: Ground.allCases)
  func `a view that observes the tracker is run once a turn and told all of it`(ground: Ground) async {
    await ground.run { _ in
      let model = makeModel()
      let tracker = PanelTracker(model)
      var panel = Panel()
      var runs = 0
      let token = observe {
        tracker.revision
      } perform: { _ in
        runs += 1
        for change in tracker.update() { panel.apply(change) }
      }
      #expect(panel == Panel(model))
      model.apply(makeScan(losing: [home], [makeBSS("New", 7, heard: .seconds(9))], end: .seconds(10)))
      model.apply(makeScan(losing: [cafe], [makeBSS("New", 7, signalDBm: -90, heard: .seconds(10))], end: .seconds(11)))
      model.networkTapped(.network(SSID(Array("Office".utf8)) ?? .wildcard, .personal))
      model.selectedNetworkID = model.foundNetworks.ids.first
      await endTurn()
      #expect(panel == Panel(model))
      #expect(runs == 2)
      model.destination = nil
      await endTurn()
      #expect(runs == 2)
      token.cancel()
    }
  }
}
