import Models
public import WiFi

/// What one access point occupies of a band, or one segment of it.
public struct PageBar: Hashable, Sendable {
  /// The network it belongs to.
  public var network: PageKey
  /// The name of the network.
  public var name: String
  /// The address of the access point.
  public var bssid: String
  /// The band.
  public var band: String
  /// The lower edge in MHz.
  var lowMHz: Int
  /// The upper edge in MHz.
  var highMHz: Int
  /// The centre of the primary channel in MHz.
  public var primaryMHz: Int
  /// The signal in dBm.
  public var dBm: Int?

  /// What makes it the same bar.
  public var key: String { "\(bssid) \(lowMHz) \(network.text)" }

  /// The bars of a band, the strongest first.
  static func bars(of occupancy: ChannelOccupancy) -> [PageBar] {
    occupancy.bars.map { bar in
      PageBar(
        network: PageKey(bar.network), name: DisplayName.shown(bar.ssid), bssid: bar.bssid.description,
        band: occupancy.band.rawValue, lowMHz: bar.lowKHz / 1000, highMHz: bar.highKHz / 1000, primaryMHz: bar.primaryKHz / 1000,
        dBm: bar.signalMBm.map { $0.wholeDBm })
    }
  }
}

extension PageBar: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("key", key)
    fields.field("network", network.text)
    fields.field("name", name)
    fields.field("bssid", bssid)
    fields.field("band", band)
    fields.field("lowMHz", lowMHz)
    fields.field("highMHz", highMHz)
    fields.field("primaryMHz", primaryMHz)
    if let dBm { fields.field("dBm", dBm) }
  }
}

extension [PageBar] {
  /// Each by its ``PageBar/key``.
  var byKey: [String: PageBar] { reduce(into: [:]) { $0[$1.key] = $1 } }
}
