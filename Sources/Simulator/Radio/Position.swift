import Determinism
import WiFi

/// A place in a world, in cm; `floor` counts storeys.
public struct Position: Hashable, Sendable {
  /// To the east, in cm.
  public var x: Int32
  /// To the north, in cm.
  public var y: Int32
  /// The storey.
  package var floor: Int16

  /// A place.
  public init(x: Int32, y: Int32, floor: Int16 = 0) {
    self.x = x
    self.y = y
    self.floor = floor
  }

  static let storeyCm: Int64 = 300

  /// The distance to another place in cm, storeys included.
  func distanceCm(to other: Position) -> Int64 {
    let (dx, dy) = (Int64(x) - Int64(other.x), Int64(y) - Int64(other.y))
    let dz = Int64(floor - other.floor) * Self.storeyCm
    return Int64(FixedPoint.squareRoot(UInt64(dx * dx + dy * dy + dz * dz)))
  }
}

/// How a station moves: from point to point at one speed, over and over; at rest with a single point.
public struct StationPath: Hashable, Sendable {
  /// The points, in order; from the last it goes back to the first.
  public var points: [Position]
  var speedCmPerS: Int64

  /// A station that stays.
  public init(at position: Position = Position(x: 0, y: 0)) {
    points = [position]
    speedCmPerS = 0
  }

  /// A station that moves.
  public init(through points: [Position], speedCmPerS: Int64) {
    precondition(!points.isEmpty, "StationPath: no points")
    self.points = points
    self.speedCmPerS = speedCmPerS
  }

  /// Where the station is at a time since boot.
  public func position(at time: Duration) -> Position {
    guard points.count > 1, speedCmPerS > 0 else { return points[0] }
    let legs = points.indices.map { points[$0].distanceCm(to: points[($0 + 1) % points.count]) }
    let total = legs.reduce(0, +)
    guard total > 0 else { return points[0] }
    let milliseconds = time.wholeNanoseconds / 1_000_000
    var way = (milliseconds * speedCmPerS / 1000) % total
    for (index, leg) in legs.enumerated() {
      if way < leg {
        let (from, to) = (points[index], points[(index + 1) % points.count])
        return Position(
          x: Int32(Int64(from.x) + (Int64(to.x) - Int64(from.x)) * way / leg),
          y: Int32(Int64(from.y) + (Int64(to.y) - Int64(from.y)) * way / leg), floor: way * 2 < leg ? from.floor : to.floor)
      }
      way -= leg
    }
    return points[0]
  }
}
