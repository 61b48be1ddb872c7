public import WiFi

extension Viewer {
  /// Shows the known networks.
  ///
  /// - Returns: why there are none to show, where there are not; `nil` where they are shown.
  public func knownNetworksTapped() -> String? {
    guard settings.isOn else { return "Wi-Fi is off; the known networks are shown when it is on." }
    settings.knownNetworksButtonTapped()
    if settings.destination?.known != nil { return nil }
    return playback != nil ? "A recording has no known networks." : "Nothing keeps known networks here."
  }

  /// The highlighted row among the known networks: the one that was chosen, where it is listed still, or else the
  /// first.
  public func knownCursor(in rows: [KnownNetworkRow]) -> KnownNetwork.ID? {
    if let chosenKnown, rows.contains(where: { $0.id == chosenKnown }) { return chosenKnown }
    return rows.first?.id
  }

  /// Highlights a known network.
  public func highlightKnown(_ id: KnownNetwork.ID) { chosenKnown = id }

  /// Highlights the known network that is `lines` further down, or up where that is negative.
  public func moveKnownCursor(by lines: Int, in rows: [KnownNetworkRow]) {
    guard let index = rows.firstIndex(where: { $0.id == knownCursor(in: rows) }) else { return }
    chosenKnown = rows[min(max(index + lines, 0), rows.count - 1)].id
  }

  /// The network that was heard and that a known one is for; `nil` where there is none.
  public func heard(_ row: KnownNetworkRow) -> Network? {
    let families = row.security.family.alike
    let found = settings.foundNetworks
    if let network = families.lazy.compactMap({ found[.network(row.id.ssid, $0)]?.network }).first { return network }
    // Where each BSS is a row of its own, the strongest of them.
    guard row.isInRange else { return nil }
    return found.all.filter { $0.isSSIDKnown && $0.ssid == row.id.ssid && families.contains($0.security.family) }
      .max { $0.strengthMBm < $1.strengthMBm }
  }
}
