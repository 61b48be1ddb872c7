public import WiFi

extension Viewer {
  /// What is known of the BSSs of a network, strongest first; empty where it is lost.
  public func facts(of id: NetworkID) -> [BSSFacts] { settings.foundNetworks.facts(of: id) }

  /// How long ago a network was heard; `nil` where that is no longer known.
  public func age(of id: NetworkID) -> Duration? { settings.foundNetworks.lastHeard(id).map { max(now - $0, .zero) } }

  /// When a network was found last, as time since boot, as far back as events go.
  public func foundAt(_ id: NetworkID) -> Duration? { events.all.last { $0.network.id == id && $0.kind == .found }?.time }

  /// The row of the network that a page is about; of one that is not listed, what the page has.
  package func row(of page: NetworkDetailModel) -> ViewedRow {
    rows[page.network.id] ?? ViewedRow(page.network, isJoined: page.isSelected, lostAt: page.networkIsLost ? now : nil)
  }

  /// The addresses whose makers are shown, here or by another viewer of these networks: those of the network of the
  /// page, or else of the subject.
  ///
  /// In the order of their values, so that a changed signal asks for nothing.
  public var addressesOfInterest: [MACAddress] { Set(scans.viewers.flatMap(\.shownAddresses)).sorted() }

  private var shownAddresses: [MACAddress] {
    guard settings.isOn else { return [] }
    let network = settings.destination?.detail?.network ?? subject.flatMap { rows[$0]?.network }
    return network?.members.prefix(Self.maximumMakers).map(\.bssid) ?? []
  }

  private static let maximumMakers = 16

  /// Who makes the access points of a network, such as `Acme Radio`; `nil` where it was not requested.
  public func makerText(of network: Network) -> (text: String, isKnown: Bool)? {
    guard let slowFacts, network.members.contains(where: { slowFacts.addresses.contains($0.bssid) }) else { return nil }
    switch slowFacts.makers {
    case .unasked: return nil
    case .loading: return ("looking up…", false)
    case .unavailable(let sentence): return (sentence, false)
    case .known(let makers):
      let names = Set(network.members.compactMap { makers[$0.bssid] }).sorted()
      if !names.isEmpty { return (names.joined(separator: ", "), true) }
      let isLocal = network.members.contains { $0.bssid.isLocallyAdministered }
      return (isLocal ? "– (locally administered)" : "– (not registered)", false)
    }
  }

  /// How busy the primary channels of a network are, where something is known of it, that of the strongest access point
  /// first.
  ///
  /// A channel is `Channel 37`, of a network on several bands `Channel 37, 6 GHz`, and `2407 MHz` where it has no
  /// number.
  public func loads(of network: Network) -> [(channel: String, load: ChannelLoad)] {
    var listed: Set<Int> = []
    return network.members.map(\.channel).compactMap { channel in
      let frequency = channel.primaryKHz
      guard listed.insert(frequency).inserted, let load = slowFacts?.load(frequencyKHz: frequency) else { return nil }
      if load.description.isEmpty { return nil }
      guard let number = channel.number else { return ("\(frequency / 1000) MHz", load) }
      let band = network.bands.count > 1 ? channel.band.map { ", \($0.rawValue.replacing("GHz", with: " GHz"))" } ?? "" : ""
      return ("Channel \(number)\(band)", load)
    }
  }

  /// What the driver counted last of the association to the joined network; `nil` for any other, and where nothing
  /// counts.
  public func station(of row: ViewedRow) -> Station? {
    guard row.isJoined, row.associationLoss == nil, let station = slowFacts?.station else { return nil }
    return row.network.members.contains { $0.bssid == station.address } ? station : nil
  }

  /// The signal of a network, as it is listed, in each of `count` equal parts of the last `span`, in dBm; see
  /// ``SignalHistory``.
  public func signals(of id: NetworkID, last span: Duration, count: Int) -> [Int?] {
    guard let row = rows[id] else { return Array(repeating: nil, count: count) }
    return history.series(
      of: row.listed.members.map(\.bssid), from: now - span, to: now, count: count, hold: max(.seconds(30), interval * 3))
  }
}
