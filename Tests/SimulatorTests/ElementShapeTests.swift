import Simulator
import Testing
import WiFi

/// The elements of simulated access points, beside those of the captures.
@Suite struct ElementShapeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var capture: String
    var bssid: UInt64
    /// Whether the captured one is of two generations of protection at once, the simulated one of the older alone.
    var isTransition = false
    /// Elements of the captured access point that the simulated ones do not have.
    var without: [ElementID] = []
    /// Elements that the simulated access point has besides.
    var besides: [ElementID] = []
    var make: @Sendable () throws -> AccessPoint
    var testDescription: String { "\(capture) \(MACAddress(bssid))" }
  }

  static func managed(_ accessPoint: AccessPoint) -> AccessPoint {
    var result = accessPoint
    result.load = BSSLoad(stationCount: 3, channelUtilization: 76, availableAdmissionCapacity: 1200)
    return result
  }

  static let extended = ExtendedCapabilities.elementID
  static let cases: [Case] = [
    Case(capture: "lab", bssid: 0x0200_0000_0200, without: [extended]) { try .test(1, channel: 1, .dot11g, .open) },
    Case(capture: "lab", bssid: 0x0200_0000_0201, without: [extended]) { try .test(1, channel: 1, .dot11g, .wpaPersonal) },
    Case(capture: "lab", bssid: 0x0200_0000_0202, without: [extended]) { try .test(1, channel: 1, .dot11g, .wpaWPA2Personal) },
    Case(capture: "lab", bssid: 0x0200_0000_0204, without: [extended]) { try .test(1, channel: 1, .dot11g, .wep) },
    Case(capture: "lab", bssid: 0x0200_0000_0300, without: [ElementID(69), ElementID(98)]) {
      managed(try .test(1, channel: 6, megahertz: 40))
    },
    Case(capture: "lab", bssid: 0x0200_0000_0301) {
      var accessPoint = try AccessPoint.test(1, channel: 6, megahertz: 40)
      accessPoint.mobilityDomain = 0xB2A1
      accessPoint.hasWPS = true
      return accessPoint
    },
    Case(capture: "lab", bssid: 0x0200_0000_0500) { try .test(1, band: .ghz5, channel: 36, megahertz: 80, .wifi5, .wpa3Personal) },
    Case(capture: "lab", bssid: 0x0200_0000_0502) { try .test(1, band: .ghz5, channel: 36, megahertz: 80, .wifi5, .owe) },
    Case(capture: "lab", bssid: 0x0200_0000_0503) {
      let ssid = try #require(SSID(Array("Lab OWE pair (encrypted)".utf8)))
      return try .test(
        1, band: .ghz5, channel: 36, megahertz: 80, .wifi5, .oweTransition(bssid: MACAddress(0x0200_0000_0504), ssid: ssid))
    },
    Case(capture: "lab", bssid: 0x0200_0000_0600, isTransition: true, besides: [PowerConstraint.elementID]) {
      try .test(1, band: .ghz5, channel: 44, megahertz: 80, .wifi6, .wpa2Enterprise)
    },
    Case(capture: "lab", bssid: 0x0200_0000_0601, besides: [PowerConstraint.elementID]) {
      try .test(1, band: .ghz5, channel: 44, megahertz: 80, .wifi6, .wpa3Enterprise192)
    },
    // hostapd tells the channel in the 6 GHz band as it does in the 2.4 GHz band, for which the element is.
    Case(capture: "lab", bssid: 0x0200_0000_0700, without: [DSSSParameterSet.elementID]) {
      try .test(1, band: .ghz6, channel: 37, megahertz: 80, .wifi6E, .wpa3Personal)
    },
  ]

  @Test(arguments: cases)
  func `a probe response has the elements of a captured one`(test: Case) throws {
    let entries = try capture(test.capture).dropLast().map { try ScanDumpEntry(GenericNetlinkMessage(payload: $0.payload)) }
    let real = try #require(entries.first { $0.bss.bssid == MACAddress(test.bssid) }).bss
    let accessPoint = try test.make()
    let simulated = accessPoint.elements(of: .probeResponse).map(\.id)
    let expected = ElementList(parsing: real.informationElements).elements.map(\.id)
    #expect(simulated.filter { !test.besides.contains($0) } == expected.filter { !test.without.contains($0) })
    // What people are told of both is the same.
    var bss = BSS(
      bssid: accessPoint.bssid, frequencyMHz: UInt32(accessPoint.channel.primaryMHz), capability: accessPoint.capability,
      informationElements: accessPoint.encodedElements(of: .probeResponse))
    bss.signalMBm = -5000
    let (facts, realFacts) = (BSSFacts(bss), BSSFacts(real))
    #expect(facts.elements.complaints.isEmpty)
    #expect(facts.security.family == realFacts.security.family)
    #expect(test.isTransition || facts.security.protocols == realFacts.security.protocols)
    #expect(facts.security.pairwiseCiphers == realFacts.security.pairwiseCiphers)
    #expect(facts.generation == realFacts.generation)
    #expect(facts.channel == realFacts.channel)
  }

  static let securities: [AccessPointSecurity] = [
    .open, .owe, .oweTransition(bssid: MACAddress(2), ssid: .wildcard), .wep, .wpaPersonal, .wpaWPA2Personal, .wpa2Personal,
    .wpa2WPA3Personal, .wpa3Personal, .wpa2Enterprise, .wpa3Enterprise, .wpa3Enterprise192,
  ]

  static let places: [(band: Band, channel: Int, megahertz: Int, generation: Generation)] = [
    (.ghz2_4, 1, 20, .dot11b), (.ghz2_4, 13, 20, .dot11g), (.ghz2_4, 6, 40, .wifi4), (.ghz2_4, 11, 40, .wifi6),
    (.ghz2_4, 1, 20, .wifi7), (.ghz5, 36, 20, .dot11a), (.ghz5, 52, 40, .wifi4), (.ghz5, 100, 80, .wifi5),
    (.ghz5, 44, 160, .wifi5), (.ghz5, 104, 160, .wifi6), (.ghz5, 149, 80, .wifi7), (.ghz6, 5, 20, .wifi6E),
    (.ghz6, 37, 40, .wifi6E), (.ghz6, 53, 160, .wifi6E), (.ghz6, 69, 320, .wifi7), (.ghz6, 5, 80, .wifi7),
  ]

  @Test(arguments: places.indices)
  func `every generation, width and kind of security is decoded as what it is`(index: Int) throws {
    let place = Self.places[index]
    for security in Self.securities {
      let accessPoint = try AccessPoint.test(
        1, band: place.band, channel: place.channel, megahertz: place.megahertz, place.generation, security)
      for frame in [AccessPoint.Frame.beacon(dtimCount: 1), .probeResponse] {
        let bytes = accessPoint.encodedElements(of: frame)
        #expect(ElementList(parsing: bytes).encoded == bytes)
        let facts = BSSFacts(
          BSS(
            bssid: accessPoint.bssid, frequencyMHz: UInt32(accessPoint.channel.primaryMHz), capability: accessPoint.capability,
            informationElements: bytes))
        #expect(facts.elements.complaints.isEmpty)
        #expect(facts.generation == place.generation)
        #expect(facts.security.isSecured == security.isSecured)
        #expect(facts.channel.center0KHz == accessPoint.channel.center0KHz)
        #expect(facts.channel.width.megahertz == place.megahertz)
      }
    }
  }
}
