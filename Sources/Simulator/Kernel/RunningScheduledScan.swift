import WiFi

/// A scan that an adapter repeats by itself (`struct cfg80211_sched_scan_request`).
struct RunningScheduledScan {
  let id: UInt64
  let wiphy: UInt32
  let interface: SimulatedInterface
  let interval: Duration
  let channels: [SimulatedChannel]
  let ssids: [SSID]
  let matches: [Match]

  /// What a network must have to be reported.
  struct Match {
    var ssid: [UInt8]?
    var minimumMBm: Int32?
  }
}

extension SimulatedKernel {
  /// `NL80211_CMD_START_SCHED_SCAN`.
  func startScheduledScan(_ request: Request) throws(Refusal) {
    let (adapter, interface) = try runningInterface(of: request)
    if adapter.maximumScheduledScanSSIDs == 0 { throw Refusal(KernelError.Number.notSupported) }
    if scheduledScans.contains(where: { $0.interface.index == interface.index }) { throw Refusal(115) }  // EINPROGRESS
    let ssids = try self.ssids(of: request, limit: adapter.maximumScheduledScanSSIDs)
    let channels = try self.channels(of: request, adapter)
    // No adapter here announces NL80211_FEATURE_SCHED_SCAN_RANDOM_MAC_ADDR.
    _ = try checkedScanFlags(of: request, canRandomizeMAC: false)
    guard let interval = scheduledInterval(of: request), interval > .zero else { throw Refusal(KernelError.Number.invalid) }
    scanCount += 1
    let scan = RunningScheduledScan(
      id: scanCount, wiphy: adapter.wiphy, interface: interface, interval: interval, channels: channels,
      ssids: ssids.isEmpty ? [.wildcard] : ssids, matches: matches(of: request))
    scheduledScans.append(scan)
    let delay = request.uint32(NL80211.Attribute.scheduledScanDelay) ?? 0
    schedule(at: now + .seconds(Int64(delay))) { $0.runScheduledScan(scan.id) }
    emit(.scan, command: NL80211.Command.startScheduledScan) { write(scan, into: &$0) }
    acknowledge(request)
  }

  /// `NL80211_CMD_STOP_SCHED_SCAN`.
  func stopScheduledScan(_ request: Request) throws(Refusal) {
    let (_, interface) = try runningInterface(of: request)
    guard scheduledScans.contains(where: { $0.interface.index == interface.index }) else { throw Refusal(KernelError.Number.noEntry) }
    stopScheduledScans { $0.interface.index == interface.index }
    acknowledge(request)
  }

  /// Ends scheduled scans, and says so (`cfg80211_stop_sched_scan_req`).
  func stopScheduledScans(where isMeant: (RunningScheduledScan) -> Bool) {
    for scan in scheduledScans where isMeant(scan) {
      scheduledScans.removeAll { $0.id == scan.id }
      emit(.scan, command: NL80211.Command.scheduledScanStopped) { write(scan, into: &$0) }
    }
  }

  /// Begins the next scan of a scheduled one, unless the adapter scans already.
  func runScheduledScan(_ id: UInt64) {
    guard let scan = scheduledScans.first(where: { $0.id == id }) else { return }
    schedule(at: now + scan.interval) { $0.runScheduledScan(id) }
    if scans.contains(where: { $0.wiphy == scan.wiphy }) { return }
    startScan(wiphy: scan.wiphy, scan.interface, channels: scan.channels, ssids: scan.ssids, isScheduled: true)
  }

  /// Reports the results of a scheduled scan where something in them matches.
  func scheduledScanEnded(_ ended: RunningScan) {
    guard let scan = scheduledScans.first(where: { $0.interface.index == ended.interface.index }) else { return }
    let since = ended.start.wholeNanoseconds
    let heard = tables[scan.wiphy]?.entries.filter { $0.lastHeardNs >= since } ?? []
    let isMatched = heard.contains { entry in
      scan.matches.isEmpty
        || scan.matches.contains { match in
          (match.ssid.map { $0 == entry.ssid } ?? true) && (match.minimumMBm.map { $0 <= entry.signalMBm } ?? true)
        }
    }
    if isMatched { emit(.scan, command: NL80211.Command.scheduledScanResults) { write(scan, into: &$0) } }
  }

  private func write(_ scan: RunningScheduledScan, into builder: inout MessageBuilder) {
    builder.write(NL80211.Attribute.wiphy, scan.wiphy)
    builder.write(NL80211.Attribute.interfaceIndex, scan.interface.index)
    builder.write(NL80211.Attribute.wdev, scan.interface.wdev)
  }

  /// The time between scans: the first plan in seconds, or the older attribute in ms.
  private func scheduledInterval(of request: Request) -> Duration? {
    if let plan = request.nested(NL80211.Attribute.scheduledScanPlans)?.first,
      let interval = AttributeWalk(request.bytes, in: plan.payload).first(where: { $0.type == 1 })?.uint32(of: request.bytes)
    {
      return .seconds(Int64(interval))
    }
    return request.uint32(NL80211.Attribute.scheduledScanInterval).map { .milliseconds(Int64($0)) }
  }

  private func matches(of request: Request) -> [RunningScheduledScan.Match] {
    (request.nested(NL80211.Attribute.scheduledScanMatch) ?? []).map { set in
      var match = RunningScheduledScan.Match()
      for attribute in AttributeWalk(request.bytes, in: set.payload) {
        switch attribute.type {
        case 1: match.ssid = attribute.bytes(of: request.bytes)
        case 2: match.minimumMBm = attribute.uint32(of: request.bytes).map { Int32(clamping: Int64(Int32(bitPattern: $0)) * 100) }
        default: break
        }
      }
      return match
    }
  }
}
