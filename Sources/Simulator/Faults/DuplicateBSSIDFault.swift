public import Determinism
import WiFi

/// Some access points have a twin: another network with the same address on the same channel.
public struct DuplicateBSSIDFault: FaultRule {
  public let name = "duplicate BSSID"
  /// How many of a thousand access points.
  public var permille: Int

  private var key: UInt64?

  /// Makes a rule for so many of a thousand access points.
  public init(permille: Int = 50) { self.permille = permille }

  public mutating func change(_ frames: inout [HeardFrame], _ random: inout RandomStream) {
    let key = key ?? random.next()
    self.key = key
    for frame in frames where Draw.bool(Draw.bits(key, frame.bssid.value), permille: permille) {
      var twin = frame
      twin.elements = ElementBytes.replacingSSID(of: frame.elements, with: Array("Twin".utf8))
      twin.signalMBm -= 600
      frames.append(twin)
    }
  }
}
