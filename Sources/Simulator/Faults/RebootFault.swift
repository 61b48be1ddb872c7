public import Determinism
import WiFi

/// Some access points are silent for a while, then start again with a timer of zero.
public struct RebootFault: FaultRule {
  public let name = "reboot"
  /// When they fall silent, as time since boot.
  public var time: Duration
  /// How long they are silent.
  public var duration: Duration
  /// How many of a thousand access points.
  public var permille: Int

  private var key: UInt64?

  /// Makes a rule from its parts.
  public init(at time: Duration, for duration: Duration = .seconds(60), permille: Int = 200) {
    self.time = time
    self.duration = duration
    self.permille = permille
  }

  public mutating func change(_ frames: inout [HeardFrame], _ random: inout RandomStream) {
    let key = key ?? random.next()
    self.key = key
    let (begin, end, permille) = (time, time + duration, permille)
    frames.removeAll { frame in
      frame.time >= begin && frame.time < end && Draw.bool(Draw.bits(key, frame.bssid.value), permille: permille)
    }
    for index in frames.indices where frames[index].time >= end {
      guard Draw.bool(Draw.bits(key, frames[index].bssid.value), permille: permille) else { continue }
      frames[index].tsfUs = UInt64(clamping: (frames[index].time - end).wholeNanoseconds / 1000)
    }
  }
}
