public import WiFi

/// What is known of the scanning itself: whether it runs, how the last scan ended, and what keeps it from working.
public struct ScanStatus: Hashable, Sendable {
  /// What happens now.
  public enum Phase: String, Hashable, Sendable {
    /// The first scan has not ended yet.
    case starting
    /// A scan runs.
    case scanning
    /// The next scan begins later.
    case waiting
    /// The next scan begins when the join that runs has ended.
    case joining
    /// There are no more scans, as at the end of a recording.
    case ended
    /// Nothing comes, for the reason of ``ScanStatus/problem``; it is tried again.
    case failing
    /// There is no adapter; ``ScanStatus/problem`` says what to do, and it is looked for again.
    case absent
  }

  /// What happens now.
  public var phase: Phase
  /// The number of scans so far.
  public var count: Int
  /// When the last scan ended, as time since boot.
  public var lastEnd: Duration?
  /// How long the last scan took.
  public var lastDuration: Duration?
  /// How far the last scan came.
  public var lastCompletion: Scan.Completion?
  /// The name of the interface, or of what stands for one.
  public var interface: String?
  /// Where scans come from, where that is no adapter, such as `home, seed 7`.
  public var source: String?
  /// The country of the regulatory domain, two letters, where it is known.
  public var country: String?
  /// What keeps it from working and what to do, in one or two sentences.
  public var problem: String?
  /// What limits it though it works, such as that it may not start scans itself.
  public var note: String?

  /// Makes a status from its parts.
  public init(
    phase: Phase = .starting, count: Int = 0, lastEnd: Duration? = nil, lastDuration: Duration? = nil,
    lastCompletion: Scan.Completion? = nil, interface: String? = nil, source: String? = nil, country: String? = nil,
    problem: String? = nil, note: String? = nil
  ) {
    self.phase = phase
    self.count = count
    self.lastEnd = lastEnd
    self.lastDuration = lastDuration
    self.lastCompletion = lastCompletion
    self.interface = interface
    self.source = source
    self.country = country
    self.problem = problem
    self.note = note
  }

  /// Records how a scan ended.
  mutating func take(_ scan: Scan) {
    phase = .waiting
    count += 1
    lastEnd = scan.end
    lastDuration = scan.end - scan.start
    lastCompletion = scan.completion
    interface = scan.interface
    problem = nil
  }

  /// How the last scan ended, where that needs to be said, such as `partial: aborted`.
  public var completionText: String? {
    switch lastCompletion {
    case nil, .complete: nil
    case .cached: "cached"
    case .partial(.aborted): "partial: aborted"
    case .partial(.eventsLost): "partial: events lost"
    case .partial(.deadline): "partial: took too long"
    case .partial(.dumpInterrupted): "partial: list kept changing"
    }
  }
}
