import Testing
import WiFi

@testable import Harness

@Suite struct PlainBSSTests {
  private let bss: BSS = {
    var bss = BSS(
      bssid: MACAddress(0x0200_0000_0001), frequencyMHz: 2412, capability: 0x11,
      informationElements: [0, 4] + Array("Home".utf8) + Self.rsn(2))
    (bss.signalMBm, bss.seenMsAgo, bss.lastSeenBootTimeNs) = (-5500, 120, 42_000_000_000)
    return bss
  }()

  private static func rsn(_ suite: UInt8, _ rest: [UInt8] = [0, 0]) -> [UInt8] {
    let body: [UInt8] = [1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, suite] + rest
    return [48, UInt8(body.count)] + body
  }

  @Test func `the answer of a kernel is read as the decoder reads it`() {
    let entry = ScanDumpEntry(generation: 1, interfaceIndex: 3, wdev: nil, bss: bss).message
    let message = NetlinkMessage(type: 28, flags: 2, sequence: 1, port: 1, payload: entry.payload).encoded
    #expect(PlainBSS.all(in: [message]) == [PlainBSS(bss)])
    #expect(PlainBSS(bss).heard(.seconds(50)) == .seconds(42))
    #expect(PlainBSS(bss).strength == 0.75)
    // Whatever is cut off, it does not pass for whole.
    for length in 1..<message.count { #expect(PlainBSS.all(in: [Array(message.prefix(length))]) == nil, "\(length) bytes") }
  }

  /// Elements, whether the Privacy bit is set, and the family that they say; `nil` where they leave a doubt.
  static let families: [(elements: [UInt8], privacy: Bool, family: Security.Family?)] = [
    ([], false, .open), ([], true, .wep), (rsn(2), true, .personal), (rsn(8), true, .personal), (rsn(1), true, .enterprise),
    (rsn(5), true, .enterprise), (rsn(12), true, .enterprise), (rsn(18), true, .owe), (rsn(2, []), true, .personal),
    (rsn(2, [0, 0, 0, 0, 0, 0x0F, 0xAC, 6]), true, .personal), (rsn(2, [0]), true, nil), (rsn(99), true, nil),
    ([48, 2, 1, 0], true, nil), ([48, 20, 1], true, .enterprise), ([0, 1, 65], false, nil), ([68, 0], true, nil),
    ([221, 22, 0, 0x50, 0xF2, 1, 1, 0, 0, 0x50, 0xF2, 2, 1, 0, 0, 0x50, 0xF2, 2, 1, 0, 0, 0x50, 0xF2, 2], true, .personal),
  ]

  @Test(arguments: families.indices) func `elements say how joining is`(index: Int) {
    let (elements, privacy, family) = Self.families[index]
    let bss = BSS(
      bssid: MACAddress(1), frequencyMHz: 2412, capability: privacy ? 0x11 : 1, informationElements: [0, 1, 66] + elements)
    #expect(PlainReading(PlainBSS(bss))?.family == family)
    // The decoder agrees wherever there is no doubt.
    if let family { #expect(BSSFacts(bss).security.family == family) }
  }
}
