import Observation

/// What viewers of the same networks share: how the scanning goes, and what was heard over time.
@Observable
final class ViewedScans {
  var isPaused: Bool
  var interval: Duration {
    didSet { if interval != Self.clamped(interval) { interval = Self.clamped(interval) } }
  }
  var status: ScanStatus
  var associationNote: String?
  var joinsOpenNetworks: Bool
  var joinHint: String?
  var forgetHint: String?
  var playback: Playback?
  var history: SignalHistory
  var events: NetworkEvents
  var now: Duration
  var timeStyle: TimeStyle
  var slowFacts: SlowFactsModel?
  private var members: [Weak] = []

  private struct Weak { weak var viewer: Viewer? }

  init(
    isPaused: Bool, interval: Duration, status: ScanStatus, history: SignalHistory, events: NetworkEvents, now: Duration,
    timeStyle: TimeStyle, joinsOpenNetworks: Bool
  ) {
    self.isPaused = isPaused
    self.interval = Self.clamped(interval)
    self.status = status
    self.history = history
    self.events = events
    self.now = now
    self.timeStyle = timeStyle
    self.joinsOpenNetworks = joinsOpenNetworks
  }

  private static func clamped(_ interval: Duration) -> Duration {
    min(max(interval, Viewer.intervalRange.lowerBound), Viewer.intervalRange.upperBound)
  }

  /// The viewers that there are, that which records what happens first.
  var viewers: [Viewer] { members.compactMap(\.viewer) }

  func add(_ viewer: Viewer) { members = members.filter { $0.viewer != nil } + [Weak(viewer: viewer)] }
}

extension Viewer {
  /// Whether the picture holds still and nothing is scanned.
  public var isPaused: Bool {
    get { scans.isPaused }
    set {
      guard newValue != scans.isPaused else { return }
      scans.isPaused = newValue
      for viewer in scans.viewers { viewer.rows.isAtRest = newValue }
    }
  }
  /// The pause between two scans, within ``intervalRange``.
  public var interval: Duration {
    get { scans.interval }
    set { scans.interval = newValue }
  }
  /// The scanning itself.
  public var status: ScanStatus {
    get { scans.status }
    set { scans.status = newValue }
  }
  /// Why nothing is heard of the association to the network that is joined; `nil` where it is watched, or there is no
  /// observer.
  public var associationNote: String? {
    get { scans.associationNote }
    set { scans.associationNote = newValue }
  }
  /// Whether a network without protection is joined as any other, with a sheet, and not selected at once.
  public var joinsOpenNetworks: Bool { scans.joinsOpenNetworks }
  /// Where networks cannot be joined from here, why; `nil` where they can.
  public var joinHint: String? {
    get { scans.joinHint }
    set { scans.joinHint = newValue }
  }
  /// Where networks cannot be forgotten from here, what to do instead; `nil` where they can.
  public var forgetHint: String? {
    get { scans.forgetHint }
    set { scans.forgetHint = newValue }
  }
  /// The place in a recording, where one is played.
  public var playback: Playback? {
    get { scans.playback }
    set { scans.playback = newValue }
  }
  /// The signal of every BSS over time.
  public var history: SignalHistory { scans.history }
  /// What happened, the latest last.
  public var events: NetworkEvents { scans.events }
  /// The time now, as time since boot.
  public var now: Duration { scans.now }
  /// How times are written.
  public var timeStyle: TimeStyle {
    get { scans.timeStyle }
    set { scans.timeStyle = newValue }
  }
  /// Facts that take time; `nil` where there are none, as of a recording.
  public var slowFacts: SlowFactsModel? {
    get { scans.slowFacts }
    set { scans.slowFacts = newValue }
  }

  /// Processes how far the attempt to join that runs has come, or why it failed.
  public func joinSays(_ note: String?) { for viewer in scans.viewers where viewer.isJoining { viewer.joinNote = note } }

  /// Whether another viewer of the same networks joins one.
  public var otherIsJoining: Bool { scans.viewers.contains { $0 !== self && $0.isJoining } }

  private var isJoining: Bool { settings.destination?.connect?.isConnecting == true }
}
