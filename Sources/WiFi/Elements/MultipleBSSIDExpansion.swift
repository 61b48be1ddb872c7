/// The BSSs that a transmitted BSS speaks for: each with its address and its complete list of elements
/// (IEEE 802.11-2020 11.1.3.8).
public struct MultipleBSSIDExpansion: Hashable, Sendable {
  /// A BSS that sends no beacons of its own.
  public struct BSS: Hashable, Sendable {
    /// Its address.
    public var bssid: MACAddress
    /// Its index within the set, from 1.
    public var index: UInt8
    /// Its name, or `nil` where the profile has no SSID.
    public var ssid: SSID?
    /// Its Capability Information.
    public var capabilities: UInt16
    /// Its elements and those it inherits; offsets are those of this list.
    public var elements: ElementList
    /// Those of its elements that it inherits, where they stand in the frame.
    public var inherited: [Element]
  }

  /// The BSSs, in the order of their profiles; of profiles with the same index the first counts.
  public var bss: [BSS]

  /// Profiles that break the rules, as they are sent.
  public var malformed: [[UInt8]]

  /// Reads the nontransmitted profiles of a beacon or probe response.
  ///
  /// A profile that continues in the next Multiple BSSID element is joined first. It must start with Nontransmitted
  /// BSSID Capability and have a Multiple BSSID-Index within the set; otherwise it counts as malformed.
  ///
  /// - Parameters:
  ///   - bssid: The transmitted BSSID.
  ///   - elements: The elements of the frame.
  public init(bssid: MACAddress, elements: ElementList) {
    bss = []
    malformed = []
    Self.forEach(bssid: bssid, elements: elements) {
      bss.append($0)
    } malformed: {
      malformed.append($0)
    }
  }

  /// Reads the nontransmitted profiles of a beacon or probe response one at a time: all of them with all that they
  /// inherit may be some thousand times as much as the frame.
  static func forEach(
    bssid: MACAddress, elements: ElementList, _ body: (BSS) -> Void, malformed: ([UInt8]) -> Void
  ) {
    var pending: (profile: [UInt8], indicator: UInt8)?
    var indices: Set<UInt8> = []
    func finish() {
      guard let (bytes, indicator) = pending else { return }
      pending = nil
      guard let parts = parts(of: bytes, indicator, bssid) else { return malformed(bytes) }
      if indices.insert(parts.index).inserted { body(bss(parts, in: elements)) }
    }
    for element in elements.elements {
      guard case .multipleBSSID(let set) = element.value else { continue }
      let continues = set.continuesProfile
      for (position, profile) in set.profiles.enumerated() {
        if position == 0, continues, let start = pending {
          pending = (start.profile + profile, start.indicator)
          continue
        }
        finish()
        pending = (profile, set.maximumBSSIDIndicator)
      }
    }
    finish()
  }

  private typealias Parts = (profile: ElementList, bssid: MACAddress, index: UInt8, capabilities: UInt16)

  /// What a profile says of its BSS, or `nil` where it breaks the rules.
  private static func parts(of bytes: [UInt8], _ indicator: UInt8, _ transmitted: MACAddress) -> Parts? {
    let profile = MultipleBSSID.elementList(ofProfile: bytes)
    guard case .nontransmittedBSSIDCapability(let capability)? = profile.elements.first?.value,
      let index = profile.first(MultipleBSSIDIndex.self)?.index,
      let bssid = bssid(transmitted: transmitted, maximumBSSIDIndicator: indicator, index: index)
    else { return nil }
    return (profile, bssid, index, capability.capabilities)
  }

  private static func bss(_ parts: Parts, in frame: ElementList) -> BSS {
    let (elements, inherited) = ElementInheritance.merge(
      frame: frame, profile: parts.profile, own: [MultipleBSSID.elementID, MultiLink.elementID],
      omitted: [NontransmittedBSSIDCapability.elementID, NonInheritance.elementID])
    return BSS(
      bssid: parts.bssid, index: parts.index, ssid: parts.profile.ssid, capabilities: parts.capabilities, elements: elements,
      inherited: inherited)
  }

  /// The address of nontransmitted BSS `index` (IEEE 802.11-2020 11.1.3.8.1): the last n bits of the transmitted BSSID,
  /// plus the index, modulo 2^n; the other bits as they are.
  ///
  /// `nil` for an indicator that is not 1 to 8, or an index outside of 1 to 2^n − 1.
  public static func bssid(transmitted: MACAddress, maximumBSSIDIndicator: UInt8, index: UInt8) -> MACAddress? {
    guard (1...8).contains(maximumBSSIDIndicator) else { return nil }
    let mask: UInt64 = 1 << UInt64(maximumBSSIDIndicator) - 1
    guard index > 0, UInt64(index) <= mask else { return nil }
    return MACAddress(transmitted.value & ~mask | (transmitted.value + UInt64(index)) & mask)
  }
}
