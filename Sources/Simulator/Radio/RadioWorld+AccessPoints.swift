import Determinism
import WiFi

extension RadioWorld {
  /// The BSSs of a radio that send beacons, the main one first.
  func accessPoints(of record: RadioRecord) -> [AccessPoint] {
    let kind = kinds[Int(record.kind)]
    let plan = kind.radios[Int(record.radio)]
    let key = deviceKey(record)
    var main = accessPoint(record, kind, plan)
    let name = main.ssid
    let extras = kind.extraNetworks.enumerated().map { number, network in
      (network, Self.ssid(network.names.name(of: Draw.bits(key, 30 + UInt64(number)), main: name.description)))
    }
    // Only a radio that speaks HE may put its further networks into one beacon, and in the 6 GHz band it must.
    if kind.usesMultipleBSSID && plan.band == .ghz6 {
      main.nontransmitted = extras.map { AccessPoint.NontransmittedBSS(ssid: $1, security: Self.allowed($0.security, plan.band)) }
      return [main]
    }
    return [main]
      + extras.enumerated().map { number, extra in
        var accessPoint = main
        accessPoint.bssid = address(oui: kind.oui, device: record.device, radio: Int(record.radio), bss: number + 1)
        accessPoint.ssid = extra.1
        accessPoint.isHidden = extra.0.isHidden
        accessPoint.security = Self.allowed(extra.0.security, plan.band)
        accessPoint.multiLink = nil
        return accessPoint
      }
  }

  private func accessPoint(_ record: RadioRecord, _ kind: DeviceKind, _ plan: DeviceKind.Radio) -> AccessPoint {
    let key = deviceKey(record)
    let security = kind.security[pick(kind.security.map(\.weight), Draw.bits(key, 20))].value
    var accessPoint = AccessPoint(
      bssid: address(oui: kind.oui, device: record.device, radio: Int(record.radio), bss: 0),
      ssid: Self.ssid(kind.names.name(of: Draw.bits(key, 21), main: "")),
      channel: Self.channel(plan.band, record.frequencyMHz, plan.megahertz), generation: plan.generation,
      security: Self.allowed(security, plan.band))
    accessPoint.isHidden = Draw.bool(Draw.bits(key, 22), permille: kind.hiddenPermille)
    accessPoint.hasWPS = plan.band != .ghz6 && Draw.bool(Draw.bits(key, 23), permille: kind.wpsPermille)
    accessPoint.dtimPeriod = UInt8(1 + Draw.below(Draw.bits(key, 24), 3))
    accessPoint.streams = plan.streams
    if kind.isManaged {
      let load = Draw.bits(key, 25)
      accessPoint.load = BSSLoad(
        stationCount: UInt16(Draw.below(load, 30)), channelUtilization: UInt8(Draw.below(Draw.bits(load, 1), 200)),
        availableAdmissionCapacity: 0)
      accessPoint.mobilityDomain = 0xA1B2
      accessPoint.deviceName = "AP-\(record.floor)-\(accessPoint.bssid.value >> 6 & 0x3_FFFF)"
    }
    guard kind.radios.count > 1 else { return accessPoint }
    // A device announces its radio in the 6 GHz band, because stations do not probe every channel there.
    for (number, other) in kind.radios.enumerated() where number != Int(record.radio) && (other.band == .ghz6 || kind.isMultiLink) {
      guard let frequency = frequency(ofRadio: number, besides: record) else { continue }
      accessPoint.neighbors.append(
        AccessPoint.Neighbor(
          bssid: address(oui: kind.oui, device: record.device, radio: number, bss: 0),
          channel: Self.channel(other.band, frequency, other.megahertz), ssid: accessPoint.ssid,
          linkID: kind.isMultiLink ? UInt8(number) : nil))
    }
    if kind.isMultiLink {
      accessPoint.multiLink = AccessPoint.MultiLinkMembership(
        address: MACAddress(accessPoint.bssid.value & ~0x3F | 0x0200_0000_000F), linkID: record.radio)
    }
    return accessPoint
  }

  private func pick(_ weights: [UInt64], _ bits: UInt64) -> Int {
    var rest = Draw.below(bits, weights.reduce(0, +))
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    return 0
  }

  /// The channel of another radio of the same device: its record is near this one.
  private func frequency(ofRadio number: Int, besides record: RadioRecord) -> UInt16? {
    radios(of: record.device).first { $0.radio == UInt8(number) }?.frequencyMHz
  }

  private static func channel(_ band: Band, _ frequencyMHz: UInt16, _ megahertz: Int) -> Channel {
    let number = band.channel(frequencyKHz: Int(frequencyMHz) * 1000) ?? 0
    let widths = [megahertz, 80, 40, 20].filter { $0 <= megahertz }
    return widths.lazy.compactMap { Channel(band: band, number: number, megahertz: $0) }.first
      ?? Channel(frequencyKHz: Int(frequencyMHz) * 1000)
  }

  /// The 6 GHz band allows neither open networks without encryption nor anything before WPA3.
  private static func allowed(_ security: AccessPointSecurity, _ band: Band) -> AccessPointSecurity {
    guard band == .ghz6 else { return security }
    switch security {
    case .open, .oweTransition: return .owe
    case .wep, .wpaPersonal, .wpaWPA2Personal, .wpa2Personal, .wpa2WPA3Personal: return .wpa3Personal
    case .wpa2Enterprise: return .wpa3Enterprise
    default: return security
    }
  }

  private static func ssid(_ name: String) -> SSID { SSID(Array(name.utf8.prefix(32))) ?? .wildcard }
}
