/// The batches of a range of seeds, in order: each begins at a multiple of the size, but for the first.
///
/// Each is computed when it is asked for, so that a range of any size costs no memory.
package struct SeedBatches: RandomAccessCollection, Sendable {
  /// The number of seeds in a batch; more than one, so that the number of batches is an `Int`.
  package static let size: UInt64 = 64

  private let seeds: Range<UInt64>
  /// The number of the batch of the lowest seed, where the first multiple of the size begins number 0.
  private let first: UInt64
  package let endIndex: Int

  package var startIndex: Int { 0 }

  package init(of seeds: Range<UInt64>) {
    self.seeds = seeds
    first = seeds.lowerBound / Self.size
    endIndex = seeds.isEmpty ? 0 : Int((seeds.upperBound - 1) / Self.size - first) + 1
  }

  /// The seeds of the batch of one, before it.
  static func before(_ seed: UInt64) -> Range<UInt64> { seed / size * size..<seed }

  package subscript(index: Int) -> Range<UInt64> {
    let begin = (first + UInt64(index)) * Self.size
    // The last may end beyond what there are numbers for.
    let (end, overflows) = begin.addingReportingOverflow(Self.size)
    return Swift.max(begin, seeds.lowerBound)..<(overflows ? seeds.upperBound : Swift.min(end, seeds.upperBound))
  }
}
