/// One radio of a device in a few bytes; everything else follows from the seed when it is needed.
struct RadioRecord {
  var x: Int32
  var y: Int32
  /// Which device, counted over all populations; a placed access point is a device of its own behind them.
  var device: UInt32
  var frequencyMHz: UInt16
  var floor: Int16
  var kind: UInt16
  var radio: UInt8
  /// Whether there is never line of sight, because the place was chosen so.
  var isObstructed: Bool

  var position: Position { Position(x: x, y: y, floor: floor) }

  /// The kind of placed access points.
  static let placed: UInt16 = .max
}
