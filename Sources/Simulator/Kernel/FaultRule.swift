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

  /// The result of a request.
  public var onRequest: (FaultedRequest, inout RandomStream) -> RequestVerdict = { _, _ in .pass }

  /// The result of a scan that begins.
  public var onScan: (FaultedScan, inout RandomStream) -> ScanVerdict = { _, _ in .pass }

  /// Whether an event, by its command, is lost on its way at a time since boot, and the socket says so (`ENOBUFS`).
  public var losesEvent: (UInt8, Duration, inout RandomStream) -> Bool = { _, _, _ in false }

  /// Whether the list of BSSs changes while it is read, at a time since boot (`NLM_F_DUMP_INTR`).
  public var interruptsDump: (Duration, inout RandomStream) -> Bool = { _, _ in false }

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
  /// It is answered as ever.
  case pass
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

/// The result of a scan.
public enum ScanVerdict: Hashable, Sendable {
  /// It visits every channel.
  case pass
  /// It is aborted at a time since boot.
  case abort(at: Duration)
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

  mutating func each(_ time: Duration, _ body: (FaultRule, inout RandomStream) -> Bool) {
    if let until, time >= until { return }
    for index in rules.indices where body(rules[index], &streams[index]) { return }
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

  func requestVerdict(_ request: Request) -> RequestVerdict {
    let faulted = FaultedRequest(
      command: request.command, interfaceIndex: request.uint32(NL80211.Attribute.interfaceIndex), time: now)
    var verdict = RequestVerdict.pass
    faults.each(now) { rule, random in
      verdict = rule.onRequest(faulted, &random)
      return verdict != .pass
    }
    return verdict
  }

  func scanVerdict(_ scan: FaultedScan) -> ScanVerdict {
    var verdict = ScanVerdict.pass
    faults.each(now) { rule, random in
      verdict = rule.onScan(scan, &random)
      return verdict != .pass
    }
    return verdict
  }

  func isEventLost(_ command: UInt8) -> Bool {
    var isLost = false
    let time = now
    faults.each(time) { rule, random in
      isLost = rule.losesEvent(command, time, &random)
      return isLost
    }
    return isLost
  }

  func isDumpInterrupted() -> Bool {
    var isInterrupted = false
    let time = now
    faults.each(time) { rule, random in
      isInterrupted = rule.interruptsDump(time, &random)
      return isInterrupted
    }
    return isInterrupted
  }

  /// Lets the rules change what was heard in a dwell, those that were in force then.
  func changeFrames(_ frames: inout [HeardFrame], of dwell: Dwell) {
    faults.each(dwell.end) { rule, random in
      rule.changeFrames(&frames, &random)
      return false
    }
  }

  /// The rule of a join, as the faults leave it.
  func joinRule(_ network: Network, _ rule: JoinRule) -> JoinRule {
    var changed = rule
    faults.each(now) { fault, random in
      guard let other = fault.onJoin(network, rule, &random) else { return false }
      changed = other
      return true
    }
    return changed
  }
}
