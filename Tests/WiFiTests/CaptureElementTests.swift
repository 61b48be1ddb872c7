import Foundation
import Testing
import WiFi

/// Every BSS of a capture in `fixtures/captures`.
private func basicServiceSets(of capture: String) throws -> [BSS] {
  let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures/captures/\(capture).nl80211")
  let (messages, _) = NetlinkMessage.messages(in: Array(try Data(contentsOf: url)))
  return messages.compactMap { message in
    guard let generic = try? GenericNetlinkMessage(payload: message.payload) else { return nil }
    return try? ScanDumpEntry(generic).bss
  }
}

/// What access points of a real kernel sent; how each capture was made is in `fixtures/README.md`.
@Suite struct CaptureElementTests {
  @Test(arguments: ["lab", "modern", "names", "passpoint", "measurement", "malformed"])
  func `elements of a capture and every prefix of them encode to the same bytes`(capture: String) throws {
    let all = try basicServiceSets(of: capture)
    #expect(!all.isEmpty)
    for bss in all {
      let bytes = bss.informationElements
      #expect(ElementList(parsing: bytes).encoded == bytes)
      for count in 0..<bytes.count where ElementList(parsing: Array(bytes.prefix(count))).encoded.count != count {
        Issue.record("prefix of \(count) bytes of \(bss.bssid)")
      }
    }
  }

  @Test func `tells how each network of the lab is protected`() throws {
    var summaries: [String: String] = [:]
    for bss in try basicServiceSets(of: "lab") {
      let list = ElementList(parsing: bss.informationElements)
      #expect(list.complaints.isEmpty, "\(bss.bssid)")
      guard let ssid = list.ssid, ssid.description.hasPrefix("Lab ") else { continue }
      summaries[ssid.description] = Security(elements: list, capabilities: bss.capability).summary
    }
    let expected = [
      "Lab Open": "Open", "Lab WEP": "WEP", "Lab WPA1": "WPA-Personal", "Lab Mixed": "WPA/WPA2-Personal",
      "Lab WPA2": "WPA2-Personal", "Lab FT WPS": "WPA2-Personal", "Lab PSK SHA-256": "WPA2-Personal",
      "Lab SAE": "WPA3-Personal", "Lab Transition": "WPA2/WPA3-Personal", "Lab OWE": "OWE",
      "Lab OWE pair": "OWE transition", "Lab Enterprise": "WPA2/WPA3-Enterprise",
      "Lab Enterprise 192": "WPA3-Enterprise 192-bit", "Lab FILS": "WPA2-Enterprise", "Lab Hotspot": "WPA2-Enterprise",
      "Lab 6 GHz": "WPA3-Personal",
    ]
    for (name, summary) in expected { #expect(summaries[name] == summary, "\(name)") }
  }

  @Test func `reads the FILS element that hostapd sends`() throws {
    let list = try #require(
      basicServiceSets(of: "lab").map { ElementList(parsing: $0.informationElements) }
        .first { $0.first(FILSIndication.self) != nil })
    let fils = try #require(list.first(FILSIndication.self))
    #expect(fils.cacheIdentifier == [0x12, 0x34])
    #expect(fils.realmIdentifiers == [[0xC4, 0x95]])
  }

  @Test(arguments: [0x0211_0000_0100, 0x0211_0000_0110] as [UInt64])
  func `nontransmitted BSSs are those that the kernel makes of the same beacon`(transmitted: UInt64) throws {
    let all = try basicServiceSets(of: "modern")
    let whole = try #require(all.first { $0.bssid == MACAddress(transmitted) })
    let expansion = MultipleBSSIDExpansion(bssid: whole.bssid, elements: ElementList(parsing: whole.informationElements))
    #expect(expansion.bss.count >= 2)
    for bss in expansion.bss {
      let kernels = try #require(all.first { $0.bssid == bss.bssid })
      #expect(bss.elements.encoded == kernels.informationElements, "\(bss.bssid)")
      #expect(bss.capabilities == kernels.capability)
    }
  }

  @Test func `links of a multi-link device have their own profiles`() throws {
    let all = try basicServiceSets(of: "modern")
    let whole = try #require(all.first { $0.bssid == MACAddress(0x0211_0000_0300) })
    let links = MultiLinkExpansion(elements: ElementList(parsing: whole.informationElements)).links
    #expect(links.map(\.linkID) == [0, 2])
    #expect(links.map(\.address) == [MACAddress(0x0211_0000_0320), MACAddress(0x0211_0000_0310)])
    #expect(links.allSatisfy { $0.elements.complaints.isEmpty })
  }
}
