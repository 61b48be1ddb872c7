public import WiFi

extension Viewer {
  /// What is known of the BSSs of a network, strongest first; empty where it is lost.
  public func facts(of id: NetworkID) -> [BSSFacts] { settings.foundNetworks.facts(of: id) }

  /// How long ago a network was heard; `nil` where nobody knows any more.
  public func age(of id: NetworkID) -> Duration? { settings.foundNetworks.lastHeard(id).map { max(now - $0, .zero) } }

  /// When a network was found last, as time since boot, as far back as events go.
  public func foundAt(_ id: NetworkID) -> Duration? { events.all.last { $0.network.id == id && $0.kind == .found }?.time }

  /// The signal of a network in each of `count` equal parts of the last `span`, in dBm; see ``SignalHistory``.
  public func signals(of id: NetworkID, last span: Duration, count: Int) -> [Int?] {
    guard let row = rows[id] else { return Array(repeating: nil, count: count) }
    return history.series(
      of: row.network.members.map(\.bssid), from: now - span, to: now, count: count, hold: max(.seconds(30), interval * 3))
  }
}
