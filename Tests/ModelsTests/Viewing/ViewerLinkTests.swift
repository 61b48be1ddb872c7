import Models
import Simulator
import Testing
import WiFi

/// What a viewer shows of what happens to the link.
@Suite struct ViewerLinkTests {
  static let home = SSID(Array("Home".utf8)) ?? .wildcard
  static let first = MACAddress(0x0200_0000_0001)
  static let second = MACAddress(0x0200_0000_0002)

  private func fixture() -> ViewerFixture {
    let fixture = ViewerFixture()
    fixture.hear([("Home", 1, -50), ("Cafe", 2, -60)])
    fixture.viewer.take(.joined(Self.home, bssid: Self.first))
    return fixture
  }

  private func kinds(_ fixture: ViewerFixture, since count: Int) -> [NetworkEvents.Event.Kind] {
    fixture.viewer.events.since(count).map(\.kind)
  }

  @Test func `the network that is joined already is selected, and joined once`() {
    let fixture = fixture()
    fixture.viewer.take(.joined(Self.home, bssid: Self.first))
    #expect(fixture.viewer[row: 0].isJoined)
    #expect(fixture.viewer.events.all.count { $0.kind == .joined } == 1)
  }

  @Test(arguments: [AssociationLoss.beaconLoss, .dismissed(reason: 4), .interfaceDown, .daemonLost])
  func `a loss is an event and stands in the row, until the network is joined again`(loss: AssociationLoss) {
    let fixture = fixture()
    let count = fixture.viewer.events.totalCount
    fixture.viewer.take(.lost(Self.home, loss))
    #expect(fixture.viewer[row: 0].associationLoss == loss)
    #expect(fixture.viewer[row: 1].associationLoss == nil)
    fixture.hear([("Home", 1, -50), ("Cafe", 2, -60)])
    #expect(fixture.viewer[row: 0].associationLoss == loss)
    fixture.viewer.take(.joined(Self.home, bssid: Self.first))
    #expect(fixture.viewer[row: 0].associationLoss == nil)
    #expect(kinds(fixture, since: count) == [.disconnected(loss), .joined])
  }

  @Test func `a network that the sheet joins is told when the sheet has ended, and once`() throws {
    let fixture = fixture()
    let count = fixture.viewer.events.totalCount
    let settings = fixture.viewer.settings
    let cafe = try #require(settings.foundNetworks.all.first { $0.ssid.description == "Cafe" })
    let sheet = settings.connectModel(to: cafe, isConnecting: true)
    settings.destination = .connect(sheet)
    fixture.viewer.take(.lost(Self.home, .left))
    fixture.viewer.take(.joined(cafe.ssid, bssid: Self.second))
    #expect(kinds(fixture, since: count) == [.disconnected(.left)])
    settings.destination = nil
    settings.selectedNetworkID = cafe.id
    fixture.viewer.update()
    #expect(kinds(fixture, since: count) == [.disconnected(.left), .left, .joined])
  }

  @Test func `a channel that changes its width alone is told by its width`() throws {
    let fixture = ViewerFixture()
    for megahertz in [40, 20] {
      let channel = try #require(Channel(band: .ghz5, number: 36, megahertz: megahertz))
      fixture.time += .seconds(10)
      let station = AccessPoint(bssid: Self.first, ssid: Self.home, channel: channel, generation: .wifi4, security: .wpa2Personal)
      fixture.take([station.bss(signalDBm: -50, heardAt: fixture.time)])
    }
    #expect(kinds(fixture, since: 0) == [.found, .changed("channel 36, 40 → 20 MHz")])
  }

  @Test func `roaming is an event, with the address and why`() {
    let fixture = fixture()
    let count = fixture.viewer.events.totalCount
    fixture.viewer.take(.roamed(Self.home, from: Self.first, to: Self.second, .weakSignal))
    #expect(kinds(fixture, since: count) == [.roamed(from: Self.first, to: Self.second, .weakSignal)])
    #expect(
      NetworkEvents.roamingText(from: Self.first, to: Self.second, .weakSignal)
        == "from 02:00:00:00:00:01 to 02:00:00:00:00:02: the signal had become weak")
  }

  @Test func `where nothing watches the link, the kernel's next access point of the joined network is a move`() {
    let fixture = fixture()
    let viewer = fixture.viewer
    let id = fixture.id(Self.home.description)
    viewer.settings.selectedNetworkID = id
    viewer.update()
    let count = viewer.events.totalCount
    viewer.associated(with: Self.first, isWatched: false)
    viewer.associated(with: Self.first, isWatched: false)
    #expect(viewer.events.totalCount == count)
    viewer.associated(with: Self.second, isWatched: false)
    #expect(kinds(fixture, since: count) == [.roamed(from: Self.first, to: Self.second, .unknown)])
    #expect(viewer.settings.linkedAccessPoint == Self.second)
    // An observer tells it with its reason; and what lies between two joins is no move.
    viewer.associated(with: Self.first, isWatched: true)
    viewer.associated(with: nil, isWatched: false)
    viewer.associated(with: Self.second, isWatched: false)
    #expect(viewer.events.totalCount == count + 1)
  }

  @Test func `nothing is told of a network that no scan has heard, nor while Wi-Fi is off`() {
    let fixture = fixture()
    let count = fixture.viewer.events.totalCount
    fixture.viewer.take(.lost(SSID(Array("Far".utf8)) ?? .wildcard, .beaconLoss))
    fixture.viewer.settings.wifiToggled(to: false)
    fixture.viewer.take(.lost(Self.home, .interfaceDown))
    #expect(fixture.viewer.events.totalCount == count)
  }

  @Test func `what limits scanning and what limits watching are both told`() {
    let fixture = fixture()
    #expect(fixture.viewer.note == nil)
    fixture.viewer.associationNote = "The connection is not watched: The daemon does not run."
    fixture.viewer.status.note = "This user may not start scans."
    #expect(fixture.viewer.note == "This user may not start scans. The connection is not watched: The daemon does not run.")
  }
}
