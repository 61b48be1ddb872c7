/// A range of the spectrum that channel numbers are counted in.
///
/// The raw value is the name that JSON and options use.
public enum Band: String, CaseIterable, Hashable, Sendable {
  /// 2401 to 2495 MHz.
  case ghz2_4 = "2.4GHz"
  /// 4900 to 5925 MHz, the Japanese 4.9 GHz channels included.
  case ghz5 = "5GHz"
  /// 5925 to 7125 MHz.
  case ghz6 = "6GHz"
  /// 57 to 71 GHz: directional multi-gigabit (IEEE 802.11-2020 clause 20).
  case ghz60 = "60GHz"
  /// Below 1 GHz: S1G (IEEE 802.11-2020 clause 23).
  case s1g = "S1G"

  /// The band that a frequency in kHz lies in, or `nil` where no channel of IEEE 802.11 can be.
  public init?(frequencyKHz: Int) {
    switch frequencyKHz {
    case 750_000..<960_000: self = .s1g
    case 2_401_000...2_495_000: self = .ghz2_4
    case 4_900_000..<5_925_000: self = .ghz5
    case 5_925_000...7_125_000: self = .ghz6
    case 57_000_000...71_000_000: self = .ghz60
    default: return nil
    }
  }

  /// The centre frequency of a channel in kHz, or `nil` where the band has no such channel.
  ///
  /// Starting frequencies and spacings are those of IEEE 802.11-2020 annex E. Numbers 182 to 196 of the 5 GHz band
  /// count from 4 GHz (Japan); number 2 of the 6 GHz band is the one at 5935 MHz (operating class 136); numbers of S1G
  /// are those of the United States, in steps of 500 kHz from 902 MHz. Centres of wide channels are numbers like any
  /// other.
  public func frequencyKHz(channel number: Int) -> Int? {
    switch self {
    case .ghz2_4:
      switch number {
      case 1...13: 2_407_000 + 5_000 * number
      case 14: 2_484_000
      default: nil
      }
    case .ghz5:
      switch number {
      case 182...196: 4_000_000 + 5_000 * number
      case 1...184: 5_000_000 + 5_000 * number
      default: nil
      }
    case .ghz6:
      switch number {
      case 2: 5_935_000
      case 1...233: 5_950_000 + 5_000 * number
      default: nil
      }
    case .ghz60:
      (1...6).contains(number) ? 56_160_000 + 2_160_000 * number : nil
    case .s1g:
      (1...51).contains(number) ? 902_000 + 500 * number : nil
    }
  }

  /// The number of the channel at `frequencyKHz`, or `nil` where this band has none.
  ///
  /// The opposite of ``frequencyKHz(channel:)``, and besides it numbers 182 to 184 for 5910 to 5920 MHz.
  public func channel(frequencyKHz: Int) -> Int? {
    guard Band(frequencyKHz: frequencyKHz) == self else { return nil }
    switch self {
    case .ghz2_4:
      if frequencyKHz == 2_484_000 { return 14 }
      return Self.step(frequencyKHz, from: 2_407_000, by: 5_000, within: 1...13)
    case .ghz5:
      if (4_910_000...4_980_000).contains(frequencyKHz) {
        return Self.step(frequencyKHz, from: 4_000_000, by: 5_000, within: 182...196)
      }
      return Self.step(frequencyKHz, from: 5_000_000, by: 5_000, within: 1...184)
    case .ghz6:
      if frequencyKHz == 5_935_000 { return 2 }
      let number = Self.step(frequencyKHz, from: 5_950_000, by: 5_000, within: 1...233)
      return number == 2 ? nil : number
    case .ghz60:
      return Self.step(frequencyKHz, from: 56_160_000, by: 2_160_000, within: 1...6)
    case .s1g:
      return Self.step(frequencyKHz, from: 902_000, by: 500, within: 1...51)
    }
  }

  private static func step(_ frequency: Int, from start: Int, by spacing: Int, within numbers: ClosedRange<Int>) -> Int? {
    let (number, rest) = (frequency - start).quotientAndRemainder(dividingBy: spacing)
    return rest == 0 && numbers.contains(number) ? number : nil
  }
}

extension Band: CustomStringConvertible {
  /// Such as `2.4GHz`.
  public var description: String { rawValue }
}
