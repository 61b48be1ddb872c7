import Testing
import WiFi

/// A BSS as a test wants it, on channel 6 with capabilities of an access point.
func makeBSS(
  _ address: UInt64, _ ssid: [UInt8], signalMBm: Int32? = -5000, frequencyMHz: UInt32 = 2437, capability: UInt16 = 0x0001,
  _ values: [ElementValue] = []
) throws -> BSS {
  let name = ElementValue.ssid(SSIDElement(ssid: try #require(SSID(ssid))))
  var bss = BSS(
    bssid: MACAddress(0x0200_0000_0000 | address), frequencyMHz: frequencyMHz, capability: capability,
    informationElements: ElementList([name] + values).encoded)
  bss.signalMBm = signalMBm
  bss.seenMsAgo = 120
  bss.beaconIntervalTU = 100
  return bss
}

/// A BSS with a name of text.
func makeBSS(
  _ address: UInt64, _ ssid: String, signalMBm: Int32? = -5000, frequencyMHz: UInt32 = 2437, capability: UInt16 = 0x0001,
  _ values: [ElementValue] = []
) throws -> BSS {
  try makeBSS(address, Array(ssid.utf8), signalMBm: signalMBm, frequencyMHz: frequencyMHz, capability: capability, values)
}

/// A complete scan that ended 1000 s after boot.
func makeScan(_ bss: [BSS]) -> Scan {
  Scan(interface: "wlan0", start: .seconds(997), end: .seconds(1000), completion: .complete, bss: bss)
}

extension ElementValue {
  /// An RSN element of CCMP and these key managements; 0x40 requires, 0x80 can protect management frames.
  static func rsn(
    _ akms: SuiteList<AKMSuite>, ciphers: SuiteList<CipherSuite> = [.ccmp128], protection: UInt16 = 0
  ) -> ElementValue {
    .rsn(RSN(groupCipher: ciphers[0], pairwiseCiphers: ciphers, akms: akms, capabilities: RSNCapabilities(rawValue: protection)))
  }

  /// A WPA element of TKIP and pre-shared keys.
  static var wpaPersonal: ElementValue {
    let (tkip, psk) = (CipherSuite(selector: 0x0050_F202), AKMSuite(selector: 0x0050_F202))
    return .wpa(WPA(groupCipher: tkip, pairwiseCiphers: [tkip], akms: [psk]))
  }
}
