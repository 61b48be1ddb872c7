import Models
import Testing
import WiFi

/// What a viewer shows of what happens to the link.
@Suite struct ViewerLinkTests {
  static let home = SSID(Array("Home".utf8)) ?? .wildcard
  static let first = MACAddress(0x0200_0000_0001)
  static let second = MACAddress(0x0200_0000_0002)

  private func stage() -> ViewerStage {
    let stage = ViewerStage()
    stage.hear([("Home", 1, -50), ("Cafe", 2, -60)])
    stage.viewer.take(.joined(Self.home, bssid: Self.first))
    return stage
  }

  private func kinds(_ stage: ViewerStage, since count: Int) -> [NetworkEvents.Event.Kind] { stage.viewer.events.since(count).map(\.kind) }

  @Test func `the network that is joined already is selected, and joined once`() {
    let stage = stage()
    stage.viewer.take(.joined(Self.home, bssid: Self.first))
    #expect(stage.viewer[row: 0].isJoined)
    #expect(stage.viewer.events.all.count { $0.kind == .joined } == 1)
  }

  @Test(arguments: [LinkLoss.beaconLoss, .dismissed(reason: 4), .interfaceDown, .daemonLost])
  func `a loss is an event and stands in the row, until the network is joined again`(loss: LinkLoss) {
    let stage = stage()
    let count = stage.viewer.events.totalCount
    stage.viewer.take(.lost(Self.home, loss))
    #expect(stage.viewer[row: 0].linkLoss == loss)
    #expect(stage.viewer[row: 1].linkLoss == nil)
    stage.hear([("Home", 1, -50), ("Cafe", 2, -60)])
    #expect(stage.viewer[row: 0].linkLoss == loss)
    stage.viewer.take(.joined(Self.home, bssid: Self.first))
    #expect(stage.viewer[row: 0].linkLoss == nil)
    #expect(kinds(stage, since: count) == [.disconnected(loss), .joined])
  }

  @Test func `roaming is an event, with the address and why`() {
    let stage = stage()
    let count = stage.viewer.events.totalCount
    stage.viewer.take(.roamed(Self.home, from: Self.first, to: Self.second, .weakSignal))
    #expect(kinds(stage, since: count) == [.roamed(from: Self.first, to: Self.second, .weakSignal)])
    #expect(
      NetworkEvents.roamingText(from: Self.first, to: Self.second, .weakSignal) == "to 02:00:00:00:00:02: the signal had become weak")
  }

  @Test func `nothing is told of a network that no scan has heard, nor while Wi-Fi is off`() {
    let stage = stage()
    let count = stage.viewer.events.totalCount
    stage.viewer.take(.lost(SSID(Array("Far".utf8)) ?? .wildcard, .beaconLoss))
    stage.viewer.settings.wifiToggled(to: false)
    stage.viewer.take(.lost(Self.home, .interfaceDown))
    #expect(stage.viewer.events.totalCount == count)
  }

  @Test func `what limits scanning and what limits watching are both told`() {
    let stage = stage()
    #expect(stage.viewer.note == nil)
    stage.viewer.linkNote = "The connection is not watched: The daemon does not run."
    stage.viewer.status.note = "This user may not start scans."
    #expect(stage.viewer.note == "This user may not start scans. The connection is not watched: The daemon does not run.")
  }
}
