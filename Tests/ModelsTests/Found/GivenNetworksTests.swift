import Models
import Testing
import WiFi

/// A list that starts with networks nobody has heard yet.
@Suite struct GivenNetworksTests {
  let networks = [makeNetwork("B", 1), makeNetwork("A", 2), makeNetwork("C", 3, secured: false)]

  @Test func `a list can start with networks, in either order`() {
    #expect(FoundNetworksModel(networks: networks, order: .found).all == networks)
    let model = FoundNetworksModel(networks: networks)
    #expect(model.all.map(\.ssid.description) == ["A", "B", "C"])
    #expect(model.revision == 3)
  }

  @Test func `a list can start with a first scan`() {
    let model = FoundNetworksModel(scan: makeScan([makeBSS("A", 1, heard: .seconds(1))], end: .seconds(2)))
    #expect(model.all.map(\.ssid.description) == ["A"])
  }

  @Test func `a given network that is heard was there before`() {
    let model = FoundNetworksModel(networks: networks)
    let same = model.apply(makeScan([makeBSS("A", 2, heard: .seconds(99))], end: .seconds(100)))
    #expect(same.networks.isEmpty && same.rows.isEmpty)
    let louder = model.apply(makeScan([makeBSS("B", 1, signalDBm: -49, heard: .seconds(99))], end: .seconds(100)))
    #expect(words(louder.networks) == ["changed B"])
    #expect(louder.rows == [.update(networks[0].id)])
    #expect(model.count == 3)
  }

  @Test func `a given network is lost when its source says so`() {
    let model = FoundNetworksModel(networks: networks)
    let (changes, rows) = model.apply(makeScan(losing: [networks[2], networks[0]], end: .seconds(100)))
    #expect(words(changes) == ["lost B", "lost C"])
    #expect(rows == [.remove(networks[0].id), .remove(networks[2].id)])
    #expect(model.all.map(\.ssid.description) == ["A"])
  }

  @Test func `a given network that no scan hears is lost by the rule, counted from the first scan`() {
    let model = FoundNetworksModel(networks: networks)
    var lost: [String] = []
    for time in stride(from: 100, through: 160, by: 5) {
      let scan = makeScan([makeBSS("A", 2, heard: .seconds(time - 1))], end: .seconds(time))
      lost += words(model.apply(scan).networks).map { "\(time) \($0)" }
    }
    #expect(lost == ["130 lost B", "130 lost C"])
    #expect(model.all.map(\.ssid.description) == ["A"])
  }

  @Test func `scans that are not complete, or of other channels, prove nothing`() {
    let model = FoundNetworksModel(networks: networks)
    for time in stride(from: 100, through: 200, by: 5) {
      model.apply(makeScan([], end: .seconds(time), completion: .cached))
      model.apply(makeScan([], end: .seconds(time), frequenciesKHz: [5_180_000]))
    }
    #expect(model.count == 3)
  }
}
