import Testing
import WiFi

@Suite struct ConnectivityTests {
  @Test(
    arguments: [(-10_000, 0), (-7000, 0.5), (-4000, 1), (-12_000, 0), (0, 1), (Int32.max, 1), (Int32.min, 0)] as [(Int32, Double)])
  func `strength is between 0 and 1 whatever the driver says`(signalMBm: Int32, connectivity: Double) {
    var bss = BSS(bssid: MACAddress(1), frequencyMHz: 2412, capability: 0, informationElements: [])
    bss.signalMBm = signalMBm
    #expect(bss.connectivity == connectivity)
  }
}
