/// What happened in a run: one line an event, each with its virtual time, and a hash of all of them.
///
/// The hash is FNV-1a of 64 bits over the lines and a line feed after each, so that two runs of one seed can be
/// compared without keeping what happened.
public final class Trace {
  private let clock: VirtualClock
  /// Whether lines are kept; the hash and the number of lines go on without.
  public var keepsLines = true

  /// The lines, where they are kept.
  public private(set) var lines: [String] = []

  private var digest = TraceHash()
  /// What the lines of this time begin with.
  private var stamp: (time: Duration, text: String) = (.zero, "0.000 ")

  /// The hash of all lines.
  public var hash: UInt64 { digest.value }

  /// The number of lines.
  public private(set) var count = 0

  /// Called for each event and each note, to explain a run; there is no observer by default.
  package var onEvent: ((TraceEvent) -> Void)?

  /// An empty trace of what happens on `clock`.
  init(clock: VirtualClock) { self.clock = clock }

  /// Adds what happened now: seconds since the start, with at least three decimals, and `event`.
  public func record(_ event: String) { record(event, in: .run) }

  /// The same, and where it happened, to explain the run; that is no part of the line.
  package func record(_ event: String, in lane: TraceLane) {
    if let onEvent { onEvent(TraceEvent(time: clock.now.offset, lane: lane, text: event, line: count)) }
    let now = clock.now.offset
    if stamp.time != now { stamp = (now, VirtualTime.seconds(now, minimumDecimals: 3) + " ") }
    digest.append(stamp.text)
    digest.append(event)
    digest.append("\n")
    count += 1
    if keepsLines { lines.append(stamp.text + event) }
  }

  /// Reports something that is no line of the trace to the observer; costs nothing where there is none.
  package func note(_ event: @autoclosure () -> String, in lane: TraceLane) {
    if let onEvent { onEvent(TraceEvent(time: clock.now.offset, lane: lane, text: event(), line: nil)) }
  }

  /// All lines, each with its line feed.
  package var text: String { lines.map { $0 + "\n" }.joined() }
}

/// Where an event happened.
package enum TraceLane: String, Hashable, Sendable, CaseIterable {
  /// On the air, and in what joins networks.
  case world
  /// In what listens to the air.
  case scanner
  /// In the models.
  case models
  /// On the screen: rows, and what lies over them.
  case screen
  /// In front of the screen.
  case user
  /// In the run itself.
  case run
}

/// One event of a run, with where it happened.
package struct TraceEvent: Hashable, Sendable {
  /// When, in virtual time.
  package var time: Duration
  /// Where.
  package var lane: TraceLane
  /// What, as the trace says it.
  package var text: String
  /// The number of its line in the trace, from 0; `nil` where it is none.
  package var line: Int?

  package init(time: Duration, lane: TraceLane, text: String, line: Int?) {
    (self.time, self.lane, self.text, self.line) = (time, lane, text, line)
  }
}
