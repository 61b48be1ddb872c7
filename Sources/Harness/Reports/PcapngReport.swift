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
    for fact in facts { append(fact, end: end, ReportedFrames(fact.bss), to: &writer) }
    return writer.bytes
  }

  /// When a BSS was heard last, where the scan ended at `end`.
  func heard(_ bss: BSS, end: UTCTime) -> UTCTime { min(end.advanced(by: scan.lastHeard(bss) - scan.end), end) }

  /// Writes frames of one BSS.
  func append(_ fact: BSSFacts, end: UTCTime, _ frames: ReportedFrames, to writer: inout PCAPNGWriter) {
    let bss = fact.bss
    let time = heard(bss, end: end)
    if frames.hasBeacon, let beacon = bss.beaconElements, bss.isFromProbeResponse {
      append(bss, beacon, isProbeResponse: false, tsf: bss.beaconTSFUs, time.advanced(by: .zero - frames.beaconAge), to: &writer)
    }
    if frames.hasMain {
      append(
        bss, bss.informationElements, isProbeResponse: bss.isFromProbeResponse, tsf: bss.tsfUs,
        time.advanced(by: .zero - frames.mainAge), to: &writer)
    }
  }

  private func append(
    _ bss: BSS, _ elements: [UInt8], isProbeResponse: Bool, tsf: UInt64?, _ time: UTCTime,
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
    writer.append(frame: frame.encoded, radiotap: radiotap, timestampNs: UInt64(max(time.nanoseconds, 0)))
  }
}

/// Which frames of a BSS are written, and how long before it was heard last each was received.
struct ReportedFrames {
  /// Whether the beacon that the kernel keeps beside a probe response is written.
  var hasBeacon = true
  /// Whether the frame is written that the elements are of.
  var hasMain = true
  private(set) var beaconAge = Duration.zero
  private(set) var mainAge = Duration.zero

  /// All frames; of two, the TSF says which was heard last, and how long before it the other.
  init(_ bss: BSS) {
    // Where they are further apart, the access point was started again in between.
    let longest: UInt64 = 60_000_000
    guard bss.isFromProbeResponse, let main = bss.tsfUs, let beacon = bss.beaconTSFUs else { return }
    if main > beacon, main - beacon <= longest { beaconAge = .microseconds(Int64(main - beacon)) }
    if beacon > main, beacon - main <= longest { mainAge = .microseconds(Int64(beacon - main)) }
  }
}
