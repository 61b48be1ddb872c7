/// What one scan heard.
public struct Scan: Hashable, Sendable {
  /// The name of the interface, or of what stands for one.
  public var interface: String
  /// When the scan began, as time since boot.
  public var start: Duration
  /// When its results were read, as time since boot.
  public var end: Duration
  /// How far it came.
  public var completion: Completion
  /// The frequencies it covered in kHz, or `nil` where all were, or where they are unknown.
  public var frequenciesKHz: [UInt32]?
  /// What was heard; for a cached list also what was heard before ``start``.
  public var bss: [BSS]
  /// BSSs that were heard and that a filter leaves out for their signal alone: what has left ``bss`` so is not lost.
  public var tooWeak: [BSS] = []
  /// BSSs that the source says are gone; most sources cannot know.
  public var lost: [MACAddress] = []
  /// Messages of the dump that could not be read at all.
  public var unreadable: Int = 0
  /// Where the machine was when the scan ended, where it is known.
  public var position: Position?

  /// How far a scan came.
  public enum Completion: Hashable, Sendable {
    /// It visited every channel it was to visit.
    case complete
    /// It ended early; what is missing may still be there.
    case partial(Interruption)
    /// Nothing was scanned: this is what the kernel remembered.
    case cached
  }

  /// Why a scan ended early.
  public enum Interruption: String, Hashable, Sendable {
    /// Another program or the driver ended it (`NL80211_CMD_SCAN_ABORTED`).
    case aborted
    /// Its end was not heard of, because events were lost (`ENOBUFS`).
    case eventsLost
    /// It took longer than was allowed.
    case deadline
    /// The kernel changed its list during every attempt to read it (`NLM_F_DUMP_INTR`).
    case dumpInterrupted
  }

  /// Makes a scan from its parts.
  public init(
    interface: String, start: Duration, end: Duration, completion: Completion, frequenciesKHz: [UInt32]? = nil,
    bss: [BSS]
  ) {
    self.interface = interface
    self.start = start
    self.end = end
    self.completion = completion
    self.frequenciesKHz = frequenciesKHz
    self.bss = bss
  }

  /// Whether the scan visited every channel it was to visit.
  public var isComplete: Bool { completion == .complete }

  /// When a BSS was heard last, as time since boot, from the finest figure the kernel gave.
  public func lastHeard(_ bss: BSS) -> Duration {
    if let nanoseconds = bss.lastSeenBootTimeNs, nanoseconds > 0, nanoseconds <= UInt64(Int64.max) {
      return .nanoseconds(Int64(nanoseconds))
    }
    if let milliseconds = bss.seenMsAgo { return end - .milliseconds(Int64(milliseconds)) }
    return end
  }
}

/// Where scans come from: an adapter, a recording, a simulation.
public protocol NetworkSource: AnyObject {
  /// Waits for the next scan, or returns `nil` when there will be no more.
  func nextScan() async throws -> Scan?
}
