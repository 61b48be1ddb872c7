import Models
import Testing
import WiFi

/// What the settings make of what happens to a link.
@Suite struct LinkTests {
  static let home = SSID(Array("Home".utf8)) ?? .wildcard
  static let cafe = SSID(Array("Cafe".utf8)) ?? .wildcard

  /// Settings that hear Home and Cafe.
  private func settings(_ names: [String] = ["Home", "Cafe"]) -> WiFiSettingsModel {
    let model = WiFiSettingsModel(source: ListSource(), joiner: QuickJoiner(), onIssue: { Issue.record("\($0)") })
    model.apply(scan(names, end: .seconds(2)))
    return model
  }

  private func scan(_ names: [String], end: Duration) -> Scan {
    makeScan(names.enumerated().map { makeBSS($1, UInt64($0 + 1), heard: end - .seconds(1)) }, end: end)
  }

  @Test func `a network that a daemon joined is selected`() {
    let model = settings()
    model.apply(.joined(Self.home, bssid: nil))
    #expect(model.selectedNetwork?.ssid == Self.home)
    #expect(model.associationLoss == nil)
  }

  @Test func `it is selected once a scan has heard it`() {
    let model = settings(["Cafe"])
    model.apply(.joined(Self.home, bssid: nil))
    #expect(model.selectedNetworkID == nil)
    model.apply(scan(["Cafe", "Home"], end: .seconds(4)))
    #expect(model.selectedNetwork?.ssid == Self.home)
  }

  @Test(arguments: [AssociationLoss.beaconLoss, .dismissed(reason: 4), .interfaceDown, .adapterGone, .daemonLost, .left, .unknown])
  func `a lost network stays selected, with its reason, until it is joined again`(loss: AssociationLoss) {
    let model = settings()
    model.apply(.joined(Self.home, bssid: nil))
    model.apply(.lost(Self.home, loss))
    #expect(model.selectedNetwork?.ssid == Self.home)
    #expect(model.associationLoss == loss)
    model.apply(.joined(Self.home, bssid: nil))
    #expect(model.associationLoss == nil)
  }

  @Test func `a loss is told of the selected network alone`() {
    let model = settings()
    model.apply(.joined(Self.home, bssid: nil))
    model.apply(.lost(Self.cafe, .beaconLoss))
    #expect(model.associationLoss == nil)
  }

  @Test func `what was selected since is not replaced by later scans`() {
    let model = settings()
    model.apply(.joined(Self.home, bssid: nil))
    model.selectedNetworkID = model.foundNetworks.all.first { $0.ssid == Self.cafe }?.id
    model.apply(scan(["Home", "Cafe"], end: .seconds(4)))
    #expect(model.selectedNetwork?.ssid == Self.cafe)
  }

  @Test func `a forgotten network is not selected again by the next scan`() throws {
    let model = settings()
    model.apply(.joined(Self.home, bssid: nil))
    let id = try #require(model.selectedNetworkID)
    model.networkTapped(id)
    model.destination?.detail?.forgetButtonTapped()
    model.destination?.detail?.confirmForgetButtonTapped()
    #expect(model.selectedNetworkID == nil)
    model.apply(scan(["Home", "Cafe"], end: .seconds(4)))
    #expect(model.selectedNetworkID == nil)
  }

  @Test func `what a sheet joins is selected by the sheet`() throws {
    let model = settings()
    let id = try #require(model.foundNetworks.all.first { $0.ssid == Self.home }?.id)
    model.networkTapped(id)
    let attempt = try #require(model.destination?.connect?.joinButtonTapped())
    model.apply(.joined(Self.home, bssid: nil))
    #expect(model.selectedNetworkID == nil)
    #expect(model.associationEvent == .joined(Self.home, bssid: nil))
    withExtendedLifetime(attempt) {}
  }

  @Test func `another access point of the network changes no selection`() {
    let model = settings()
    model.apply(.joined(Self.home, bssid: MACAddress(1)))
    let id = model.selectedNetworkID
    model.apply(.roamed(Self.home, from: MACAddress(1), to: MACAddress(2), .weakSignal))
    #expect(model.selectedNetworkID == id)
    #expect(model.associationEvent.map { "\($0)" } == "roamed within Home: weakSignal")
  }
}
