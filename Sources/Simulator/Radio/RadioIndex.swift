/// Radios by channel and by square of the ground, so that a scan looks only at what is near.
struct RadioIndex {
  private let cellCm: Int64
  private var entries: [Entry] = []

  private struct Entry {
    /// Frequency, row and column, most significant first.
    var key: UInt64
    var record: UInt32
  }

  /// An index with squares of `cellCm`, in which what is within `cellCm` is in the same square or a neighbour.
  init(cellCm: Int64) { self.cellCm = max(cellCm, 100) }

  mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

  mutating func add(_ record: UInt32, frequencyMHz: UInt16, x: Int32, y: Int32) {
    entries.append(Entry(key: key(frequencyMHz, cell(y), cell(x)), record: record))
  }

  mutating func finish() {
    // Equal squares in the order of the records.
    entries.sort { ($0.key, $0.record) < ($1.key, $1.record) }
  }

  /// The square of a place, as one number for comparison.
  func square(of position: Position) -> UInt64 { key(0, cell(position.y), cell(position.x)) }

  /// The records on a channel in the square of a place and its eight neighbours, in order.
  func records(frequencyMHz: UInt16, around position: Position) -> [UInt32] {
    var result: [UInt32] = []
    let (row, column) = (cell(position.y), cell(position.x))
    for row in row - 1...row + 1 {
      let last = key(frequencyMHz, row, column + 1)
      let first = key(frequencyMHz, row, column - 1)
      let index = entries.partitioningIndex { $0.key >= first }
      result += entries[index...].prefix { $0.key <= last }.map(\.record)
    }
    return result
  }

  private func cell(_ coordinate: Int32) -> Int64 {
    let value = Int64(coordinate)
    return value >= 0 ? value / cellCm : -((-value + cellCm - 1) / cellCm)
  }

  private func key(_ frequencyMHz: UInt16, _ row: Int64, _ column: Int64) -> UInt64 {
    UInt64(frequencyMHz) << 48 | UInt64(row + 0x80_0000) << 24 | UInt64(column + 0x80_0000)
  }
}

extension Array {
  /// The index of the first element for which `isBehind` is true, or the end; it has to be true of all behind it, too.
  func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
