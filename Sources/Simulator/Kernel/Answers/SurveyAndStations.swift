import WiFi

/// `NL80211_CMD_GET_SURVEY` and `NL80211_CMD_GET_STATION`.
extension SimulatedKernel {
  func answerSurvey(_ request: Request) {
    var builder = MessageBuilder(split: split(for: request.link), sequence: request.sequence, port: request.link.port)
    guard let (adapter, interface) = try? interface(of: request) else {
      return finishDump(request, builder, error: KernelError.Number.noDevice)
    }
    let inUse = associatedEntry(interface, of: adapter)?.frequencyKHz
    for channel in adapter.channels where !channel.isDisabled {
      let timeMs = UInt64(configuration.passiveDwell.wholeNanoseconds / 1_000_000)
      let busyMs = timeMs * UInt64(air.utilization(frequencyKHz: channel.frequencyKHz, at: now)) / 255
      builder.generic(
        family: configuration.family, flags: NetlinkMessage.Flag.multi, command: NL80211.Command.newSurveyResults
      ) { builder in
        builder.write(NL80211.Attribute.interfaceIndex, interface.index)
        builder.nest(NL80211.Attribute.surveyInfo) { builder in
          builder.write(1, channel.frequencyKHz / 1000)
          builder.write(2, UInt8(bitPattern: -92))
          if channel.frequencyKHz == inUse { builder.writeFlag(3) }
          builder.write(4, timeMs)
          builder.write(5, busyMs)
        }
      }
    }
    finishDump(request, builder)
  }

  func answerStations(_ request: Request) throws(Refusal) {
    var builder = MessageBuilder(split: split(for: request.link), sequence: request.sequence, port: request.link.port)
    // nl80211_get_station: one station is asked for by its address.
    if !request.isDump {
      let (adapter, interface) = try interface(of: request)
      guard let address = request.attribute(NL80211.Attribute.mac)?.payload else { throw Refusal(KernelError.Number.invalid) }
      guard let entry = associatedEntry(interface, of: adapter), request.bytes[address].elementsEqual(entry.bssid.bytes) else {
        throw Refusal(KernelError.Number.noEntry)
      }
      writeStation(entry, interface, flags: 0, into: &builder)
      reply(request, builder)
      if request.header.flags & NetlinkMessage.Flag.acknowledge != 0 { acknowledge(request) }
      return
    }
    guard let (adapter, interface) = try? interface(of: request) else {
      return finishDump(request, builder, error: KernelError.Number.noDevice)
    }
    if let entry = associatedEntry(interface, of: adapter) {
      writeStation(entry, interface, flags: NetlinkMessage.Flag.multi, into: &builder)
    }
    finishDump(request, builder)
  }

  /// The access point that an interface is joined to (nl80211_send_station).
  private func writeStation(_ entry: BSSEntry, _ interface: SimulatedInterface, flags: UInt16, into builder: inout MessageBuilder) {
    let signal = UInt8(bitPattern: Int8(clamping: entry.signalMBm / 100))
    builder.generic(family: configuration.family, flags: flags, command: NL80211.Command.newStation) { builder in
      builder.write(NL80211.Attribute.interfaceIndex, interface.index)
      builder.write(NL80211.Attribute.mac, entry.bssid)
      builder.write(NL80211.Attribute.generation, generation)
      builder.nest(NL80211.Attribute.stationInfo) { builder in
        builder.write(1, UInt32(clamping: (now.wholeNanoseconds - entry.lastHeardNs) / 1_000_000))
        builder.write(7, signal)
        builder.write(13, signal)
      }
    }
  }
}
