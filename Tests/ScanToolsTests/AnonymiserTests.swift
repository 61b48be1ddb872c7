import Determinism
import Models
import ScanTools
import Simulator
import Testing
import WiFi

@testable import StrictFormats

@Suite struct AnonymiserTests {
  // MARK: Nothing true is left

  /// Addresses and names as bytes, by their first four.
  struct Secrets {
    private(set) var byStart: [[UInt8]: Set<[UInt8]>] = [:]

    mutating func add(_ bytes: [UInt8]) {
      // Shorter ones are everywhere, and so are zeros.
      if bytes.count < 4 || bytes.allSatisfy({ $0 == 0 }) { return }
      byStart[Array(bytes.prefix(4)), default: []].insert(bytes)
    }

    /// Takes over every address and name in what a value says of itself.
    mutating func add(_ value: StrictJSON, key: String = "") {
      switch value {
      case .object(let members):
        for (name, member) in members { add(member, key: name) }
        let names = ["deviceName", "manufacturer", "modelName", "modelNumber", "serialNumber", "uuidE", "uuidR", "r0khID"]
        if names.contains(members["name"]?.text ?? ""), let body = members["bodyHex"]?.text { add(Hex.bytes(body) ?? []) }
      case .array(let items): for item in items { add(item, key: key) }
      case .string(let text):
        if let address = MACAddress(text), !address.isGroup { add(address.bytes) }
        if ["ssidHex", "meshIDHex", "apNameHex"].contains(key) { add(Hex.bytes(text) ?? []) }
        if key == "deviceName" || key == "ssid" { add(PrintableText.bytes(unescaping: text) ?? []) }
      default: break
      }
    }

    /// Those that stand anywhere in `bytes`.
    func found(in bytes: [UInt8]) -> [String] {
      var result: Set<[UInt8]> = []
      for start in 0..<max(bytes.count - 3, 0) {
        guard let candidates = byStart[Array(bytes[start..<start + 4])] else { continue }
        for secret in candidates where bytes[start...].starts(with: secret) { result.insert(secret) }
      }
      return result.map { Hex.string($0) }.sorted()
    }

    var count: Int { byStart.values.reduce(0) { $0 + $1.count } }
  }

  static let secrets: Secrets = {
    var secrets = Secrets()
    for name in Captures.distinctScans {
      guard let scan = try? Captures.scan(name), let value = try? StrictJSON(ScanReport(scan).json()) else { continue }
      secrets.add(value)
    }
    return secrets
  }()

  @Test func `the captures have addresses and names to look for`() throws {
    #expect(Self.secrets.count > 100)
    for text in ["Blob House", "Lab WPA2", "Lab Hidden"] { #expect(Self.secrets.found(in: Array(text.utf8)) != []) }
    // Before anything is replaced they are found.
    for bss in try Captures.bss("lab") { #expect(Self.secrets.found(in: bss.encode()).contains(Hex.string(bss.bssid.bytes))) }
  }

  @Test(arguments: Captures.distinctScans)
  func `no address and no name survives`(capture: String) throws {
    var anonymiser = Anonymiser()
    for bss in anonymiser.anonymised(try Captures.scan(capture)).bss {
      // Attribute by attribute: the header of one behind the number of another looks like the addresses of the lab.
      let bytes = bss.encode()
      for attribute in AttributeWalk(bytes) {
        #expect(Self.secrets.found(in: attribute.bytes(of: bytes)) == [], "\(bss.bssid): attribute \(attribute.type)")
      }
    }
  }

  // MARK: Everything else stays

  @Test(arguments: Captures.scans)
  func `elements, security, channel and generation stay`(capture: String) throws {
    var anonymiser = Anonymiser()
    let scan = try Captures.scan(capture)
    let result = anonymiser.anonymised(scan)
    #expect(result.bss.count == scan.bss.count)
    for (old, new) in zip(scan.bss, result.bss) {
      #expect(old.encode().count == new.encode().count)
      let (before, after) = (BSSFacts(old), BSSFacts(new))
      #expect(before.elements.elements.map(\.id) == after.elements.elements.map(\.id))
      #expect(before.elements.elements.map(\.range) == after.elements.elements.map(\.range))
      #expect(before.elements.elements.map(\.value.name) == after.elements.elements.map(\.value.name))
      #expect(before.elements.complaints == after.elements.complaints)
      #expect(before.security == after.security)
      #expect(before.channel == after.channel)
      #expect(before.generation == after.generation)
      #expect(before.isHidden == after.isHidden)
      #expect(before.elements.country == after.elements.country)
      #expect((old.signalMBm, old.tsfUs, old.lastSeenBootTimeNs) == (new.signalMBm, new.tsfUs, new.lastSeenBootTimeNs))
      #expect(names(MultiLinkExpansion(elements: before.elements).links) == names(MultiLinkExpansion(elements: after.elements).links))
    }
    let networks = Network.networks(of: scan.bss.map { BSSFacts($0) })
    let anonymous = Network.networks(of: result.bss.map { BSSFacts($0) })
    #expect(networks.map(\.members.count) == anonymous.map(\.members.count))
    #expect(networks.map(\.security) == anonymous.map(\.security))
  }

  private func names(_ links: [MultiLinkExpansion.Link]) -> [[String]] {
    links.map { $0.elements.elements.map(\.value.name) }
  }

  @Test(arguments: ["modern", "lab"])
  func `a set of BSSIDs stays a set`(capture: String) throws {
    var anonymiser = Anonymiser()
    let scan = try Captures.scan(capture)
    let result = anonymiser.anonymised(scan)
    let heard = Set(result.bss.map(\.bssid))
    for (old, new) in zip(scan.bss, result.bss) {
      let before = MultipleBSSIDExpansion(bssid: old.bssid, elements: ElementList(parsing: old.informationElements))
      let after = MultipleBSSIDExpansion(bssid: new.bssid, elements: ElementList(parsing: new.informationElements))
      #expect(before.bss.map(\.index) == after.bss.map(\.index))
      #expect(
        after.bss.filter { heard.contains($0.bssid) }.count
          == before.bss.filter { bss in scan.bss.contains { $0.bssid == bss.bssid } }.count)
    }
  }

  @Test func `a neighbour keeps the checksum of its made-up name`() throws {
    let ssid = Array("Attic".utf8)
    var writer = ByteWriter()
    writer.write(UInt8(255))
    writer.write(MACAddress(0x0200_0000_0002))
    writer.write(FrameCheckSequence.of(ssid))
    writer.write(FrameCheckSequence.of(Array("never heard".utf8)))
    let entry = Array(writer.bytes.prefix(11))
    let report = ReducedNeighborReport(neighbors: [.init(header: 11 << 8, operatingClass: 81, channel: 6, bytes: entry)])
    var anonymiser = Anonymiser()
    let result = anonymiser.anonymised(
      makeScan([try makeBSS(1, "Cellar", [.reducedNeighborReport(report)]), try makeBSS(2, ssid)]))
    let neighbour = try #require(BSSFacts(result.bss[0]).elements.first(ReducedNeighborReport.self)?.neighbors.first?.accessPoints.first)
    let attic = BSSFacts(result.bss[1])
    #expect(neighbour.bssid == attic.bss.bssid)
    #expect(neighbour.shortSSID == FrameCheckSequence.of(attic.ssid.bytes))
  }

  // MARK: The same for the same

  @Test func `equal BSSs stay equal over a whole session`() throws {
    var anonymiser = Anonymiser()
    var addresses: [MACAddress: MACAddress] = [:]
    var elements: [[UInt8]: [UInt8]] = [:]
    var names: [SSID: SSID] = [:]
    for capture in Captures.scans {
      let scan = try Captures.scan(capture)
      for (old, new) in zip(scan.bss, anonymiser.anonymised(scan).bss) {
        #expect(addresses.updateValue(new.bssid, forKey: old.bssid) ?? new.bssid == new.bssid)
        let (name, newName) = (BSSFacts(old).ssid, BSSFacts(new).ssid)
        #expect(names.updateValue(newName, forKey: name) ?? newName == newName)
        let last = elements.updateValue(new.informationElements, forKey: old.informationElements)
        #expect(last ?? new.informationElements == new.informationElements)
      }
    }
    #expect(Set(addresses.values).count == addresses.count)
    #expect(Set(names.values).count == names.count)
    #expect(addresses.values.allSatisfy { $0.isLocallyAdministered && !$0.isGroup })
  }

  @Test func `what is found, changed and lost is the same`() throws {
    var anonymiser = Anonymiser()
    let models = (FoundNetworksModel(), FoundNetworksModel())
    for index in 1...14 {
      var scan = try Captures.scan(index < 10 ? "session-0\(index)" : "session-\(index)")
      scan.start = .seconds(1000 * index)
      scan.end = .seconds(1000 * index + 3)
      let changes = models.0.apply(scan).networks
      let anonymous = models.1.apply(anonymiser.anonymised(scan)).networks
      func kinds(_ changes: [NetworkChange]) -> [String: Int] {
        changes.reduce(into: [:]) { counts, change in
          switch change {
          case .found: counts["found", default: 0] += 1
          case .changed: counts["changed", default: 0] += 1
          case .lost: counts["lost", default: 0] += 1
          }
        }
      }
      #expect(kinds(changes) == kinds(anonymous))
    }
  }

  @Test func `addresses and names are numbered as they appear`() throws {
    let scan = makeScan([
      try makeBSS(0x12, "The Simpsons"), try makeBSS(0x13, "Café"), try makeBSS(0x0900, "a\u{7}bcdefghijklm"),
      try makeBSS(0x12, [0xFF, 0xFE, 0x41]), try makeBSS(0x901, ""), try makeBSS(0x902, [0, 0, 0]), try makeBSS(0x903, "é"),
      try makeBSS(0x904, "A"), try makeBSS(0x905, "B"), try makeBSS(0x906, "The Simpsons"),
    ])
    var anonymiser = Anonymiser()
    let result = anonymiser.anonymised(scan)
    #expect(
      result.bss.map(\.bssid.description) == [
        "0a:00:00:00:01:02", "0a:00:00:00:01:03", "0a:00:00:00:02:00", "0a:00:00:00:01:02", "0a:00:00:00:02:01",
        "0a:00:00:00:02:02", "0a:00:00:00:02:03", "0a:00:00:00:02:04", "0a:00:00:00:02:05", "0a:00:00:00:02:06",
      ])
    #expect(
      result.bss.map { BSSFacts($0).ssid.description } == [
        "Network 1...", "é001", "\\x07Network 2....", "\\xff01", "", "\\x00\\x00\\x00", "Á", "1", "2", "Network 1...",
      ])
  }

  @Test func `addresses of groups and of zeros stay, and so does a place in the machine`() throws {
    var anonymiser = Anonymiser()
    var scan = makeScan([BSS(bssid: MACAddress(0), frequencyMHz: 2412, capability: 1, informationElements: [])])
    scan.lost = [MACAddress(0xFFFF_FFFF_FFFF), MACAddress(0x0100_5E00_0001), MACAddress(0x0200_0000_0001)]
    let result = anonymiser.anonymised(scan)
    #expect(result.interface == "wlan0")
    #expect(result.bss[0].bssid == MACAddress(0))
    #expect(result.lost.map(\.description) == ["ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "0a:00:00:00:01:01"])
    scan.interface = "wlx00c0caabcdef"
    #expect(anonymiser.anonymised(scan).interface == "wlan900")
    #expect(anonymiser.anonymised(scan).interface == "wlan900")
  }

  @Test func `where the machine was is left out`() throws {
    var (anonymiser, scan) = (Anonymiser(), makeScan([]))
    scan.position = Position(latitudeDegrees: 1, longitudeDegrees: 2)
    #expect(anonymiser.anonymised(scan).position == nil)
  }

  // MARK: Elements

  /// The elements of a BSS after they were anonymised.
  private func anonymised(_ bytes: [UInt8]) throws -> [UInt8] {
    var bss = try makeBSS(1, "")
    bss.informationElements = bytes
    var anonymiser = Anonymiser()
    return anonymiser.anonymised(makeScan([bss])).bss[0].informationElements
  }

  @Test(
    arguments: [
      // A vendor's: OUI and type stay. One that is not known: nothing does. One that is cut off: number and length.
      ("dd06 aabbcc 01 0203", "dd06 aabbcc 01 0000"), ("dd03 aabbcc", "dd03 aabbcc"), ("ca03 010203", "ca03 000000"),
      ("340d 020000000001 00000000 51 06 07", "340d 000000000000 00000000 00 00 00"), ("2d1a 01", "2d1a 00"),
      // A mobility domain is numbered, a roaming consortium too.
      ("3603 cdab 01", "3603 0100 01"), ("6f0a 01 53 506f9a 0011223344", "6f0a 01 53 000001 0000000002"),
      // The address that networks share.
      ("6b07 11 02aabbccdd12", "6b07 11 0a0000000202"),
      // PMKIDs are hashes of addresses; the cipher behind them is none.
      (
        "302a 0100 000fac04 0100 000fac04 0100 000fac02 c000 0100 77777777777777777777777777777777 000fac06",
        "302a 0100 000fac04 0100 000fac04 0100 000fac02 c000 0100 00000000000000000000000000000000 000fac06"
      ),
      // The malformed stay so: an OWE transition with too long a name, RSN whose count is too great.
      ("dd0c 506f9a1c 020000000001 21 41", "dd0c 506f9a1c 000000000000 21 00"), ("3008 0100 000fac04 0900", "3008 0000 00000000 0900"),
      // A name of an access point where its vendor puts it; what is before it is not known.
      ("dd11 00a0f801 11111111111111 05 61706c6162", "dd11 00a0f801 00000000000000 05 415020312e"),
      // WPS: a name of a device that is split over two elements, then a key, which nobody should send.
      (
        "dd0d 0050f204 1011 0006 6465736b21 dd0b 0050f204 21 1027 0002 7777",
        "dd0d 0050f204 1011 0006 4465303030 dd0b 0050f204 31 1027 0002 0000"
      ),
      // What stands behind the fields is not known; those of Hotspot 2.0 may be numbers of an operator.
      ("dd0b 506f9a10 06 1234 5678 42 69", "dd0b 506f9a10 06 0001 0002 00 00"),
      ("0b07 0100 20 0000 426f", "0b07 0100 20 0000 0000"),
      (
        "2d1c 0000 00 00000000000000000000000000000000 0000 00000000 00 4269",
        "2d1c 0000 00 00000000000000000000000000000000 0000 00000000 00 0000"
      ),
      ("dd08 506f9a10 00 426f62", "dd08 506f9a10 00 000000"), ("dd0a 0050f202 00 01 05 426f62", "dd0a 0050f202 00 01 05 000000"),
      // MBO and OCE: why nobody may join stays, addresses of access points go.
      ("dd0f 506f9a16 04 01 02 69 06 020000000001", "dd0f 506f9a16 04 01 02 69 06 000000000000"),
    ] as [(String, String)])
  func `what says whose it is goes, what does not stays`(bytes: String, expected: String) throws {
    let result = try anonymised(try #require(Hex.bytes(bytes.replacing(" ", with: ""))))
    #expect(Hex.string(result) == expected.replacing(" ", with: ""))
  }

  @Test func `the holders of keys get other names, nonces and keys go`() throws {
    func element(_ proofs: String, _ subelements: String) -> [UInt8] {
      Hex.bytes("376c0000" + String(repeating: proofs, count: 80) + subelements.replacing(" ", with: "")) ?? []
    }
    let bytes = element("11", "0106 021122334455 030a 61702e6f66666963652e 0202 aabb 0000")
    #expect(bytes.count == 110)
    #expect(try anonymised(bytes) == element("00", "0106 0a0000000205 030a 4b657920486f30303031 0202 0000 0000"))
  }

  @Test func `a malformed element that a profile may not hold hides nothing of what follows it`() throws {
    let profile = try #require(Hex.bytes("3104" + "ff046b000000" + "0004486f6d65"))
    let multiLink = MultiLink(
      basic: .init(mldAddress: MACAddress(0x0200_0000_0500)), profiles: [.init(linkID: 1, isComplete: true, profile: profile)])
    let bytes = ElementList([.multiLink(multiLink)]).encoded
    let result = try anonymised(bytes)
    #expect(result.count == bytes.count)
    #expect(Hex.string(result.suffix(14)) == "3104" + "ff046b000000" + "000430303031")
  }

  @Test func `any bytes at all stay as long, with the same elements`() throws {
    var random = RandomStream(seed: 7)
    for capture in ["lab", "modern", "passpoint", "names", "measurement", "malformed"] {
      for bss in try Captures.bss(capture) {
        for _ in 0..<12 {
          var bytes = bss.informationElements
          if bytes.isEmpty { continue }
          bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
          for _ in 0..<random.next() % 4 where !bytes.isEmpty {
            bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
          }
          let result = try anonymised(bytes)
          #expect(result.count == bytes.count)
          let (before, after) = (ElementList(parsing: bytes), ElementList(parsing: result))
          #expect(before.elements.map(\.id) == after.elements.map(\.id))
          #expect(before.elements.map(\.value.name) == after.elements.map(\.value.name))
          #expect(before.complaints == after.complaints)
          #expect(Security(elements: before, capabilities: 0x11) == Security(elements: after, capabilities: 0x11))
        }
      }
    }
  }
}
