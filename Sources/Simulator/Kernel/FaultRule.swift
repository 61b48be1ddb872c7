public import Determinism
public import WiFi

/// One thing that goes wrong now and then: it looks at what passes between a program, the kernel and the air, and
/// returns a verdict.
///
/// A rule answers only the questions that it is about; for all others it lets everything pass. Rules are asked in
/// order, and of several verdicts the first counts. Each rule draws from a stream of its own.
public struct FaultRule {
  /// Its name, which its stream is named by.
  public let name: String

  /// The result of a request; `nil` where it is answered as ever.
  public var onRequest: (FaultedRequest, inout RandomStream) -> RequestVerdict? = { _, _ in nil }

  /// When a scan that begins is aborted, as time since boot; `nil` where it visits every channel.
  public var onScan: (FaultedScan, inout RandomStream) -> Duration? = { _, _ in nil }

  /// Whether an event, by its command, is lost on its way at a time since boot, and the socket says so (`ENOBUFS`).
  public var losesEvent: (UInt8, Duration, inout RandomStream) -> Bool = { _, _, _ in false }

  /// Whether the list of BSSs changes while it is read, at a time since boot (`NLM_F_DUMP_INTR`).
  public var interruptsDump: (Duration, inout RandomStream) -> Bool = { _, _ in false }

  /// Whether an answer in the middle of the list of BSSs is lost, and the socket says so (`ENOBUFS`).
  package var losesReply: (Duration, inout RandomStream) -> Bool = { _, _ in false }

  /// Changes what was heard during one dwell.
  public var changeFrames: (inout [HeardFrame], inout RandomStream) -> Void = { _, _ in }

  /// The forced result of a join; `nil` where it takes its course.
  public var onJoin: (Network, JoinRule, inout RandomStream) -> JoinRule? = { _, _, _ in nil }

  /// Begins: what is to happen at a time is scheduled here; returns what mends it when the faults stop.
  public var begin: (SimulatedKernel) -> (SimulatedKernel) -> Void = { _ in { _ in } }

  /// Makes a rule that lets everything pass but what `define` sets.
  public init(_ name: String, _ define: (inout FaultRule) -> Void) {
    self.name = name
    define(&self)
  }
}

/// A request as a rule sees it.
public struct FaultedRequest: Hashable, Sendable {
  /// The command, such as ``/WiFi/NL80211/Command/triggerScan``.
  public var command: UInt8
  /// The interface that it names.
  public var interfaceIndex: UInt32?
  /// When it came, as time since boot.
  public var time: Duration
}

/// The result of a request.
public enum RequestVerdict: Hashable, Sendable {
  /// It is refused with an error number.
  case refuse(Int32)
  /// Another program begins a scan on the adapter just before it.
  case preempt
  /// Its answer takes longer.
  case delay(Duration)
}

/// A scan as a rule sees it.
public struct FaultedScan: Hashable, Sendable {
  /// The adapter.
  public var wiphy: UInt32
  /// When it begins, as time since boot.
  public var start: Duration
  /// When it would end.
  public var end: Duration
}

/// The rules of a kernel, in order, and when they stop.
struct Faults {
  private let rules: [FaultRule]
  private var streams: [RandomStream] = []
  private let until: Duration?
  /// What mends that which the rules broke.
  private var ends: [(SimulatedKernel) -> Void] = []

  init(_ rules: [FaultRule] = [], seed: UInt64 = 0, until: Duration? = nil) {
    self.rules = rules
    self.until = until
    var counts: [String: Int] = [:]
    for rule in rules {
      // The second rule of one name has a stream of its own, whatever stands between the two.
      let count = counts[rule.name, default: 0] + 1
      counts[rule.name] = count
      streams.append(RandomStream(seed: seed, name: "fault \(rule.name) \(count)"))
    }
  }

  /// The first verdict of a rule at a time.
  mutating func first<Verdict>(_ time: Duration, _ ask: (FaultRule, inout RandomStream) -> Verdict?) -> Verdict? {
    if let until, time >= until { return nil }
    for index in rules.indices { if let verdict = ask(rules[index], &streams[index]) { return verdict } }
    return nil
  }

  mutating func begin(_ kernel: SimulatedKernel) {
    if until.map({ kernel.now < $0 }) ?? true { ends = rules.map { $0.begin(kernel) } }
  }

  func end(_ kernel: SimulatedKernel) { for end in ends { end(kernel) } }
}

extension SimulatedKernel {
  /// Lets these rules break things, instead of any before them.
  ///
  /// - Parameters:
  ///   - rules: asked in order.
  ///   - seed: what their streams are made of.
  ///   - until: when they stop, as time since boot, and mend what they broke; `nil` for never.
  public func setFaults(_ rules: [FaultRule], seed: UInt64, until: Duration? = nil) {
    run()
    endFaults()
    faults = Faults(rules, seed: seed, until: until)
    faultGeneration += 1
    let generation = faultGeneration
    faults.begin(self)
    guard let until else { return }
    schedule(at: until) { kernel in
      if kernel.faultGeneration == generation { kernel.endFaults() }
    }
  }

  /// Stops every rule and mends what they broke.
  func endFaults() {
    let ended = faults
    faults = Faults()
    ended.end(self)
  }

  func requestVerdict(_ request: Request) -> RequestVerdict? {
    let faulted = FaultedRequest(
      command: request.command, interfaceIndex: request.uint32(NL80211.Attribute.interfaceIndex), time: now)
    return faults.first(now) { $0.onRequest(faulted, &$1) }
  }

  func abortTime(of scan: FaultedScan) -> Duration? { faults.first(now) { $0.onScan(scan, &$1) } }

  func isEventLost(_ command: UInt8) -> Bool { isHit { $0.losesEvent(command, $1, &$2) } }
  func isDumpInterrupted() -> Bool { isHit { $0.interruptsDump($1, &$2) } }
  func isReplyLost() -> Bool { isHit { $0.losesReply($1, &$2) } }

  private func isHit(_ ask: (FaultRule, Duration, inout RandomStream) -> Bool) -> Bool {
    let time = now
    return faults.first(time) { ask($0, time, &$1) ? true : nil } ?? false
  }

  /// Lets the rules change what was heard in a dwell, those that were in force then.
  func changeFrames(_ frames: inout [HeardFrame], of dwell: Dwell) {
    _ = faults.first(dwell.end) { rule, random -> Void? in
      rule.changeFrames(&frames, &random)
      return nil
    }
  }

  /// The rule of a join, as the faults leave it.
  func joinRule(_ network: Network, _ rule: JoinRule) -> JoinRule { faults.first(now) { $0.onJoin(network, rule, &$1) } ?? rule }
}
