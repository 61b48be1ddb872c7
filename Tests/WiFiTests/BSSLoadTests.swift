import Testing
import WiFi

@Suite struct BSSLoadTests {
  @Test func `reads stations, utilisation and admission capacity`() throws {
    let load = try checkRoundTrip(BSSLoad.self, "0300 80 1234")
    #expect(load.stationCount == 3)
    #expect(load.channelUtilization == 128)
    #expect(load.availableAdmissionCapacity == 0x3412)
    #expect(json(load) == #"{"stationCount":3,"channelUtilization255ths":128,"availableAdmissionCapacity32us":13330}"#)
  }

  @Test func `refuses four bytes`() {
    #expect(throws: WireError(offset: 3, reason: .truncated(needed: 2, available: 1))) {
      try BSSLoad(body: [3, 0, 128, 0])
    }
  }
}
