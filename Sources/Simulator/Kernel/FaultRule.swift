public import Determinism
public import WiFi

/// One thing that goes wrong now and then: it looks at what passes between a program, the kernel and the air, and
/// returns a verdict.
///
/// A rule answers only the questions that it is about; for all others it lets everything pass. Rules are asked in
/// order, and of several verdicts the first counts. Each rule draws from a stream of its own.
public protocol FaultRule {
  /// Its name, which its stream is named by.
  var name: String { get }

  /// The result of a request.
  mutating func verdict(onRequest request: FaultedRequest, _ random: inout RandomStream) -> RequestVerdict

  /// The result of a scan that begins.
  mutating func verdict(onScan scan: FaultedScan, _ random: inout RandomStream) -> ScanVerdict

  /// Whether an event is lost on its way, and the socket says so (`ENOBUFS`).
  mutating func losesEvent(_ command: UInt8, at time: Duration, _ random: inout RandomStream) -> Bool

  /// Whether the list of BSSs changes while it is read (`NLM_F_DUMP_INTR`).
  mutating func interruptsDump(at time: Duration, _ random: inout RandomStream) -> Bool

  /// Changes what was heard during one dwell.
  mutating func change(_ frames: inout [HeardFrame], _ random: inout RandomStream)

  /// The forced result of a join; `nil` where it takes its course.
  mutating func rule(forJoining network: Network, _ rule: JoinRule, _ random: inout RandomStream) -> JoinRule?

  /// Begins: what is to happen at a time is scheduled here.
  mutating func begin(_ kernel: SimulatedKernel)

  /// Ends: what was broken for good is mended here.
  mutating func end(_ kernel: SimulatedKernel)
}

extension FaultRule {
  public mutating func verdict(onRequest request: FaultedRequest, _ random: inout RandomStream) -> RequestVerdict { .pass }
  public mutating func verdict(onScan scan: FaultedScan, _ random: inout RandomStream) -> ScanVerdict { .pass }
  public mutating func losesEvent(_ command: UInt8, at time: Duration, _ random: inout RandomStream) -> Bool { false }
  public mutating func interruptsDump(at time: Duration, _ random: inout RandomStream) -> Bool { false }
  public mutating func change(_ frames: inout [HeardFrame], _ random: inout RandomStream) {}
  public mutating func rule(forJoining network: Network, _ rule: JoinRule, _ random: inout RandomStream) -> JoinRule? { nil }
  public mutating func begin(_ kernel: SimulatedKernel) {}
  public mutating func end(_ kernel: SimulatedKernel) {}
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
  private(set) var rules: [any FaultRule] = []
  private var streams: [RandomStream] = []
  private let until: Duration?

  /// No faults.
  init() { until = nil }

  init(_ rules: [any FaultRule], seed: UInt64, until: Duration?) {
    self.until = until
    var counts: [String: Int] = [:]
    for rule in rules {
      // The second rule of one name has a stream of its own, whatever stands between the two.
      let count = counts[rule.name, default: 0] + 1
      counts[rule.name] = count
      self.rules.append(rule)
      streams.append(RandomStream(seed: seed, name: "fault \(rule.name) \(count)"))
    }
  }

  private func isOver(_ time: Duration) -> Bool { until.map { time >= $0 } ?? false }

  mutating func each(_ time: Duration, _ body: (inout any FaultRule, inout RandomStream) -> Bool) {
    if isOver(time) { return }
    for index in rules.indices where body(&rules[index], &streams[index]) { return }
  }
}

extension SimulatedKernel {
  /// Lets these rules break things, instead of any before them.
  ///
  /// - Parameters:
  ///   - rules: asked in order.
  ///   - seed: what their streams are made of.
  ///   - until: when they stop, as time since boot, and mend what they broke; `nil` for never.
  public func setFaults(_ rules: [any FaultRule], seed: UInt64, until: Duration? = nil) {
    run()
    endFaults()
    faults = Faults(rules, seed: seed, until: until)
    faultGeneration += 1
    let generation = faultGeneration
    faults.each(now) { rule, _ in
      rule.begin(self)
      return false
    }
    guard let until else { return }
    schedule(at: until) { kernel in
      if kernel.faultGeneration == generation { kernel.endFaults() }
    }
  }

  /// Stops every rule and mends what they broke.
  func endFaults() {
    let ended = faults
    faults = Faults()
    for rule in ended.rules {
      var rule = rule
      rule.end(self)
    }
  }

  func requestVerdict(_ request: Request) -> RequestVerdict {
    let faulted = FaultedRequest(
      command: request.command, interfaceIndex: request.uint32(NL80211.Attribute.interfaceIndex), time: now)
    var verdict = RequestVerdict.pass
    faults.each(now) { rule, random in
      verdict = rule.verdict(onRequest: faulted, &random)
      return verdict != .pass
    }
    return verdict
  }

  func scanVerdict(_ scan: FaultedScan) -> ScanVerdict {
    var verdict = ScanVerdict.pass
    faults.each(now) { rule, random in
      verdict = rule.verdict(onScan: scan, &random)
      return verdict != .pass
    }
    return verdict
  }

  func isEventLost(_ command: UInt8) -> Bool {
    var isLost = false
    let time = now
    faults.each(time) { rule, random in
      isLost = rule.losesEvent(command, at: time, &random)
      return isLost
    }
    return isLost
  }

  func isDumpInterrupted() -> Bool {
    var isInterrupted = false
    let time = now
    faults.each(time) { rule, random in
      isInterrupted = rule.interruptsDump(at: time, &random)
      return isInterrupted
    }
    return isInterrupted
  }

  /// Lets the rules change what was heard in a dwell, those that were in force then.
  func changeFrames(_ frames: inout [HeardFrame], of dwell: Dwell) {
    faults.each(dwell.end) { rule, random in
      rule.change(&frames, &random)
      return false
    }
  }

  /// The rule of a join, as the faults leave it.
  func joinRule(_ network: Network, _ rule: JoinRule) -> JoinRule {
    var changed = rule
    faults.each(now) { fault, random in
      guard let other = fault.rule(forJoining: network, rule, &random) else { return false }
      changed = other
      return true
    }
    return changed
  }
}
