/// The batches of a range of seeds, each computed when it is asked for.
package struct SeedBatches: RandomAccessCollection, Sendable {
  private let seeds: Range<UInt64>
  private let size: UInt64
  /// The number of the batch of the lowest seed, where the first multiple of the size begins number 0.
  private let first: UInt64
  package let endIndex: Int

  package var startIndex: Int { 0 }

  /// The batches of these seeds, of so many each; more than one, so that their number is an `Int`.
  init(of seeds: Range<UInt64>, size: UInt64) {
    precondition(size > 1, "SeedBatches: \(size) seeds in a batch")
    self.seeds = seeds
    self.size = size
    first = seeds.lowerBound / size
    endIndex = seeds.isEmpty ? 0 : Int((seeds.upperBound - 1) / size - first) + 1
  }

  package subscript(index: Int) -> Range<UInt64> {
    let begin = (first + UInt64(index)) * size
    // The last may end beyond what there are numbers for.
    let (end, overflows) = begin.addingReportingOverflow(size)
    return Swift.max(begin, seeds.lowerBound)..<(overflows ? seeds.upperBound : Swift.min(end, seeds.upperBound))
  }
}
