public import WiFi

/// One BSS as its access point is set up: everything that its beacons and probe responses say.
///
/// A device with two bands is two of these, a device with several names on one radio is several.
public struct AccessPoint: Hashable, Sendable {
  /// The address of the BSS.
  public var bssid: MACAddress
  /// The name of the network.
  public var ssid: SSID
  /// Whether beacons hide the name; a probe request with the name is still answered.
  public var isHidden = false
  /// Where it sends.
  public var channel: Channel
  /// The generation of Wi-Fi.
  public var generation: Generation
  /// How it is secured.
  public var security: AccessPointSecurity
  /// Spatial streams, 1 to 4.
  public var streams = 2
  /// The country, two letters.
  public var country = "DE"
  /// The time between beacons in TU of 1024 µs.
  public var beaconIntervalTU: UInt16 = 100
  /// Beacons from one DTIM to the next.
  public var dtimPeriod: UInt8 = 2
  /// How busy the access point says it is, if it does.
  public var load: BSSLoad?
  /// Between which access points a station can roam fast.
  public var mobilityDomain: UInt16?
  /// Whether Wi-Fi Protected Setup is on.
  public var hasWPS = false
  /// The name of the device in a vendor's element (Aruba's layout), if it gives one.
  public var deviceName: String?
  /// The BSSs of the same radio that send no beacons of their own; their addresses follow from their places.
  package var nontransmitted: [NontransmittedBSS] = []
  /// Other radios of the same device that the beacons announce.
  public var neighbors: [Neighbor] = []
  /// The multi-link device that this is a link of.
  public var multiLink: MultiLinkMembership?
  /// A switch to another channel that the beacons announce.
  var channelSwitch: ChannelSwitchAnnouncement?

  /// A BSS that sends no beacons of its own (IEEE 802.11-2020 11.1.3.8).
  package struct NontransmittedBSS: Hashable, Sendable {
    /// The name of the network.
    package var ssid: SSID
    /// How it is secured.
    package var security: AccessPointSecurity

    /// Makes one from its parts.
    package init(ssid: SSID, security: AccessPointSecurity) {
      self.ssid = ssid
      self.security = security
    }
  }

  /// Another radio of the same device, for the Reduced Neighbor Report.
  public struct Neighbor: Hashable, Sendable {
    /// The address of its BSS.
    public var bssid: MACAddress
    /// Where it sends.
    public var channel: Channel
    /// The name of its network.
    public var ssid: SSID
    /// The number of its link, where both are of one multi-link device.
    public var linkID: UInt8?

    /// Makes one from its parts.
    public init(bssid: MACAddress, channel: Channel, ssid: SSID, linkID: UInt8? = nil) {
      self.bssid = bssid
      self.channel = channel
      self.ssid = ssid
      self.linkID = linkID
    }
  }

  /// Which link of which multi-link device a BSS is (IEEE 802.11be).
  public struct MultiLinkMembership: Hashable, Sendable {
    /// The address of the device.
    public var address: MACAddress
    /// The number of the link.
    public var linkID: UInt8
  }

  /// Makes an access point of what every one has; the rest is set afterwards.
  public init(bssid: MACAddress, ssid: SSID, channel: Channel, generation: Generation, security: AccessPointSecurity) {
    self.bssid = bssid
    self.ssid = ssid
    self.channel = channel
    self.generation = generation
    self.security = security
  }

  /// The band of its channel; 2.4 GHz where the channel is in none.
  public var band: Band { channel.band ?? .ghz2_4 }

  /// The number of its primary channel, 0 where there is none.
  var channelNumber: UInt8 { UInt8(clamping: channel.number ?? 0) }

  /// The Capability Information field (IEEE 802.11-2020 9.4.1.4).
  public var capability: UInt16 { Self.capability(security, band: band, load: load != nil) }

  static func capability(_ security: AccessPointSecurity, band: Band, load: Bool) -> UInt16 {
    // ESS, Privacy, Short Slot Time in 2.4 GHz, Spectrum Management in 5 GHz, Radio Measurement.
    0x0001 | (security.isEncrypted ? 0x0010 : 0) | (band == .ghz2_4 ? 0x0400 : 0) | (band == .ghz5 ? 0x0100 : 0)
      | (load ? 0x1000 : 0)
  }
}

extension Channel {
  /// The channel of a primary channel number and a width, as the channelisation of the band has it.
  ///
  /// In the 2.4 GHz band 40 MHz extend upwards up to channel 7 and downwards above. `nil` where there is none.
  public init?(band: Band, number: Int, megahertz: Int) {
    let widths: [Width] = [.mhz20, .mhz40, .mhz80, .mhz160, .mhz320]
    guard let primaryKHz = band.frequencyKHz(channel: number), let width = widths.first(where: { $0.megahertz == megahertz }) else {
      return nil
    }
    if width == .mhz20 {
      self.init(primaryKHz: primaryKHz, width: width, center0KHz: primaryKHz)
      return
    }
    let first: Int
    switch band {
    case .ghz2_4:
      guard megahertz == 40 else { return nil }
      self.init(primaryKHz: primaryKHz, width: width, center0KHz: primaryKHz + (number <= 7 ? 10_000 : -10_000))
      return
    case .ghz5: first = number >= 149 ? 149 : number >= 100 ? 100 : 36
    case .ghz6: first = 1
    default: return nil
    }
    // Channel numbers count 5 MHz: a block of the width holds megahertz / 5 of them.
    let block = megahertz / 5
    let start = first + (number - first) / block * block
    let last = start + block - 4
    if band == .ghz5, last > (first == 36 ? 64 : first == 100 ? 144 : 177) { return nil }
    guard let lower = band.frequencyKHz(channel: start), (number - first) % 4 == 0 else { return nil }
    self.init(primaryKHz: primaryKHz, width: width, center0KHz: lower - 10_000 + megahertz * 500)
  }

  /// The number of the centre of the whole channel.
  var centerNumber: UInt8 { UInt8(clamping: band?.channel(frequencyKHz: center0KHz) ?? 0) }

  /// The number of the centre of the part of `megahertz` that the primary channel lies in.
  func centerNumber(within megahertz: Int) -> UInt8 {
    guard let band, let number else { return 0 }
    return Channel(band: band, number: number, megahertz: megahertz)?.centerNumber ?? 0
  }

  /// The global operating class (IEEE 802.11-2020 table E-4).
  var operatingClass: UInt8 {
    let number = number ?? 0
    switch band {
    case .ghz2_4: return width == .mhz40 ? (secondary == .above ? 83 : 84) : 81
    case .ghz5:
      switch width {
      case .mhz80: return 128
      case .mhz160: return 129
      case .mhz40:
        let base: UInt8 = number >= 149 ? 126 : number >= 100 ? 122 : number >= 52 ? 119 : 116
        return base + (secondary == .above ? 0 : 1)
      default: return number >= 149 ? 125 : number >= 100 ? 121 : number >= 52 ? 118 : 115
      }
    case .ghz6:
      switch width {
      case .mhz40: return 132
      case .mhz80: return 133
      case .mhz160: return 134
      case .mhz320: return 137
      default: return 131
      }
    default: return 0
    }
  }
}
