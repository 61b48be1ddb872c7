extension Channel {
  /// Derives the channel of a BSS from its elements and from where they were heard.
  ///
  /// The primary channel is the one that the elements name, where it lies in the band of `frequencyKHz`: DS Parameter
  /// Set, HT Operation and, in the 6 GHz band, HE Operation. A 2.4 GHz beacon is heard on neighbouring channels too.
  /// The width comes from the newest of HT, VHT, HE and EHT Operation that says something that the channelisation
  /// allows; of a contradiction the older, narrower part is kept (IEEE 802.11-2020 11.38.1 and 11.40.1, IEEE
  /// 802.11ax-2021 26.17, IEEE 802.11be 35.15.1).
  ///
  /// - Parameters:
  ///   - elements: The elements of a beacon or probe response.
  ///   - frequencyKHz: The centre of the channel that it was heard on, in kHz.
  public init(elements: ElementList, frequencyKHz: Int) {
    self.init(frequencyKHz: frequencyKHz)
    guard let band else { return }
    var said = Operations()
    // By index and number first: an element that does not matter here is not copied out of the list.
    for index in elements.elements.indices where Operations.isSaid(by: elements.elements[index].id) {
      said.take(elements.elements[index].value)
    }
    if let primary = said.primaryKHz(band) { self = Channel(frequencyKHz: primary) }
    if band == .s1g {
      if let operation = said.s1g, let channel = Self.s1g(operation, primaryKHz: primaryKHz) { self = channel }
      return
    }
    if band == .ghz60 { return }
    if said.isHT { width = .mhz20 }
    self = said.eht(self, band) ?? said.he(self, band) ?? said.vht(self, band) ?? said.ht40(primaryKHz) ?? self
  }

  private static func s1g(_ operation: S1GOperation, primaryKHz: Int) -> Channel? {
    // From 1 to 16 MHz, which are widths of S1G alone.
    guard let width = Width.allCases.first(where: { $0.megahertz == operation.operatingWidthMHz }),
      let center = Band.s1g.frequencyKHz(channel: Int(operation.centerChannel))
    else { return nil }
    return Channel(primaryKHz: primaryKHz, width: width, center0KHz: center)
  }
}

/// What the elements of a BSS say of its channel.
private struct Operations {
  var directSequence: UInt8?
  var ht: HTOperation?
  var vht: VHTOperationInformation?
  var he: HEOperation?
  var eht: EHTOperation?
  var s1g: S1GOperation?
  var isHT = false

  /// Whether an element says something of the channel.
  static func isSaid(by id: ElementID) -> Bool {
    switch id {
    case DSSSParameterSet.elementID, HTCapabilities.elementID, HTOperation.elementID, VHTOperation.elementID, S1GOperation.elementID,
      HECapabilities.elementID, HEOperation.elementID, EHTOperation.elementID:
      true
    default: false
    }
  }

  mutating func take(_ value: ElementValue) {
    switch value {
    case .dsssParameterSet(let set): directSequence = directSequence ?? set.currentChannel
    case .htCapabilities, .heCapabilities: isHT = true
    case .htOperation(let operation):
      ht = ht ?? operation
      isHT = true
    case .vhtOperation(let operation): vht = vht ?? operation.information
    case .heOperation(let operation): he = he ?? operation
    case .ehtOperation(let operation): eht = eht ?? operation
    case .s1gOperation(let operation): s1g = s1g ?? operation
    default: break
    }
  }

  func primaryKHz(_ band: Band) -> Int? {
    switch band {
    case .ghz2_4: frequency(band, directSequence) ?? frequency(band, ht?.primaryChannel)
    case .ghz5: frequency(band, ht?.primaryChannel)
    case .ghz6: frequency(band, he?.operation6GHz?.primaryChannel)
    case .s1g: frequency(band, s1g?.primaryChannel)
    case .ghz60: nil
    }
  }

  private func frequency(_ band: Band, _ number: UInt8?) -> Int? {
    number.flatMap { band.frequencyKHz(channel: Int($0)) }
  }

  func ht40(_ primaryKHz: Int) -> Channel? {
    guard let ht, ht.allowsAnyWidth else { return nil }
    switch ht.secondaryChannel {
    case .none: return nil
    case .above: return Channel(primaryKHz: primaryKHz, width: .mhz40, center0KHz: primaryKHz + 10_000)
    case .below: return Channel(primaryKHz: primaryKHz, width: .mhz40, center0KHz: primaryKHz - 10_000)
    }
  }

  func vht(_ channel: Channel, _ band: Band) -> Channel? {
    guard band == .ghz5, let vht else { return nil }
    return Self.channel(channel, vht, segment2: ht?.centerFrequencySegment2 ?? 0)
  }

  func he(_ channel: Channel, _ band: Band) -> Channel? {
    switch band {
    case .ghz5:
      return (he?.vhtOperation).flatMap { Self.channel(channel, $0, segment2: 0) }
    case .ghz6:
      guard let information = he?.operation6GHz else { return nil }
      let primary = channel.primaryKHz
      if information.width == 0 { return Channel(primaryKHz: primary, width: .mhz20, center0KHz: primary) }
      guard let center0 = frequency(band, information.segment0) else { return nil }
      if information.width == 3 { return Self.wide(channel, band, information.segment0, information.segment1) }
      return Channel(primaryKHz: primary, width: Self.widths[information.width], center0KHz: center0)
    default:
      return nil
    }
  }

  func eht(_ channel: Channel, _ band: Band) -> Channel? {
    guard let information = eht?.information, information.width < Self.widths.count,
      let center = frequency(band, information.width >= 3 ? information.segment1 : information.segment0)
    else { return nil }
    let primary = channel.primaryKHz
    return Channel(primaryKHz: primary, width: Self.widths[information.width], center0KHz: information.width == 0 ? primary : center)
  }

  /// The widths by their number in EHT Operation, of which 6 GHz Operation Information has the first three.
  private static let widths: [Channel.Width] = [.mhz20, .mhz40, .mhz80, .mhz160, .mhz320]

  /// VHT Operation Information in the 5 GHz band (IEEE 802.11-2020 table 11-24); `segment2` is that of HT Operation.
  private static func channel(_ channel: Channel, _ information: VHTOperationInformation, segment2: UInt8) -> Channel? {
    let primary = channel.primaryKHz
    guard let center0 = Band.ghz5.frequencyKHz(channel: Int(information.segment0)) else { return nil }
    switch information.width {
    case 1:
      let other = information.segment1 != 0 ? information.segment1 : segment2
      return wide(channel, .ghz5, information.segment0, other)
        ?? Channel(primaryKHz: primary, width: .mhz80, center0KHz: center0)
    case 2: return Channel(primaryKHz: primary, width: .mhz160, center0KHz: center0)
    case 3:
      guard let center1 = Band.ghz5.frequencyKHz(channel: Int(information.segment1)) else { return nil }
      return Channel(primaryKHz: primary, width: .mhz80Plus80, center0KHz: center0, center1KHz: center1)
    default: return nil
    }
  }

  /// 160 MHz where the centres are 8 numbers apart, 80+80 MHz where they are more than 16 apart.
  private static func wide(_ channel: Channel, _ band: Band, _ segment0: UInt8, _ segment1: UInt8) -> Channel? {
    guard let center0 = band.frequencyKHz(channel: Int(segment0)), let center1 = band.frequencyKHz(channel: Int(segment1)) else {
      return nil
    }
    switch abs(Int(segment0) - Int(segment1)) {
    case 8: return Channel(primaryKHz: channel.primaryKHz, width: .mhz160, center0KHz: center1)
    case 17...: return Channel(primaryKHz: channel.primaryKHz, width: .mhz80Plus80, center0KHz: center0, center1KHz: center1)
    default: return nil
    }
  }
}
