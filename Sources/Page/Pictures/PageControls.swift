import Models
public import WiFi

/// What the controls of the view are set to.
public struct PageControls: Hashable, Sendable {
  /// The text of the filter.
  package var filterText: String
  /// The bands of the filter; empty for all.
  public var bands: [String]
  /// The least signal of the filter in dBm.
  public var minimumSignalDBm: Int?
  /// How a network has to be secured.
  public var protection: String
  /// The least generation of Wi-Fi.
  public var minimumGeneration: Int?
  /// What the rows are sorted by.
  public var sort: String
  /// Whether the order is turned round.
  public var isReversed: Bool
  /// The pause between two scans.
  package var interval: Duration
  /// Whether the picture holds still.
  public var isPaused: Bool
  /// The highlighted row.
  public var cursor: PageKey?
  /// The network whose details stay.
  public var followed: PageKey?

  /// What the controls of a viewer are set to.
  init(_ viewer: Viewer) {
    let filter = viewer.filter
    filterText = filter.text
    bands = [Band.ghz2_4, .ghz5, .ghz6].filter { filter.bands.contains(NetworkFilter.Bands($0)) }.map(\.rawValue)
    minimumSignalDBm = filter.minimumSignalDBm
    protection = filter.protection.rawValue
    minimumGeneration = filter.minimumGeneration
    sort = viewer.sort.criterion.rawValue
    isReversed = viewer.sort.isReversed
    interval = viewer.interval
    isPaused = viewer.isPaused
    cursor = viewer.cursor.map { PageKey($0) }
    followed = viewer.followed.map { PageKey($0) }
  }
}

extension PageControls: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("filterText", filterText)
    fields.field("bands", bands)
    if let minimumSignalDBm { fields.field("minimumSignalDBm", minimumSignalDBm) }
    fields.field("protection", protection)
    if let minimumGeneration { fields.field("minimumGeneration", minimumGeneration) }
    fields.field("sort", sort)
    fields.field("isReversed", isReversed)
    fields.field("intervalSeconds", millionths: interval.wholeMilliseconds * 1000)
    fields.field("isPaused", isPaused)
    if let cursor { fields.field("cursor", cursor.text) }
    if let followed { fields.field("followed", followed.text) }
  }
}
