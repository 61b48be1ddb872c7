import WiFi

/// One BSS of a radio, with the bytes of its frames.
final class NearBSS {
  let accessPoint: AccessPoint
  let key: UInt64
  private var beacons: [[UInt8]]
  private var probeResponse: [UInt8] = []
  private lazy var fled: NearBSS? = {
    let narrow = Channel(band: .ghz5, number: 36, megahertz: 20)
    let same = Channel(band: .ghz5, number: 36, megahertz: accessPoint.channel.width.megahertz)
    guard let channel = same ?? narrow else { return nil }
    var moved = accessPoint
    moved.channel = channel
    return NearBSS(moved, key: key)
  }()

  init(_ accessPoint: AccessPoint, key: UInt64) {
    self.accessPoint = accessPoint
    self.key = key
    beacons = [[UInt8]](repeating: [], count: max(Int(accessPoint.dtimPeriod), 1))
  }

  func has(_ bssid: MACAddress) -> Bool {
    if accessPoint.bssid == bssid { return true }
    let offset = bssid.value &- accessPoint.bssid.value
    return offset > 0 && offset <= UInt64(accessPoint.nontransmitted.count)
  }

  /// Whether it answers a probe request for one of these names.
  func answers(_ ssids: [SSID]) -> Bool {
    ssids.contains { $0 == accessPoint.ssid || $0 == .wildcard && !accessPoint.isHidden }
      || accessPoint.nontransmitted.contains { ssids.contains($0.ssid) }
  }

  func elements(_ frame: AccessPoint.Frame, hasFled: Bool, beaconsToSwitch: UInt8?) -> [UInt8] {
    if hasFled, let fled { return fled.elements(frame, hasFled: false, beaconsToSwitch: nil) }
    if let beaconsToSwitch {
      var switching = accessPoint
      switching.channelSwitch = ChannelSwitchAnnouncement(
        channelSwitchMode: 1, newChannelNumber: 36, channelSwitchCount: beaconsToSwitch)
      return switching.encodedElements(of: frame)
    }
    switch frame {
    case .beacon(let count):
      let index = min(Int(count), beacons.count - 1)
      if beacons[index].isEmpty { beacons[index] = accessPoint.encodedBeacon(from: response, dtimCount: count) }
      return beacons[index]
    case .probeResponse: return response
    }
  }

  private var response: [UInt8] {
    if probeResponse.isEmpty { probeResponse = accessPoint.encodedElements(of: .probeResponse) }
    return probeResponse
  }
}
