import WiFi

/// All that a user sees of a ``WiFiSettingsModel``: a pure projection, row by row.
///
/// Section *top* has the switch and the row of the selected network, section *networks* the rest, in the order of
/// ``FoundNetworksModel``. While Wi-Fi is off there is only the switch.
public struct Panel: Hashable, Sendable {
  /// A group of rows.
  public enum Section: String, Hashable, Sendable, CaseIterable {
    /// The switch, and the selected network.
    case top
    /// The other networks.
    case networks
  }

  /// The rows of section *top*.
  public private(set) var top: [PanelRow] = []
  /// The rows of section *networks*.
  public private(set) var networks: [PanelRow] = []

  /// A panel without any row, which the first ``PanelTracker/update()`` begins with.
  public init() {}

  /// The panel of a model, now.
  ///
  /// Costs time in proportion to the number of networks; a reader in `observe` is notified of every change.
  public init(_ model: WiFiSettingsModel) {
    top = [.wifi(isOn: model.isOn)]
    guard model.isOn else { return }
    if let row = model.selectedRow { top.append(.network(row)) }
    let selectedID = model.selectedNetworkID
    for network in model.foundNetworks.all where network.id != selectedID {
      networks.append(.network(NetworkRow(network)))
    }
  }

  /// The rows of a section.
  public subscript(section: Section) -> [PanelRow] {
    get { section == .top ? top : networks }
    set { if section == .top { top = newValue } else { networks = newValue } }
  }

  /// Applies one difference.
  ///
  /// - Precondition: the rows that it names are there.
  public mutating func apply(_ change: PanelDiff) {
    switch change {
    case .insert(let row, let place): insert(row, at: place)
    case .remove(let id): remove(id)
    case .move(let id, let place):
      let row = remove(id)
      insert(row, at: place)
    case .update(let row):
      let (section, index) = place(of: row.id)
      self[section][index] = row
    }
  }

  private mutating func insert(_ row: PanelRow, at place: PanelDiff.Place) {
    guard let before = place.before else { return self[place.section].append(row) }
    let (section, index) = self.place(of: before)
    precondition(section == place.section, "Panel: \(before) is not in section \(place.section)")
    self[section].insert(row, at: index)
  }

  @discardableResult
  private mutating func remove(_ id: PanelRow.ID) -> PanelRow {
    let (section, index) = place(of: id)
    return self[section].remove(at: index)
  }

  private func place(of id: PanelRow.ID) -> (Section, Int) {
    for section in Section.allCases {
      if let index = self[section].firstIndex(where: { $0.id == id }) { return (section, index) }
    }
    preconditionFailure("Panel: there is no row \(id)")
  }
}

extension Panel: CustomStringConvertible {
  /// One line for each section and row, the rows indented by two spaces.
  public var description: String {
    var lines = ["top"] + top.map { "  \($0)" }
    if !networks.isEmpty { lines += ["networks"] + networks.map { "  \($0)" } }
    return lines.joined(separator: "\n")
  }
}

extension WiFiSettingsModel {
  /// The row of the selected network, where anything is known of it.
  var selectedRow: NetworkRow? {
    selectedNetwork.map { NetworkRow($0, isSelected: true, isOutOfRange: selectedNetworkIsOutOfRange) }
  }
}
