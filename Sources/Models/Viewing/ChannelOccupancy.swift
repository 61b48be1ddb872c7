public import WiFi

/// Which part of a band each access point occupies: bars with true centre and width.
///
/// A pure projection of networks. An 80+80 MHz channel is two bars of one access point.
public struct ChannelOccupancy: Hashable, Sendable {
  /// One access point, or one segment of it.
  public struct Bar: Hashable, Sendable {
    /// The network it belongs to.
    public var network: NetworkID
    /// The name of the network.
    public var ssid: SSID
    /// The address of the access point.
    public var bssid: MACAddress
    /// The lower edge in kHz.
    public var lowKHz: Int
    /// The upper edge in kHz.
    public var highKHz: Int
    /// The centre of the primary channel in kHz.
    public var primaryKHz: Int
    /// The signal in 1/100 dBm, where the driver gives it.
    public var signalMBm: Int32?

    /// The centre of the bar in kHz.
    public var centerKHz: Int { (lowKHz + highKHz) / 2 }
    /// The width of the bar in MHz.
    public var widthMHz: Int { (highKHz - lowKHz) / 1000 }
  }

  /// The band.
  public let band: Band
  /// The bars, the strongest first, equally strong by address.
  public let bars: [Bar]

  /// What `networks` occupy of a band.
  public init(_ networks: [Network], band: Band) {
    self.band = band
    var bars: [Bar] = []
    for network in networks {
      for member in network.members where member.channel.band == band {
        for (low, high) in member.channel.segmentsKHz {
          bars.append(
            Bar(
              network: network.id, ssid: network.ssid, bssid: member.bssid, lowKHz: low, highKHz: high,
              primaryKHz: member.channel.primaryKHz, signalMBm: member.signalMBm))
        }
      }
    }
    self.bars = bars.sorted {
      let (left, right) = ($0.signalMBm ?? -20_000, $1.signalMBm ?? -20_000)
      // An access point may be listed under two names.
      return left != right ? left > right : ($0.bssid, $0.lowKHz, $0.network) < ($1.bssid, $1.lowKHz, $1.network)
    }
  }

  /// The bars in as few lines as it takes that no two of a line overlap, the strongest in the first.
  public func lines() -> [[Bar]] {
    var lines: [[Bar]] = []
    for bar in bars {
      let free = lines.firstIndex { line in line.allSatisfy { $0.highKHz <= bar.lowKHz || bar.highKHz <= $0.lowKHz } }
      if let free { lines[free].append(bar) } else { lines.append([bar]) }
    }
    return lines
  }

  /// How many bars cover a frequency in kHz.
  public func count(at frequencyKHz: Int) -> Int { bars.count { $0.lowKHz < frequencyKHz && frequencyKHz < $0.highKHz } }
}

extension Channel {
  /// The edges of each segment, in kHz; DSSS counts as 20 MHz like its channels' successors.
  var segmentsKHz: [(low: Int, high: Int)] {
    let half = (width == .mhz80Plus80 ? 80 : width.megahertz) * 500
    let first = (center0KHz - half, center0KHz + half)
    guard let center1KHz else { return [first] }
    return [first, (center1KHz - half, center1KHz + half)]
  }
}
