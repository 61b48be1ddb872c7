public import Determinism
public import WiFi

/// From a time on, some access points have another name.
public struct SSIDChangeFault: FaultRule {
  public let name = "SSID change"
  /// When, as time since boot.
  public var time: Duration
  /// How many of a thousand access points.
  public var permille: Int
  /// What they are called then.
  public var ssid: SSID

  private var key: UInt64?

  /// Makes a rule from its parts.
  public init(at time: Duration, permille: Int = 200, to ssid: SSID) {
    self.time = time
    self.permille = permille
    self.ssid = ssid
  }

  public mutating func change(_ frames: inout [HeardFrame], _ random: inout RandomStream) {
    let key = key ?? random.next()
    self.key = key
    for index in frames.indices where frames[index].time >= time {
      guard Draw.bool(Draw.bits(key, frames[index].bssid.value), permille: permille) else { continue }
      frames[index].elements = ElementBytes.replacingSSID(of: frames[index].elements, with: ssid.bytes)
    }
  }
}
