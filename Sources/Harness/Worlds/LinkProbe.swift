import WiFi

/// The messages between a scanner and a kernel, as far as they say how scans ended: read from the messages, not
/// reported by the scanner.
public final class LinkProbe {
  /// What the messages say of one scan.
  public struct Scan: Hashable, Sendable {
    /// Whether the last scan that ended before was aborted.
    package var wasAborted = false
    /// Whether the list changed while it was read the last time.
    package var wasInterrupted = false
    /// Whether an answer was lost when it was read the last time.
    package var hasLostReplies = false
    /// When the kernel said, since a scan was requested last, that it had ended, as time since boot; `nil` where it did
    /// not.
    package var end: Duration?
    /// How often the list was read since a scan was requested last.
    package var readings = 0
  }

  /// What the messages said last.
  public private(set) var last = Scan()
  /// The answers since the list was last begun or taken, byte by byte; `nil` where some were lost.
  private(set) var list: [[UInt8]]? = []
  /// The number of the request that read the list last: answers to one before may still come, and count for nothing.
  private var sequence: UInt32 = 0

  /// Nothing has passed yet.
  public init() {}

  /// The answers when the list was read the last time, which are kept no longer; `nil` where some were lost.
  func takeList() -> [[UInt8]]? {
    defer { list = [] }
    return list
  }

  fileprivate func sent(_ message: [UInt8]) {
    for header in NetlinkWalk(message) {
      switch header.command(of: message) {
      case NL80211.Command.getScan:
        (last.wasInterrupted, last.hasLostReplies) = (false, false)
        last.readings += 1
        (list, sequence) = ([], header.sequence)
      case NL80211.Command.triggerScan: (last.end, last.readings) = (nil, 0)
      default: break
      }
    }
  }

  fileprivate func received(_ input: LinkInput, at time: Duration) {
    switch input {
    case .event(let bytes):
      for header in NetlinkWalk(bytes) {
        switch header.command(of: bytes) {
        case NL80211.Command.scanAborted: (last.wasAborted, last.end) = (true, time)
        case NL80211.Command.newScanResults: (last.wasAborted, last.end) = (false, time)
        default: break
        }
      }
    case .reply(let bytes):
      var isAnswer = false
      for header in NetlinkWalk(bytes) where header.sequence == sequence {
        isAnswer = true
        if header.flags & NetlinkMessage.Flag.dumpInterrupted != 0 { last.wasInterrupted = true }
      }
      if isAnswer { list?.append(bytes) }
    case .eventsLost: break
    case .repliesLost: (list, last.hasLostReplies) = (nil, true)
    }
  }
}

/// A link that is watched.
final class ProbedLink: Link {
  private let link: any Link
  private let probe: LinkProbe

  init(_ link: any Link, _ probe: LinkProbe) {
    self.link = link
    self.probe = probe
  }

  var bootTime: Duration { link.bootTime }

  func send(_ message: [UInt8]) throws(LinkError) {
    probe.sent(message)
    try link.send(message)
  }

  func join(group: UInt32) throws(LinkError) { try link.join(group: group) }

  func receive(until deadline: Duration) async throws(LinkError) -> LinkInput? {
    let input = try await link.receive(until: deadline)
    if let input { probe.received(input, at: link.bootTime) }
    return input
  }
}
