/// Where in the spectrum a BSS is: its primary channel, and how wide it is around which centre.
///
/// Frequencies are in kHz, because channels of S1G are 500 kHz apart.
public struct Channel: Hashable, Sendable {
  /// The centre of the primary channel, in kHz.
  public var primaryKHz: Int

  /// How wide the BSS is.
  public var width: Width

  /// The centre of the whole channel, or of the segment with the primary channel for 80+80 MHz, in kHz.
  public var center0KHz: Int

  /// The centre of the other segment for 80+80 MHz, in kHz.
  public var center1KHz: Int?

  /// Where the secondary 20 MHz channel lies.
  public var secondary: Secondary

  /// How wide a channel is.
  public enum Width: UInt8, CaseIterable, Hashable, Sendable {
    /// 20 MHz (22 MHz for DSSS) of a BSS that is not even HT.
    case noHT20
    case mhz20
    case mhz40
    case mhz80
    case mhz80Plus80
    case mhz160
    case mhz320
    case s1g1
    case s1g2
    case s1g4
    case s1g8
    case s1g16
    /// One channel of a directional multi-gigabit BSS.
    case mhz2160

    /// The width of all segments together, in MHz.
    public var megahertz: Int {
      switch self {
      case .noHT20, .mhz20: 20
      case .mhz40: 40
      case .mhz80: 80
      case .mhz80Plus80, .mhz160: 160
      case .mhz320: 320
      case .s1g1: 1
      case .s1g2: 2
      case .s1g4: 4
      case .s1g8: 8
      case .s1g16: 16
      case .mhz2160: 2160
      }
    }
  }

  /// On which side of the primary channel the secondary 20 MHz channel lies.
  public enum Secondary: String, Hashable, Sendable {
    /// There is none: the channel is 20 MHz wide.
    case none
    /// At the higher frequency.
    case above
    /// At the lower frequency.
    case below
  }

  /// A channel as wide as one primary channel of its band: 20 MHz, 2160 MHz in the 60 GHz band, 1 MHz in S1G.
  ///
  /// - Parameter frequencyKHz: the centre, in kHz.
  public init(frequencyKHz: Int) {
    primaryKHz = frequencyKHz
    center0KHz = frequencyKHz
    center1KHz = nil
    secondary = .none
    switch Band(frequencyKHz: frequencyKHz) {
    case .ghz60: width = .mhz2160
    case .s1g: width = .s1g1
    default: width = .noHT20
    }
  }

  /// A channel from its parts; where the secondary 20 MHz channel lies follows from the centre.
  ///
  /// Returns `nil` where the primary channel does not lie within the width around `center0KHz` as the
  /// channelisation of its band has it, or where 80+80 MHz lack the second centre or its segments touch.
  public init?(primaryKHz: Int, width: Width, center0KHz: Int, center1KHz: Int? = nil) {
    self.primaryKHz = primaryKHz
    self.width = width
    self.center0KHz = center0KHz
    self.center1KHz = nil
    secondary = .none
    let offset = center0KHz - primaryKHz
    switch width {
    case .noHT20, .mhz20, .mhz2160, .s1g1:
      guard offset == 0 else { return nil }
      return
    case .s1g2, .s1g4, .s1g8, .s1g16:
      guard offset.magnitude < width.megahertz * 500 else { return nil }
      return
    case .mhz80Plus80:
      guard let center1KHz, (center1KHz - center0KHz).magnitude > 80_000 else { return nil }
      self.center1KHz = center1KHz
    case .mhz40, .mhz80, .mhz160, .mhz320:
      break
    }
    let half = (width == .mhz80Plus80 ? 80 : width.megahertz) * 500
    // The primary is one of the 20 MHz channels within: an odd number of 10 MHz steps off the centre.
    guard offset.magnitude < half, offset.magnitude % 20_000 == 10_000 else { return nil }
    let index = (primaryKHz - (center0KHz - half)) / 20_000
    secondary = index % 2 == 0 ? .above : .below
  }

  /// The band that the primary channel lies in, or `nil` for a frequency outside all of them.
  public var band: Band? { Band(frequencyKHz: primaryKHz) }

  /// The number of the primary channel, or `nil` for a frequency that has none.
  public var number: Int? { band?.channel(frequencyKHz: primaryKHz) }

  /// The centre of the primary channel in MHz; half a megahertz of S1G is cut off.
  public var primaryMHz: Int { primaryKHz / 1000 }
}

extension Channel: Describable {
  public func describe(into fields: inout FieldWriter) { describe(into: &fields, frequencyKHz: primaryKHz) }

  /// Writes the channel of a BSS that was heard on a frequency.
  func describe(into fields: inout FieldWriter, frequencyKHz: Int) {
    fields.field("frequencyMHz", hundredths: frequencyKHz / 10)
    fields.fieldOrNull("channel", number)
    if let band { fields.field("band", band.rawValue) } else { fields.fieldNull("band") }
    fields.field("widthMHz", width.megahertz)
    fields.field("centerFrequency0MHz", hundredths: center0KHz / 10)
    if let center1KHz { fields.field("centerFrequency1MHz", hundredths: center1KHz / 10) }
    fields.field("secondaryChannel", secondary.rawValue)
  }
}

extension Channel: CustomStringConvertible {
  /// Such as `36 (5GHz, 80 MHz)`.
  public var description: String {
    let place = number.map { "\($0)" } ?? "\(primaryMHz) MHz"
    let width = width == .mhz80Plus80 ? "80+80" : "\(width.megahertz)"
    return "\(place) (\(band.map { "\($0.rawValue), " } ?? "")\(width) MHz)"
  }
}
