import WiFi

extension ScanReport {
  /// The beacons and probe responses as a pcapng file with radiotap headers, as Wireshark opens them.
  ///
  /// Each frame is put together from what the kernel told: fixed fields, elements as they were heard, the address as
  /// transmitter and BSSID. Where the kernel told both a probe response and a beacon, both are written. Sequence
  /// numbers are not known and are zero.
  ///
  /// - Parameters:
  ///   - release: the version of this program.
  ///   - end: when the scan ended.
  public func pcapng(release: String, end: UTCTime) -> [UInt8] {
    var writer = PCAPNGWriter(interfaceName: scan.interface, application: "wifi-harness \(release)")
    for fact in facts { append(fact, end: end, to: &writer) }
    return writer.bytes
  }

  /// Writes what was heard of one BSS.
  ///
  /// - Parameter withBeacon: whether the beacon that the kernel keeps beside a probe response is wanted.
  func append(_ fact: BSSFacts, end: UTCTime, withBeacon: Bool = true, to writer: inout PCAPNGWriter) {
    let bss = fact.bss
    let heard = end.advanced(by: .milliseconds(-max(lastSeenMs(bss), 0)))
    let time = UInt64(max(heard.nanoseconds, 0))
    if withBeacon, let beacon = bss.beaconElements, bss.isFromProbeResponse {
      append(bss, beacon, isProbeResponse: false, tsf: bss.beaconTSFUs, time, to: &writer)
    }
    append(bss, bss.informationElements, isProbeResponse: bss.isFromProbeResponse, tsf: bss.tsfUs, time, to: &writer)
  }

  private func append(
    _ bss: BSS, _ elements: [UInt8], isProbeResponse: Bool, tsf: UInt64?, _ time: UInt64,
    to writer: inout PCAPNGWriter
  ) {
    let body = BeaconBody(
      timestampUs: tsf ?? 0, intervalTU: bss.beaconIntervalTU ?? 0, capabilities: bss.capability,
      elements: ElementList(parsing: elements))
    let frame = ManagementFrame(
      receiver: MACAddress(0xFFFF_FFFF_FFFF), transmitter: bss.bssid, bssid: bss.bssid,
      body: isProbeResponse ? .probeResponse(body) : .beacon(body))
    let radiotap = Radiotap(
      timestampUs: tsf, frequencyMHz: Int(bss.frequencyMHz),
      signalDBm: bss.signalMBm.map { Int8(clamping: Int($0) / 100) })
    writer.append(frame: frame.encoded, radiotap: radiotap, timestampNs: time)
  }
}
