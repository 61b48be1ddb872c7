public import WiFi

/// A conversation with gpsd: bytes in, bytes out, and where the machine is.
///
/// It polls (`?POLL;`) instead of receiving a report each second: unread reports between two scans would fill the
/// connection, and gpsd closes one that is full.
public struct GPSDSession: Sendable {
  /// What gpsd said that matters.
  public enum Event: Hashable, Sendable {
    /// Where the machine is; `nil` where no receiver has a fix, or says nothing new.
    case position(Position?)
    /// The other side is not gpsd, or one of another protocol; a sentence.
    case failed(String)
  }

  /// How long a receiver may say the same before it is taken for one that was unplugged: most report each second.
  static let staleness = Duration.seconds(10)

  /// A fix that seems older than this was made by another clock, or is of a track that is played again.
  private static let oldest = Duration.seconds(86_400)

  private var line: [UInt8] = []
  private var hasGreeting = false
  /// When each moment was heard first that a receiver wrote.
  private var latest: [String: (time: String, since: Duration)] = [:]

  /// Starts before the greeting.
  public init() {}

  /// What to send first.
  public var greeting: [UInt8] { GPSDReport.watch }

  /// Takes what came from gpsd at `now`, by any clock that does not stand still.
  public mutating func receive(_ bytes: some Sequence<UInt8>, now: Duration) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      if byte != 0x0A {
        line.append(byte)
        if line.count > GPSDReport.maximumLineLength {
          line = []
          events.append(.failed("it sent a line of more than \(GPSDReport.maximumLineLength) bytes"))
          return events
        }
        continue
      }
      defer { line.removeAll(keepingCapacity: true) }
      if let event = event(now) { events.append(event) }
      if case .failed? = events.last { return events }
    }
    return events
  }

  private mutating func event(_ now: Duration) -> Event? {
    guard let report = GPSDReport(line: line) else {
      let start = PrintableText.escape(line.prefix(40))
      return .failed(hasGreeting ? "it sent what is no report: “\(start)”" : "what answers is not gpsd: “\(start)”")
    }
    switch report {
    case .version(let release, let major):
      hasGreeting = true
      // 3 since gpsd 2.94 of 2010.
      guard major == 3 else { return .failed("gpsd \(PrintableText.escape(release)) speaks protocol \(major), not 3") }
      return nil
    case .fixes(let fixes): return .position(position(fixes, now))
    case .error(let message): return .failed("it refused a request: \(PrintableText.escape(message))")
    case .other: return nil
    }
  }

  /// The most accurate position that is not stale.
  private mutating func position(_ fixes: [GPSDReport.Fix], _ now: Duration) -> Position? {
    var heard: [String: (time: String, since: Duration)] = [:]
    var fresh: [Position] = []
    for fix in fixes {
      guard let position = fix.position else { continue }
      guard let time = fix.time else {
        fresh.append(position)
        continue
      }
      let device = fix.device ?? ""
      var last = latest[device] ?? (time, isOld(fix) ? now - Self.staleness - .milliseconds(1) : now)
      if last.time != time { last = (time, now) }
      heard[device] = last
      if now - last.since <= Self.staleness { fresh.append(position) }
    }
    latest = heard
    return fresh.min { ($0.accuracyM ?? .infinity) < ($1.accuracyM ?? .infinity) }
  }

  /// Whether what is heard first is what a receiver said before it fell silent, which gpsd keeps.
  private func isOld(_ fix: GPSDReport.Fix) -> Bool { fix.age.map { Self.staleness..<Self.oldest ~= $0 } ?? false }
}
