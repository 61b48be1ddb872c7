/// What happened in a run: one line an event, each with its virtual time, and a hash of all of them.
///
/// The hash is FNV-1a of 64 bits over the lines and a line feed after each, so that two runs of one seed can be compared
/// without keeping what happened.
public final class Trace {
  private let clock: VirtualClock
  private let keepsLines: Bool

  /// The lines, where they are kept.
  public private(set) var lines: [String] = []

  /// The hash of all lines.
  public private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The number of lines.
  public private(set) var count = 0

  /// An empty trace of what happens on `clock`.
  public init(clock: VirtualClock, keepsLines: Bool = true) {
    self.clock = clock
    self.keepsLines = keepsLines
  }

  /// Adds what happened now: seconds since the start, with at least three decimals, and `event`.
  public func record(_ event: String) {
    let line = VirtualTime.seconds(clock.now.offset, minimumDecimals: 3) + " " + event
    for octet in line.utf8 { hash = (hash ^ UInt64(octet)) &* 0x100_0000_01B3 }
    hash = (hash ^ 0x0A) &* 0x100_0000_01B3
    count += 1
    if keepsLines { lines.append(line) }
  }

  /// All lines, each with its line feed.
  public var text: String { lines.map { $0 + "\n" }.joined() }
}
