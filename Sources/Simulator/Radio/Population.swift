import Determinism

/// Devices of some kinds at some places.
public struct Population: Hashable, Sendable {
  /// How many there are.
  public var count: Count
  /// Where they stand.
  public var placement: Placement
  /// The kinds, each with its weight.
  public var kinds: [Weighted<DeviceKind>]

  /// Makes a population from its parts.
  public init(count: Count, placement: Placement, kinds: [Weighted<DeviceKind>]) {
    self.count = count
    self.placement = placement
    self.kinds = kinds
  }

  /// How many devices there are.
  public enum Count: Hashable, Sendable {
    /// Always as many.
    case fixed(Int)
    /// Any number of the range, each equally likely.
    case between(ClosedRange<Int>)
    /// Classes with their weights; within a class each number is equally likely.
    case histogram([Weighted<ClosedRange<Int>>])

    /// How many there are on average, in thousandths.
    var mean: Int {
      switch self {
      case .fixed(let count): count * 1000
      case .between(let range): (range.lowerBound + range.upperBound) * 500
      case .histogram(let classes):
        classes.reduce(0) { $0 + Int($1.weight) * ($1.value.lowerBound + $1.value.upperBound) * 500 }
          / max(1, classes.reduce(0) { $0 + Int($1.weight) })
      }
    }

    func draw(_ stream: inout RandomStream) -> Int {
      switch self {
      case .fixed(let count): count
      case .between(let range): stream.next(in: range)
      case .histogram(let classes): stream.next(in: classes[stream.pick(weights: classes.map(\.weight))].value)
      }
    }
  }

  /// Where devices stand; lengths in cm.
  public enum Placement: Hashable, Sendable {
    /// Anywhere in a rectangle around a centre, on any of the floors.
    case rectangle(center: Position, width: Int32, depth: Int32, floors: ClosedRange<Int>)
    /// In rows and columns of cells around the origin, one device a cell and floor, somewhere within the cell.
    case cells(columns: Int, rows: Int, floors: ClosedRange<Int>, cellCm: Int32)
    /// Where the origin hears them at a strength of the range in 1/100 dBm, each equally likely, shadowing included.
    case heardAtOrigin(signalMBm: ClosedRange<Int32>)
  }
}
