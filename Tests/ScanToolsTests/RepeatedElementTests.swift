import ScanTools
import Simulator
import Testing
import WiFi

/// The JSON of a scan copies what it wrote of equal elements; what it writes is that of each BSS alone.
@Suite struct RepeatedElementTests {
  private func heard(_ number: UInt64, _ generation: Generation, hasWPS: Bool = false) throws -> BSS {
    var access = AccessPoint(
      bssid: MACAddress(0x0200_0000_1000 | number), ssid: try #require(SSID(Array("Test \(number)".utf8))),
      channel: try #require(Channel(band: .ghz5, number: 36, megahertz: 80)), generation: generation, security: .wpa3Personal)
    access.hasWPS = hasWPS
    let elements = access.encodedElements(of: .probeResponse)
    return BSS(bssid: access.bssid, frequencyMHz: 5180, capability: access.capability, informationElements: elements)
  }

  @Test func `of equal elements at other offsets, cut off ones and none, each BSS has what it has alone`() throws {
    var list: [BSS] = []
    for number in 0..<6 as Range<UInt64> {
      // The names differ in length, so all that follows stands elsewhere.
      list.append(try heard(number * 40, number < 3 ? .wifi7 : .wifi6))
      list.append(try heard(1000 * number, .wifi5, hasWPS: true))
    }
    for length in [0, 1, 2, 3, 30, 31, 90, 91] {
      var bss = list[0]
      bss.informationElements = Array(bss.informationElements.prefix(length))
      list.append(bss)
    }
    list += list
    func lines(_ bss: [BSS]) -> [String] {
      let scan = Scan(interface: "wlan0", start: .zero, end: .seconds(1), completion: .cached, bss: bss)
      return String(decoding: ScanReport(scan).ndjson(), as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let together = lines(list)
    #expect(together.count == list.count)
    #expect(together.sorted() == list.flatMap { lines([$0]) }.sorted())
  }

  /// An access point that puts the element of another into one of its profiles, where none may be.
  @Test func `an element that is refused within a profile is read elsewhere`() throws {
    var (one, other) = (try makeBSS(1, "Home"), try makeBSS(2, "Work"))
    one.informationElements += try #require(Hex.bytes("470602000347 0102".filter { $0 != " " }))
    other.informationElements += try #require(Hex.bytes("470102"))
    let alone = String(decoding: ScanReport(makeScan([other])).ndjson(), as: UTF8.self)
    let both = String(decoding: ScanReport(makeScan([one, other])).ndjson(), as: UTF8.self)
    #expect(alone.contains("Multiple BSSID"))
    #expect(both.split(separator: "\n").contains { $0 == alone.dropLast() })
  }
}
