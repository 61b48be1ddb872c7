package import Models
import WiFi

/// Where frequencies of a band stand in a row of cells.
package struct ChannelAxis {
  /// The frequencies at both ends, in kHz.
  package let range: ClosedRange<Int>
  let first: Int
  private let columns: Int

  /// An axis that shows the part of the band that is in use, or all of a band that fits.
  package init(_ occupancy: ChannelOccupancy, column: Int, columns: Int) {
    first = column
    self.columns = max(columns, 1)
    let whole: ClosedRange<Int> =
      switch occupancy.band {
      case .ghz2_4: 2_400_000...2_484_000
      case .ghz5: 5_150_000...5_895_000
      case .ghz6: 5_925_000...7_125_000
      case .ghz60: 57_240_000...70_200_000
      case .s1g: 902_000...928_000
      }
    guard occupancy.band != .ghz2_4, let low = occupancy.bars.map(\.lowKHz).min(), let high = occupancy.bars.map(\.highKHz).max()
    else {
      range = whole
      return
    }
    // A margin of one channel; at least 320 MHz, so that one network does not fill the width.
    let middle = (low + high) / 2
    let half = max((high - low) / 2 + 20_000, 160_000)
    let start = max(min(middle - half, whole.upperBound - 2 * half), whole.lowerBound)
    range = min(start, low)...max(min(start + 2 * half, whole.upperBound), high)
  }

  /// The column of a frequency.
  package func column(_ frequencyKHz: Int) -> Int {
    first + (frequencyKHz - range.lowerBound) * (columns - 1) / max(range.upperBound - range.lowerBound, 1)
  }

  /// The 20 MHz channels, each with its column.
  package var channels: [(number: Int, column: Int)] {
    guard let band = Band(frequencyKHz: (range.lowerBound + range.upperBound) / 2) else { return [] }
    let numbers: [Int] =
      switch band {
      case .ghz2_4: Array(1...13)
      case .ghz5:
        Array(stride(from: 36, through: 64, by: 4)) + stride(from: 100, through: 144, by: 4) + stride(from: 149, through: 177, by: 4)
      case .ghz6: Array(stride(from: 1, through: 233, by: 4))
      case .ghz60: Array(1...6)
      case .s1g: Array(stride(from: 1, through: 51, by: 2))
      }
    return numbers.compactMap { number in
      guard let frequency = band.frequencyKHz(channel: number), range.contains(frequency) else { return nil }
      return (number, column(frequency))
    }
  }
}
