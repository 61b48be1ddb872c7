import Determinism
import Testing
import WiFi
import WireProperties

/// Every type of body that this suite is about, with the bytes that lead into it.
private let bodies: [(type: any ElementBody.Type, prefixes: [[UInt8]])] = [
  (SupportedRates.self, [[]]), (DSSSParameterSet.self, [[]]), (TIM.self, [[]]), (IBSSParameterSet.self, [[]]),
  (Country.self, [[]]), (PowerConstraint.self, [[]]), (PowerCapability.self, [[]]), (TPCReport.self, [[]]),
  (SupportedChannels.self, [[]]), (ChannelSwitchAnnouncement.self, [[]]), (Quiet.self, [[]]), (ERP.self, [[]]),
  (ERPDraft4.self, [[]]), (RSN.self, [[], [1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 2, 0]]),
  (ExtendedSupportedRates.self, [[]]), (APChannelReport.self, [[]]), (MobilityDomain.self, [[]]),
  (FastBSSTransition.self, [[]]), (SupportedOperatingClasses.self, [[], [81, 130], [81, 0]]),
  (ExtendedChannelSwitchAnnouncement.self, [[]]), (MeasurementPilotTransmission.self, [[]]),
  (RMEnabledCapabilities.self, [[]]), (OverlappingBSSScanParameters.self, [[]]), (Interworking.self, [[]]),
  (AdvertisementProtocol.self, [[], [0, 221]]), (RoamingConsortium.self, [[]]), (MeshConfiguration.self, [[]]),
  (MeshID.self, [[]]), (ExtendedCapabilities.self, [[]]), (CiscoCCX.self, [[]]), (FILSIndication.self, [[], [0xD1, 1]]),
  (RSNX.self, [[]]), (VendorSpecific.self, [[]]), (WPA.self, [[0, 0x50, 0xF2, 1]]), (WMM.self, [[0, 0x50, 0xF2, 2]]),
  (WPS.self, [[0, 0x50, 0xF2, 4], [0, 0x50, 0xF2, 4, 0x10, 0x49, 0, 9, 0, 0x37, 0x2A]]),
  (P2P.self, [[0x50, 0x6F, 0x9A, 9], [0x50, 0x6F, 0x9A, 9, 13, 30, 0], [0x50, 0x6F, 0x9A, 9, 2, 1, 0]]),
  (MBO.self, [[0x50, 0x6F, 0x9A, 22], [0x50, 0x6F, 0x9A, 22, 101, 1]]), (OperatingModeNotification.self, [[]]),
  (Hotspot20.self, [[0x50, 0x6F, 0x9A, 16]]), (OSEN.self, [[0x50, 0x6F, 0x9A, 18]]),
  (OWETransition.self, [[0x50, 0x6F, 0x9A, 28]]), (RSNOverride.self, [[0x50, 0x6F, 0x9A, 41]]),
  (RSNXOverride.self, [[0x50, 0x6F, 0x9A, 43]]),
  (
    APName.self,
    [
      [0x00, 0x19, 0x77, 0x21, 1, 0], [0xDC, 0x08, 0x56, 1], [0x00, 0x0B, 0x86, 1, 3], [0x00, 0x40, 0x96, 47],
      [0x00, 0xA0, 0xF8, 1], [0x00, 0x09, 0x0F, 10, 0, 1], [0x00, 0x0C, 0x42, 0], [0x5C, 0x5B, 0x35, 1], [0x84, 0x80, 0x94, 0],
      [0x00, 0x13, 0x92, 3], [0x00, 0x15, 0x6D, 1],
    ]
  ),
  (SSIDElement.self, [[]]), (BSSLoad.self, [[]]), (Fragment.self, [[]]),
]

@Suite struct ElementPropertyTests {
  @Test(arguments: bodies.indices)
  func `any body is read and written again unchanged, or refused`(index: Int) {
    func check<Body: ElementBody>(_ type: Body.Type, _ prefixes: [[UInt8]]) {
      var generator = SplitMix64(state: UInt64(index) &+ 2026)
      var accepted = 0
      var changed = 0
      for round in 0..<10_000 {
        let body = generator.body(prefix: prefixes[round % prefixes.count])
        guard let value = try? Body(body: body) else { continue }
        accepted += 1
        if value.body != body { changed += 1 }
        if round % 50 == 0 { _ = json(value) }
      }
      #expect(accepted > 0, "\(type)")
      #expect(changed == 0, "\(type)")
    }
    check(bodies[index].type, bodies[index].prefixes)
  }

  @Test func `any bytes are a list that encodes to the same bytes`() {
    var generator = SplitMix64(state: 7)
    let identifiers = Set(bodies.map { UInt8($0.type.elementID.code) }).sorted()
    var changed = 0
    for _ in 0..<10_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int(generator.next() & 7) {
        let choice = generator.next()
        let body = generator.body(prefix: [])
        bytes.append(identifiers[Int(choice % UInt64(identifiers.count))])
        bytes.append(UInt8(body.count))
        bytes += choice >> 40 & 7 == 0 ? Array(body.dropLast(3)) : body
      }
      let list = ElementList(parsing: bytes)
      if list.encoded != bytes { changed += 1 }
      _ = Security(elements: list, capabilities: UInt16(truncatingIfNeeded: generator.next())).summary
      _ = list.apName
    }
    #expect(changed == 0)
  }
}
