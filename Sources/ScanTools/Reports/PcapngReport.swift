import WiFi

extension ScanReport {
  /// The beacons and probe responses as a pcapng file with radiotap headers, as Wireshark opens them.
  ///
  /// Each frame is put together from what the kernel reported: fixed fields, elements as they were heard, the address
  /// as transmitter and BSSID. Where the kernel reported both a probe response and a beacon, both are written. Sequence
  /// numbers are not known and are zero. Frames are in the order of their times.
  ///
  /// - Parameters:
  ///   - release: the version of this program.
  ///   - end: when the scan ended; where that is not known, the frames have no times.
  public func pcapng(release: String, end: UTCTime?) -> [UInt8] {
    var writer = PCAPNGWriter(interfaceName: scan.interface, application: "wifi-harness \(release)")
    var frames: [TimedFrame] = []
    for fact in facts { append(fact, end: end, ReportedFrames(fact.bss), to: &frames) }
    frames.write(to: &writer)
    return writer.bytes
  }

  /// When a BSS was heard last, where the scan ended at `end`; `nil` where that is not known.
  func heard(_ bss: BSS, end: UTCTime?) -> UTCTime? { end.map { min($0.advanced(by: scan.lastHeard(bss) - scan.end), $0) } }

  /// Adds frames of one BSS.
  func append(_ fact: BSSFacts, end: UTCTime?, _ frames: ReportedFrames, to list: inout [TimedFrame]) {
    let bss = fact.bss
    let time = heard(bss, end: end)
    if frames.hasBeacon, let beacon = bss.beaconElements, bss.isFromProbeResponse {
      append(bss, beacon, isProbeResponse: false, tsf: bss.beaconTSFUs, time?.advanced(by: .zero - frames.beaconAge), to: &list)
    }
    if frames.hasMain {
      append(
        bss, bss.informationElements, isProbeResponse: bss.isFromProbeResponse, tsf: bss.tsfUs,
        time?.advanced(by: .zero - frames.mainAge), to: &list)
    }
  }

  private func append(
    _ bss: BSS, _ elements: [UInt8], isProbeResponse: Bool, tsf: UInt64?, _ time: UTCTime?,
    to list: inout [TimedFrame]
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
    list.append(TimedFrame(bytes: frame.encoded, radiotap: radiotap, timestampNs: time.map { UInt64(max($0.nanoseconds, 0)) }))
  }
}

/// A frame, and when it was received, where that is known.
struct TimedFrame {
  var bytes: [UInt8]
  var radiotap: Radiotap
  var timestampNs: UInt64?
}

extension [TimedFrame] {
  /// Writes the frames in the order of their times; of one time, as they stand.
  func write(to writer: inout PCAPNGWriter) {
    for index in indices.sorted(by: { (self[$0].timestampNs ?? 0, $0) < (self[$1].timestampNs ?? 0, $1) }) {
      writer.append(frame: self[index].bytes, radiotap: self[index].radiotap, timestampNs: self[index].timestampNs)
    }
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
