import Models
public import WiFi

/// The list of the known networks, as a page shows it.
public struct PageKnownList: Hashable, Sendable {
  /// One known network.
  public struct Row: Hashable, Sendable {
    /// Which one.
    public var key: PageKnownKey
    /// Its name.
    public var name: String
    /// How it is secured.
    public var security: String
    /// Whether that is broken or absent.
    public var isWeak: Bool
    /// The priority, where the daemon has any.
    public var priority: Int?
    /// Whether the daemon joins it by itself.
    public var joinsAutomatically: Bool
    /// Whether it hides its name.
    public var isHidden: Bool
    /// Whether it is joined.
    public var isJoined: Bool
    /// Whether it is among the found networks.
    public var isInRange: Bool
    /// Its strength in bars, 0 to 4, where it was heard.
    public var bars: Int?
    /// Its signal in dBm, where that is known.
    public var dBm: Int?
  }

  /// The rows, in order.
  public var rows: [Row]
  /// Whether they are being listed.
  public var isLoading: Bool
  /// Why they could not be listed.
  public var failure: String?
  /// Whether the last change outlives the daemon.
  public var isSaved: Bool
  /// What can be done: `add`, `duplicate`, `forget`.
  public var can: [String]

  init(_ known: KnownNetworksModel, _ viewer: Viewer) {
    rows = known.rows.map { row in
      let network = viewer.heard(row)
      return Row(
        key: PageKnownKey(row.id), name: row.name.isEmpty ? "(hidden)" : DisplayName.of(row.id.ssid), security: "\(row.security)",
        isWeak: row.security.isWeak, priority: row.priority, joinsAutomatically: row.joinsAutomatically,
        isHidden: row.isHidden, isJoined: row.isJoined, isInRange: row.isInRange, bars: network?.bars,
        dBm: network?.signalMBm.map { $0.wholeDBm })
    }
    isLoading = known.isLoading
    failure = known.failure.map { "\($0)" }
    isSaved = known.isSaved
    can = Self.can(known.features)
  }

  static func can(_ features: Set<KnownNetworkFeature>) -> [String] {
    [KnownNetworkFeature.add, .duplicate, .forget].filter(features.contains).map(\.rawValue)
  }
}

extension PageKnownList: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.objects("rows", rows) { $1.describe(into: &$0) }
    fields.field("isLoading", isLoading)
    if let failure { fields.field("failure", failure) }
    fields.field("isSaved", isSaved)
    fields.field("can", can)
  }
}

extension PageKnownList.Row: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("key", key.text)
    fields.field("name", name)
    fields.field("security", security)
    fields.field("isWeak", isWeak)
    if let priority { fields.field("priority", priority) }
    fields.field("joinsAutomatically", joinsAutomatically)
    fields.field("isHidden", isHidden)
    fields.field("isJoined", isJoined)
    fields.field("isInRange", isInRange)
    if let bars { fields.field("bars", bars) }
    if let dBm { fields.field("dBm", dBm) }
  }
}
