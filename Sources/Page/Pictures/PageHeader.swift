public import Models
public import WiFi

/// What is scanned and how that goes.
public struct PageHeader: Hashable, Sendable {
  /// Whether Wi-Fi is on.
  public var isOn: Bool
  /// The name of the interface, or of what stands for one.
  public var interface: String?
  /// Where scans come from, where that is no adapter.
  public var source: String?
  /// The country of the regulatory domain, two letters.
  public var country: String?
  /// What happens now: `starting`, `scanning`, `waiting`, `joining` (the scan waits for a join), `ended`, `failing`, or
  /// `absent` where there is no adapter.
  public var phase: String
  /// The number of scans so far.
  public var scanCount: Int
  /// When the last scan ended.
  var lastEndMs: Int?
  /// How the last scan ended, where that needs to be said.
  public var completion: String?
  /// What keeps it from working, and what to do.
  public var problem: String?
  /// What limits it though it works.
  public var note: String?
  /// The number of networks, listed or not.
  public var totalCount: Int
  /// The time that counts as zero when times are shown.
  package var originMs: Int
  /// Whether times are times of day.
  public var isTimeOfDay: Bool
  /// Whether time advances between two states.
  package var clockRuns: Bool
  /// Whether networks can be joined.
  public var joins: Bool
  /// The place in a recording, where one is played.
  public var playback: Playback?

  /// What a viewer says of its scanning.
  init(_ viewer: Viewer) {
    joins = viewer.joinHint == nil
    let status = viewer.status
    isOn = viewer.settings.isOn
    // What a driver calls an interface, and a file a recording, is as untrusted as a name on the air.
    interface = status.interface.map { PrintableText.escape($0) }
    source = status.source.map { PrintableText.escape($0) }
    country = status.country.map { PrintableText.escape($0) }
    phase = status.phase.rawValue
    scanCount = status.count
    lastEndMs = status.lastEnd?.wholeMilliseconds
    completion = status.completionText
    problem = status.problem
    note = viewer.note
    totalCount = viewer.totalCount
    originMs = viewer.timeStyle.origin.wholeMilliseconds
    isTimeOfDay = viewer.timeStyle.isTimeOfDay
    clockRuns = viewer.playback == nil && !viewer.isPaused
    playback = viewer.playback
  }
}

extension PageHeader: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("isOn", isOn)
    if let interface { fields.field("interface", interface) }
    if let source { fields.field("source", source) }
    if let country { fields.field("country", country) }
    fields.field("phase", phase)
    fields.field("scanCount", scanCount)
    if let lastEndMs { fields.field("lastEndMs", lastEndMs) }
    if let completion { fields.field("completion", completion) }
    if let problem { fields.field("problem", problem) }
    if let note { fields.field("note", note) }
    fields.field("totalCount", totalCount)
    fields.field("originMs", originMs)
    fields.field("isTimeOfDay", isTimeOfDay)
    fields.field("clockRuns", clockRuns)
    fields.field("joins", joins)
    guard let playback else { return }
    fields.object("playback") { fields in
      fields.field("position", playback.position)
      fields.field("count", playback.count)
      fields.field("timeMs", playback.time.wholeMilliseconds)
      fields.field("durationMs", playback.duration.wholeMilliseconds)
      fields.field("isPlaying", playback.isPlaying)
    }
  }
}
