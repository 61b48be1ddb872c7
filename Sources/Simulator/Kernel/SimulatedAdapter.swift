public import WiFi

/// A wireless adapter of a ``SimulatedKernel``.
public struct SimulatedAdapter: Hashable, Sendable {
  /// Its number.
  public var wiphy: UInt32
  /// Its name.
  public var name: String
  /// Its interfaces, in the order they were made.
  public var interfaces: [SimulatedInterface]
  /// Its channels, in the order in which it scans them.
  public var channels: [SimulatedChannel] = SimulatedChannel.germany
  /// The most SSIDs in one scan request, the wildcard included.
  public var maximumScanSSIDs: UInt8 = 4
  /// The most bytes of extra elements in a probe request.
  public var maximumScanElementsLength: UInt16 = 2109
  /// The most SSIDs in one scheduled scan; 0 where it has none.
  public var maximumScheduledScanSSIDs: UInt8 = 4
  /// Whether the time on a channel can be set (`NL80211_EXT_FEATURE_SET_SCAN_DWELL`).
  public var canSetDwell = true
  /// Whether probe requests can carry a random address (`NL80211_FEATURE_SCAN_RANDOM_MAC_ADDR`).
  public var canRandomizeMAC = true
  /// Whether a switch keeps the radio silent.
  package var isRFKilled = false

  /// An adapter with one interface of type managed.
  public init(wiphy: UInt32 = 0, interface name: String = "wlan0", index: UInt32 = 3) {
    self.wiphy = wiphy
    self.name = "phy\(wiphy)"
    interfaces = [
      SimulatedInterface(
        index: index, name: name, wdev: UInt64(wiphy) << 32 | 1, address: MACAddress(0x0200_0000_0000 | UInt64(wiphy) << 8))
    ]
  }
}

/// An interface of a ``SimulatedAdapter``.
public struct SimulatedInterface: Hashable, Sendable {
  /// Its number.
  public var index: UInt32
  /// Its name.
  public var name: String
  /// Its number among wireless devices.
  public var wdev: UInt64
  /// Its address.
  public var address: MACAddress
  /// What it does.
  public var type = InterfaceType.station
  /// Whether it is up.
  package var isUp = true
  /// The BSS that it is associated with.
  public var associated: MACAddress?
}

/// A channel that an adapter has, and what the regulatory domain says of it.
public struct SimulatedChannel: Hashable, Sendable {
  /// The centre in kHz.
  public var frequencyKHz: UInt32
  /// Whether the regulatory domain forbids it.
  public var isDisabled = false
  /// Whether nothing may be sent before something was heard, so that scans are passive.
  public var isNoIR = false
  /// Whether radar must be watched for, which makes scans passive too.
  public var needsRadarDetection = false
  /// Whether it may be used indoors only.
  public var isIndoorOnly = false
  /// The most power in 1/100 dBm.
  public var maximumPowerMBm: UInt32 = 2000

  /// Whether a scan only listens there: radar, no initiation of radiation, or the 6 GHz band.
  var isPassive: Bool { isNoIR || needsRadarDetection || band == .ghz6 }

  var band: Band? { Band(frequencyKHz: Int(frequencyKHz)) }

  /// The channels of Germany: 1–13, 36–64 and 100–140 with radar from 52 on, 149–165, and 1–93 of the 6 GHz band.
  ///
  /// As Linux 6.1 has them with the same rules: radar alone is no prohibition to initiate.
  package static let germany: [SimulatedChannel] = {
    var channels: [SimulatedChannel] = []
    func add(
      _ band: Band, _ numbers: some Sequence<Int>, radar: Bool = false, indoor: Bool = false, power: UInt32
    ) {
      for number in numbers {
        guard let frequency = band.frequencyKHz(channel: number) else { continue }
        var channel = SimulatedChannel(frequencyKHz: UInt32(frequency))
        channel.needsRadarDetection = radar
        channel.isIndoorOnly = indoor
        channel.maximumPowerMBm = power
        channels.append(channel)
      }
    }
    add(.ghz2_4, 1...13, power: 2000)
    add(.ghz5, stride(from: 36, through: 48, by: 4), indoor: true, power: 2300)
    add(.ghz5, stride(from: 52, through: 64, by: 4), radar: true, indoor: true, power: 2000)
    add(.ghz5, stride(from: 100, through: 140, by: 4), radar: true, power: 2600)
    add(.ghz5, stride(from: 149, through: 165, by: 4), power: 1300)
    add(.ghz6, stride(from: 1, through: 93, by: 4), indoor: true, power: 2300)
    return channels
  }()
}
