public import WiFi

/// A kind of device: its radios, its networks and how it names and secures them.
public struct DeviceKind: Hashable, Sendable {
  /// The radios, 16 at most.
  public var radios: [Radio]
  /// How the main network is secured.
  public var security: [Weighted<AccessPointSecurity>]
  /// How the main network is called.
  public var names: NetworkNaming
  /// Further networks of every radio, each a BSS of its own, at most 7.
  public var extraNetworks: [ExtraNetwork] = []
  /// Whether further networks send no beacons of their own but stand in those of the main one (IEEE 802.11-2020
  /// 11.1.3.8).
  var usesMultipleBSSID = false
  /// Whether the radios are links of one multi-link device (Wi-Fi 7).
  var isMultiLink = false
  /// Whether stations that could use a higher band are not answered in the 2.4 GHz band.
  var steers = false
  /// How many of a thousand keep the name of the main network to themselves.
  package var hiddenPermille = 0
  /// How many of a thousand have Wi-Fi Protected Setup on.
  var wpsPermille = 0
  /// Whether it says how busy it is, and offers radio measurement and fast roaming.
  var isManaged = false
  /// How likely it is on by the hour of the day; `nil` is always, but for its downtimes.
  public var presence: HourlyPresence?
  /// Who the address was assigned to, 24 bits.
  public var oui: UInt32

  /// Makes a kind from its parts; the rest is set afterwards.
  public init(radios: [Radio], security: [Weighted<AccessPointSecurity>], names: NetworkNaming, oui: UInt32) {
    self.radios = radios
    self.security = security
    self.names = names
    self.oui = oui
  }

  /// One radio of a device.
  public struct Radio: Hashable, Sendable {
    /// The band.
    public var band: Band
    /// The primary channels, each with its weight.
    public var channels: [Weighted<Int>]
    /// How wide the channel is, in MHz; what the channel does not allow is 20.
    public var megahertz: Int
    /// The generation.
    public var generation: Generation
    /// The power with the gain of the antenna, in 1/100 dBm.
    public var powerMBm: Int32
    /// Spatial streams.
    public var streams = 2

    /// Makes a radio from its parts.
    public init(_ band: Band, channels: [Weighted<Int>], megahertz: Int, _ generation: Generation, powerMBm: Int32, streams: Int = 2) {
      self.band = band
      self.channels = channels
      self.megahertz = megahertz
      self.generation = generation
      self.powerMBm = powerMBm
      self.streams = streams
    }
  }

  /// A further network of a device.
  public struct ExtraNetwork: Hashable, Sendable {
    /// How it is called.
    public var names: NetworkNaming
    /// How it is secured.
    public var security: AccessPointSecurity
    /// Whether it hides its name.
    public var isHidden = false

    /// Makes one from its parts.
    public init(names: NetworkNaming, security: AccessPointSecurity, isHidden: Bool = false) {
      self.names = names
      self.security = security
      self.isHidden = isHidden
    }
  }
}
