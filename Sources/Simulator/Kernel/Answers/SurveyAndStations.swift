import WiFi

/// `NL80211_CMD_GET_SURVEY` and `NL80211_CMD_GET_STATION`.
extension SimulatedKernel {
  func answerSurvey(_ request: Request) throws(Refusal) {
    var builder = builder(for: request)
    let (adapter, interface) = try interface(of: request)
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
    var builder = builder(for: request)
    let (adapter, interface) = try interface(of: request)
    let entry = associatedEntry(interface, of: adapter)
    if request.isDump {
      if let entry { writeStation(entry, interface, flags: NetlinkMessage.Flag.multi, into: &builder) }
      return finishDump(request, builder)
    }
    // nl80211_get_station: one station is asked for by its address.
    guard let address = request.attribute(NL80211.Attribute.mac)?.payload else { throw Refusal(KernelError.Number.invalid) }
    guard let entry, request.bytes[address].elementsEqual(entry.bssid.bytes) else { throw Refusal(KernelError.Number.noEntry) }
    writeStation(entry, interface, flags: 0, into: &builder)
    replyAndAcknowledge(request, builder)
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
        if let rate = SimulatedRate(entry) { builder.nest(8) { rate.write(into: &$0) } }
      }
    }
  }
}

/// The rate at which a station with two streams sends to an access point: the best scheme that its signal allows.
private struct SimulatedRate {
  private let family: Family
  private let index: Int
  private let megahertz: Int

  private enum Family { case ht, vht, he, eht }

  private static let streams = 2
  /// The data bits of a subcarrier in each symbol, in sixths of a bit, by scheme (19.5, 21.5, 27.5 and 36.5 of IEEE
  /// 802.11).
  private static let sixths = [3, 6, 9, 12, 18, 24, 27, 30, 36, 40, 45, 50, 54, 60]

  /// The rate for what an access point announces; `nil` where that is none of these schemes.
  init?(_ entry: BSSEntry) {
    let elements = ElementList(parsing: entry.elements)
    let channel = Channel(elements: elements, frequencyKHz: Int(entry.frequencyKHz))
    let best: Int
    switch Generation(elements: elements, band: channel.band) {
    case .wifi4: (family, best) = (.ht, 7)
    case .wifi5: (family, best) = (.vht, 9)
    case .wifi6, .wifi6E: (family, best) = (.he, 11)
    case .wifi7: (family, best) = (.eht, 13)
    case .dot11a, .dot11b, .dot11g, .dot11ad, .dot11ah, nil: return nil
    }
    megahertz = min(channel.width.megahertz, 320)
    // From -82 dBm on in steps of 3 dB, and 3 dB more for each doubling of the width, as the sensitivities of the
    // standard grow.
    let loss = [20: 0, 40: 3, 80: 6, 160: 9, 320: 12][megahertz] ?? 0
    let highest = family == .vht && megahertz == 20 ? 8 : best
    index = min(max((Int(entry.signalMBm) / 100 + 82 - loss) / 3, 0), highest)
  }

  /// In units of 100 kbit/s, with the longest guard interval of HT and VHT, and the shortest of HE and EHT.
  private var rate100kbps: UInt32 {
    let isNew = family == .he || family == .eht
    let subcarriers = (isNew ? [20: 234, 40: 468, 80: 980, 160: 1960, 320: 3920] : [20: 52, 40: 108, 80: 234, 160: 468])[megahertz] ?? 0
    // A symbol takes 4 µs, or 13.6.
    return UInt32(subcarriers * Self.sixths[index] * Self.streams * 100 / (6 * (isNew ? 136 : 40)))
  }

  /// Writes it as `nl80211_put_sta_rate` does.
  func write(into builder: inout MessageBuilder) {
    builder.write(5, rate100kbps)
    if rate100kbps < 1 << 16 { builder.write(1, UInt16(rate100kbps)) }
    if let width: UInt16 = [40: 3, 80: 8, 160: 10, 320: 18][megahertz] { builder.writeFlag(width) }
    let streams = UInt8(Self.streams)
    switch family {
    case .ht: builder.write(2, UInt8(index + 8 * (Self.streams - 1)))
    case .vht:
      builder.write(6, UInt8(index))
      builder.write(7, streams)
    case .he:
      builder.write(13, UInt8(index))
      builder.write(14, streams)
    case .eht:
      builder.write(19, UInt8(index))
      builder.write(20, streams)
    }
  }
}
