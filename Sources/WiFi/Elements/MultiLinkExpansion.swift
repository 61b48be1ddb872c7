/// The other links of the multi-link device that sent a frame: each with its complete list of elements
/// (IEEE 802.11be 35.3.3).
public struct MultiLinkExpansion: Hashable, Sendable {
  /// A link of the device that the frame was not sent on.
  public struct Link: Hashable, Sendable {
    /// The number of the link.
    public var linkID: Int
    /// The address of the station on this link: the BSSID of an access point.
    public var address: MACAddress?
    /// Capability Information.
    public var capabilities: UInt16?
    /// The profile as it is sent.
    public var profile: MultiLink.Profile
    /// Its elements, those of a complete profile with what it inherits.
    ///
    /// Offsets are those of this list.
    public var elements: ElementList
    /// Those of its elements that it inherits, where they stand in the frame; none for a profile that is not complete.
    public var inherited: [Element]
  }

  /// What the device says of itself; the basic variant's Common Info.
  public var device: MultiLink.Basic?

  /// The links, in the order of their profiles; of profiles of the same link the first counts.
  public var links: [Link]

  /// Reads the Per-STA Profiles of the first basic Multi-Link element of a frame; a frame without one has no links.
  ///
  /// - Parameter elements: The elements of the frame.
  public init(elements: ElementList) {
    let element = Self.element(of: elements)
    device = element?.basic
    links = element.map { Self.profiles(of: $0).map { Self.link($0, elements) } } ?? []
  }

  /// The first basic Multi-Link element of a frame.
  static func element(of elements: ElementList) -> MultiLink? { elements.all(MultiLink.self).first { $0.basic != nil } }

  /// The first profile of each link: at most 16, as the number of a link has four bits.
  static func profiles(of element: MultiLink) -> [MultiLink.Profile] {
    var seen: Set<Int> = []
    return element.profiles.filter { seen.insert($0.linkID).inserted }
  }

  /// The link of a profile, with what it inherits of the frame.
  static func link(_ profile: MultiLink.Profile, _ frame: ElementList) -> Link {
    var elements = profile.elementList
    var inherited: [Element] = []
    if profile.isComplete {
      (elements, inherited) = ElementInheritance.merge(
        frame: frame, profile: elements, own: ownElements, omitted: [NonInheritance.elementID])
    }
    return Link(
      linkID: profile.linkID, address: profile.address, capabilities: profile.capabilities, profile: profile, elements: elements,
      inherited: inherited)
  }

  /// Elements that speak of the link or the frame that they are sent in: TIM, Multiple BSSID, Multiple BSSID-Index,
  /// Reduced Neighbor Report, Multiple BSSID Configuration, Multi-Link.
  private static let ownElements: [ElementID] = [
    TIM.elementID, MultipleBSSID.elementID, MultipleBSSIDIndex.elementID, ReducedNeighborReport.elementID,
    MultipleBSSIDConfiguration.elementID, MultiLink.elementID,
  ]
}
