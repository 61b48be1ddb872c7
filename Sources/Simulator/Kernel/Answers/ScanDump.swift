import WiFi

/// `NL80211_CMD_GET_SCAN`.
extension SimulatedKernel {
  /// Lists what is remembered of each BSS.
  ///
  /// `NL80211_BSS_PARENT_TSF` and `NL80211_BSS_PARENT_BSSID` are never there: they are about the BSS that a scanning
  /// station is associated with (`ieee80211_bss_info_update`), not about the one that a set of several BSSs is
  /// transmitted by.
  func answerScan(_ request: Request) throws(Refusal) {
    var builder = builder(for: request)
    let (adapter, interface) = try interface(of: request)
    listen(wiphy: adapter.wiphy)
    let nowNs = now.wholeNanoseconds
    tables[adapter.wiphy]?.expire(at: nowNs)
    guard let table = tables[adapter.wiphy] else { return finishDump(request, builder) }
    // Where the list changes while it is read, the part behind the change says so.
    let interrupted = isDumpInterrupted() ? table.count / 2 : nil
    for (index, entry) in table.entries.enumerated() {
      let flags = NetlinkMessage.Flag.multi | (index == interrupted ? NetlinkMessage.Flag.dumpInterrupted : 0)
      let size = 240 + entry.elements.count + (entry.beaconElements?.count ?? 0)
      builder.generic(
        family: configuration.family, flags: flags, command: NL80211.Command.newScanResults, size: size
      ) { builder in
        builder.write(NL80211.Attribute.generation, table.generation)
        builder.write(NL80211.Attribute.interfaceIndex, interface.index)
        builder.write(NL80211.Attribute.wdev, interface.wdev)
        builder.nest(NL80211.Attribute.bss) { entry.write(into: &$0, at: nowNs, associated: interface.associated) }
      }
    }
    finishDump(request, builder, losesReply: isReplyLost())
  }
}

extension BSSEntry {
  /// The attributes of `NL80211_ATTR_BSS`, in the order of `nl80211_send_bss`.
  func write(into builder: inout MessageBuilder, at nowNs: Int64, associated: MACAddress?) {
    typealias Kind = NL80211.BSSAttribute
    builder.write(Kind.bssid, bssid)
    if isFromProbeResponse { builder.writeFlag(Kind.probeResponseData) }
    builder.write(Kind.tsf, tsfUs)
    if !elements.isEmpty { builder.write(Kind.informationElements, elements) }
    if let beaconElements {
      builder.write(Kind.beaconTSF, beaconTSFUs)
      if !beaconElements.isEmpty { builder.write(Kind.beaconElements, beaconElements) }
    }
    if beaconIntervalTU > 0 { builder.write(Kind.beaconInterval, beaconIntervalTU) }
    builder.write(Kind.capability, capability)
    builder.write(Kind.frequency, frequencyKHz / 1000)
    builder.write(Kind.frequencyOffset, frequencyKHz % 1000)
    builder.write(Kind.channelWidth, 0 as UInt32)
    builder.write(Kind.seenMsAgo, UInt32(clamping: (nowNs - lastHeardNs) / 1_000_000))
    builder.write(Kind.lastSeenBootTime, UInt64(clamping: lastHeardNs))
    builder.write(Kind.signalMBm, UInt32(bitPattern: signalMBm))
    if associated == bssid { builder.write(Kind.status, 1 as UInt32) }
  }
}
