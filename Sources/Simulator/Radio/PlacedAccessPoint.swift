/// An access point that was put at a place.
public struct PlacedAccessPoint: Hashable, Sendable {
  /// What it sends.
  public var accessPoint: AccessPoint
  /// Where it stands.
  public var position: Position
  /// Its power with the gain of the antenna, in 1/100 dBm.
  public var powerMBm: Int32

  /// Puts an access point at a place.
  public init(_ accessPoint: AccessPoint, at position: Position, powerMBm: Int32 = 2000) {
    self.accessPoint = accessPoint
    self.position = position
    self.powerMBm = powerMBm
  }

  /// Puts an access point at a place, with its power in dBm, such as 20.
  public init(_ accessPoint: AccessPoint, at position: Position, powerDBm: Double) {
    self.init(accessPoint, at: position, powerMBm: Int32((powerDBm * 100).rounded()))
  }
}
