import Models
public import WiFi

/// One row of the list: everything that is drawn in it, but for its signal over time.
public struct PageRow: Sendable {
  /// The network.
  public var key: PageKey
  /// Its name, escaped where it has to be.
  public var name: String
  /// Whether that is its name, not a word for none.
  public var isNamed: Bool
  /// Its signal.
  public var signal: Signal
  /// The channel of its strongest access point.
  public var channel: Int?
  /// Its bands, such as `2.4/5`.
  public var bands: String
  /// The width of the channel of its strongest access point in MHz.
  public var widthMHz: Int?
  /// The generation of Wi-Fi in a few words.
  public var generation: String?
  /// How it is secured, in a word.
  public var security: String
  /// Whether joining needs a secret.
  public var isSecured: Bool
  /// Whether its protection is broken or absent.
  public var isWeak: Bool
  /// Whether it is joined.
  public var isJoined: Bool
  /// Whether the link to it was lost, and the daemon tries to return.
  package var isLinkLost: Bool
  /// Whether it is not there any more.
  public var isLost: Bool
  /// The number of its access points.
  public var accessPointCount: Int
  /// The same stamp in two rows says that they are equal, whatever their texts; a row that was changed since has none.
  var stamp: Stamp?

  /// What a row has in common with its copies alone.
  final class Stamp: Sendable {}

  /// What changes with every scan.
  public struct Signal: Hashable, Sendable {
    /// In dBm, where the driver gives it.
    public var dBm: Int?
    /// In percent.
    public var percent: Int
    /// In bars, 0 to 4.
    public var bars: Int
    /// When it was heard last.
    package var heardMs: Int?
  }

  init(_ row: ViewedRow, heard: Duration?) {
    let network = row.listed
    key = PageKey(row.id)
    name = ShortWords.name(network)
    isNamed = !network.ssid.isHidden
    signal = Signal(
      dBm: network.signalMBm.map { $0.wholeDBm }, percent: network.percent, bars: network.bars, heardMs: heard?.wholeMilliseconds)
    channel = network.members.first?.channel.number
    bands = ShortWords.bands(network)
    widthMHz = network.members.first?.channel.width.megahertz
    generation = network.generation?.summary
    security = PageWords.security(network.security)
    isSecured = network.isSecured
    isWeak = network.security.isWeak
    isJoined = row.isJoined
    isLinkLost = row.associationLoss != nil
    isLost = row.isLost
    accessPointCount = network.members.count
    stamp = Stamp()
  }

  /// The same with another signal.
  func with(_ signal: Signal) -> PageRow {
    var row = self
    row.signal = signal
    row.stamp = nil
    return row
  }

  /// Whether both are the same in everything but their signal.
  func isAlike(_ other: PageRow) -> Bool {
    key == other.key && name == other.name && isNamed == other.isNamed && channel == other.channel && bands == other.bands
      && widthMHz == other.widthMHz && generation == other.generation && security == other.security && isSecured == other.isSecured
      && isWeak == other.isWeak && isJoined == other.isJoined && isLinkLost == other.isLinkLost && isLost == other.isLost
      && accessPointCount == other.accessPointCount
  }
}

extension PageRow: Hashable {
  public static func == (left: PageRow, right: PageRow) -> Bool {
    if let stamp = left.stamp, stamp === right.stamp { return true }
    return left.signal == right.signal && left.isAlike(right)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(signal)
  }
}

extension PageRow: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("key", key.text)
    fields.field("name", name)
    fields.field("isNamed", isNamed)
    signal.describe(into: &fields)
    if let channel { fields.field("channel", channel) }
    fields.field("bands", bands)
    if let widthMHz { fields.field("widthMHz", widthMHz) }
    if let generation { fields.field("generation", generation) }
    fields.field("security", security)
    fields.field("isSecured", isSecured)
    fields.field("isWeak", isWeak)
    fields.field("isJoined", isJoined)
    if isLinkLost { fields.field("isLinkLost", true) }
    fields.field("isLost", isLost)
    fields.field("accessPointCount", accessPointCount)
  }
}

extension PageRow.Signal: Describable {
  public func describe(into fields: inout FieldWriter) {
    if let dBm { fields.field("dBm", dBm) }
    fields.field("percent", percent)
    fields.field("bars", bars)
    if let heardMs { fields.field("heardMs", heardMs) }
  }
}
