import Determinism
public import WiFi

extension FaultRule {
  /// Scans are aborted on the way (`NL80211_CMD_SCAN_ABORTED`).
  ///
  /// - Parameter permille: how many of a thousand scans.
  public static func aborted(permille: Int = 100) -> FaultRule {
    FaultRule("aborted") {
      $0.onScan = { scan, random in
        guard random.bool(UInt64(permille), in: 1000) else { return nil }
        // Anywhere between the start and the end.
        let part = Int64(random.next(below: 1000))
        return scan.start + (scan.end - scan.start) * Int(part) / 1000
      }
    }
  }

  /// An adapter is pulled out, and plugged in again after a while.
  ///
  /// - Parameters:
  ///   - time: when, as time since boot.
  ///   - duration: how long it is gone; `nil` forever, or until the faults stop.
  public static func adapterRemoved(wiphy: UInt32 = 0, at time: Duration, for duration: Duration? = nil) -> FaultRule {
    var removed: SimulatedAdapter?
    return timed("adapter removed", at: time, for: duration) { kernel, isRemoved in
      if isRemoved {
        removed = kernel.adapters.first { $0.wiphy == wiphy }
        return kernel.unplug(wiphy: wiphy)
      }
      guard var adapter = removed else { return }
      for index in adapter.interfaces.indices {
        adapter.interfaces[index].associated = nil
        // What manages the network brings a new interface up, whatever the old one was when it went.
        adapter.interfaces[index].isUp = true
      }
      kernel.plugIn(adapter)
    }
  }

  /// Requests for a scan meet an adapter that is busy (`EBUSY`).
  ///
  /// - Parameters:
  ///   - permille: how many of a thousand requests.
  ///   - scansForeign: whether another program really scans, which ends with an event, or the driver just says so.
  public static func busy(permille: Int = 100, scansForeign: Bool = true) -> FaultRule {
    FaultRule("busy") {
      $0.onRequest = { request, random in
        guard request.command == NL80211.Command.triggerScan, random.bool(UInt64(permille), in: 1000) else { return nil }
        return scansForeign ? .preempt : .refuse(KernelError.Number.busy)
      }
    }
  }

  /// Access points do not answer a join in time.
  ///
  /// - Parameters:
  ///   - permille: how many of a thousand joins.
  ///   - duration: how long the join is waited for.
  public static func connectTimeout(permille: Int = 100, after duration: Duration = .seconds(10)) -> FaultRule {
    FaultRule("connect timeout") {
      $0.onJoin = { _, rule, random in
        guard random.bool(UInt64(permille), in: 1000) else { return nil }
        return JoinRule(password: rule.password, duration: duration, failure: .timedOut)
      }
    }
  }

  /// Bytes of the elements of a frame are wrong, lengths among them.
  ///
  /// - Parameter permille: how many of a thousand frames.
  public static func corruptElements(permille: Int = 50) -> FaultRule {
    FaultRule("corrupt elements") {
      $0.changeFrames = { frames, random in
        for index in frames.indices where !frames[index].elements.isEmpty && random.bool(UInt64(permille), in: 1000) {
          for _ in 0...random.next(below: 4) {
            let place = Int(random.next(below: UInt64(frames[index].elements.count)))
            frames[index].elements[place] ^= UInt8(1 + random.next(below: 255))
          }
        }
      }
    }
  }

  /// Some access points have a twin: another network with the same address on the same channel.
  ///
  /// - Parameter permille: how many of a thousand access points.
  public static func duplicateBSSID(permille: Int = 50) -> FaultRule {
    FaultRule("duplicate BSSID") {
      $0.changeFrames = { frames, random in
        for frame in frames where random.hits(frame, permille) {
          var twin = frame
          twin.replaceSSID(with: Array("Twin".utf8))
          twin.signalMBm -= 600
          frames.append(twin)
        }
      }
    }
  }

  /// An interface is brought down for a while.
  ///
  /// - Parameters:
  ///   - time: when, as time since boot.
  ///   - duration: how long; `nil` forever, or until the faults stop.
  public static func interfaceDown(interfaceIndex: UInt32 = 3, at time: Duration, for duration: Duration? = nil) -> FaultRule {
    timed("interface down", at: time, for: duration) { kernel, isDown in kernel.setInterface(interfaceIndex, isUp: !isDown) }
  }

  /// The list of BSSs changes while it is read (`NLM_F_DUMP_INTR`).
  ///
  /// - Parameter permille: how many of a thousand lists.
  public static func interruptedDump(permille: Int = 100) -> FaultRule {
    FaultRule("interrupted dump") { $0.interruptsDump = { _, random in random.bool(UInt64(permille), in: 1000) } }
  }

  /// The kernel takes its time to answer.
  ///
  /// - Parameters:
  ///   - permille: how many of a thousand requests.
  ///   - maximumMs: the longest an answer takes, in ms; each time up to it is equally likely.
  public static func lateAnswer(permille: Int = 100, maximumMs: UInt64 = 2000) -> FaultRule {
    FaultRule("late answer") {
      $0.onRequest = { _, random in
        guard random.bool(UInt64(permille), in: 1000) else { return nil }
        return .delay(.milliseconds(Int64(1 + random.next(below: maximumMs))))
      }
    }
  }

  /// Events do not fit into the socket any more: they are lost, and the socket says so (`ENOBUFS`).
  ///
  /// - Parameter permille: how many of a thousand events.
  public static func lostEvents(permille: Int = 100) -> FaultRule {
    FaultRule("lost events") { $0.losesEvent = { _, _, random in random.bool(UInt64(permille), in: 1000) } }
  }

  /// An answer in the middle of the list of BSSs does not fit into the socket any more: it is lost, and the socket says
  /// so (`ENOBUFS`).
  ///
  /// - Parameter permille: how many of a thousand lists.
  public static func lostReplies(permille: Int = 100) -> FaultRule {
    FaultRule("lost replies") { $0.losesReply = { _, random in random.bool(UInt64(permille), in: 1000) } }
  }

  /// Some access points are silent for a while, then start again with a timer of zero.
  ///
  /// - Parameters:
  ///   - time: when they fall silent, as time since boot.
  ///   - permille: how many of a thousand access points.
  public static func reboot(at time: Duration, for duration: Duration = .seconds(60), permille: Int = 200) -> FaultRule {
    FaultRule("reboot") {
      $0.changeFrames = { frames, random in
        let end = time + duration
        frames.removeAll { $0.time >= time && $0.time < end && random.hits($0, permille) }
        for index in frames.indices where frames[index].time >= end && random.hits(frames[index], permille) {
          frames[index].tsfUs = UInt64(clamping: (frames[index].time - end).wholeNanoseconds / 1000)
        }
      }
    }
  }

  /// The radio of an adapter is switched off for a while, and with it its interfaces go down.
  ///
  /// - Parameters:
  ///   - time: when, as time since boot.
  ///   - duration: how long; `nil` forever, or until the faults stop.
  public static func rfkill(wiphy: UInt32 = 0, at time: Duration, for duration: Duration? = nil) -> FaultRule {
    timed("rfkill", at: time, for: duration) { kernel, isBlocked in kernel.setRadio(!isBlocked, wiphy: wiphy) }
  }

  /// From a time since boot on, some access points have another name.
  ///
  /// - Parameter permille: how many of a thousand access points.
  public static func ssidChange(at time: Duration, permille: Int = 200, to ssid: SSID) -> FaultRule {
    FaultRule("SSID change") {
      $0.changeFrames = { frames, random in
        for index in frames.indices where frames[index].time >= time && random.hits(frames[index], permille) {
          frames[index].replaceSSID(with: ssid.bytes)
        }
      }
    }
  }

  /// The elements of a frame end in the middle.
  ///
  /// - Parameter permille: how many of a thousand frames.
  public static func truncatedElements(permille: Int = 50) -> FaultRule {
    FaultRule("truncated elements") {
      $0.changeFrames = { frames, random in
        for index in frames.indices where random.bool(UInt64(permille), in: 1000) {
          let count = frames[index].elements.count
          frames[index].elements = Array(frames[index].elements.prefix(Int(random.next(below: UInt64(max(count, 1))))))
        }
      }
    }
  }

  /// Joins fail as if the password were wrong.
  ///
  /// - Parameter permille: how many of a thousand joins.
  public static func wrongPassword(permille: Int = 100) -> FaultRule {
    FaultRule("wrong password") {
      $0.onJoin = { network, rule, random in
        guard network.isSecured, random.bool(UInt64(permille), in: 1000) else { return nil }
        var changed = rule
        changed.failure = .wrongPassword
        return changed
      }
    }
  }

  /// Something that is switched on at a time since boot and off again later, or when the faults stop.
  private static func timed(
    _ name: String, at time: Duration, for duration: Duration?, _ change: @escaping (SimulatedKernel, _ isOn: Bool) -> Void
  ) -> FaultRule {
    FaultRule(name) {
      $0.begin = { kernel in
        let timed = TimedSwitch(change)
        // A rule that stopped before its time changes nothing.
        kernel.schedule(at: time) { [weak timed] kernel in timed?.set(true, kernel) }
        if let duration { kernel.schedule(at: time + duration) { [weak timed] kernel in timed?.set(false, kernel) } }
        return { timed.set(false, $0) }
      }
    }
  }
}

private final class TimedSwitch {
  private let change: (SimulatedKernel, Bool) -> Void
  private var isOn = false

  init(_ change: @escaping (SimulatedKernel, Bool) -> Void) { self.change = change }

  func set(_ value: Bool, _ kernel: SimulatedKernel) {
    guard value != isOn else { return }
    isOn = value
    change(kernel, value)
  }
}

extension RandomStream {
  /// Whether a fault is about the access point of a frame, which is so for good: nothing is taken from the stream.
  fileprivate func hits(_ frame: HeardFrame, _ permille: Int) -> Bool {
    var stream = self
    return Draw.bool(Draw.bits(stream.next(), frame.bssid.value), permille: permille)
  }
}

extension HeardFrame {
  /// Changes the name without reading the elements; nothing where there is none.
  fileprivate mutating func replaceSSID(with ssid: [UInt8]) {
    guard elements.count >= 2, elements[0] == 0 else { return }
    elements = [0, UInt8(clamping: ssid.count)] + ssid + elements.dropFirst(2 + Int(elements[1]))
  }
}
