import WiFi

/// A scan that an adapter performs (`rdev->scan_req`).
struct RunningScan {
  let id: UInt64
  let wiphy: UInt32
  let interface: SimulatedInterface
  let ssids: [SSID]
  /// The channels that were asked for, in kHz.
  let requestedKHz: [UInt32]
  /// The channels in the order they are visited.
  var dwells: [Dwell]
  let start: Duration
  /// Channels of the 6 GHz band that are visited only where an access point on another band says that it is there too.
  var colocatedKHz: [UInt32]
  let flushes: Bool
  let flags: UInt32
  let extraElements: [UInt8]
  /// Whether it belongs to a scheduled scan, which has events of its own.
  var isScheduled: Bool
  /// How many channels were listened to.
  var heard = 0
}

extension SimulatedKernel {
  /// `NL80211_CMD_TRIGGER_SCAN`, with the checks of `nl80211_trigger_scan` in their order.
  func triggerScan(_ request: Request) throws(Refusal) {
    let (adapter, interface) = try runningInterface(of: request)
    if scans.contains(where: { $0.wiphy == adapter.wiphy }) { throw Refusal(KernelError.Number.busy) }
    let ssids = try self.ssids(of: request, limit: adapter.maximumScanSSIDs)
    let channels = try self.channels(of: request, adapter)
    let extra = request.attribute(NL80211.Attribute.informationElements)?.bytes(of: request.bytes) ?? []
    if extra.count > Int(adapter.maximumScanElementsLength) { throw Refusal(KernelError.Number.invalid) }
    try checkRates(of: request, adapter)
    let dwellTU = request.uint16(NL80211.Attribute.measurementDuration)
    if dwellTU != nil, !adapter.canSetDwell { throw Refusal(KernelError.Number.notSupported) }
    let flags = try checkedScanFlags(of: request, canRandomizeMAC: adapter.canRandomizeMAC && interface.associated == nil)
    if interface.type != .station { throw Refusal(KernelError.Number.notSupported) }
    startScan(
      wiphy: adapter.wiphy, interface, channels: channels, ssids: ssids, dwellTU: dwellTU, flags: flags, extra: extra)
    acknowledge(request)
  }

  /// The flags of a scan, as `nl80211_check_scan_flags` lets them pass: what no adapter here announces is refused.
  func checkedScanFlags(of request: Request, canRandomizeMAC: Bool) throws(Refusal) -> UInt32 {
    let flags = request.uint32(NL80211.Attribute.scanFlags) ?? 0
    // NL80211_SCAN_FLAG_FILS_MAX_CHANNEL_TIME to NL80211_SCAN_FLAG_MIN_PREQ_CONTENT.
    if flags & 0x1FF0 != 0 { throw Refusal(KernelError.Number.notSupported) }
    guard flags & NL80211.ScanFlag.randomAddress != 0 else { return flags }
    if !canRandomizeMAC { throw Refusal(KernelError.Number.notSupported) }
    // Both or none (nl80211_parse_random_mac); the first bit of a mask keeps the address that of one station.
    let address = request.attribute(NL80211.Attribute.mac)?.bytes(of: request.bytes)
    let mask = request.attribute(NL80211.Attribute.macMask)?.bytes(of: request.bytes)
    if address == nil, mask == nil { return flags }
    guard let address, let mask, address.count >= 6, mask.count >= 6, mask[0] & 1 == 1, address[0] & 1 == 0 else {
      throw Refusal(KernelError.Number.invalid)
    }
    return flags
  }

  /// Refuses rates that a band does not have (`ieee80211_get_ratemask`), in units of 500 kb/s; those of bands that the
  /// adapter has not are skipped.
  private func checkRates(of request: Request, _ adapter: SimulatedAdapter) throws(Refusal) {
    let ofdm: [UInt8] = [12, 18, 24, 36, 48, 72, 96, 108]
    for attribute in request.nested(NL80211.Attribute.scanSupportedRates) ?? [] {
      let band: Band
      switch attribute.type {
      case 0: band = .ghz2_4
      case 1: band = .ghz5
      case 3: band = .ghz6
      case 2, 4, 5: continue
      default: throw Refusal(KernelError.Number.invalid)
      }
      guard adapter.channels.contains(where: { $0.band == band }) else { continue }
      let rates = band == .ghz2_4 ? [2, 4, 11, 22] + ofdm : ofdm
      let wanted = attribute.bytes(of: request.bytes)
      guard !wanted.isEmpty, wanted.allSatisfy({ rates.contains($0 & 0x7F) }) else { throw Refusal(KernelError.Number.invalid) }
    }
  }

  /// `NL80211_CMD_ABORT_SCAN`.
  func abortScan(_ request: Request) throws(Refusal) {
    let (adapter, interface) = try runningInterface(of: request)
    guard scans.contains(where: { $0.wiphy == adapter.wiphy && $0.interface.index == interface.index }) else {
      throw Refusal(KernelError.Number.noEntry)
    }
    abortScans { $0.wiphy == adapter.wiphy }
    acknowledge(request)
  }

  func ssids(of request: Request, limit: UInt8) throws(Refusal) -> [SSID] {
    guard let attributes = request.nested(NL80211.Attribute.scanSSIDs) else { return [] }
    if attributes.count > Int(limit) { throw Refusal(KernelError.Number.invalid) }
    var ssids: [SSID] = []
    for attribute in attributes {
      guard let ssid = SSID(attribute.bytes(of: request.bytes)) else { throw Refusal(KernelError.Number.invalid) }
      ssids.append(ssid)
    }
    return ssids
  }

  func channels(of request: Request, _ adapter: SimulatedAdapter) throws(Refusal) -> [SimulatedChannel] {
    let wanted: [UInt32]
    if let attributes = request.nested(NL80211.Attribute.scanFrequenciesKHz) {
      wanted = try Self.frequencies(attributes, of: request)
    } else if let attributes = request.nested(NL80211.Attribute.scanFrequencies) {
      wanted = try Self.frequencies(attributes, of: request).map { $0.multipliedReportingOverflow(by: 1000).partialValue }
    } else {
      return adapter.channels.filter { !$0.isDisabled }
    }
    var channels: [SimulatedChannel] = []
    for frequency in wanted {
      guard let channel = adapter.channels.first(where: { $0.frequencyKHz == frequency }) else {
        throw Refusal(KernelError.Number.invalid)
      }
      // A channel that the regulatory domain forbids is skipped.
      if !channel.isDisabled { channels.append(channel) }
    }
    if channels.isEmpty { throw Refusal(KernelError.Number.invalid) }
    return channels
  }

  /// The numbers of a list of frequencies, each of which stands there once (`validate_scan_freqs`).
  private static func frequencies(_ attributes: [AttributeHeader], of request: Request) throws(Refusal) -> [UInt32] {
    var frequencies: [UInt32] = []
    for attribute in attributes {
      guard let frequency = attribute.uint32(of: request.bytes), !frequencies.contains(frequency) else {
        throw Refusal(KernelError.Number.invalid)
      }
      frequencies.append(frequency)
    }
    return frequencies
  }

  func startScan(
    wiphy: UInt32, _ interface: SimulatedInterface, channels: [SimulatedChannel], ssids: [SSID], dwellTU: UInt16? = nil,
    flags: UInt32 = 0, extra: [UInt8] = [], isScheduled: Bool = false
  ) {
    var time = now
    var dwells: [Dwell] = []
    dwells.reserveCapacity(channels.count)
    let waits = flags & NL80211.ScanFlag.colocated6GHz != 0
    for channel in channels where !waits || channel.band != .ghz6 {
      dwells.append(dwell(wiphy, channel.frequencyKHz, channel.isPassive ? [] : ssids, dwellTU: dwellTU, behind: &time))
    }
    scanCount += 1
    let scan = RunningScan(
      id: scanCount, wiphy: wiphy, interface: interface, ssids: ssids, requestedKHz: channels.map(\.frequencyKHz), dwells: dwells,
      start: now, colocatedKHz: waits ? channels.filter { $0.band == .ghz6 }.map(\.frequencyKHz) : [],
      flushes: flags & NL80211.ScanFlag.flush != 0, flags: flags, extraElements: extra, isScheduled: isScheduled)
    scans.append(scan)
    schedule(at: time) { $0.endScan(scan.id) }
    if let abortTime = abortTime(of: FaultedScan(wiphy: wiphy, start: now, end: time)) {
      schedule(at: min(max(abortTime, now), time)) { kernel in kernel.abortScans { $0.id == scan.id } }
    }
    if !isScheduled { emit(.scan, command: NL80211.Command.triggerScan) { scan.write(into: &$0) } }
  }

  /// The stay on another channel after a time, which then is its end; without names it only listens.
  private func dwell(
    _ wiphy: UInt32, _ frequencyKHz: UInt32, _ ssids: [SSID], dwellTU: UInt16? = nil, behind time: inout Duration
  ) -> Dwell {
    let start = time
    let usual = ssids.isEmpty ? configuration.passiveDwell : configuration.activeDwell
    time = start + (dwellTU.map { Duration.microseconds(Int64($0) * 1024) } ?? usual)
    return Dwell(receiver: wiphy, frequencyKHz: frequencyKHz, start: start, end: time, ssids: ssids)
  }

  /// Hears what the running scan of an adapter has heard by now.
  func listen(wiphy: UInt32) {
    guard let index = scans.firstIndex(where: { $0.wiphy == wiphy }) else { return }
    var frames: [HeardFrame] = []
    while scans[index].heard < scans[index].dwells.count, scans[index].dwells[scans[index].heard].end <= now {
      frames.removeAll(keepingCapacity: true)
      air.hear(scans[index].dwells[scans[index].heard], into: &frames)
      changeFrames(&frames, of: scans[index].dwells[scans[index].heard])
      if let onFrame, let adapter = adapters.first(where: { $0.wiphy == wiphy }) {
        for frame in frames { onFrame(frame, adapter) }
      }
      for frame in frames { tables[wiphy]?.hear(frame) }
      scans[index].heard += 1
    }
  }

  /// The end of a scan that visited every channel.
  func endScan(_ id: UInt64) {
    guard let index = scans.firstIndex(where: { $0.id == id }) else { return }
    listen(wiphy: scans[index].wiphy)
    if visitColocated(index) { return }
    let scan = scans.remove(at: index)
    if scan.flushes { tables[scan.wiphy]?.flush(before: scan.start.wholeNanoseconds) }
    if scan.isScheduled {
      scheduledScanEnded(scan)
    } else {
      emit(.scan, command: NL80211.Command.newScanResults) { scan.write(into: &$0) }
    }
  }

  /// Goes on to those channels of the 6 GHz band that access points heard in this scan announce (`cfg80211_scan_6ghz`).
  ///
  /// There probe requests may be sent. Returns whether there are any such channels.
  private func visitColocated(_ index: Int) -> Bool {
    guard !scans[index].colocatedKHz.isEmpty else { return false }
    let scan = scans[index]
    scans[index].colocatedKHz = []
    var announced: Set<UInt32> = []
    let since = scan.start.wholeNanoseconds
    for entry in tables[scan.wiphy, default: BSSTable()].entries where entry.lastHeardNs >= since {
      for report in ElementList(parsing: entry.elements).all(ReducedNeighborReport.self) {
        for neighbor in report.neighbors { if let frequency = neighbor.frequencyKHz { announced.insert(UInt32(frequency)) } }
      }
    }
    var time = now
    for frequency in scan.colocatedKHz where announced.contains(frequency) {
      scans[index].dwells.append(dwell(scan.wiphy, frequency, scan.ssids, behind: &time))
    }
    if time == now { return false }
    schedule(at: time) { $0.endScan(scan.id) }
    return true
  }

  /// Ends a scan early; what was heard until now stays.
  func abortScans(where isMeant: (RunningScan) -> Bool) {
    guard let index = scans.firstIndex(where: isMeant) else { return }
    listen(wiphy: scans[index].wiphy)
    let scan = scans.remove(at: index)
    if scan.isScheduled { return }
    emit(.scan, command: NL80211.Command.scanAborted) { scan.write(into: &$0) }
  }
}

extension RunningScan {
  /// The attributes of an event about the scan, in the order of `nl80211_prep_scan_msg`.
  func write(into builder: inout MessageBuilder) {
    builder.write(NL80211.Attribute.wiphy, wiphy)
    builder.write(NL80211.Attribute.interfaceIndex, interface.index)
    builder.write(NL80211.Attribute.wdev, interface.wdev)
    builder.nest(NL80211.Attribute.scanSSIDs) { builder in
      for (index, ssid) in ssids.enumerated() { builder.write(UInt16(truncatingIfNeeded: index), ssid.bytes) }
    }
    builder.nest(NL80211.Attribute.scanFrequencies) { builder in
      for (index, frequency) in requestedKHz.enumerated() {
        builder.write(UInt16(truncatingIfNeeded: index), frequency / 1000)
      }
    }
    if !extraElements.isEmpty { builder.write(NL80211.Attribute.informationElements, extraElements) }
    if flags != 0 { builder.write(NL80211.Attribute.scanFlags, flags) }
  }
}
